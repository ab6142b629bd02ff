# SPDX-License-Identifier: MIT
"""One animation of a level chosen in the file browser's side bar, by mouse and keyboard, and imported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands

LEVEL = "oban/package_pc/level7_Final.dat"


def show(stage: Any) -> Iterator[float]:
    """The list under the field holds the level's names; what is picked there is what is imported."""
    stage.clear()
    operators: Any = bpy.ops
    level = str(stage.demo.parent / LEVEL)
    # The field is where a name appears: layouts differ between Blenders.
    yield from stage.browse("import_anim.oni", filepath=level, oban="Door_A")
    with_name = hands.look()
    stage.browsed.oban = ""
    stage.area_of("FILE_BROWSER").tag_redraw()
    yield from hands.until_still()
    yield from hands.click_at(*hands.where_they_differ(with_name, hands.look()))
    # Part of a name, so that only the list can have given the rest.
    hands.type_text("or_a")
    yield from hands.until_still()
    hands.press("Down")
    hands.press("Return")
    yield from hands.until_still()
    assert stage.browsed.oban == "Door_A", f"the field holds {stage.browsed.oban!r}"
    with stage.in_browser():
        operators.file.execute()
    yield from hands.until(lambda: bpy.data.actions, "the import")
    assert [action.name for action in bpy.data.actions] == ["Door_A"], list(bpy.data.actions)
    yield from hands.until_still()
