# SPDX-License-Identifier: MIT
"""The Second Life skeleton as a new armature: places, groups, rolls, and every kind of joint in motion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import (
    PELVIS_HEIGHT,
    SKELETON,
    data_blocks,
    degrees_to,
    import_file,
    operators,
    reported,
    rest_position,
    set_frame,
    the_armature,
    turn_of,
)
from mathutils import Quaternion, Vector
from tests.python.randoms import random_keys
from tests.witness import anim_file, player
from tests.witness import quantise as q
from tests.witness.anim_file import AnimFile, Joint, bits_of
from window import begin_undo, undo_once, with_undo

METRES = 1e-5
DEGREES = 0.01
FACINGS = ("X", "NEGATIVE_Y")

#: One or two of every group, by the names that the avatar's own documents group them by.
MEMBERS = {
    "Body": ("mPelvis", "mTorso", "mHead", "mSkull", "mWristLeft", "mToeRight", "mGroin"),
    "Spine": ("mSpine1", "mSpine4"),
    "Face": ("mFaceRoot", "mFaceJaw", "mFaceTongueTip", "mFaceEar2Left", "mFaceEyeLidUpperLeft", "mEyeLeft"),
    "Hands": ("mHandThumb1Left", "mHandPinky3Right"),
    "Wings": ("mWingsRoot", "mWing4FanLeft"),
    "Tail": ("mTail1", "mTail6"),
    "Hind Limbs": ("mHindLimbsRoot", "mHindLimb4Right"),
    "Collision Volumes": ("PELVIS", "L_FOOT"),
    "Attachment Points": ("Chest", "Left Hind Foot", "Avatar Center"),
}
SIZES = {
    "Body": 25,
    "Spine": 4,
    "Face": 48,
    "Hands": 30,
    "Wings": 11,
    "Tail": 6,
    "Hind Limbs": 9,
    "Collision Volumes": 26,
    "Attachment Points": 47,
}


def add_skeleton(**options: Any) -> Any:
    assert operators.armature.secondlife_skeleton_add(**options) == {"FINISHED"}
    return the_armature()


def whole_skeleton(facing: str = "X") -> Any:
    return add_skeleton(skeleton_facing=facing, skeleton_volumes=True, skeleton_attachments=True)


def groups_of(rig: Any) -> dict[str, list[str]]:
    """The groups of bones by name, on any Blender; before 4.0 a side is a group of its own."""
    if hasattr(rig.data, "collections"):
        return {group.name: [bone.name for bone in group.bones] for group in rig.data.collections}
    groups: dict[str, list[str]] = {}
    for bone in rig.pose.bones:
        name = bone.bone_group.name.removesuffix(" Left").removesuffix(" Right")
        groups.setdefault(name, []).append(bone.name)
    return groups


def colour_of(rig: Any, name: str) -> tuple[float, ...]:
    """The colour that a bone is drawn in, as the screen shows it."""
    if hasattr(rig.data, "collections"):
        colour = rig.data.bones[name].color
        assert colour.palette == "CUSTOM"
        return tuple(colour.custom.normal)
    group = rig.pose.bones[name].bone_group
    assert group.color_set == "CUSTOM"
    return tuple(group.colors.normal)


def axes_of(bone: Any) -> list[Vector]:
    """A bone's axes at rest, in the armature's space."""
    return list(bone.matrix_local.to_3x3().transposed())


def kinds_of(*kinds: str) -> set[str]:
    return {node.name for node in SKELETON.nodes.values() if node.kind in kinds}


def test_the_bones_alone() -> None:
    rig = add_skeleton()
    assert rig.name == rig.data.name == "SL Skeleton"
    assert {bone.name for bone in rig.data.bones} == kinds_of("bone")
    assert all(bone.use_deform for bone in rig.data.bones)
    assert rig.mode == "OBJECT" and rig.select_get()


def test_volumes_and_attachment_points_on_request() -> None:
    volumes = add_skeleton(skeleton_volumes=True)
    assert {bone.name for bone in volumes.data.bones} == kinds_of("bone", "volume")
    points = add_skeleton(skeleton_attachments=True)
    assert {bone.name for bone in points.data.bones} == kinds_of("bone", "attachment")
    deforming = {bone.name for bone in points.data.bones if bone.use_deform}
    assert deforming == kinds_of("bone")
    assert all(bone.use_deform for bone in volumes.data.bones)


@pytest.mark.parametrize("facing", FACINGS)
def test_places_lengths_and_parents(facing: str) -> None:
    rig = whole_skeleton(facing)
    turn = turn_of(facing)
    for bone in rig.data.bones:
        node = SKELETON.nodes[bone.name]
        assert (bone.parent.name if bone.parent else "mRoot") == node.parent
        # What hangs on the avatar's root stays on the ground, what hangs on the pelvis stands.
        ground = Vector() if bone.name == "Avatar Center" else Vector((0, 0, PELVIS_HEIGHT))
        assert (bone.head_local - turn @ rest_position(bone.name) - ground).length < METRES
        assert bone.length > 0.009, bone.name
        assert not bone.use_connect


def test_groups_hold_every_bone_once_and_humans_have_theirs_shown() -> None:
    rig = whole_skeleton()
    groups = groups_of(rig)
    assert {name: len(bones) for name, bones in groups.items()} == SIZES
    for name, bones in MEMBERS.items():
        assert set(bones) <= set(groups[name]), name
    everything = [bone for bones in groups.values() for bone in bones]
    assert len(everything) == len(set(everything)) == len(rig.data.bones)
    hidden = {bone for name in ("Wings", "Tail", "Hind Limbs") for bone in groups[name]}
    if hasattr(rig.data, "collections"):
        shown = {bone.name for one in rig.data.collections if one.is_visible for bone in one.bones}
    else:
        pairs = {bone.name: zip(bone.layers, rig.data.layers, strict=True) for bone in rig.data.bones}
        shown = {name for name, layers in pairs.items() if any(own and seen for own, seen in layers)}
    assert shown == set(everything) - hidden


def test_colours_tell_left_from_right_on_grey() -> None:
    rig = whole_skeleton()
    sides = ("mHipLeft", "mHipRight", "mHead")
    names = (*sides, "mSpine1", "PELVIS", "Chest")
    colours = {name: colour_of(rig, name) for name in names}
    assert len(set(colours.values())) == len(names)
    assert colour_of(rig, "mHandThumb1Left") == colours["mHipLeft"]
    assert colour_of(rig, "mFaceEar1Right") == colours["mHipRight"]
    for red, green, blue in colours.values():
        # The viewport's grey is 0.24: WCAG asks for a contrast of 3 in what is no text.
        light = sum(w * (c**2.2) for w, c in zip((0.2126, 0.7152, 0.0722), (red, green, blue), strict=True))
        assert (light + 0.05) / (0.24**2.2 + 0.05) >= 3


def test_groups_without_members_are_not_made() -> None:
    assert set(groups_of(add_skeleton())) == set(SIZES) - {"Collision Volumes", "Attachment Points"}


@pytest.mark.parametrize("facing", FACINGS)
def test_joints_bend_about_x(facing: str) -> None:
    """In the T-pose elbows turn about the vertical, knees sideways, fingers about the forward axis."""
    rig = whole_skeleton(facing)
    turn = turn_of(facing).to_3x3()
    forward, left, up = (turn @ Vector(axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    for name, axis in (
        *((f"{joint}{side}", up) for joint in ("mElbow", "mShoulder") for side in ("Left", "Right")),
        *((f"{joint}{side}", left) for joint in ("mKnee", "mHip", "mAnkle") for side in ("Left", "Right")),
        *(
            (f"mHand{finger}{side}", forward)
            for finger in ("Middle2", "Index1")
            for side in ("Left", "Right")
        ),
        *((name, left) for name in ("mTorso", "mNeck", "mTail3", "mFaceJaw")),
    ):
        assert abs(axes_of(rig.data.bones[name])[0].dot(axis)) > 0.85, name


def test_left_mirrors_right() -> None:
    """So that Blender's mirrored posing works: Y and Z axes are mirrored, X then is the mirror's opposite."""
    rig = whole_skeleton()
    mirrored = 0
    for bone in rig.data.bones:
        other = rig.data.bones.get(bpy.utils.flip_name(bone.name))
        if other is None or other == bone:
            continue
        for own, opposite, factor in zip(axes_of(bone), axes_of(other), (-1, 1, 1), strict=True):
            expected = Vector((own.x, -own.y, own.z)) * factor
            # The avatar itself is not quite symmetric.
            assert (expected - opposite).length < 0.15, bone.name
        mirrored += 1
    assert mirrored > 80


@pytest.mark.parametrize("facing", FACINGS)
def test_every_kind_of_joint_plays(facing: str, tmp_path: Path) -> None:
    """Body, face, hand, wing, tail, hind limb, volume and attachment point, as the witness plays them."""
    random = np.random.default_rng(5)
    names = [bone for bones in MEMBERS.values() for bone in bones if bone != "Avatar Center"]
    joints = []
    for name in names:
        turns = random_keys(random, 4, in_ball=True, gap=3000)
        turns[:, 1:] = q.encode_rotation(q.decode_rotation(turns[:, 1:]) * np.float32(0.5))
        places = random_keys(random, 3, in_ball=False, gap=3000)
        joints.append(Joint(name.encode(), 3, turns, places))
    file = AnimFile(duration_bits=bits_of(2.0), joints=joints)
    path = tmp_path / "all_kinds.anim"
    path.write_bytes(anim_file.write(file))
    rig = import_file(
        path,
        target="NEW",
        skeleton_facing=facing,
        skeleton_volumes=True,
        skeleton_attachments=True,
    )
    turn = turn_of(facing)
    for joint in joints:
        for code in joint.rotation_keys[:, 0]:
            seconds = float(q.decode_time(np.array([code]), file.duration)[0])
            set_frame(1 + 24 * seconds)
            pose = player.world_pose(file, SKELETON, seconds)[joint.name.decode()]
            bone = rig.pose.bones[joint.name.decode()]
            place = turn @ Vector(pose.position.tolist()) + Vector((0, 0, PELVIS_HEIGHT))
            assert (bone.head - place).length < METRES, bone.name
            assert degrees_to(turned(bone, turn.to_quaternion()), pose.rotation) < DEGREES, bone.name


def turned(bone: Any, turn: Quaternion) -> Quaternion:
    """The joint's rotation in the avatar's frame: how far the bone has turned, after the joint's own rest."""
    rest = SKELETON.nodes[bone.name].rotation
    x, y, z, w = (float(value) for value in rest)
    moved = bone.matrix.to_quaternion() @ bone.bone.matrix_local.to_quaternion().inverted()
    return turn.inverted() @ moved @ turn @ Quaternion((w, x, y, z))


