# SPDX-License-Identifier: MIT
"""Rigs for the tests of BVH exports."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from helpers import random_rig, random_turn
from mathutils import Quaternion

FIRST, LAST = 1, 25
FRAMES = range(FIRST, LAST + 1)
BONES = ("mPelvis", "mTorso", "mChest", "mShoulderLeft", "mElbowLeft", "mHipRight", "mKneeRight", "mHead")
MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def key_bone(bone: Any, random: np.random.Generator, *, moves: bool = False) -> None:
    """Smooth keys of random rotations in the bone's mode, and of places."""
    for frame in (1, 9, 16.5, 25):
        turn = Quaternion().slerp(random_turn(random), 0.4)
        if turn.w < 0:
            turn.negate()
        if bone.rotation_mode == "QUATERNION":
            bone.rotation_quaternion = turn
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        elif bone.rotation_mode == "AXIS_ANGLE":
            axis, angle = turn.to_axis_angle()
            bone.rotation_axis_angle = (angle, *axis)
            bone.keyframe_insert("rotation_axis_angle", frame=frame)
        else:
            bone.rotation_euler = random.uniform(-1.2, 1.2, 3)
            bone.keyframe_insert("rotation_euler", frame=frame)
        if moves:
            bone.location = random.uniform(-0.2, 0.2, 3)
            bone.keyframe_insert("location", frame=frame)


def keyed_rig(seed: int = 1, facing: str = "NEGATIVE_Y", moving: tuple[str, ...] = ("mPelvis",)) -> Any:
    """All bones of an avatar at random angles, some with keys; the object is turned and moved."""
    random = np.random.default_rng(seed)
    rig = random_rig(random, facing)
    for place, name in enumerate(BONES):
        bone = rig.pose.bones[name]
        bone.rotation_mode = MODES[(place + seed) % len(MODES)]
        key_bone(bone, random, moves=name in moving)
    return rig


def straight_rig() -> Any:
    """A chain of six bones with the axes of a file whose +Y is up and whose +Z is Blender's -Y."""
    armature = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for number in range(6):
        bone = armature.edit_bones.new(f"bone {number}")
        bone.head, bone.tail = (0.2 * number, 0.0, number), (0.2 * number, 0.0, number + 0.5)
        bone.align_roll((0.0, -1.0, 0.0))
        if above is not None:
            bone.parent = above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig
