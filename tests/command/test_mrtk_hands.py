# SPDX-License-Identifier: MIT
"""Recordings from characters' hands and back: the witness poses the rigs and reads the files."""

from __future__ import annotations

import json
import math
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import ROOT
from tests.witness import (
    anim_file,
    bvh_file,
    bvh_pose,
    mrtk_axes,
    mrtk_file,
    mrtk_hands,
    mrtk_player,
    player,
    rigs,
)
from tests.witness.bvh_file import Bvh, Joint
from tests.witness.quaternion import Vector, rotate
from tests.witness.skeleton import load_skeleton

COMMAND = ROOT / "build" / "bin" / "animbridge"
TABLES = rigs.load_tables()
RATE = 30.0
FRAMES = 12
#: An export drops keys within 0.1 mm and 0.02 degrees; single precision adds less than a tenth of that.
METRES = 1.1e-4
DEGREES = 0.03
#: Joints of a recording and of the avatar.
AVATAR = (("Wrist", "mWrist"), ("IndexKnuckle", "mHandIndex1"), ("RingDistalJoint", "mHandRing3"))


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def converted(*words: object) -> dict[str, Any]:
    """The report of a conversion that succeeds."""
    answer = run("convert", *words, "--json")
    assert answer.returncode == 0, answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def moving(rig: rigs.Rig, seed: int = 7) -> Bvh:
    """A person who walks off while every joint turns in its own way."""
    random = np.random.default_rng(seed)
    bvh = rigs.as_bvh(rig)
    bvh.frame_time = 1 / RATE
    width = sum(len(joint.channels) for joint in bvh.joints)
    first, last = random.uniform(-25, 25, width), random.uniform(-25, 25, width)
    bvh.motion = []
    for frame in range(FRAMES):
        share = frame / (FRAMES - 1)
        row = first * (1 - share) + last * share
        row[:3] = np.array(bvh.joints[0].offset) + share * np.array([0.3, 0.1, 0.5])
        bvh.motion.append(row.tolist())
    return bvh


def write(path: Path, bvh: Bvh) -> Path:
    path.write_bytes(bvh_file.write(bvh))
    return path


def degrees_between(a: Vector, b: Vector) -> float:
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return math.degrees(2 * math.asin(min(float(np.linalg.norm(a - b)) / 2, 1.0)))


@pytest.mark.parametrize("convention", ["mixamo", "vrm1", "secondlife", "ue5", "unity"])
def test_a_recording_of_a_person_has_the_hands_where_they_are(convention: str, tmp_path: Path) -> None:
    rig = rigs.build(convention, TABLES[convention])
    bvh = moving(rig)
    report = converted(write(tmp_path / "person.bvh", bvh), tmp_path / "hands.bin")
    assert report["hands"]["convention"] == convention and report["hands"]["missing"] == []
    made = mrtk_file.parse((tmp_path / "hands.bin").read_bytes())
    assert not mrtk_player.exists(made, "camera")
    for frame in range(FRAMES):
        # A moment before the end of the last frame's single precision.
        time = frame / RATE
        for side in ("left", "right"):
            assert len(mrtk_player.joints_of(made, side)) == 26
            for joint, wanted in mrtk_hands.hand(bvh, rig.truth, side, frame).items():
                found = mrtk_player.pose_of(made, f"{side}.{joint}", time)
                assert found.meant is not None
                away = float(np.linalg.norm(np.array(found.position) - wanted.position))
                assert away <= METRES, (side, joint, frame, away)
                for axis, expected in (((0, 0, 1), wanted.forward), ((0, 1, 0), wanted.up)):
                    if expected is not None:
                        axis_found = np.array(mrtk_axes.rotated(found.meant, axis))
                        off = degrees_between(axis_found, expected)
                        assert off <= DEGREES, (side, joint, frame, off)
    for side in ("left", "right"):
        assert made.curves[f"{side}.tracked"].values() == [1.0]
        assert made.curves[f"{side}.pinch"].values() == [0.0]


def test_at_rest_in_t_pose_the_backs_of_the_hands_are_up(tmp_path: Path) -> None:
    rig = rigs.build("mixamo", TABLES["mixamo"])
    converted(write(tmp_path / "rest.bvh", rigs.as_bvh(rig)), tmp_path / "rest.bin")
    made = mrtk_file.parse((tmp_path / "rest.bin").read_bytes())
    for side, across in (("left", 1.0), ("right", -1.0)):
        wrist = mrtk_player.pose_of(made, f"{side}.Wrist", 0.0)
        assert wrist.meant is not None
        assert mrtk_axes.rotated(wrist.meant, (0, 1, 0))[1] > 0.99
        # The character looks at its file's +Z, so its left is at +X.
        assert across * mrtk_axes.rotated(wrist.meant, (0, 0, 1))[0] > 0.95
        assert across * wrist.position[0] > 0.3


