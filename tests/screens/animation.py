# SPDX-License-Identifier: MIT
"""The workspace for animators: the imported keys in the Dope Sheet, all bones selected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """An import, then the workspace Animation."""
    stage.clear()
    stage.import_demo("dance.anim")
    stage.window.workspace = bpy.data.workspaces["Animation"]
    yield
    stage.pose_mode()
    with stage.in_view():
        bpy.ops.pose.select_all(action="SELECT")
    bpy.context.scene.frame_set(25)
    stage.look()
    yield
    sheet = next(area for area in stage.window.screen.areas if area.type == "DOPESHEET_EDITOR")
    region = next(region for region in sheet.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=stage.window, area=sheet, region=region):
        bpy.ops.action.view_all()
    yield
