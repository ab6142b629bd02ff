# SPDX-License-Identifier: MIT
"""Three .anim files dropped onto the 3D view: one skeleton, three Actions, and one undo takes all back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands

NAMES = ("dance", "walk", "wave")


def show(stage: Any) -> Iterator[float]:
    """The popup's button is pressed by Return."""
    if not hasattr(bpy.types, "FileHandler"):
        raise stage.NotHere("files can be dropped since Blender 4.1")
    things = [thing.name for thing in bpy.data.objects]
    hands.move(*stage.middle)
    yield from hands.until_still()
    operators: Any = bpy.ops
    with stage.in_view():
        files = [{"name": f"{name}.anim"} for name in NAMES]
        operators.wm.drop_import_file("INVOKE_DEFAULT", directory=str(stage.demo), files=files)
    yield from hands.until_still()
    hands.press("Return")
    yield from hands.until(lambda: len(bpy.data.actions) == len(NAMES), "three Actions")
    yield from hands.until_still()
    assert sorted(action.name for action in bpy.data.actions) == sorted(NAMES), list(bpy.data.actions)
    assert len(bpy.data.armatures) == 1
    assert bpy.context.view_layer.objects.active.animation_data.action.name == "wave"
    yield from stage.undo()
    assert not len(bpy.data.actions) and [thing.name for thing in bpy.data.objects] == things