def fingers_in_the_hand(bvh: Bvh, truth: dict[str, str], side: str, frame: int) -> dict[str, Vector]:
    """Where the fingers' bones point, as the hand's own joint sees it."""
    posed = bvh_pose.pose(bvh, frame)
    names = [joint.name for joint in bvh.joints]
    x, y, z, w = posed.rotations[names.index(truth[f"{side}Hand"])]
    places = {
        joint: posed.positions[names.index(truth[side + slot])]
        for joint, slot in mrtk_hands.SLOTS.items()
        if side + slot in truth
    }
    return {
        joint: rotate(np.array([-x, -y, -z, w]), places[below] - places[joint])
        for joint, below in mrtk_hands.NEXT.items()
    }


@pytest.mark.parametrize(("convention", "other"), [("mixamo", "vrm1"), ("vrm1", "ue5"), ("ue5", "mixamo")])
def test_recorded_fingers_point_the_same_way_on_a_rig(convention: str, other: str, tmp_path: Path) -> None:
    """A recording has no arms: hands stay where the rig has them, and fingers move as the hand sees them."""
    rig, target = (rigs.build(name, TABLES[name]) for name in (convention, other))
    bvh = moving(rig)
    converted(write(tmp_path / "person.bvh", bvh), tmp_path / "hands.bin")
    onto = write(tmp_path / "rig.bvh", rigs.as_bvh(target))
    # The recording has keys between the frames, on the arcs of the fingers.
    converted(tmp_path / "hands.bin", tmp_path / "out.bvh", "--onto", onto, "--fps", RATE)
    made = bvh_file.parse((tmp_path / "out.bvh").read_bytes())
    assert len(made.motion) == FRAMES
    for side in ("left", "right"):
        turn, worst = None, 0.0
        for frame in range(FRAMES):
            wanted = fingers_in_the_hand(bvh, rig.truth, side, frame)
            found = fingers_in_the_hand(made, target.truth, side, frame)
            # How the two hands stand to each other is one turn for the whole motion.
            turn = best_turn(found, wanted) if turn is None else turn
            worst = max(worst, *(degrees_between(turn @ found[joint], wanted[joint]) for joint in wanted))
        assert worst <= 0.05, side


def best_turn(found: dict[str, Vector], wanted: dict[str, Vector]) -> Vector:
    """The rotation that brings the one directions to the others as nearly as one can (Kabsch)."""
    a = np.array([found[joint] / np.linalg.norm(found[joint]) for joint in wanted])
    b = np.array([direction / np.linalg.norm(direction) for direction in wanted.values()])
    u, _, v = np.linalg.svd(a.T @ b)
    return v.T @ np.diag([1.0, 1.0, np.linalg.det(v.T @ u.T)]) @ u.T


def test_the_hands_of_an_anim_are_where_the_avatar_has_them(tmp_path: Path) -> None:
    """From a person onto the avatar, and into a recording: what the viewer shows is where the joints are."""
    rig = rigs.build("mixamo", TABLES["mixamo"])
    file = write(tmp_path / "person.bvh", moving(rig))
    converted(file, tmp_path / "avatar.anim", "--retarget")
    report = converted(tmp_path / "avatar.anim", tmp_path / "hands.bin")
    assert report["hands"]["convention"] == "secondlife" and report["hands"]["missing"] == []
    made = mrtk_file.parse((tmp_path / "hands.bin").read_bytes())
    anim = anim_file.parse((tmp_path / "avatar.anim").read_bytes())
    skeleton = load_skeleton()
    for time in (0.0, 0.1, 0.2, 0.3):
        shown = player.world_pose(anim, skeleton, time)
        for joint, bone in (
            ("Wrist", "mWrist"),
            ("IndexKnuckle", "mHandIndex1"),
            ("RingDistalJoint", "mHandRing3"),
        ):
            for side in ("left", "right"):
                found = mrtk_player.pose_of(made, f"{side}.{joint}", time).position
                away = np.array(mrtk_axes.blender_vector(found)) - shown[bone + side.title()].position
                assert float(np.linalg.norm(away)) <= METRES, (side, joint, time, away)


def test_wrists_of_a_file_with_z_up_are_where_they_are(tmp_path: Path) -> None:
    rig = rigs.build("mixamo", TABLES["mixamo"])
    wrists: list[tuple[float, ...]] = []
    for y_up in (True, False):
        bvh = rigs.as_bvh(rig, y_up)
        report = converted(write(tmp_path / "rest.bvh", bvh), tmp_path / "rest.bin")
        # Its only frame stands along the same axis as its rest pose: nothing has to be decided.
        assert not any("axis is up" in warning for warning in report["warnings"])
        made = mrtk_file.parse((tmp_path / "rest.bin").read_bytes())
        wrists.append(mrtk_player.pose_of(made, "left.Wrist", 0.0).position)
    # The hand of a person who stands is at the height of the shoulder in T-pose.
    assert wrists[0][1] == pytest.approx(wrists[1][1], abs=1e-5)
    assert 1.2 < wrists[0][1] < 1.6


