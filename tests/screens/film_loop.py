# SPDX-License-Identifier: MIT
"""The film of docs/recipes/mocap.md and docs/clip-tools.md: a part of a take that repeats without a jump."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from film import FRAME_SECONDS
from film_mixamo import seen_from_its_right

TITLE = (740, 97)
FIND, CLOSE, STAY = (740, 196), (860, 196), (740, 217)


def show(stage: Any) -> Iterator[float]:
    """Find Loop, Remove Travel and Close Loop, and what the panel says about them."""
    film = stage.film
    yield from stage.only_view()
    operators: Any = bpy.ops
    with stage.in_view():
        operators.import_anim.animbridge_bvh(filepath=str(stage.demo.parent / "walk" / "slides.bvh"))
    stage.only_panels("ANIMBRIDGE_PT_clip_view")
    yield from stage.side_bar()
    seen_from_its_right(stage)
    yield from film.click(*TITLE)
    scene = bpy.context.scene
    film.say("The body walks away, and jumps back when the take repeats")
    yield from film.play(range(scene.frame_start, scene.frame_end, 5))
    film.say("Find Loop: the part whose ends match best")
    yield from film.click(*FIND, 1.0)
    film.say("Remove Travel: the body stays in place")
    yield from film.click(*STAY, 1.0)
    film.say("Close Loop: it ends as it begins")
    yield from film.click(*CLOSE, 1.0)
    avatar: Any = bpy.context.view_layer.objects.active
    animation = avatar.animation_data.action.secondlife
    assert animation.loop and animation.use_loop_range
    rate = stage.frames_per_second
    first, last = (1 + rate * seconds for seconds in (animation.loop_in_seconds, animation.loop_out_seconds))
    assert last - first > rate / 2
    film.say("It repeats without a jump")
    steps = round((last - first) / rate / FRAME_SECONDS)
    for _ in range(3):
        yield from film.play(first + (last - first) * step / steps for step in range(steps))
