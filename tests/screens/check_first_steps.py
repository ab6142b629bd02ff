# SPDX-License-Identifier: MIT
"""The edit of docs/first-steps.md: the arm keeps its new pose in the whole dance, without a jerk."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import bpy
import hands

BONE = "mShoulderLeft"
MIDDLE = 25
TURN_DEGREES = 60.0


def show(stage: Any) -> Iterator[float]:
    """Import, Clear Keyframes, R over the view, and a key."""
    stage.clear()
    yield from stage.choose_file("import_anim.secondlife", stage.demo / "dance.anim")
    rig = bpy.context.view_layer.objects.active
    assert rig is not None and rig.children and stage.frames_per_second == 15.0
    stage.pose_mode()
    for bone in rig.pose.bones:
        holder: Any = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name == BONE
    rig.data.bones.active = rig.data.bones[BONE]
    before = turns(rig)
    bpy.context.scene.frame_set(MIDDLE)
    with stage.in_view():
        bpy.ops.anim.keyframe_clear_v3d()
    yield from hands.until_still()
    for key in ("r", *str(round(TURN_DEGREES)), "Return"):
        yield from stage.press_in_view(key)
    with stage.in_view():
        insert: Any = bpy.ops.anim.keyframe_insert_menu
        insert(type="Rotation")
    yield from hands.until_still()
    after = turns(rig)
    assert degrees(before[MIDDLE], after[MIDDLE]) > TURN_DEGREES / 2
    assert max(degrees(after[frame], after[MIDDLE]) for frame in after) < 0.01


def turns(rig: Any) -> dict[int, Any]:
    """The bone's rotation at each frame of the scene."""
    scene = bpy.context.scene
    found = {}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        found[frame] = rig.pose.bones[BONE].matrix_basis.to_quaternion()
    return found


def degrees(one: Any, other: Any) -> float:
    """The angle between two rotations."""
    apart = min((one - other).magnitude, (one + other).magnitude)
    return math.degrees(4.0 * math.asin(min(apart / 2.0, 1.0)))
