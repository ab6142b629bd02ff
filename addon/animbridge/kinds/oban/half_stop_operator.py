# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel's button that sets a door's half stop frame from the timeline."""

from __future__ import annotations

from typing import Any

import bpy

from ...ui.reporting import report_error, run_reported
from .half_stop import half_stop_at
from .object_motion import assigned_channels, carried_by
from .properties import oni_of


class ANIMBRIDGE_OT_set_half_stop(bpy.types.Operator):
    """Let a door's opening half end at the current frame. The marker HalfStopFrame moves there too"""

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
            return report_error(self, "No Action moves the active object. Select an animated object.")
        return run_reported(self, lambda: _set_half_stop(channels.action, context.scene))


def _set_half_stop(action: bpy.types.Action, scene: bpy.types.Scene) -> None:
    oni_of(action).half_stop_frame = half_stop_at(action, scene)
