# SPDX-License-Identifier: MIT
"""Two recorded hands, as bones, with the camera that saw them."""

from __future__ import annotations

from collections.abc import Iterator
from math import radians
from typing import Any

import bpy
from mathutils import Euler

#: From above, behind and a little left of the head: both hands show their backs there.
SEEN_FROM = Euler((radians(52), 0, radians(-28)))


def show(stage: Any) -> Iterator[None]:
    """A recording with both hands, in Pose mode, seen about as whoever moved them saw them."""
    operators: Any = bpy.ops
    stage.clear()
    recording = stage.demo.parent / "mrtk" / "two_hands_v11.bin"
    with stage.in_view():
        operators.import_anim.mrtk(filepath=str(recording), rig="HANDS")
    bpy.context.scene.frame_set(1)
    stage.pose_mode()
    armature = bpy.context.view_layer.objects.active
    for bone in armature.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name.startswith(("L_", "R_"))
    yield
    stage.area.spaces.active.region_3d.view_rotation = SEEN_FROM.to_quaternion()
    yield
    with stage.in_view():
        operators.view3d.view_selected()
    yield
