# SPDX-License-Identifier: MIT
"""A folder of poses becomes pose assets, which show the avatar in small pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """Two poses as assets; their pictures are drawn in the background."""
    operators: Any = bpy.ops
    stage.clear()
    folder = stage.demo.parent / "sl_pose"
    files = [{"name": name} for name in ("stand.xml", "fs8_locks.xml")]
    with stage.in_view():
        operators.import_anim.secondlife_pose(directory=str(folder), files=files, place="ASSETS")
    for _ in range(20):
        yield
    pictures = {}
    for action in bpy.data.actions:
        preview: Any = action.preview
        assert preview is not None, action.name
        pictures[action.name] = tuple(preview.image_pixels)
        assert any(pictures[action.name]), f"the picture of {action.name} is empty"
    assert len(set(pictures.values())) == 2, "both poses have one picture"
