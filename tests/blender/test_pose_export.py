# SPDX-License-Identifier: MIT
"""Viewer poses out of Blender: an imported file that nobody edited is the file, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import operators, refused, reported, set_frame
from mathutils import Vector
from pose_support import (
    FIXTURES,
    export_pose,
    export_poses,
    heads_of,
    import_pose,
    import_poses,
    samples,
    shown_in,
)
from retarget_support import (
    BOUND_DEGREES,
    TURN,
    animate,
    degrees_between,
    direction,
    mixamo_names,
    mixamo_rig,
)

FILES = sorted(path for path in FIXTURES.glob("*.xml") if not path.name.startswith("bad_"))
PLACES = ("POSE", "ACTION", "KEYS")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_comes_back_byte_for_byte(path: Path, tmp_path: Path) -> None:
    import_pose(path, on_tpose=True)
    assert export_pose(tmp_path / "out.xml") == path.read_bytes()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("path", samples(), ids=lambda path: path.name)
def test_a_sample_comes_back_byte_for_byte(path: Path, place: str, tmp_path: Path) -> None:
    import_pose(path, place=place, on_tpose=True)
    assert export_pose(tmp_path / "out.xml") == path.read_bytes()


def test_assets_come_back_byte_for_byte(tmp_path: Path) -> None:
    names = ("bd1.xml", "bd3.xml", "fs3.xml", "fs8.xml")
    import_poses(FIXTURES, *names, place="ASSETS")
    import_pose(FIXTURES / "fs7.xml")
    written = export_poses(tmp_path / "out", poses="ASSETS")
    assert written == {name: (FIXTURES / name).read_bytes() for name in names}


def test_markers_come_back_byte_for_byte(tmp_path: Path) -> None:
    names = ("fs6.xml", "fs7.xml", "fs8.xml")
    import_poses(FIXTURES, *names, place="KEYS")
    bpy.context.scene.frame_set(3)
    written = export_poses(tmp_path / "out", poses="MARKERS")
    assert written == {name: (FIXTURES / name).read_bytes() for name in names}
    assert bpy.context.scene.frame_current == 3


def test_the_file_stays_with_the_blend_file(tmp_path: Path) -> None:
    import_pose(FIXTURES / "bd1.xml")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "pose.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "pose.blend"))
    assert export_pose(tmp_path / "out.xml") == (FIXTURES / "bd1.xml").read_bytes()


def turn(armature: Any, name: str) -> None:
    bone = armature.pose.bones[name]
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    bpy.context.view_layer.update()


@pytest.mark.parametrize("name", ["fs8.xml", "fs3.xml", "bd3.xml", "bd1.xml", "cdata.xml"])
def test_an_edit_changes_one_joint(name: str, tmp_path: Path) -> None:
    path = FIXTURES / name
    turn(import_pose(path), "mHead")
    made, before = shown_in(export_pose(tmp_path / "out.xml")), shown_in(path.read_bytes())
    half = np.linalg.norm(made["mHead"]["rotation"][:3])
    assert half == pytest.approx(0.6, abs=1e-6) and made["mHead"]["known"] == "exact"
    for joint, row in before.items():
        if joint != "mHead":
            for key in ("rotation", "position", "scale"):
                assert np.array_equal(row[key], made[joint][key]), (joint, key)


def test_an_edited_file_keeps_what_no_viewer_knows(tmp_path: Path) -> None:
    turn(import_pose(FIXTURES / "odd.xml"), "mHead")
    before = (FIXTURES / "odd.xml").read_text()
    made = export_pose(tmp_path / "out.xml").decode()
    keys = [line for line in before.splitlines() if "<key>" in line and "mHead" not in line]
    assert [key for key in keys if key.strip() not in made] == []


@pytest.mark.parametrize("program", ["FIRESTORM", "BLACKDRAGON"])
@pytest.mark.parametrize("name", ["fs8.xml", "bd3.xml"])
def test_a_pose_for_the_other_viewer_shows_the_same(name: str, program: str, tmp_path: Path) -> None:
    path = FIXTURES / name
    import_pose(path)
    made = shown_in(export_pose(tmp_path / "out.xml", pose_format=program))
    for joint, row in shown_in(path.read_bytes()).items():
        if joint.startswith("m") and joint in made and row["known"] == "exact":
            for key in ("rotation", "position", "scale"):
                assert np.abs(np.array(row[key]) - np.array(made[joint][key])).max() < 1e-6, (joint, key)


def test_a_pose_made_in_blender(tmp_path: Path) -> None:
    operators.armature.secondlife_skeleton_add()
    armature = bpy.context.view_layer.objects.active
    turn(armature, "mElbowLeft")
    armature.pose.bones["mPelvis"].location = (0.0, 0.1, 0.0)
    armature.pose.bones["mHead"].scale = (1.5, 1.5, 1.5)
    made = shown_in(export_pose(tmp_path / "out.xml"))
    assert len(made) == 155
    assert np.linalg.norm(made["mElbowLeft"]["rotation"][:3]) == pytest.approx(0.6, abs=1e-6)
    assert np.linalg.norm(made["mPelvis"]["position"]) == pytest.approx(0.1, abs=1e-6)
    assert np.allclose(made["mHead"]["scale"], 1.5, atol=1e-6)
    still = [name for name, row in made.items() if name not in ("mElbowLeft", "mPelvis", "mHead")]
    for name in still:
        if name.startswith("m"):
            assert np.allclose(made[name]["rotation"], (0, 0, 0, 1), atol=1e-6), name


def test_a_changed_difference_becomes_a_pose(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    turn(import_pose(FIXTURES / "fs8_diff.xml", on_tpose=True), "mHead")
    made = export_pose(tmp_path / "out.xml")
    assert b"startFromTeePose" in made and shown_in(made)["mHead"]["known"] == "exact"
    assert "a pose of its own, on the T-pose" in " ".join(reported(capfd).split())


@pytest.mark.parametrize("poses", ["MARKERS", "ASSETS"])
def test_without_markers_or_assets_nothing_is_written(poses: str, tmp_path: Path) -> None:
    import_pose(FIXTURES / "fs8.xml")
    with refused("has no markers" if poses == "MARKERS" else "No pose asset of this .blend file"):
        export_poses(tmp_path / "out", poses=poses)
    assert not list((tmp_path / "out").iterdir())


def test_a_damaged_store_is_named(tmp_path: Path) -> None:
    armature = import_pose(FIXTURES / "fs8.xml")
    armature["animbridge_poses"] = {"size": 3, "files": b"xxx"}
    with refused("Delete the property"):
        export_pose(tmp_path / "out.xml")


def test_the_avatar_takes_the_pose_of_another_rig(tmp_path: Path) -> None:
    rig, names = mixamo_rig(), mixamo_names()
    animate(rig)
    set_frame(7)
    places = heads_of(shown_in(export_pose(tmp_path / "out.xml")))
    for slot, below, joints in (
        ("leftUpperArm", "leftLowerArm", ("mShoulderLeft", "mElbowLeft")),
        ("rightUpperLeg", "rightLowerLeg", ("mHipRight", "mKneeRight")),
    ):
        shown = TURN @ direction(rig, names, slot, below)
        assert (
            degrees_between(shown, Vector((places[joints[1]] - places[joints[0]]).tolist()).normalized())
            < BOUND_DEGREES
        )
