# SPDX-License-Identifier: MIT
"""Blend Edit by mouse and keyboard: a bone turned without a keyframe, spread by the tool, and undone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands
from check_first_steps import degrees

BONE = "mShoulderRight"
MIDDLE, FALLOFF = 25, 12
TURN_DEGREES = 60.0


def show(stage: Any) -> Iterator[float]:
    """R over the view, the tool, and Ctrl Z."""
    stage.clear()
    yield from stage.choose_file("import_anim.secondlife", stage.demo / "dance.anim")
    rig = bpy.context.view_layer.objects.active
    stage.pose_mode()
    for bone in rig.pose.bones:
        holder: Any = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name == BONE
    rig.data.bones.active = rig.data.bones[BONE]
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = False
    before = turns(rig)
    bpy.context.scene.frame_set(MIDDLE)
    with stage.in_view():
        bpy.ops.ed.undo_push(message="before")
    for key in ("r", *str(round(TURN_DEGREES)), "Return"):
        yield from stage.press_in_view(key)
    operators: Any = bpy.ops
    with stage.in_view():
        operators.animbridge.clip_blend_edit("INVOKE_DEFAULT", True, falloff_frames=FALLOFF)
    yield from hands.until_still()
    after = turns(rig)
    assert abs(degrees(before[MIDDLE], after[MIDDLE]) - TURN_DEGREES) < 0.1
    assert degrees(before[MIDDLE - 6], after[MIDDLE - 6]) > TURN_DEGREES / 4
    for frame, turn in before.items():
        assert abs(frame - MIDDLE) <= FALLOFF or degrees(turn, after[frame]) < 1e-3, frame
    yield from stage.undo()
    rig = bpy.context.view_layer.objects.active
    again = turns(rig)
    assert max(degrees(before[frame], again[frame]) for frame in before) < 1e-3


def turns(rig: Any) -> dict[int, Any]:
    """The bone's rotation by the Action's curves, at each frame of the scene."""
    scene = bpy.context.scene
    now = scene.frame_current
    found = {}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        found[frame] = rig.pose.bones[BONE].matrix_basis.to_quaternion()
    scene.frame_set(now)
    return found
