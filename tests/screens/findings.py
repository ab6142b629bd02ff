# SPDX-License-Identifier: MIT
"""What a check found, in the tab AnimBridge of the dope sheet, which has all the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """A file whose joint has a priority above those that the viewer defines: the field cannot hold it."""
    stage.clear()
    rig = stage.import_demo("../sl_anim/joint_priority_7.anim")
    stage.pose_mode()
    joint = rig.animation_data.action.secondlife.joint_priorities[0].name
    rig.data.bones.active = rig.data.bones[joint]
    operators: Any = bpy.ops
    with stage.in_view():
        operators.animbridge.check()
    # Without this the finding fits into the window.
    types: Any = bpy.types
    bpy.utils.unregister_class(types.ANIMBRIDGE_PT_dopesheet_editor_loop)
    area = stage.area
    area.type = "DOPESHEET_EDITOR"
    area.spaces.active.show_region_ui = True
    yield
    stage.show_tab("AnimBridge", area)
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=stage.window, area=area, region=region):
        bpy.ops.action.view_all()
    yield
