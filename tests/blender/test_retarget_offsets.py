# SPDX-License-Identifier: MIT
"""Offsets of single pairs: turns about the target bone's own axes, after everything else."""

from __future__ import annotations

import math
from typing import Any

import pytest
from helpers import operators, set_frame
from mathutils import Euler, Matrix, Vector
from retarget_support import animate, bento_names, bento_rig, choose, mixamo_rig, settings

DEGREES = (10.0, 25.0, -40.0)
FRAMES = (2, 7, 11)


def shown(rig: Any) -> dict[str, list[Matrix]]:
    """Each bone's matrix on some frames, in armature space."""
    found: dict[str, list[Matrix]] = {bone.name: [] for bone in rig.pose.bones}
    for frame in FRAMES:
        set_frame(frame)
        for bone in rig.pose.bones:
            found[bone.name].append(bone.matrix.copy())
    return found


def test_an_offset_turns_one_bone_about_its_axes() -> None:
    """As Blender's own XYZ Euler on top of the bone's rotation; no other bone turns, not even below it."""
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    choose(source, target)
    operators.animbridge.retarget_auto()
    operators.animbridge.retarget_apply()
    before = shown(target)
    arm = bento_names()["leftUpperArm"]
    pair = next(pair for pair in settings().pairs if pair.target == arm)
    pair.offset = [math.radians(angle) for angle in DEGREES]
    operators.animbridge.retarget_apply()
    after = shown(target)
    turn = Euler([math.radians(angle) for angle in DEGREES], "XYZ").to_matrix()
    for bone, matrices in after.items():
        for one, other in zip(before[bone], matrices, strict=True):
            wanted = one.to_3x3() @ (turn if bone == arm else Matrix.Identity(3))
            apart = wanted.to_quaternion().inverted() @ other.to_quaternion()
            assert Vector((apart.x, apart.y, apart.z)).length < 1e-4, bone


def test_the_preview_shows_the_offset() -> None:
    source, target = mixamo_rig(), bento_rig()
    choose(source, target)
    operators.animbridge.retarget_auto()
    hand = bento_names()["leftHand"]
    operators.animbridge.retarget_preview()
    before = target.pose.bones[hand].matrix.to_3x3()
    operators.animbridge.retarget_preview()
    pair = next(pair for pair in settings().pairs if pair.target == hand)
    pair.offset = (0.0, math.radians(30.0), 0.0)
    operators.animbridge.retarget_preview()
    after = target.pose.bones[hand].matrix.to_3x3()
    assert math.degrees((before.inverted() @ after).to_quaternion().angle) == pytest.approx(30.0, abs=1e-2)
