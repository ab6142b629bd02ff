# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Clip, in the sidebars of the dope sheet and the 3D view."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ..scene.armature.reading import active_armature
from ..scene.playing import assigned_channels
from ..ui.panels import sidebar_panel
from . import numbers

#: Rows of buttons, with a line above each group.
_GROUPS: Final = (
    (("trim", "split"), ("speed", "retime"), ("reverse", "hold")),
    (("find_loop", "close_loop"), ("remove_travel", "start_here")),
    (("mirror", "smooth"), ("blend_edit",)),
)


class _Clip:
    bl_label = "Clip"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """For armatures that play an Action."""
        thing = active_armature(context.view_layer)
        return thing is not None and assigned_channels(thing) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        for group in _GROUPS:
            column = layout.column(align=True)
            for names in group:
                row = column.row(align=True)
                for name in names:
                    row.operator(f"animbridge.clip_{name}")
        thing = active_armature(context.view_layer)
        channels = assigned_channels(thing) if thing else None
        if channels is not None:
            layout.operator("animbridge.clip_measure", icon="DRIVER_DISTANCE")
            numbers.draw(layout, channels.action)


class _ClosedClip(_Clip):
    """In the 3D view, where other panels of the tab come first."""

    bl_options = {"DEFAULT_CLOSED"}


CLASSES: Final = (
    sidebar_panel("ANIMBRIDGE_PT_clip_view", _ClosedClip, "VIEW_3D"),
    sidebar_panel("ANIMBRIDGE_PT_clip_dopesheet", _Clip, "DOPESHEET_EDITOR"),
)
