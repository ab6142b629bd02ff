# SPDX-License-Identifier: MIT
"""A pose of a viewer on a new avatar, with AnimBridge's hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """As after File > Import in an empty scene, and two finger poses."""
    operators: Any = bpy.ops
    stage.clear()
    path = str(stage.demo.parent / "sl_pose" / "stand.xml")
    with stage.in_view():
        operators.import_anim.secondlife_pose(filepath=path)
        operators.pose.animbridge_fingers(pose="POINT", side="RIGHT")
        operators.pose.animbridge_fingers(pose="GRIP", side="LEFT")
        bpy.ops.object.select_all(action="DESELECT")
    shading = stage.area.spaces.active.shading
    shading.color_type = "SINGLE"
    shading.single_color = (0.72, 0.55, 0.4)
    shading.show_cavity = True
    stage.area.spaces.active.overlay.show_bones = False
    yield
    stage.look()
    yield
