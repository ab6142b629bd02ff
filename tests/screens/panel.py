# SPDX-License-Identifier: MIT
"""The tab AnimBridge in the 3D view's side bar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The tab, with an imported animation that was checked."""
    stage.clear()
    stage.import_demo("dance.anim")
    stage.pose_mode()
    bpy.context.scene.frame_set(25)
    operators: Any = bpy.ops
    with stage.in_view():
        operators.animbridge.check()
    stage.area.spaces.active.show_region_ui = True
    yield
    stage.look()
    stage.show_tab("AnimBridge")
    yield
