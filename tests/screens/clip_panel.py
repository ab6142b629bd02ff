# SPDX-License-Identifier: MIT
"""The panel Clip in the dope sheet's sidebar, with the numbers of a loop before and after it was closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands


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
    sheet = min(views, key=lambda area: area.y)
    sheet = max(views, key=lambda area: area.height)
    sheet.type = "DOPESHEET_EDITOR"
    sheet.spaces.active.ui_mode = "ACTION"
    yield from hands.until_still()
    sheet.spaces.active.show_region_ui = True
    yield from hands.until_still()
    stage.show_tab("AnimBridge", sheet)
    yield from hands.until_still()
