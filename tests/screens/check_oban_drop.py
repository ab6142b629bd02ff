# SPDX-License-Identifier: MIT
"""A level dropped onto the 3D view: an animation chosen in the popup by mouse and keyboard, and imported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands

LEVEL = "oban/package_pc/level7_Final.dat"


def show(stage: Any) -> Iterator[float]:
    """The list under the popup's field holds the level's names; what is picked there is what is imported."""
    if not hasattr(bpy.types, "FileHandler"):
        raise stage.NotHere("files can be dropped since Blender 4.1")
    stage.clear()
    level = stage.demo.parent / LEVEL
    dropped = {"filepath": str(level), "directory": str(level.parent), "files": [{"name": level.name}]}

    def drop(**options: Any) -> Iterator[float]:
        hands.move(*stage.middle)
        yield hands.LOOK_SECONDS
        # As wm.drop_import_file does, which passes no options on.
        stage.invoke("import_anim.oni", **dropped, **options)
        yield from hands.until_still()

    yield from drop(oban="Door_A")
    with_name = hands.look()
    hands.press("Escape")
    yield from hands.until_still()
    yield from drop()
    x, y = hands.where_they_differ(with_name, hands.look())
    yield from hands.click_at(x, y)
    hands.type_text("or_a")
    yield from hands.until_still()
    hands.press("Down")
    hands.press("Return")
    yield from hands.until_still()
    # Over the popup's title, where Return presses its button.
    hands.move(x, y - 120)
    yield from hands.until_still()
    hands.press("Return")
    yield from hands.until(lambda: bpy.data.actions, "the import")
    assert [action.name for action in bpy.data.actions] == ["Door_A"], list(bpy.data.actions)
    yield from hands.until_still()
