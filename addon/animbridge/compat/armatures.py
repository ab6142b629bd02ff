# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of bones: collections since Blender 4.0, before that layers with bone groups for name and colour."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import bpy

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class ColouredBones:
    """Bones of one colour (RGB as the screen shows it); `suffix` makes their name out of the group's."""

    suffix: str
    colour: Colour
    bones: tuple[str, ...]


@dataclass(frozen=True)
class BoneGroup:
    """Bones that are shown and hidden together."""

    name: str
    parts: tuple[ColouredBones, ...]


def group_bones(armature_object: bpy.types.Object, groups: list[BoneGroup]) -> None:
    """Groups and colours the bones of a new armature, whose object is in Object mode."""
    armature: Any = armature_object.data
    if hasattr(armature, "collections"):
        for group in groups:
            _make_collection(armature, group)
        return
    for layer, group in enumerate(groups):
        _make_layer(armature_object, layer, group)
    armature.layers = _bits(range(len(groups)))


def hide_groups(armature_object: bpy.types.Object, groups: list[BoneGroup], names: Collection[str]) -> None:
    """Hides the groups of these names and shows the others.

    `groups` are all that group_bones was given, and one stays shown.
    """
    armature: Any = armature_object.data
    if hasattr(armature, "collections"):
        for group in groups:
            armature.collections[group.name].is_visible = group.name not in names
        return
    armature.layers = _bits([layer for layer, group in enumerate(groups) if group.name not in names])


def show_bones(armature_object: bpy.types.Object, names: Collection[str]) -> None:
    """Shows the groups of these bones, where all of a bone's are hidden."""
    armature: Any = armature_object.data
    for bone in (armature.bones[name] for name in names if name in armature.bones):
        if not hasattr(armature, "collections"):
            pairs = list(zip(bone.layers, armature.layers, strict=True))
            if not any(own and shown for own, shown in pairs):
                armature.layers = [own or shown for own, shown in pairs]
        elif not any(group.is_visible for group in bone.collections):
            for group in bone.collections:
                group.is_visible = True


def _make_collection(armature: Any, group: BoneGroup) -> None:
    collection = armature.collections.new(group.name)
    for part in group.parts:
        for name in part.bones:
            bone = armature.bones[name]
            collection.assign(bone)
            bone.color.palette = "CUSTOM"
            _colour(bone.color.custom, part.colour)


def _make_layer(armature_object: Any, layer: int, group: BoneGroup) -> None:
    for part in group.parts:
        bone_group = armature_object.pose.bone_groups.new(name=f"{group.name}{part.suffix}")
        bone_group.color_set = "CUSTOM"
        _colour(bone_group.colors, part.colour)
        for name in part.bones:
            armature_object.data.bones[name].layers = _bits((layer,))
            armature_object.pose.bones[name].bone_group = bone_group


def _colour(colours: Any, colour: Colour) -> None:
    """The colour, and lighter ones for selected bones and the active bone."""
    colours.normal = colour
    colours.select = _lighter(colour, 0.5)
    colours.active = _lighter(colour, 0.8)


def _lighter(colour: Colour, share: float) -> list[float]:
    return [value + share * (1.0 - value) for value in colour]


def _bits(layers: Any) -> list[bool]:
    return [number in layers for number in range(32)]
