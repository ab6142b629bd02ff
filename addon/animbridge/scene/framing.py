# SPDX-License-Identifier: GPL-3.0-or-later
"""What the 3D views look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from mathutils import Matrix

_UNSEEN_TYPES = {"CAMERA", "LIGHT"}


def is_bare(view_layer: bpy.types.ViewLayer) -> bool:
    """Whether there is nothing to look at: only cameras, lights, and the cube of Blender's startup file."""
    return all(thing.type in _UNSEEN_TYPES or _is_startup_cube(thing) for thing in view_layer.objects)


def _is_startup_cube(thing: bpy.types.Object) -> bool:
    """Untouched, as far as a glance tells."""
    mesh: Any = thing.data if thing.type == "MESH" else None
    return bool(mesh) and thing.name == "Cube" and len(mesh.vertices) == 8 and thing.matrix_world == Matrix()


def frame_selected(context: bpy.types.Context) -> None:
    """Lets the selected objects fill every 3D view that doesn't look through a camera."""
    if bpy.app.background:
        return
    view_selected: Any = bpy.ops.view3d.view_selected
    for place in _views(context):
        with context.temp_override(**place):
            if view_selected.poll():
                view_selected()


def _views(context: bpy.types.Context) -> Iterator[dict[str, Any]]:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            space: Any = area.spaces.active
            if area.type != "VIEW_3D" or space.region_3d.view_perspective == "CAMERA":
                continue
            region = next(region for region in area.regions if region.type == "WINDOW")
            yield {"window": window, "area": area, "region": region}
