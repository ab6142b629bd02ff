# SPDX-License-Identifier: MIT
"""One body on six rigs (fixtures/rigs, MPFB, CC0): each rig's motion on each other one.

The bones, rolls and T-poses are MPFB's, which part each bone is was written by hand from its names, and the
directions are those of Blender's evaluated poses.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import bpy
import pytest
from helpers import operators, set_frame
from retarget_support import animate, choose, degrees_between, head_of
from tests.python.material import ROOT

RIGS = {
    path.stem.removeprefix("mpfb_"): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "fixtures" / "rigs").glob("mpfb_*.json"))
}
PAIRS = list(itertools.permutations(RIGS, 2))
#: A slot and the next one; both bones are heads of one bone or of a chain.
LIMBS = {"UpperArm": "LowerArm", "LowerArm": "Hand", "UpperLeg": "LowerLeg", "LowerLeg": "Foot"}
BOUND_DEGREES = 0.01
#: Of the T-pose, after the frames of `animate`.
POSE_FRAME = 13


def build(name: str) -> Any:
    """The rig as an armature."""
    armature = bpy.data.armatures.new(name)
    rig: Any = bpy.data.objects.new(name, armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    operators.object.mode_set(mode="EDIT")
    for row in RIGS[name]["bones"]:
        bone = armature.edit_bones.new(row["name"])
        bone.head, bone.tail, bone.roll = row["head"], row["tail"], row["roll"]
        bone.parent = armature.edit_bones.get(row["parent"]) if row["parent"] else None
    operators.object.mode_set(mode="OBJECT")
    return rig


def key_pose(rig: Any, name: str) -> None:
    """The rig's T-pose (at rest where it came without) as the last frame of its motion."""
    pose = RIGS[name]["t_pose"] or {}
    for bone in rig.pose.bones:
        bone.rotation_euler = pose.get(bone.name, (0.0, 0.0, 0.0))
        bone.keyframe_insert("rotation_euler", frame=POSE_FRAME)


def is_right(name: str, slot: str, bone: str) -> bool:
    """Whether the bone is this part of the body, by the table that was written by hand."""
    rig = RIGS[name]
    return bone == rig["truth"].get(slot) or bone in rig["also"].get(slot, ())


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_no_pair_is_wrong(source: str, target: str) -> None:
    chosen = choose(build(source), build(target))
    operators.animbridge.retarget_auto()
    for pair in chosen.pairs:
        assert is_right(source, pair.slot, pair.source), (pair.slot, pair.source)
        assert is_right(target, pair.slot, pair.target), (pair.slot, pair.target)
    assert len(chosen.pairs) >= 15


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_limbs_point_as_the_sources_do(source: str, target: str) -> None:
    moving, moved = build(source), build(target)
    animate(moving, mode="XYZ")
    key_pose(moving, source)
    choose(moving, moved)
    operators.animbridge.retarget_auto()
    operators.animbridge.retarget_apply()
    truths = RIGS[source]["truth"], RIGS[target]["truth"]
    for frame in (2, 5, 9, POSE_FRAME):
        set_frame(frame)
        for side in ("left", "right"):
            for slot, toward in LIMBS.items():
                one, other = (
                    (head_of(rig, truth[side + toward]) - head_of(rig, truth[side + slot])).normalized()
                    for rig, truth in zip((moving, moved), truths, strict=True)
                )
                assert degrees_between(one, other) < BOUND_DEGREES, (frame, side + slot)
