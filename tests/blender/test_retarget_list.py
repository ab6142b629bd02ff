# SPDX-License-Identifier: MIT
"""The list of pairs: what Auto fills in, what users change, what a click selects, the preview, the panel."""

from __future__ import annotations

import math
from typing import Any

import bpy
import pytest
from helpers import curves_of, data_blocks, fcurves, operators, refused, reported, select_bones, the_armature
from mathutils import Vector
from retarget_support import (
    LIMBS,
    TURN,
    animate,
    bento_names,
    bento_rig,
    choose,
    degrees_between,
    direction,
    mixamo_names,
    mixamo_rig,
    remove_bones,
    settings,
)

from animbridge.compat.bones import selected_bones
from animbridge.retarget.panel import faults_of


def auto(**posture: Any) -> tuple[Any, Any, Any]:
    """Both rigs, and the settings with the pairs that Auto finds."""
    source, target = mixamo_rig(), bento_rig(**posture)
    chosen = choose(source, target)
    assert operators.animbridge.retarget_auto() == {"FINISHED"}
    return source, target, chosen


def pair(slot: str) -> Any:
    """The pair of a part of the body."""
    return next(item for item in settings().pairs if item.slot == slot)


@pytest.mark.compat
def test_auto_pairs_what_both_have() -> None:
    _, _, chosen = auto()
    mixamo, bento = mixamo_names(), bento_names()
    found = {item.slot: (item.source, item.target) for item in chosen.pairs}
    assert found == {slot: (mixamo[slot], bento[slot]) for slot in bento}
    assert {item.by for item in chosen.pairs} == {"convention"}
    assert faults_of(chosen) == [""] * len(chosen.pairs)


@pytest.mark.compat
def test_two_rigs_of_one_convention_share_all_bones() -> None:
    """Faces and wings are no parts of VRM's body, but the same in both avatars."""
    operators.armature.secondlife_skeleton_add()
    source = the_armature()
    operators.armature.secondlife_skeleton_add()
    target = the_armature()
    animate(source)
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    assert all(item.source == item.target for item in chosen.pairs)
    equal = {item.target for item in chosen.pairs if item.by == "equal"}
    assert {"mWing1Left", "mFaceEyebrowInnerLeft"} <= equal
    operators.animbridge.retarget_apply()
    bpy.context.scene.frame_set(6)
    for name in ("mFaceEyebrowInnerLeft", "mWing4Right", "mTail6", "mWristLeft", "mHead"):
        shown = [rig.matrix_world @ rig.pose.bones[name].matrix for rig in (source, target)]
        one, other = (matrix.to_quaternion() for matrix in shown)
        apart = min((one - other).magnitude, (one + other).magnitude)
        assert math.degrees(4.0 * math.asin(apart / 2.0)) < 0.01, name
        assert curves_of(name)


def test_auto_measures_the_alignment(capfd: pytest.CaptureFixture[str]) -> None:
    auto(arms_down_degrees=32.0)
    assert pair("leftUpperArm").angle == pytest.approx(32.0, abs=1e-3)
    assert pair("leftUpperLeg").angle == pytest.approx(0.0, abs=1e-2)
    assert "differ by up to 32 degrees" in reported(capfd)


def test_auto_replaces_the_list_and_writes_nothing() -> None:
    source, _, chosen = auto()
    animate(source)
    before = data_blocks()
    count = len(chosen.pairs)
    operators.animbridge.retarget_add()
    operators.animbridge.retarget_auto()
    assert len(chosen.pairs) == count
    assert data_blocks() == before


def test_auto_finds_a_body_by_its_shape_where_names_say_nothing() -> None:
    source, target = mixamo_rig(), bento_rig()
    names = {bone.name: f"x{number}q" for number, bone in enumerate(target.data.bones)}
    for name, new in names.items():
        target.data.bones[name].name = new
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    found = {pair.slot: pair.target for pair in chosen.pairs}
    limbs = {
        slot: name for slot, name in bento_names().items() if slot.endswith(("Arm", "Leg", "Hand", "Foot"))
    }
    assert {slot: found.get(slot) for slot in limbs} == {slot: names[name] for slot, name in limbs.items()}
    assert {pair.by for pair in chosen.pairs} == {"shape"}


