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
from mathutils import Vector
from retarget_support import animate, choose, degrees_between, head_of
from tests.python.material import ROOT
from tests.witness.retarget_body import Body, Bone, Pose
from tests.witness.retargeting import Retargeting

RIGS = {
    path.stem.removeprefix("mpfb_"): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "fixtures" / "rigs").glob("mpfb_*.json"))
}
PAIRS = list(itertools.permutations(RIGS, 2))
#: A slot and the next one; both bones are heads of one bone or of a chain.
LIMBS = {"UpperArm": "LowerArm", "LowerArm": "Hand", "UpperLeg": "LowerLeg", "LowerLeg": "Foot"}
BOUND_DEGREES = 0.01
#: Of heads of bones against the witness's. Blender counts in single precision.
BOUND_METRES = 1e-5
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


def body_of(rig: Any, name: str, other: str, slots: dict[str, str], *, is_source: bool) -> Body:
    """The rig for the witness, by Blender's rest matrices; `other`: a chain there may be one bone here."""
    bones, index = rig.data.bones, {bone.name: place for place, bone in enumerate(rig.data.bones)}
    made = []
    for bone in bones:
        local = bone.parent.matrix_local.inverted() @ bone.matrix_local if bone.parent else bone.matrix_local
        place, turn, _ = local.decompose()
        parent = index[bone.parent.name] if bone.parent else None
        made.append(Bone(bone.name, parent, tuple(turn), tuple(place)))
    chains = {
        chain: [index[bone] for bone in names]
        for chain, names in RIGS[name]["chains"].items()
        if any(bone in slots.values() for bone in names)
    }
    if "neck" in RIGS[other]["chains"] and is_source:
        chains.setdefault("neck", [index[slots["neck"]]])
    tops = {chain: joints[0] for chain, joints in chains.items() if chain in slots and chain != "spine"}
    return Body(tuple(made), {slot: index[bone] for slot, bone in slots.items()} | tops, chains)


def shown_pose(rig: Any) -> Pose:
    matrices = [bone.matrix for bone in rig.pose.bones]
    return Pose(
        [tuple(matrix.to_quaternion()) for matrix in matrices],
        [tuple(matrix.translation) for matrix in matrices],
    )


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_heads_are_where_the_witness_puts_them(source: str, target: str) -> None:
    """The witness gets the pairs of the list, Blender's rest poses and the source's evaluated poses."""
    moving, moved = build(source), build(target)
    animate(moving, mode="XYZ")
    chosen = choose(moving, moved)
    operators.animbridge.retarget_auto()
    operators.animbridge.retarget_apply()
    witness = Retargeting(
        body_of(moving, source, target, {pair.slot: pair.source for pair in chosen.pairs}, is_source=True),
        body_of(moved, target, source, {pair.slot: pair.target for pair in chosen.pairs}, is_source=False),
    )
    worst = (0.0, "")
    for frame in (2, 9):
        set_frame(frame)
        wanted = witness.play([shown_pose(moving)]).poses[0]
        for bone, head in zip(moved.pose.bones, wanted.heads, strict=True):
            if bone.name == RIGS[target]["truth"].get("root"):
                continue  # the witness leaves the root where it rests
            worst = max(worst, ((bone.head - Vector(head)).length, bone.name))
    assert worst[0] < BOUND_METRES, worst
