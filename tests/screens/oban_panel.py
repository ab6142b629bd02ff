# SPDX-License-Identifier: MIT
"""A door in the 3D view, with what its OBAN says besides its motion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The tab AnimBridge beside a door that opens."""
    stage.clear()
    operators: Any = bpy.ops
    with stage.in_view():
        operators.mesh.primitive_cube_add(size=1)
        door = bpy.context.view_layer.objects.active
        door.name = "Door"
        for vertex in door.data.vertices:
            vertex.co = (vertex.co.x + 0.5, vertex.co.y * 0.1 + 1.0, vertex.co.z * 2.0)
        path = stage.demo.parent / "oban" / "door.oban"
        operators.import_anim.oni(
            filepath=str(path), axes="BLENDER", frame_rate="GAME", set_scene_range="ALWAYS"
        )
        bpy.context.scene.frame_set(48)
    stage.area.spaces.active.show_region_ui = True
    yield
    stage.look(at_selected=True)
    stage.show_tab("AnimBridge")
    yield