def test_auto_knows_nothing_of_a_rope() -> None:
    source, target = mixamo_rig(), bento_rig()
    remove_bones(target, "Hip", "Knee", "Ankle", "Foot", "Collar", "Shoulder", "Elbow", "Wrist", "Hand")
    for number, bone in enumerate(target.data.bones):
        bone.name = f"x{number}q"
    choose(source, target)
    with refused("No bones of the two armatures could be paired"):
        operators.animbridge.retarget_auto()


@pytest.mark.parametrize("mode", ["EDIT", "POSE"])
def test_in_other_modes(mode: str) -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    choose(source, target)
    operators.animbridge.retarget_auto()
    bpy.context.view_layer.objects.active = target
    operators.object.mode_set(mode=mode)
    assert operators.animbridge.retarget_apply() == {"FINISHED"}
    assert target.mode == mode
    bpy.ops.object.mode_set(mode="OBJECT")


def test_the_list_is_what_is_applied() -> None:
    source, _, chosen = auto()
    animate(source)
    pair("leftHand").is_on = False
    pair("rightHand").target = "mHandMiddle1Right"
    pair("rightMiddleProximal").is_on = False
    chosen.index = next(i for i, item in enumerate(chosen.pairs) if item.slot == "head")
    operators.animbridge.retarget_remove()
    operators.animbridge.retarget_apply()
    assert not curves_of("mWristLeft") and not curves_of("mHead") and not curves_of("mWristRight")
    assert curves_of("mHandMiddle1Right") and curves_of("mElbowLeft")


def test_a_chain_loses_the_bones_that_lose_their_pairs() -> None:
    """Three bones of the source's spine move two of the target's; without its pair, one stays still."""
    source, _, _ = auto()
    animate(source)
    pair("chest").is_on = False
    operators.animbridge.retarget_apply()
    assert curves_of("mTorso") and not curves_of("mChest")


@pytest.mark.compat
def test_own_pairs_on_a_rig_that_nobody_knows() -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    names = {bone.name: f"x{number}q" for number, bone in enumerate(target.data.bones)}
    for old, new in names.items():
        target.data.bones[old].name = new
    chosen = choose(source, target)
    for slot, name in mixamo_names().items():
        if slot in bento_names():
            source.data.bones.active = source.data.bones[name]
            target.data.bones.active = target.data.bones[names[bento_names()[slot]]]
            operators.animbridge.retarget_add()
    assert {(item.slot, item.by) for item in chosen.pairs} == {("", "")}
    assert operators.animbridge.retarget_apply() == {"FINISHED"}
    own = {slot: names[name] for slot, name in bento_names().items()}
    for frame in (2, 7):
        bpy.context.scene.frame_set(frame)
        for slot, toward in LIMBS.items():
            wanted = TURN @ direction(source, mixamo_names(), f"left{slot}", f"left{toward}")
            found = direction(target, own, f"left{slot}", f"left{toward}")
            assert degrees_between(wanted, found) < 0.01


def test_a_tail_beside_a_body() -> None:
    """Pairs of no part of the body, as the user names them, don't disturb the others."""
    source, target = mixamo_rig(), bento_rig()
    for rig, hips, name, back in (
        (source, "mixamorig:Hips", "Wedel", (0.0, 0.3, 0.0)),
        (target, "mPelvis", "Schwanz", (-0.3, 0.0, 0.1)),
    ):
        bpy.context.view_layer.objects.active = rig
        bpy.ops.object.mode_set(mode="EDIT")
        bone = rig.data.edit_bones.new(name)
        bone.parent = rig.data.edit_bones[hips]
        bone.head = bone.parent.head + Vector(back) * 0.3
        bone.tail = bone.head + Vector(back)
        bpy.ops.object.mode_set(mode="OBJECT")
    animate(source)
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    source.data.bones.active = source.data.bones["Wedel"]
    target.data.bones.active = target.data.bones["Schwanz"]
    operators.animbridge.retarget_add()
    added = chosen.pairs[chosen.index]
    assert (added.source, added.target) == ("Wedel", "Schwanz")
    operators.animbridge.retarget_apply()
    assert curves_of("Schwanz")
    for frame in (2, 7):
        bpy.context.scene.frame_set(frame)
        for slot, toward in LIMBS.items():
            wanted = TURN @ direction(source, mixamo_names(), f"left{slot}", f"left{toward}")
            found = direction(target, bento_names(), f"left{slot}", f"left{toward}")
            assert degrees_between(wanted, found) < 0.01, slot


