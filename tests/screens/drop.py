# SPDX-License-Identifier: MIT
"""Two .anim files dropped onto the 3D view: the popup that asks for the importer's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The popup, before its button is pressed."""
    handlers = getattr(bpy.types, "FileHandler", None)
    if handlers is None or not any(".anim" in cls.bl_file_extensions for cls in handlers.__subclasses__()):
        raise stage.NotHere("no file handler takes .anim files")
    stage.clear()
    stage.window.cursor_warp(stage.area.x + stage.area.width // 2, stage.area.y + stage.area.height // 2)
    yield
    operators: Any = bpy.ops
    with stage.in_view():
        files = [{"name": "dance.anim"}, {"name": "walk.anim"}]
        operators.wm.drop_import_file("INVOKE_DEFAULT", directory=str(stage.demo), files=files)
    yield
