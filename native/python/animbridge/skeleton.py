# SPDX-License-Identifier: MIT
"""The Second Life skeleton, as the library knows it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .abi import Facing
from .curves import Armature
from .document import parse_object
from .library import call, take_bytes

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Joint:
    """A joint at rest in metres, +X forward and +Z up; `position` in the parent's frame, `end` in its own.

    `on_screen`: a point of the HUD, which no avatar has.
    """

    name: str
    kind: str
    parent: str | None
    aliases: tuple[str, ...]
    position: Vector
    rotation_wxyz: tuple[float, float, float, float]
    end: Vector | None
    group: str
    on_screen: bool


@cache
def skeleton_joints() -> tuple[Joint, ...]:
    """Every joint that an animation can name: bones, collision volumes, attachment points."""
    return tuple(
        Joint(
            name=row["name"],
            kind=row["kind"],
            parent=row["parent"],
            aliases=tuple(row["aliases"]),
            position=_vector(row["position"]),
            rotation_wxyz=tuple(float(value) for value in row["rotation_wxyz"]),  # pyright: ignore[reportArgumentType]
            end=_vector(row["end"]) if row.get("end") is not None else None,
            group=row["group"],
            on_screen=row["on_screen"],
        )
        for row in _skeleton()["joints"]
    )


@cache
def avatar_armature() -> Armature:
    """The avatar's bones with the axes of its joints, looking along +X."""
    joints = [joint for joint in skeleton_joints() if joint.kind == "bone"]
    index = {joint.name: place for place, joint in enumerate(joints)}
    rest = np.tile(np.eye(4, dtype=np.float32), (len(joints), 1, 1))
    for place, joint in enumerate(joints):
        above = rest[index[joint.parent], 3, :3] if joint.parent else 0.0
        rest[place, 3, :3] = above + np.array(joint.position, np.float32)
    return Armature(
        names=tuple(index),
        parents=np.array([index[joint.parent] if joint.parent else -1 for joint in joints], np.int32),
        rest_matrices=rest.reshape(len(joints), 16),
        flags=np.zeros(len(joints), np.uint8),
        facing=Facing.X,
    )


@cache
def emote_names() -> tuple[str, ...]:
    """The names that the viewer knows as emotes, facial expressions first."""
    return tuple(sorted(animation_states(), key=lambda name: (not name.startswith("express_"), name)))


def animation_states() -> list[str]:
    """The names that the viewer knows as emotes."""
    return [str(name) for name in _skeleton()["animation_states"]]


def _skeleton() -> dict[str, Any]:
    out = ctypes.c_void_p()
    call("ab_skeleton_json", b"sl_anim", None, None, ctypes.byref(out))
    return parse_object(take_bytes(out))


def _vector(values: list[float]) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
