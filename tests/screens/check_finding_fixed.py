# SPDX-License-Identifier: MIT
"""A check in the panel: its finding clicked, the key mended by keyboard, checked again, and undone."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import hands
import numpy as np

BONE = "mHead"
RULE = "codes_drift_on_upload"
#: A turn away from rest and back. The middle key is so near a half turn that an upload's rounding is seen.
#: The keys at a quarter turn beside it keep each turn between two keys short.
KEYS = (
    *((0, 32767, 32767, 32767), (16384, 9597, 32767, 32767), (32768, 1, 32767, 32767)),
    *((49152, 9597, 32767, 32767), (65535, 32767, 32767, 32767)),
)


def show(stage: Any) -> Iterator[float]:
    """The button beside the finding selects its bone and its frame; Alt R there makes the finding go."""
    sys.path.insert(0, str(stage.demo.parents[1]))
    from tests.witness import anim_file

    stage.clear()
    joint = anim_file.Joint(BONE.encode(), rotation_keys=np.array(KEYS, np.uint32))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "turn.anim"
        path.write_bytes(anim_file.write(anim_file.AnimFile(joints=[joint])))
        rig = stage.import_demo(str(path))
    frame = 1.0 + KEYS[2][0] / 65535.0 * stage.frames_per_second  # of a second
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    # Without these the findings fit into the window, nothing is below them, and there is no scroll bar.
    types: Any = bpy.types
    parts = [f"view_3d_{part}" for part in ("loop", "joints", "actions")]
    parts += ["clip_view"]
    parts += [f"retarget{part}" for part in ("_reference", "_body", "_output", "")]
    for part in parts:
        bpy.utils.unregister_class(getattr(types, f"ANIMBRIDGE_PT_{part}"))
    stage.area.spaces.active.show_region_ui = True
    yield from hands.until_still()
    stage.show_tab("AnimBridge")
    yield from hands.until_still()
    hands.move(*stage.middle)
    yield from hands.until_still()
    with stage.in_view():
        bpy.ops.ed.undo_push(message="before")
    region = next(region for region in stage.area.regions if region.type == "UI")
    plain = hands.look()
    operators: Any = bpy.ops
    with stage.in_view():
        operators.animbridge.check("EXEC_DEFAULT", True)
    region.tag_redraw()
    yield from hands.until_still()
    x, checked = stage.top_of_change(plain, region)
    assert found(rig) == {RULE: BONE}, found(rig)
    # The button at the end of the finding's title, three lines below.
    yield from hands.click_at(region.x + region.width - 53, checked + 71)
    scene = bpy.context.scene
    assert abs(scene.frame_current_final - frame) < 1e-4, (scene.frame_current_final, frame)
    rig = bpy.context.view_layer.objects.active
    assert rig.mode == "POSE" and selected(rig) == [BONE] and rig.data.bones.active.name == BONE
    yield from stage.press_in_view("alt+r")
    # The button Check is above the line with the size.
    yield from hands.click_at(x, checked - 70)
    assert not found(rig), found(rig)
    for _ in range(3):
        yield from stage.undo()
    rig = bpy.context.view_layer.objects.active
    assert found(rig) == {RULE: BONE}, "undone: the second check, the turn back, and the click"
    yield from stage.undo()
    assert not found(bpy.context.view_layer.objects.active)


def found(rig: Any) -> dict[str, str]:
    """The bones of the findings, by rule."""
    return {one.name: one.bone for one in rig.animation_data.action.secondlife.findings}


def selected(rig: Any) -> list[str]:
    """The names of the selected bones."""
    return [bone.name for bone in rig.pose.bones if (bone if hasattr(bone, "select") else bone.bone).select]
