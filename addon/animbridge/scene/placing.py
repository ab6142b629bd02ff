# SPDX-License-Identifier: GPL-3.0-or-later
"""Making an armature play an Action: assigned, or as an NLA strip."""

from __future__ import annotations

from typing import cast

import bpy

from ..compat import actions


def animation_of(armature_object: bpy.types.Object) -> bpy.types.AnimData:
    """The armature's animation data, made if it has none."""
    return cast(
        "bpy.types.AnimData", armature_object.animation_data or armature_object.animation_data_create()
    )


def assign(armature_object: bpy.types.Object, channels: actions.Channels) -> None:
    """Makes the armature play the Action."""
    actions.assign(animation_of(armature_object), channels)


def add_nla_track(
    armature_object: bpy.types.Object, channels: actions.Channels, frame_range: tuple[float, float]
) -> None:
    """Adds an NLA track on top, with one strip that plays these frames of the Action in place."""
    track = animation_of(armature_object).nla_tracks.new()
    track.name = channels.action.name
    actions.add_nla_strip(track, channels.action.name, channels, *frame_range)
