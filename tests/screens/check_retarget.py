# SPDX-License-Identifier: MIT
"""The panel Retarget by mouse and keyboard: two armatures, a rig, Auto, a pair, Retarget; then undone."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import bpy
import hands
from retarget_panel import rename

SOURCE, TARGET = "Captured", "Avatar"
#: Rows of the panel, in pixels below its title.
SOURCE_ROW, SOURCE_RIG_ROW, TARGET_ROW, AUTO_ROW = 30, 53, 76, 125
#: From a panel's title to the next one's, where the first panel is folded.
TITLE_STEP = 28
#: From the button Preview Alignment to Retarget.
BUTTON_STEP = 24


def settings() -> Any:
    """What the panel shows; undo makes it anew."""
    scene: Any = bpy.context.scene
    return scene.animbridge_retarget


def action_of(name: str) -> Any:
    """What an armature plays."""
    animation = bpy.data.objects[name].animation_data
    return animation.action if animation else None


def show(stage: Any) -> Iterator[float | None]:
    """The avatar gets one Action, which one Ctrl Z removes; the source and the list stay."""
    make_two(stage)
    stage.area.spaces.active.show_region_ui = True
    yield None
    stage.look()
    stage.show_tab("AnimBridge")
    yield None
    # A click on the title folds the panel above; those of Clip, which is folded, and of this panel follow.
    region = next(region for region in stage.area.regions if region.type == "UI")
    x, top = region.x + 60, stage.window.height - region.y - region.height + 14
    yield from hands.click_at(x, top)
    title, field = top + 2 * TITLE_STEP, region.x + 130
    yield from hands.click_at(x, title)
    for row, name in ((SOURCE_ROW, SOURCE), (TARGET_ROW, TARGET)):
        yield from hands.click_at(field, title + row)
        hands.type_text(name)
        yield from hands.until_still()
        hands.press("Return")
        yield from hands.until_still()
    assert (settings().source.name, settings().target.name) == (SOURCE, TARGET)

    yield from choose_first_rig(field, title + SOURCE_RIG_ROW)
    yield from hands.click_at(field - 30, title + AUTO_ROW)
    assert len(settings().pairs) > 15 and {pair.by for pair in settings().pairs} == {"convention"}
    before = len(bpy.data.actions)
    for _ in range(10):  # the buttons are below what the window shows
        hands.click(5)
    yield from hands.until_still()
    yield from hands.click_at(field, (yield from preview_button(region)) + BUTTON_STEP)
    made, played = action_of(TARGET), action_of(SOURCE)
    assert made is not None and made != played and len(bpy.data.actions) == before + 1
    yield from stage.undo()
    assert action_of(TARGET) is None and len(bpy.data.actions) == before
    assert action_of(SOURCE) is not None and len(settings().pairs) > 15


def make_two(stage: Any) -> None:
    """A dance that comes back from a BVH, on bones with Mixamo's names, and an avatar that stands."""
    operators: Any = bpy.ops
    stage.clear()
    stage.import_demo("dance.anim")
    avatar: Any = bpy.context.view_layer.objects.active
    with tempfile.TemporaryDirectory() as folder, stage.in_view():
        path = str(Path(folder) / "captured.bvh")
        operators.export_anim.animbridge_bvh(filepath=path)
        operators.import_anim.animbridge_bvh(filepath=path, target="NEW", set_scene_range="ALWAYS")
    source: Any = bpy.context.view_layer.objects.active
    with stage.in_view():
        rename(source.data)
    source.name, avatar.name = SOURCE, TARGET
    source.location = (0.0, 1.2, 0.0)
    avatar.animation_data.action = None
    with stage.in_view():
        operators.ed.undo_push(message="two armatures")


def choose_first_rig(x: int, y: int) -> Iterator[float]:
    """Chooses one of the first rigs in the menu by the keyboard; then none is chosen again."""
    yield from hands.click_at(x, y)
    for _ in range(2):
        hands.press("Down")
        yield hands.LOOK_SECONDS
    hands.press("Return")
    yield from hands.until_still()
    assert settings().source_rig, "the menu chose no rig"
    settings().source_rig = ""


def preview_button(region: Any) -> Generator[float, None, int]:
    """The height of the button Preview Alignment: it looks pressed while there is a preview."""
    before = hands.look()
    settings().previewed = settings().target
    region.tag_redraw()
    yield from hands.until_still()
    height = hands.where_they_differ(before, hands.look())[1]
    settings().previewed = None
    region.tag_redraw()
    return height
