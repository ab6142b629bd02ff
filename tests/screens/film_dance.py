# SPDX-License-Identifier: MIT
"""The film of the README: an FBX in an empty scene becomes an avatar that dances, ready to upload."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import hands
from retarget_panel import rename

CHECK = (800, 391)


def show(stage: Any) -> Iterator[float]:
    """The menu, the file browser, the dance, and Check."""
    film = stage.film
    yield from stage.only_view()
    path = film.file("dance.fbx")
    make_dance(stage, path)
    stage.forget()
    yield from hands.until_still()
    film.say("Import a dance from Mixamo, or any other FBX")
    yield from film.choose("import_anim.animbridge_scene")
    yield from film.confirm(stage, path)
    film.say("It plays on a Second Life avatar")
    yield from film.play(1.0 + 1.5 * step for step in range(32))
    yield from stage.side_bar()
    film.say("Check it")
    yield from film.hold(0.5)
    yield from film.scroll_down(800, 300, 6)
    yield from film.click(*CHECK, 0.2)
    avatar: Any = bpy.context.view_layer.objects.active
    checked = avatar.animation_data.action.secondlife
    film.say(f"Ready to upload: {checked.checked_bytes / 1000:.1f} kB")
    yield from film.hold(3.0)
    assert checked.checked_bytes and not checked.findings


def make_dance(stage: Any, path: Path) -> None:
    """The demo's dance, on a skeleton with Mixamo's names."""
    rig = stage.import_demo("dance.anim")
    operators: Any = bpy.ops
    with stage.in_view():
        rename(rig.data)
        operators.export_anim.animbridge_scene(filepath=str(path))
