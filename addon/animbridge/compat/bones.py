# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones are selected or hidden: a matter of pose bones since Blender 5.0, of bones before."""

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


def drive_hidden(armature_object: bpy.types.Object, name: str, data_path: str) -> None:
    """Hides a bone while a property of the armature object, which has the data path, is below a half.

    Bones are hidden by themselves before Blender 5.0, and by their pose bones since.
    """
    pose = cast("bpy.types.Pose", armature_object.pose)
    bone = pose.bones[name]
    holder: Any = bone if hasattr(bone, "hide") else bone.bone
    curve = holder.driver_add("hide")
    driver = curve.driver
    driver.type = "SCRIPTED"
    variable = driver.variables.new()
    variable.name = "shown"
    variable.targets[0].id = armature_object
    variable.targets[0].data_path = data_path
    driver.expression = "shown < 0.5"
