# SPDX-License-Identifier: MIT
"""Show as Uploaded: clicked on and off in the panel, and undone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands


def show(stage: Any) -> Iterator[float]:
    """The panel says what is shown, and the button brings the Action back."""
    stage.clear()
    rig = stage.import_demo("walk.anim")
    stage.area.spaces.active.show_region_ui = True
    yield from hands.until_still()
    stage.show_tab("AnimBridge")
    yield from hands.until_still()
    region = next(region for region in stage.area.regions if region.type == "UI")
    operators: Any = bpy.ops
    plain = hands.look()
    with stage.in_view():
        operators.animbridge.predict_upload("EXEC_DEFAULT", True)
    yield from hands.until_still()
    button = stage.top_of_change(plain, region)
    assert playing(rig) == "walk (uploaded)"
    yield from hands.click_at(*button)
    assert playing(rig) == "walk" and len(bpy.data.actions) == 1
    yield from hands.click_at(*button)
    assert playing(rig) == "walk (uploaded)" and len(bpy.data.actions) == 2
    yield from stage.undo()
    rig = bpy.context.view_layer.objects.active
    assert playing(rig) == "walk" and len(bpy.data.actions) == 1
    yield from hands.click_at(*button)
    assert playing(bpy.context.view_layer.objects.active) == "walk (uploaded)"


def playing(rig: Any) -> str:
    """The name of the Action that the armature plays."""
    return str(rig.animation_data.action.name)