def test_a_rig_file_says_which_joints_are_the_hands(tmp_path: Path) -> None:
    rig = rigs.build("mixamo", TABLES["mixamo"])
    names = {joint.name: f"odd{number}" for number, joint in enumerate(rig.joints)}
    odd = rig.renamed(names)
    bvh = moving(odd)
    file = write(tmp_path / "odd.bvh", bvh)
    rig_file = tmp_path / "rig.json"
    slots = {slot: [name] for slot, name in odd.truth.items()}
    rig_file.write_text(json.dumps({"animbridge_rig": 1, "id": "odd", "title": "Odd", "slots": slots}))
    converted(file, tmp_path / "odd.bin", "--rig", rig_file)
    made = mrtk_file.parse((tmp_path / "odd.bin").read_bytes())
    wanted = mrtk_hands.hand(bvh, odd.truth, "left", 5)["IndexKnuckle"].position
    found = mrtk_player.pose_of(made, "left.IndexKnuckle", 5 / RATE).position
    assert float(np.linalg.norm(np.array(found) - wanted)) <= METRES


def test_what_has_no_hand_is_refused(tmp_path: Path) -> None:
    rope = "HIERARCHY\nROOT a0\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    rope += "JOINT a1\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    rope += (
        "End Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n5 5 5 5 5 5\n"
    )
    (tmp_path / "rope.bvh").write_text(rope)
    answer = run("convert", tmp_path / "rope.bvh", tmp_path / "rope.bin")
    assert answer.returncode in (1, 2), answer.stdout
    assert "no hand was found" in answer.stderr and "rig file" in answer.stderr
    assert not (tmp_path / "rope.bin").exists()


def test_a_hand_with_under_half_of_its_joints_is_left_out(tmp_path: Path) -> None:
    rig = rigs.build("vrm1", TABLES["vrm1"])
    gone = {
        name
        for slot, name in rig.truth.items()
        if slot.startswith("right") and any(finger in slot for finger in ("Middle", "Ring", "Little"))
    }
    whole = rigs.as_bvh(rig)
    kept = [index for index, joint in enumerate(whole.joints) if joint.name not in gone]
    place = {old: new for new, old in enumerate(kept)}
    joints = [whole.joints[index] for index in kept]
    parents = [None if joint.parent is None else place[joint.parent] for joint in joints]
    slim = replace_joints(whole, joints, parents)
    report = converted(write(tmp_path / "slim.bvh", slim), tmp_path / "slim.bin")
    assert any("right hand" in warning for warning in report["warnings"])
    made = mrtk_file.parse((tmp_path / "slim.bin").read_bytes())
    assert [len(mrtk_player.joints_of(made, hand)) for hand in ("left", "right")] == [26, 0]


def replace_joints(bvh: Bvh, joints: list[Joint], parents: list[int | None]) -> Bvh:
    """The file with other joints, at rest."""
    made = [replace(joint, parent=parent) for joint, parent in zip(joints, parents, strict=True)]
    width = sum(len(joint.channels) for joint in made)
    return replace(bvh, joints=made, motion=[[0.0] * width] * 2)


def test_the_pages_table_of_names_is_what_the_rig_files_say() -> None:
    page = (ROOT / "docs" / "mrtk-format.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in page.split("| MRTK |", 1)[1].splitlines()
        if line.startswith("| `")
    ]
    # The page names the other fingers by the index, and says how.
    words = [("Middle", "MIDDLE", "Middle", "Middle", "Middle"), ("Ring", "RING", "Ring", "Ring", "Ring")]
    words.append(("Pinky", "LITTLE", "Little", "Little", "Pinky"))
    others = [
        [re.sub("index", word, cell, flags=re.IGNORECASE) for word, cell in zip(finger, row, strict=True)]
        for finger in words
        for row in rows[5:10]
    ]
    rows = [*rows[:10], *others, rows[10]]
    assert [row[0] for row in rows] == list(mrtk_hands.SLOTS)
    for joint, *names in rows:
        slot = mrtk_hands.SLOTS[joint]
        for convention, name in zip(("openxr_hand", "unity_xr_hand", "vrm1", "mixamo"), names, strict=True):
            known = TABLES[convention].get(f"left{slot}", ["—"])
            assert name == known[0], (joint, convention)
