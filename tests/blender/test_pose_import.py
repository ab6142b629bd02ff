# SPDX-License-Identifier: MIT
"""Viewer poses onto armatures: as a pose, as keys, as pose assets and as Actions."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import fcurves, operators, refused, reported
from mathutils import Vector
from pose_support import (
    FIXTURES,
    METRES,
    farthest,
    heads_in_blender,
    heads_of,
    import_pose,
    import_poses,
    samples,
    shown_in,
)
from retarget_support import BOUND_DEGREES, TURN, degrees_between, direction, mixamo_names, mixamo_rig
from tests.python.material import ROOT
from tests.witness.pose_file import Real, firestorm_file, pretty

POSE = FIXTURES / "fs8.xml"
OTHER = FIXTURES / "bd3.xml"
DIFFERENCE = FIXTURES / "fs8_diff.xml"
ONI = ROOT / "fixtures" / "oban" / "xml_all_flags.xml"
#: Without scales below 0, which mirror what the joint carries: bones would mirror all of it.
POSES = (
    "fs0_no_version.xml",
    "fs3.xml",
    "fs3_scale_0.xml",
    "fs4.xml",
    "fs5.xml",
    "fs6.xml",
    "fs7.xml",
    "fs8.xml",
    "fs8_case.xml",
    "fs8_locks.xml",
    "stand.xml",
    "two.xml",
)


def bone(armature: Any, name: str) -> Any:
    return armature.pose.bones[name]


@pytest.mark.parametrize("name", POSES)
def test_bones_are_where_the_viewer_has_joints(name: str) -> None:
    armature = import_pose(FIXTURES / name)
    assert farthest(armature, (FIXTURES / name).read_bytes()) < METRES


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.name)
def test_bones_of_samples_are_where_the_viewer_has_joints(path: Path) -> None:
    armature = import_pose(path, on_tpose=True)
    assert farthest(armature, path.read_bytes()) < METRES


def test_a_pose_needs_no_keys() -> None:
    armature = import_pose(POSE)
    assert armature.animation_data is None or armature.animation_data.action is None
    assert not bpy.data.actions
    assert armature.find_armature() is None and armature.children[0].type == "MESH"


def test_a_scale_is_the_bones_own() -> None:
    armature = import_pose(FIXTURES / "fs8.xml")
    scale = sorted(float(number) for number in bone(armature, "mShoulderLeft").scale)
    assert np.allclose(scale, [0.95, 1.0, 1.1], atol=1e-6)
    bpy.context.view_layer.update()
    elbow = bone(armature, "mElbowLeft").matrix.to_scale()
    assert np.allclose(list(elbow), 1.0, atol=1e-6)


def test_what_the_pose_does_not_move_returns_to_rest() -> None:
    armature = import_pose(POSE)
    moved = bone(armature, "mShoulderLeft")
    assert moved.location.length > 0.0
    import_pose(FIXTURES / "empty_pose.xml")
    assert moved.location.length < 1e-7 and list(moved.scale) == [1.0, 1.0, 1.0]


def test_one_hand_leaves_the_rest_of_the_body(tmp_path: Path) -> None:
    preset = tmp_path / "preset.xml"
    joints = {name: turned(0.5) for name in ("mHandIndex1Left", "mHandIndex1Right")}
    preset.write_bytes(pretty(firestorm_file(6, True, **joints)))
    armature = import_pose(POSE)
    before = np.array(bone(armature, "mShoulderLeft").matrix_basis)
    import_pose(preset, hand="LEFT")
    assert np.array_equal(before, np.array(bone(armature, "mShoulderLeft").matrix_basis))
    turns = [bone(armature, f"mHandIndex1{side}").rotation_quaternion for side in ("Left", "Right")]
    assert [abs(turn.w) for turn in turns] == pytest.approx([math.cos(0.25), 1.0], abs=1e-6)


def turned(radians: float) -> dict[str, list[Real]]:
    """A joint that turns about x."""
    return {"rotation": [Real(radians), Real(0.0), Real(0.0)]}


def test_keys_follow_each_other_from_the_current_frame() -> None:
    scene = bpy.context.scene
    scene.frame_set(5)
    armature = import_poses(FIXTURES, POSE.name, OTHER.name, place="KEYS", step=20)
    assert [(marker.name, marker.frame) for marker in scene.timeline_markers] == [("fs8", 5), ("bd3", 25)]
    frames = {key.co[0] for curve in fcurves(armature) for key in curve.keyframe_points}
    assert frames == {5.0, 25.0}
    for path, frame in ((POSE, 5), (OTHER, 25)):
        scene.frame_set(frame)
        moved = shown_in(path.read_bytes())
        found = heads_in_blender(armature)
        wanted = heads_of(moved)
        assert max(np.linalg.norm(found[name] - wanted[name]) for name in moved if name in wanted) < METRES


def test_keys_go_into_the_action_that_plays() -> None:
    armature = import_pose(POSE, place="KEYS")
    action = armature.animation_data.action
    bpy.context.scene.frame_set(10)
    import_pose(POSE, place="KEYS")
    assert armature.animation_data.action == action
    keys = {len(curve.keyframe_points) for curve in fcurves(armature)}
    assert keys == {2}


def test_a_folder_becomes_a_library(tmp_path: Path) -> None:
    for path in (POSE, OTHER):
        shutil.copy(path, tmp_path / path.name)
    (tmp_path / "notes.txt").write_text("no pose")
    armature = import_pose(tmp_path, place="ASSETS")
    assets = {action.name: action for action in bpy.data.actions}
    assert sorted(assets) == ["bd3", "fs8"]
    for action in assets.values():
        assert action.asset_data is not None and action.use_fake_user
        assert [tag.name for tag in action.asset_data.tags] == ["Second Life pose"]
    assert armature.animation_data.action is None


def test_assets_leave_what_plays_alone() -> None:
    armature = import_pose(POSE, place="ACTION")
    playing = armature.animation_data.action
    import_pose(OTHER, place="ASSETS")
    assert armature.animation_data.action == playing and playing.asset_data is None


def test_assets_leave_the_pose_alone() -> None:
    armature = import_pose(POSE)
    before = heads_in_blender(armature)
    import_pose(FIXTURES / "stand.xml", place="ASSETS")
    after = heads_in_blender(armature)
    assert max(np.linalg.norm(after[name] - place) for name, place in before.items()) < METRES


def test_a_bad_file_among_many_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for path in (POSE, FIXTURES / "bad_cut.xml"):
        shutil.copy(path, tmp_path / path.name)
    import_poses(tmp_path, "fs8.xml", "bad_cut.xml", place="ASSETS")
    assert [action.name for action in bpy.data.actions] == ["fs8"]
    assert "bad_cut.xml" in reported(capfd)


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        (DIFFERENCE, {}, "(Blender: On T-Pose;"),
        (ONI, {}, "is of the format Oni object animation, not Second Life pose"),
        (FIXTURES / "bad_stand.xml", {}, "allowed is a pose of Firestorm's or Black Dragon's poser"),
        (FIXTURES / "bad_entity.xml", {}, "bad_entity.xml"),
        (POSE, {"hand": "LEFT"}, "no rotation of a joint of the left hand"),
    ],
)
def test_what_is_not_a_pose_says_what_it_is(path: Path, options: dict[str, Any], message: str) -> None:
    with refused(message):
        operators.import_anim.secondlife_pose(filepath=str(path), **options)
    assert not bpy.data.objects and not bpy.data.actions


def test_several_files_are_no_single_pose() -> None:
    with refused("takes one pose, but 2 files"):
        import_poses(FIXTURES, POSE.name, OTHER.name)


def test_a_difference_on_the_t_pose_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    import_pose(DIFFERENCE, on_tpose=True)
    assert "stands on the T-pose, and not on the animations below it" in reported(capfd)


def test_the_armature_of_another_rig_takes_the_pose() -> None:
    rig, names = mixamo_rig(), mixamo_names()
    assert import_pose(FIXTURES / "fs8.xml") == rig
    places = heads_of(shown_in((FIXTURES / "fs8.xml").read_bytes()))
    bpy.context.view_layer.update()
    for above, below, joints in (
        ("leftUpperArm", "leftLowerArm", ("mShoulderLeft", "mElbowLeft")),
        ("leftLowerArm", "leftHand", ("mElbowLeft", "mWristLeft")),
        ("rightUpperLeg", "rightLowerLeg", ("mHipRight", "mKneeRight")),
    ):
        wanted = Vector((places[joints[1]] - places[joints[0]]).tolist()).normalized()
        assert degrees_between(TURN @ direction(rig, names, above, below), wanted) < BOUND_DEGREES
