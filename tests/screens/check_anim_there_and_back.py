# SPDX-License-Identifier: MIT
"""A first .anim: imported through the file browser, exported in the same way, undone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy


def show(stage: Any) -> Iterator[float]:
    """The file comes out as it went in; the default cube does not hide the skeleton."""
    walk = stage.demo / "walk.anim"
    things = [thing.name for thing in bpy.data.objects]
    yield from stage.choose_file("import_anim.secondlife", walk)
    active = bpy.context.view_layer.objects.active
    assert [action.name for action in bpy.data.actions] == ["walk"], list(bpy.data.actions)
    assert active is not None and active.type == "ARMATURE" and active.animation_data.action.name == "walk"
    assert active.show_in_front
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.anim"
        yield from stage.choose_file("export_anim.secondlife", out)
        assert out.read_bytes() == walk.read_bytes()
    yield from stage.undo()
    assert not len(bpy.data.actions), list(bpy.data.actions)
    assert [thing.name for thing in bpy.data.objects] == things
