# SPDX-License-Identifier: MIT
"""A level, one OBAN of it onto a door, and back into a file, by file browsers; then undone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy

LEVEL = "oban/package_pc/level7_Final.dat"


def show(stage: Any) -> Iterator[float]:
    """The object that was active plays it, and stays where it was after the undo."""
    stage.clear()
    with stage.in_view():
        bpy.ops.mesh.primitive_cube_add(location=(1.0, 2.0, 3.0))
        bpy.context.view_layer.objects.active.name = "Door"
        bpy.ops.ed.undo_push(message="a door")
    level = stage.demo.parent / LEVEL
    yield from stage.choose_file("import_anim.oni", level, oban="Door_A")
    door = bpy.context.view_layer.objects.active
    assert door.name == "Door" and [action.name for action in bpy.data.actions] == ["Door_A"]
    assert len(bpy.data.objects) == 1
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "OBANDoor_A.oni"
        yield from stage.choose_file("export_anim.oni", out)
        assert out.stat().st_size > 100
        yield from stage.choose_file("import_anim.oni", out, target="EMPTY")
        first, second = (motion(action) for action in bpy.data.actions)
        assert first == second, "the file plays what was imported"
        yield from stage.undo()
    assert len(bpy.data.actions) == 1 and len(bpy.data.objects) == 1
    yield from stage.undo()
    assert not len(bpy.data.actions)
    assert bpy.data.objects["Door"].location[:] == (1.0, 2.0, 3.0)


def motion(action: Any) -> dict[tuple[str, int], list[tuple[float, ...]]]:
    """The keys of every curve."""
    holder = action.layers[0].strips[0].channelbags[0] if hasattr(action, "layers") else action
    return {
        (curve.data_path, curve.array_index): [tuple(point.co) for point in curve.keyframe_points]
        for curve in holder.fcurves
    }
