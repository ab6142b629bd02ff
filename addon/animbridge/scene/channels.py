# SPDX-License-Identifier: GPL-3.0-or-later
"""F-curves of bones: their data paths, and which of them an animation file can hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import bpy

from ..package import Channel

LOCATION: Final = "location"
QUATERNION: Final = "rotation_quaternion"
AXIS_ANGLE: Final = "rotation_axis_angle"
EULER: Final = "rotation_euler"
#: Only poses have it.
SCALE: Final = "scale"
ROTATIONS: Final = (QUATERNION, AXIS_ANGLE, EULER)
COMPONENTS: Final = {LOCATION: 3, QUATERNION: 4, AXIS_ANGLE: 4, EULER: 3}

#: In place of a bone's name: the object itself, which has the custom properties.
OBJECT: Final = ""

_PROPERTY_PATH: Final = re.compile(r'\["((?:[^"\\]|\\.)*)"\]', re.DOTALL)
_BONE_PATH: Final = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\](?:\.|(?=\[))(.*)', re.DOTALL)


@dataclass
class BoneCurves:
    """The F-curves of one bone as {property: {component: curve}}, and the others, which no file holds."""

    name: str
    channels: dict[str, dict[int, bpy.types.FCurve]] = field(default_factory=dict)
    others: list[bpy.types.FCurve] = field(default_factory=list)


def data_path(bone_name: str, prop: str) -> str:
    """The data path of a bone's property."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone_name)}"].{prop}'


def property_path(name: str) -> str:
    """The data path of an object's custom property."""
    return f'["{bpy.utils.escape_identifier(name)}"]'


def property_at(path: str) -> str | None:
    """The name of the custom property with this data path; None if the path is another's."""
    match = _PROPERTY_PATH.fullmatch(path)
    return bpy.utils.unescape_identifier(match[1]) if match else None


def split_path(path: str) -> tuple[str, str] | None:
    """The bone's name and the rest of a data path; None if the path is not a bone's."""
    match = _BONE_PATH.fullmatch(path)
    return (bpy.utils.unescape_identifier(match[1]), match[2]) if match else None


def sort_by_bone(fcurves: Iterable[bpy.types.FCurve]) -> tuple[dict[str, BoneCurves], list[bpy.types.FCurve]]:
    """The curves by bone, and those of no bone (such as the object's own motion)."""
    bones: dict[str, BoneCurves] = {}
    elsewhere: list[bpy.types.FCurve] = []
    for curve in fcurves:
        place = split_path(curve.data_path)
        if place is None:
            elsewhere.append(curve)
            continue
        name, prop = place
        bone = bones.setdefault(name, BoneCurves(name))
        if prop in COMPONENTS and 0 <= curve.array_index < COMPONENTS[prop]:
            bone.channels.setdefault(prop, {})[curve.array_index] = curve
        else:
            bone.others.append(curve)
    return bones, elsewhere


def rotation_property(rotation_mode: str) -> str:
    """The property that turns a bone of this rotation mode."""
    return {"QUATERNION": QUATERNION, "AXIS_ANGLE": AXIS_ANGLE}.get(rotation_mode, EULER)


def native_channel(prop: str, rotation_mode: str) -> Channel:
    """The library's channel for a property of a bone of this rotation mode."""
    if prop == LOCATION:
        return Channel.LOCATION
    if prop == EULER:
        return Channel[f"ROTATION_{rotation_mode}"]
    return Channel[prop.upper()]


def property_of(channel: Channel) -> str:
    """The property that a channel of imported curves drives."""
    known = {Channel.LOCATION: LOCATION, Channel.ROTATION_QUATERNION: QUATERNION, Channel.SCALE: SCALE}
    return known.get(channel, EULER)