def test_faults_are_said() -> None:
    _, target, chosen = auto()
    one, other = chosen.pairs[0], chosen.pairs[1]
    one.source = ""
    assert faults_of(chosen)[0] == "No source bone is chosen"
    one.source = "tail"
    assert faults_of(chosen)[0] == "'Walker' has no bone 'tail'"
    one.source, one.target = "mixamorig:Hips", other.target
    assert faults_of(chosen)[:3] == ["Another pair has the target bone too"] * 2 + [""]
    one.is_on = False
    assert not any(faults_of(chosen))
    target.data.bones[other.target].name = "renamed"
    assert faults_of(chosen)[1] == "'Avatar' has no bone 'mTorso'"


@pytest.mark.compat
def test_a_click_selects_both_bones() -> None:
    source, target, chosen = auto()
    chosen.index = 4
    item = chosen.pairs[4]
    assert (selected_bones(source), selected_bones(target)) == ({item.source}, {item.target})
    assert source.data.bones.active.name == item.source
    chosen.index = 7
    assert operators.animbridge.retarget_select() == {"FINISHED"}
    item = chosen.pairs[7]
    assert (selected_bones(source), selected_bones(target)) == ({item.source}, {item.target})
    assert (source.mode, target.mode) == ("POSE", "POSE")
    target.hide_set(True)
    bpy.context.view_layer.objects.active = source
    bpy.ops.object.mode_set(mode="OBJECT")
    with refused("'Avatar' is hidden"):
        operators.animbridge.retarget_select()


def test_operators_leave_the_selected_bones() -> None:
    """Or Only Selected Bones would mean others after each change of the list."""
    _, target, chosen = auto()
    bpy.context.view_layer.objects.active = target
    select_bones("mElbowLeft", "mWristLeft")
    chosen.index = 0
    select_bones("mElbowLeft", "mWristLeft")
    operators.animbridge.retarget_auto()
    operators.animbridge.retarget_add()
    operators.animbridge.retarget_remove()
    operators.animbridge.retarget_clear()
    assert selected_bones(target) == {"mElbowLeft", "mWristLeft"}


def test_a_changed_pair_is_the_users() -> None:
    auto()
    hand = pair("leftHand")
    assert (hand.by, hand.angle >= 0.0) == ("convention", True)
    hand.target = "mElbowLeft"
    assert (hand.by, hand.angle) == ("", -1.0)


def test_add_remove_and_clear() -> None:
    source, target, chosen = auto()
    count = len(chosen.pairs)
    source.data.bones.active = source.data.bones["mixamorig:Spine2"]
    target.data.bones.active = target.data.bones["mHead"]
    operators.animbridge.retarget_add()
    added = chosen.pairs[chosen.index]
    # mHead has a pair already.
    assert (added.source, added.target) == ("mixamorig:Spine2", "")
    operators.animbridge.retarget_remove()
    assert (len(chosen.pairs), chosen.index) == (count, count - 1)
    operators.animbridge.retarget_clear()
    assert len(chosen.pairs) == 0
    assert not operators.animbridge.retarget_remove.poll()
    assert not operators.animbridge.retarget_save.poll()


