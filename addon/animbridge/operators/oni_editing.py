# SPDX-License-Identifier: GPL-3.0-or-later
"""The button of the panel of OBANs: a door's half stop frame from the timeline."""

from __future__ import annotations

from typing import Any

import bpy

from ..native.errors import AnimBridgeError
from ..scene.oban_half_stop import half_stop_at
from ..scene.oban_properties import oni_of
from ..scene.object_motion import assigned_channels, carried_by
from .reporting import report_error


class ANIMBRIDGE_OT_set_half_stop(bpy.types.Operator):
    """Let a door's opening half end at the current frame; the marker HalfStopFrame follows"""

    bl_idname = "animbridge.set_half_stop"
    bl_label = "Set Half Stop Frame"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        active = context.view_layer.objects.active
        return active is not None and assigned_channels(carried_by(active)) is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        active = context.view_layer.objects.active
        channels = assigned_channels(carried_by(active)) if active else None
        if channels is None:
            return report_error(self, "No Action moves the active object.")
        try:
            oni_of(channels.action).half_stop_frame = half_stop_at(channels.action, context.scene)
        except AnimBridgeError as error:
            return report_error(self, error)
        return {"FINISHED"}


CLASSES = (ANIMBRIDGE_OT_set_half_stop,)