def test_joints_without_bones_are_named_and_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    turns = random_keys(np.random.default_rng(1), 3, in_ball=True)
    joints = [Joint(name, 3, turns) for name in (b"mHead", b"BELLY", b"Chest")]
    path = tmp_path / "volumes.anim"
    path.write_bytes(anim_file.write(AnimFile(joints=joints)))
    import_file(path)
    said = reported(capfd)
    assert "2 joints" in said and "BELLY" in said and "Chest" in said
    out = tmp_path / "out.anim"
    assert operators.export_anim.secondlife(filepath=str(out)) == {"FINISHED"}
    assert out.read_bytes() == path.read_bytes()


def test_at_the_cursor_and_without_a_trace_of_what_was_selected() -> None:
    first = add_skeleton()
    bpy.context.scene.cursor.location = (1, 2, 3)
    second = add_skeleton()
    assert first is not second
    assert second.location == Vector((1, 2, 3))
    assert not first.select_get()
    assert {*data_blocks()["objects"]} == {
        f"SL {n}{i}" for n in ("Skeleton", "Mannequin") for i in ("", ".001")
    }


def test_not_while_something_is_edited() -> None:
    add_skeleton()
    bpy.ops.object.mode_set(mode="EDIT")
    assert not operators.armature.secondlife_skeleton_add.poll()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert operators.armature.secondlife_skeleton_add.poll()


def test_undo_takes_it_back_at_once(window: None) -> None:
    begin_undo()
    with_undo(operators.armature.secondlife_skeleton_add)
    assert bpy.data.armatures
    undo_once()
    assert not bpy.data.armatures and not bpy.data.objects
