# SPDX-License-Identifier: MIT
"""The film of docs/recipes/oni.md: a door that opens is exported, and closes in the game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import bpy
import hands
from film import EXPORT
from mathutils import Euler

OPEN_FRAME = 31


def show(stage: Any) -> Iterator[float]:
    """Export with Door turned on, and import of what was written."""
    film = stage.film
    yield from stage.only_view()
    make_door(stage)
    yield from hands.until_still()
    film.say("Animate the door while it opens")
    yield from film.play(range(1, OPEN_FRAME + 1, 3))
    film.say("Export it, with Door turned on")
    yield from film.choose("export_anim.oni", EXPORT)
    path = film.file("door.oni")
    yield from film.confirm(stage, path, door=True)
    yield from film.hold(2.0)
    film.say("The file also closes the door, as the game expects")
    operators: Any = bpy.ops
    with stage.in_view():
        operators.import_anim.oni(filepath=str(path), target="ACTIVE")
    door: Any = bpy.context.view_layer.objects.active
    assert door.name == "Door" and door.animation_data.action.oni.half_stop_frame > 0
    yield from film.play(range(1, 2 * OPEN_FRAME, 3))


def make_door(stage: Any) -> None:
    """A door in its frame; it turns about its left edge."""
    add = bpy.ops.mesh.primitive_cube_add
    with stage.in_view():
        for x, z, width, height in ((-0.55, 1.0, 0.1, 2.1), (0.55, 1.0, 0.1, 2.1), (0.0, 2.1, 1.2, 0.1)):
            add(size=1.0, location=(x, 0.0, z))
            bpy.context.view_layer.objects.active.scale = (width, 0.14, height)
        add(size=1.0, location=(0.5, 0.0, 1.0), scale=(1.0, 0.06, 2.0))
        bpy.ops.object.transform_apply(location=True)
        door: Any = bpy.context.view_layer.objects.active
        door.name = "Door"
        door.location = (-0.5, 0.0, 0.03)
        for frame, degrees in ((1, 0.0), (OPEN_FRAME, 90.0)):
            door.rotation_euler = (0.0, 0.0, math.radians(degrees))
            door.keyframe_insert("rotation_euler", frame=frame)
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, OPEN_FRAME
        scene.frame_set(1)
        stage.area.spaces.active.region_3d.view_rotation = Euler((1.25, 0.0, -0.5)).to_quaternion()
        bpy.ops.view3d.view_all()
