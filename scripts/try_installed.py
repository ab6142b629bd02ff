# SPDX-License-Identifier: MIT
"""Tries the installed add-on on a system that we don't have, and prints a report to send us.

blender --background --python try_installed.py
"""

import platform
import tempfile
from pathlib import Path
from typing import Any

import bpy

FILES = {"wave.anim": "secondlife", "wave.bvh": "animbridge_bvh"}
FILES |= dict.fromkeys(("wave.glb", "wave.fbx", "wave.dae"), "animbridge_scene")
blender: Any = bpy
print(f"AnimBridge in Blender {bpy.app.version_string} on {platform.platform()}, {platform.machine()}")
with tempfile.TemporaryDirectory(prefix="Ünïcode 動き ") as folder:
    for name, operator in FILES.items():
        path = Path(folder, name)
        options = {"file_format": path.suffix[1:].upper()} if operator == "animbridge_scene" else {}
        try:
            blender.ops.wm.read_homefile(use_empty=True)
            blender.ops.armature.secondlife_skeleton_add()
            bone = blender.context.object.pose.bones["mElbowLeft"]
            for frame, turn in ((1, 0.0), (20, 0.5)):
                bone.rotation_quaternion = (1.0, 0.0, turn, 0.0)
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            getattr(blender.ops.export_anim, operator)(filepath=str(path), **options)
            blender.ops.wm.read_homefile(use_empty=True)
            getattr(blender.ops.import_anim, operator)(filepath=str(path))
            print(f"works   {name}  {path.stat().st_size} bytes, {len(bpy.data.actions)} Action")
        except Exception as fault:
            print(f"FAILED  {name}  {' '.join(str(fault).split())}")
