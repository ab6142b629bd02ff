# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose > Finger Pose, and Pose > Add Hand Poses."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty

from ...package import AnimBridgeError
from ...scene.armature.reading import active_armature
from ...ui.reporting import run_reported
from .assets import mark_as_assets
from .fingers import HAND_POSES, SIDES, hand_actions, pose_fingers

_POSE_ITEMS = tuple(
    (name.upper().replace("-", "_"), label, description) for name, label, description in HAND_POSES
)
_SIDE_ITEMS = (
    ("BOTH", "Both Hands", "The left and the right hand"),
    ("LEFT", "Left Hand", "The left hand alone"),
    ("RIGHT", "Right Hand", "The right hand alone"),
)


class _OnArmature:
    """What both operators need."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context.view_layer) is not None


class POSE_OT_animbridge_fingers(_OnArmature, bpy.types.Operator):
    """Pose the fingers of the active armature. With auto keying, they get keys"""

    bl_idname = "pose.animbridge_fingers"
    bl_label = "Finger Pose"
    bl_options = {"REGISTER", "UNDO"}

    pose: EnumProperty(name="Pose", description="How the fingers are posed", items=_POSE_ITEMS)
    side: EnumProperty(name="Hand", description="Which hand is posed", items=_SIDE_ITEMS, default="BOTH")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._pose(context))

    def _pose(self, context: bpy.types.Context) -> None:
        name = next(row[0] for row, item in zip(HAND_POSES, _POSE_ITEMS, strict=True) if item[0] == self.pose)
        for side in SIDES:
            if self.side in ("BOTH", side.upper()):
                pose_fingers(context, require_active(context), name, side)


class POSE_OT_animbridge_hand_assets(_OnArmature, bpy.types.Operator):
    """Add AnimBridge's twelve hand poses, for each hand, as pose assets for the active armature"""

    bl_idname = "pose.animbridge_hand_assets"
    bl_label = "Add Hand Poses"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._add(context))

    def _add(self, context: bpy.types.Context) -> str:
        armature = require_active(context)
        made = list(hand_actions(context, armature))
        mark_as_assets(armature, made)
        return f"{len(made)} pose assets added. Save this file into an asset library to use them elsewhere"


def require_active(context: bpy.types.Context) -> bpy.types.Object:
    """The active armature."""
    found = active_armature(context.view_layer)
    if found is None:
        raise AnimBridgeError("No armature is active. Select one.")
    return found
