# SPDX-License-Identifier: MIT
"""Opens every .blend file below a folder and plays it, as somebody does who has no add-on.

blender --background --factory-startup --python tests/readme/open_blends.py -- FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy


def play(path: Path) -> None:
    """The armature's Action has keys, and some bone is not at rest on its first frame."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    armatures: list[Any] = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    assert len(armatures) == 1, f"{path}: {len(armatures)} armatures"
    armature = armatures[0]
    assert armature.animation_data is not None, f"{path}: no Action"
    action = armature.animation_data.action
    assert action is not None and action.fcurves, f"{path}: no curves"
    assert all(curve.keyframe_points for curve in action.fcurves), f"{path}: a curve without keys"
    bpy.context.scene.frame_set(bpy.context.scene.frame_start)
    moved = [
        bone.name
        for bone in armature.pose.bones
        if any(
            abs(a - b) > 1e-4
            for posed, rest in zip(bone.matrix, bone.bone.matrix_local, strict=True)
            for a, b in zip(posed, rest, strict=True)
        )
    ]
    assert moved, f"{path}: every bone rests"


def main() -> None:
    """Plays all and prints how many there were."""
    files = sorted(Path(sys.argv[sys.argv.index("--") + 1]).rglob("*.blend"))
    for path in files:
        play(path)
    print(f"played {len(files)} files")


main()
