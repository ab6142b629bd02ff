# SPDX-License-Identifier: GPL-3.0-or-later
"""Which object is active and selected."""

from __future__ import annotations

import bpy


def activate(view_layer: bpy.types.ViewLayer, thing: bpy.types.Object) -> None:
    """Makes an object active, and the only selected one; in Object mode."""
    active = view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for selected in list(view_layer.objects.selected):
        selected.select_set(False)
    view_layer.objects.active = thing
    thing.select_set(True)
