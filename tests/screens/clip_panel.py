# SPDX-License-Identifier: MIT
"""The panel Clip in the dope sheet's sidebar, with the numbers of a loop before and after it was closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands

PANEL = "ANIMBRIDGE_PT_clip_dopesheet"


def show(stage: Any) -> Iterator[float]:
    """A dance cut in the middle, whose loop is then closed."""
    stage.clear()
    stage.import_demo("dance.anim")
    operators: Any = bpy.ops
    with stage.in_view():
        operators.animbridge.clip_trim(span="CUSTOM", first_frame=1.0, last_frame=30.0)
        operators.animbridge.clip_close_loop()
    stage.look()
    stage.pose_mode()
    area = stage.area
    with bpy.context.temp_override(window=stage.window, area=area):
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.62)
    yield from hands.until_still()
    views = [area for area in stage.window.screen.areas if area.type == "VIEW_3D"]
    sheet = max(views, key=lambda area: area.height)
    sheet.type = "DOPESHEET_EDITOR"
    sheet.spaces.active.ui_mode = "ACTION"
    yield from hands.until_still()
    sheet.spaces.active.show_region_ui = True
    yield from hands.until_still()
    # The others of the tab come first.
    for panel in bpy.types.Panel.__subclasses__():
        is_of_tab = getattr(panel, "bl_category", "") == "AnimBridge" and panel.is_registered
        if is_of_tab and panel.bl_space_type == "DOPESHEET_EDITOR" and panel.__name__ != PANEL:
            bpy.utils.unregister_class(panel)
    stage.show_tab("AnimBridge", sheet)
    yield from hands.until_still()
