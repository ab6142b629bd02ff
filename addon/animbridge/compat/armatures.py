# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of bones: collections since Blender 4.0, before that layers with bone groups for name and colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy


@dataclass(frozen=True)
class BoneGroup:
    """Bones that are shown, hidden and coloured together; `palette` is one of THEME01 to THEME20."""

    name: str
    palette: str
    bones: tuple[str, ...]


def group_bones(armature_object: bpy.types.Object, groups: list[BoneGroup]) -> None:
    """Groups the bones of a new armature, whose object is in Object mode."""
    armature: Any = armature_object.data
    if hasattr(armature, "collections"):
        for group in groups:
            _make_collection(armature, group)
        return
    for layer, group in enumerate(groups):
        _make_layer(armature_object, layer, group)
    armature.layers = _bits(range(len(groups)))


def _make_collection(armature: Any, group: BoneGroup) -> None:
    collection = armature.collections.new(group.name)
    for name in group.bones:
        bone = armature.bones[name]
        collection.assign(bone)
        bone.color.palette = group.palette


def _make_layer(armature_object: Any, layer: int, group: BoneGroup) -> None:
    bone_group = armature_object.pose.bone_groups.new(name=group.name)
    bone_group.color_set = group.palette
    for name in group.bones:
        armature_object.data.bones[name].layers = _bits((layer,))
        armature_object.pose.bones[name].bone_group = bone_group


def _bits(layers: Any) -> list[bool]:
    return [number in layers for number in range(32)]
