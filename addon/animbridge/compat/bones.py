# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones are selected: a matter of pose bones since Blender 5.0, of bones before."""

from __future__ import annotations

from typing import Any, cast

import bpy


def selected_bones(armature_object: bpy.types.Object) -> set[str]:
    """The names of the selected bones."""
    pose = cast("bpy.types.Pose", armature_object.pose)
    return {bone.name for bone in pose.bones if _holder(bone).select}


def select_only(armature_object: bpy.types.Object, names: set[str]) -> None:
    """Selects these bones, makes one of them active and deselects all others."""
    pose = cast("bpy.types.Pose", armature_object.pose)
    bones: Any = cast("bpy.types.Armature", armature_object.data).bones
    for bone in pose.bones:
        _holder(bone).select = bone.name in names
    for name in sorted(names & set(bones.keys())):
        bones.active = bones[name]


def _holder(pose_bone: Any) -> Any:
    """What has `select`: the pose bone itself, or its bone."""
    return pose_bone if hasattr(pose_bone, "select") else pose_bone.bone
