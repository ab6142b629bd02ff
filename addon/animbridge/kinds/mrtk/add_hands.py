# SPDX-License-Identifier: GPL-3.0-or-later
"""Add > Armature > MRTK Hands."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...package import recording_skeleton
from ...ui.reporting import run_reported
from .armature import create_recording_armature

HANDS_NAME: Final = "MRTK Hands"


class ARMATURE_OT_mrtk_hands_add(bpy.types.Operator):
    """Add two hands with the joints of MRTK, ready to be posed and exported, at the 3D cursor"""

    bl_idname = "armature.mrtk_hands_add"
    bl_label = "MRTK Hands"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.mode == "OBJECT"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._add(context))

    def _add(self, context: bpy.types.Context) -> None:
        hands = create_recording_armature(context, HANDS_NAME, recording_skeleton(None, {}))
        hands.location = context.scene.cursor.location
