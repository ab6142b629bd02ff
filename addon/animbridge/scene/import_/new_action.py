# SPDX-License-Identifier: GPL-3.0-or-later
"""New Actions, as every import makes them."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...compat import actions
from ...package import Curve
from ..names import data_block_name
from ..undo import Undo
from .curves import AddedCurves, add_curves, add_properties


def make_action(
    undo: Undo,
    name: str,
    moved: bpy.types.Object,
    curves: Sequence[Curve],
    bone_names: Sequence[str] | None,
    frame_range: tuple[float, float],
    *,
    fake_user: bool,
) -> tuple[actions.Channels, AddedCurves]:
    """Makes an Action for an armature or object, not yet assigned to it, with its curves.

    `bone_names` as for `add_curves`. `undo` gets the steps that remove the Action and new properties.
    """
    add_properties(undo, moved, curves)
    action = undo.made(bpy.data.actions.new(name))
    action.use_fake_user = fake_user
    channels = actions.create_channels(action, data_block_name(moved.name))
    added = add_curves(channels, curves, bone_names)
    action.frame_range = frame_range
    return channels, added
