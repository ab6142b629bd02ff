# SPDX-License-Identifier: MIT
"""A dance on the Second Life skeleton and mannequin that the import made, and the tab AnimBridge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """As after File > Import in an empty scene."""
    stage.clear()
    stage.import_demo("dance.anim")
    with stage.in_view():
        bpy.ops.object.select_all(action="DESELECT")
    bpy.context.scene.frame_set(25)
    shading = stage.area.spaces.active.shading
    shading.color_type = "SINGLE"
    shading.single_color = (0.72, 0.55, 0.4)
    shading.show_cavity = True
    stage.area.spaces.active.overlay.show_bones = False
    stage.area.spaces.active.show_region_ui = True
    yield
    stage.look()
    stage.show_tab("AnimBridge")
    yield