@pytest.mark.compat
@pytest.mark.parametrize("mode", ["QUATERNION", "YZX", "AXIS_ANGLE"])
def test_the_preview_shows_the_aligned_pose_and_puts_the_pose_back(mode: str) -> None:
    source, target, chosen = auto(arms_down_degrees=40.0)
    for bone in target.pose.bones:
        bone.rotation_mode = mode
    target.pose.bones["mNeck"].rotation_mode = "XYZ"
    target.pose.bones["mNeck"].rotation_euler = (0.1, 0.2, 0.3)
    target.pose.bones["mPelvis"].location = (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    before = {bone.name: bone.matrix_basis.copy() for bone in target.pose.bones}
    blocks = data_blocks()
    assert operators.animbridge.retarget_preview() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert chosen.previewed == target
    for side in ("left", "right"):
        for slot, toward in LIMBS.items():
            wanted = TURN @ direction(source, mixamo_names(), side + slot, side + toward)
            assert (
                degrees_between(wanted, direction(target, bento_names(), side + slot, side + toward)) < 0.01
            )
    assert operators.animbridge.retarget_preview() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert chosen.previewed is None
    assert {bone.name: bone.matrix_basis for bone in target.pose.bones} == before
    assert target.pose.bones["mElbowLeft"].rotation_mode == mode
    assert data_blocks() == blocks
    assert target.animation_data is None


def test_the_preview_puts_bones_without_a_pair_to_rest() -> None:
    _, target, _ = auto()
    pair("leftShoulder").is_on = False
    collar = target.pose.bones["mCollarLeft"]
    collar.rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    operators.animbridge.retarget_preview()
    assert tuple(collar.rotation_quaternion) == (1.0, 0.0, 0.0, 0.0)
    operators.animbridge.retarget_preview()
    assert tuple(collar.rotation_quaternion) == pytest.approx((0.8, 0.6, 0.0, 0.0))


def test_a_motion_ends_the_preview() -> None:
    source, target, chosen = auto(arms_down_degrees=40.0)
    animate(source)
    target.pose.bones["mPelvis"].rotation_mode = "XYZ"
    operators.animbridge.retarget_preview()
    operators.animbridge.retarget_apply()
    assert chosen.previewed is None and not chosen.pose_before
    assert fcurves(target)


def test_a_preview_that_fails_leaves_the_pose() -> None:
    _, target, chosen = auto()
    chosen.pairs[0].target = "nothing"
    before = [bone.matrix_basis.copy() for bone in target.pose.bones]
    with refused("has no bone 'nothing'"):
        operators.animbridge.retarget_preview()
    assert chosen.previewed is None
    assert [bone.matrix_basis for bone in target.pose.bones] == before


@pytest.mark.parametrize("text", ["", "[", "3", '{"mHead": 3}', '{"mHead": {"mode": "UP"}, "mNeck": {}}'])
def test_a_preview_of_a_damaged_file_ends(text: str) -> None:
    _, _, chosen = auto()
    operators.animbridge.retarget_preview()
    chosen.pose_before = text
    assert operators.animbridge.retarget_preview() == {"FINISHED"}
    assert chosen.previewed is None and not chosen.pose_before


def test_only_armatures_can_be_chosen() -> None:
    assert not operators.animbridge.retarget_auto.poll()
    chosen = settings()
    with refused("No source is chosen"):
        operators.animbridge.retarget_use_pose(side="SOURCE")
    chosen.source = mixamo_rig()
    assert not operators.animbridge.retarget_apply.poll()
    chosen.target = chosen.source
    with refused("both source and target"):
        operators.animbridge.retarget_auto()


@pytest.mark.compat
def test_swap_sides() -> None:
    """Left and right bones of the source change places; those of the target and of the middle stay."""
    _, _, chosen = auto()
    mixamo, bento = mixamo_names(), bento_names()
    pair("leftHand").offset = (0.25, 0.0, 0.0)
    assert operators.animbridge.retarget_swap_sides() == {"FINISHED"}
    other = {
        slot: slot.replace("left", "right") if slot.startswith("left") else slot.replace("right", "left")
        for slot in bento
    }
    found = {item.slot: (item.source, item.target) for item in chosen.pairs}
    assert found == {slot: (mixamo[other[slot]], bento[slot]) for slot in bento}
    assert pair("leftHand").offset[0] == pytest.approx(0.25, abs=1e-5)
    assert pair("leftHand").by == "" and pair("hips").by == "convention"  # a person chose these sides
    operators.animbridge.retarget_swap_sides()
    found = {item.slot: (item.source, item.target) for item in chosen.pairs}
    assert found == {slot: (mixamo[slot], bento[slot]) for slot in bento}


def test_swapped_sides_without_a_partner() -> None:
    _, _, chosen = auto()
    chosen.pairs.remove(next(i for i, item in enumerate(chosen.pairs) if item.slot == "rightHand"))
    operators.animbridge.retarget_swap_sides()
    assert pair("leftHand").source == ""
    assert faults_of(chosen)[list(chosen.pairs).index(pair("leftHand"))] == "No source bone is chosen"


def test_nothing_to_swap() -> None:
    _, _, chosen = auto()
    for index in reversed(range(len(chosen.pairs))):
        if chosen.pairs[index].slot != "hips":
            chosen.pairs.remove(index)
    chosen.index = 0
    with refused("nothing to swap"):
        operators.animbridge.retarget_swap_sides()
