# SPDX-License-Identifier: MIT
"""The film of docs/recipes/mixamo.md: a walk gets a priority and a loop, and what Check finds is mended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands
from mathutils import Euler

HIGHER, LOOP, CHECK, MEND = (910, 180), (717, 304), (800, 391), (872, 304)
FRAMES = [1.0 + 2.4 * step for step in range(21)]


def show(stage: Any) -> Iterator[float]:
    """The panel, from top to bottom."""
    film = stage.film
    yield from stage.only_view()
    operators: Any = bpy.ops
    with stage.in_view():
        operators.import_anim.animbridge_scene(filepath=str(stage.demo.parent / "scene" / "walk.fbx"))
    yield from stage.side_bar()
    seen_from_its_right(stage)
    yield from hands.until_still()
    film.say("Set the priority to 4, and turn on Loop")
    yield from film.play(FRAMES)
    for _ in range(2):
        yield from film.click(*HIGHER, 0.2)
    yield from film.click(*LOOP)
    avatar: Any = bpy.context.view_layer.objects.active
    animation = avatar.animation_data.action.secondlife
    assert animation.base_priority == 4 and animation.loop
    film.say("Check it")
    yield from film.scroll_down(800, 300, 6)
    yield from film.click(*CHECK)
    assert [finding.name for finding in animation.findings] == ["loop_travels"]
    film.say("It walks away in each round")
    yield from film.scroll_down(800, 300, 8)
    yield from film.hold(1.0)
    film.say("Click the wrench to fix it")
    yield from film.click(*MEND)
    yield from film.click(*CHECK, 0.2)
    animation = avatar.animation_data.action.secondlife  # of the mended copy
    assert animation.checked_bytes and not animation.findings
    film.say(f"It stays in its place. Ready to upload: {animation.checked_bytes / 1000:.1f} kB")
    yield from film.play(FRAMES)
    yield from film.hold(1.0)


def seen_from_its_right(stage: Any) -> None:
    """All of its way is to the left of the side bar."""
    view = stage.area.spaces.active.region_3d
    view.view_rotation = Euler((1.35, 0.0, -0.35)).to_quaternion()
    view.view_location = (1.45, 0.0, 0.85)
    view.view_distance = 5.2
