# SPDX-License-Identifier: GPL-3.0-or-later
"""What an OBAN says besides its motion, in the sidebars of the 3D view and the dope sheet."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...ui.panels import sidebar_panel
from .object_motion import assigned_channels, carried_by, carrier_of
from .properties import oni_of


def _playing(thing: Any) -> bpy.types.Action | None:
    channels = assigned_channels(carried_by(thing))
    return channels.action if channels else None


class _Oni:
    bl_label = "Oni Animation"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        active = context.view_layer.objects.active
        if active is None:
            return False
        action = _playing(active)
        # Actions of armatures are rarely animations of objects.
        return active.type != "ARMATURE" or (action is not None and oni_of(action).is_from_file)

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        row = layout.row(align=True)
        row.operator("import_anim.oni", text="Import", icon="IMPORT")
        row.operator("export_anim.oni", text="Export", icon="EXPORT")
        active = context.view_layer.objects.active
        action = _playing(active)
        if active is None or action is None:
            layout.label(text="No Action moves the active object")
            return
        layout.label(text=action.name, icon="ACTION")
        mover = carrier_of(carried_by(active))
        if mover != active:
            layout.label(text=f"On the parent {mover.name}", icon="CON_CHILDOF")
        layout.use_property_split = True
        layout.use_property_decorate = False
        _draw_header(layout, oni_of(action))


def _draw_header(layout: Any, shown: Any) -> None:
    layout.column().prop(shown, "oban_name")
    flags = layout.column(heading="Play")
    for name in ("normal_loop", "back_to_back_loop", "random_start_frame", "autostart"):
        flags.prop(shown, name)
    if shown.other_flags.strip() not in ("", "0"):
        flags.prop(shown, "other_flags")
    place = layout.column()
    place.prop(shown, "is_local")
    origin = place.column()
    origin.enabled = shown.is_local
    origin.prop(shown, "origin_location")
    origin.prop(shown, "origin_rotation", text="Rotation")
    numbers = layout.column()
    row = numbers.row(align=True)
    row.prop(shown, "half_stop_frame", text="Half Stop")
    row.operator("animbridge.set_half_stop", text="", icon="EYEDROPPER")
    numbers.prop(shown, "frame_length", text="Length")


CLASSES: Final = tuple(
    sidebar_panel(f"ANIMBRIDGE_PT_oni_{space.lower()}", _Oni, space)
    for space in ("VIEW_3D", "DOPESHEET_EDITOR")
)
