# SPDX-License-Identifier: MIT
"""Rigs for the tests of exports."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from helpers import (
    random_rig,
    random_turn,
    set_frame,
)
from mathutils import Quaternion


def add_strip(rig: Any, name: str = "below") -> Any:
    animation = rig.animation_data
    strip = animation.nla_tracks.new().strips.new(name, 1, animation.action)
    strip.name = name  # which 3.4 takes from the Action
    if hasattr(strip, "action_slot"):
        strip.action_slot = animation.action_slot
    return strip


def keyed_rig(seed: int = 1, bones: tuple[str, ...] = ("mHead", "mElbowLeft")) -> Any:
    """A rig that looks along +X, with keys at frames 1 and 25 and one between."""
    random = np.random.default_rng(seed)
    rig = random_rig(random, "X")
    for name in bones:
        key(rig, name, random, (1, 12, 25))
    return rig


def key(rig: Any, name: str, random: np.random.Generator, frames: tuple[float, ...]) -> None:
    for frame in frames:
        turn = Quaternion().slerp(random_turn(random), 0.3)
        if turn.w < 0:
            turn.negate()
        rig.pose.bones[name].rotation_quaternion = turn
        rig.pose.bones[name].keyframe_insert("rotation_quaternion", frame=frame)


def busy_rig(random: np.random.Generator) -> Any:
    """Three Actions: two on NLA tracks (one muted, one solo), one assigned; and a frame between frames."""
    rig = random_rig(random, "X")
    animation = rig.animation_data_create()
    for name, bone in (("sit", "mKneeLeft"), ("stand", "mTorso"), ("wave", "mElbowLeft")):
        animation.action = bpy.data.actions.new(name)
        key(rig, bone, random, (1, 13))
        animation.action.name = name
        if name != "wave":
            add_strip(rig, name)
            animation.nla_tracks[-1].name = f"track {name}"
    animation.nla_tracks["track sit"].mute = True
    animation.nla_tracks["track stand"].is_solo = True
    set_frame(4.25)
    return rig
