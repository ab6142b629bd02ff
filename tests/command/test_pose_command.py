# SPDX-License-Identifier: MIT
"""Viewer poses through the command: out of them and into them, read by the witness."""

from __future__ import annotations

import json
import math
import random
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import ROOT
from tests.witness import anim_file, player, pose_file, quantise
from tests.witness.cases.sl_pose_cases import NONE, joint
from tests.witness.pose_file import Real, firestorm_file, pose_of, shown
from tests.witness.quaternion import Vector, product, rotate
from tests.witness.skeleton import load_skeleton

COMMAND = ROOT / "build" / "bin" / "animbridge"
FIXTURES = ROOT / "fixtures" / "sl_pose"
SKELETON = load_skeleton()
REST = SKELETON.nodes


def run(*words: object, code: int = 0) -> str:
    """What the command says, on either stream."""
    done = subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def shown_by(path: Path) -> dict[str, dict[str, Any]]:
    return shown(pose_of(pose_file.parse(path.read_bytes())))


def apart_degrees(a: Vector, b: Vector) -> float:
    """By the chord, which is exact for small angles."""
    chord = min(float(np.linalg.norm(a - b)), float(np.linalg.norm(a + b)))
    return math.degrees(4 * math.asin(min(chord / 2, 1)))


def check_same(a: dict[str, dict[str, Any]], b: dict[str, dict[str, Any]], names: set[str]) -> None:
    for name in names:
        for key, allowed in (("rotation", 1e-6), ("position", 1e-6), ("scale", 1e-6)):
            left, right = a[name][key], b[name][key]
            if key == "rotation" and float(left @ right) < 0:
                right = -right
            assert np.abs(left - right).max() <= allowed, (name, key)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A pose of every joint of Firestorm, from the seed."""
    dice = random.Random(38)
    joints = {
        name: joint([Real(dice.uniform(-1.2, 1.2)) for _ in range(3)])
        for name in pose_file.FIRESTORM.values()
        if name not in pose_file.VOLUMES
    }
    joints["mHead"] = joint([Real(0.2)] * 3, [Real(0.01)] * 3, [Real(0.25)] * 3)
    joints["mPelvis"] = joint([Real(0.1)] * 3, [Real(0.3), Real(-0.2), Real(0.1)])
    joints["mTail6"] = joint(NONE, enabled=False)
    path = tmp_path / "full.xml"
    path.write_bytes(pose_file.pretty(firestorm_file(8, **joints)))
    return path


def test_a_pose_keeps_its_bytes(tmp_path: Path) -> None:
    for path in sorted(FIXTURES.glob("*.xml")):
        if path.name.startswith("bad_"):
            continue
        run("convert", path, tmp_path / "a.json")
        run("convert", tmp_path / "a.json", tmp_path / "b.xml")
        run("convert", path, tmp_path / "c.xml")
        assert (tmp_path / "b.xml").read_bytes() == path.read_bytes(), path.name
        assert (tmp_path / "c.xml").read_bytes() == path.read_bytes(), path.name


def test_a_pose_becomes_a_held_animation(full: Path, tmp_path: Path) -> None:
    report = json.loads(run("convert", full, tmp_path / "a.anim", "--json"))
    made = anim_file.parse((tmp_path / "a.anim").read_bytes())
    wanted = shown_by(full)
    held = {name for name, one in wanted.items() if one["known"] != "free"}
    assert {one.name.decode() for one in made.joints} == held
    assert made.loop == 1
    played = player.local_pose(made, SKELETON, 0.0)
    for name in held:
        q = played[name].rotation
        assert q is not None
        # The bound of the issue for joints that turn by less than 170 degrees.
        if 2 * math.degrees(math.acos(min(1.0, abs(wanted[name]["rotation"][3])))) < 170:
            assert apart_degrees(q, wanted[name]["rotation"]) < 0.02, name
    assert any("scale of mHead" in item and "mm" in item for item in report["left_out"])
    assert any("mTail6" in item for item in report["left_out"])


def test_an_animation_becomes_a_pose_again(full: Path, tmp_path: Path) -> None:
    run("convert", full, tmp_path / "a.anim")
    run("convert", tmp_path / "a.anim", tmp_path / "b.xml", "--to", "pose")
    wanted, found = shown_by(full), shown_by(tmp_path / "b.xml")
    for name, one in wanted.items():
        if one["known"] != "free":
            assert apart_degrees(found[name]["rotation"], one["rotation"]) < 0.1, name
            assert np.abs(found[name]["position"] - one["position"]).max() < 0.0002, name
    assert pose_of(pose_file.parse((tmp_path / "b.xml").read_bytes())).version == 8


def test_several_moments_give_several_files(full: Path, tmp_path: Path) -> None:
    run("convert", full, tmp_path / "a.anim")
    run("convert", tmp_path / "a.anim", tmp_path / "b.xml", "--to", "pose", "--at", "0", "--at", "1")
    assert (tmp_path / "b-1.xml").read_bytes() == (tmp_path / "b-2.xml").read_bytes()
    assert "--at" in run(
        "convert", tmp_path / "a.anim", tmp_path / "b.xml", "--to", "pose", "--at", "9", code=2
    )


def test_a_pose_goes_to_the_other_viewer_and_back(full: Path, tmp_path: Path) -> None:
    there, back = tmp_path / "there.xml", tmp_path / "back.xml"
    run("convert", full, there, "--pose-format", "blackdragon")
    run("convert", there, back, "--pose-format", "firestorm")
    wanted, middle, found = shown_by(full), shown_by(there), shown_by(back)
    assert pose_of(pose_file.parse(there.read_bytes())).program == "black_dragon"
    bones = {name for name in wanted if name not in pose_file.VOLUMES}
    check_same(wanted, middle, bones)
    check_same(wanted, found, bones)
    assert {name for name, one in found.items() if one["known"] == "free"} == {"mTail6"}


def test_what_the_other_viewer_lacks_is_named(tmp_path: Path) -> None:
    text = run("convert", FIXTURES / "fs8.xml", tmp_path / "a.xml", "--pose-format", "blackdragon")
    assert "rotation and position of PELVIS" in text
    text = run("convert", FIXTURES / "bd3.xml", tmp_path / "b.xml", "--pose-format", "firestorm")
    assert "that Black Dragon keeps of volumes and points" in text and "PELVIS" in text


def test_a_difference_says_so_first(tmp_path: Path) -> None:
    said = run("convert", FIXTURES / "fs8_diff_all.xml", tmp_path / "a.anim", code=1)
    assert "rotations of 3 of 5 joints" in said and "2408fe9e" in said and "--on-tpose" in said
    report = json.loads(
        run("convert", FIXTURES / "fs8_diff_all.xml", tmp_path / "a.anim", "--on-tpose", "--json")
    )
    assert any("T-pose" in warning for warning in report["warnings"])


def animation(path: Path, priority: int, **turns: Vector) -> None:
    """A held .anim of these rotations, whose codes truncate as the viewer's do."""
    joints = [
        anim_file.Joint(
            name.encode(),
            rotation_keys=np.array([[0, *quantise.encode(q[:3], *quantise.ROTATION_RANGE)]], dtype=np.uint16),
        )
        for name, q in turns.items()
    ]
    made = anim_file.parse((ROOT / "fixtures" / "sl_anim" / "hand_pose_0.anim").read_bytes())
    path.write_bytes(anim_file.write(replace(made, base_priority=priority, joints=joints)))


def test_a_difference_stands_on_its_animations(tmp_path: Path) -> None:
    """A lower priority replaces no higher one, mirrored joints swap, and a zero of the user's stays."""
    low, high = pose_file.euler(0.5, 0.1, -0.2), pose_file.euler(-0.3, 0.4, 0.1)
    first, second = "2408fe9e-0000-0000-0000-000000000001", "2408fe9e-0000-0000-0000-000000000002"
    states = {
        f"poseState{i}": {
            "animationId": name,
            "captureOrder": 0,
            "inLayerOrder": i,
            "jointNumbersAnimated": "",
            "lastUpdateTime": Real(0),
        }
        for i, name in enumerate((first, second))
    }
    delta = [Real(0.2), Real(-0.1), Real(0.3)]
    floats = [float(np.float32(angle)) for angle in delta]
    loose = {"jointBaseRotationIsZero": False, "userSetBaseRotationToZero": False}
    joints = {
        "mHead": joint(delta, **loose),
        "mNeck": joint(delta, **loose),
        "mShoulderLeft": joint(delta, **{**loose, "mirrored": True}),
        "mChest": joint(delta, jointBaseRotationIsZero=False),
    }
    (tmp_path / "a.xml").write_bytes(pose_file.pretty(firestorm_file(8, False, **joints, **states)))
    animation(tmp_path / "high.anim", 4, mHead=high, mShoulderRight=high, mChest=high)
    animation(tmp_path / "low.anim", 2, mHead=low, mNeck=low)
    under = [f"--under={first}={tmp_path / 'high.anim'}", f"--under={second}={tmp_path / 'low.anim'}"]
    run("convert", tmp_path / "a.xml", tmp_path / "b.anim", *under)
    played = player.local_pose(anim_file.parse((tmp_path / "b.anim").read_bytes()), SKELETON, 0.0)
    mirrored = high * [-1, 1, -1, 1]
    added = pose_file.euler(*floats)
    for name, base in (
        ("mHead", high),
        ("mNeck", low),
        ("mShoulderLeft", mirrored),
        ("mChest", pose_file.IDENTITY),
    ):
        q = played[name].rotation
        assert q is not None
        # The codes below and above, each at most 0.11 degrees off.
        assert apart_degrees(q, product(base, added)) < 0.25, name
    assert "no file for the animations" in run(
        "convert", tmp_path / "a.xml", tmp_path / "c.anim", under[0], code=2
    )


def test_a_motion_of_poses(full: Path, tmp_path: Path) -> None:
    rest = tmp_path / "rest.xml"
    rest.write_bytes(pose_file.pretty(firestorm_file(8)))
    run("sequence", tmp_path / "a.anim", f"{rest}@0", f"{full}@1.5", f"{rest}@3")
    made = anim_file.parse((tmp_path / "a.anim").read_bytes())
    assert float(made.duration) == 3.0
    wanted = shown_by(full)["mShoulderLeft"]["rotation"]
    for seconds, goal in ((0.0, pose_file.IDENTITY), (1.5, wanted), (3.0, pose_file.IDENTITY)):
        q = player.local_pose(made, SKELETON, seconds)["mShoulderLeft"].rotation
        assert q is not None and apart_degrees(q, goal) < 0.2
    assert "ascend" in run("sequence", tmp_path / "b.anim", f"{rest}@1", f"{full}@1", code=2)


def test_one_hand_of_a_pose(full: Path, tmp_path: Path) -> None:
    run("convert", full, tmp_path / "a.anim", "--hand", "left")
    made = anim_file.parse((tmp_path / "a.anim").read_bytes())
    names = {one.name.decode() for one in made.joints}
    assert len(names) == 15 and all("Hand" in name and "Left" in name for name in names)


def poser_case() -> tuple[dict[str, Vector], Vector, set[str]]:
    dice = random.Random(4)
    bones = [name for name in pose_file.FIRESTORM.values() if name not in pose_file.VOLUMES]
    deltas = {
        name: pose_file.euler(*(dice.uniform(-1.2, 1.2) for _ in range(3)))
        for name in bones
        if dice.random() < 0.4
    }
    free = {name for name in pose_file.FIRESTORM.values() if name not in deltas and dice.random() < 0.3}
    return deltas, np.array([0.1, -0.25, 0.4]), free


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_posers_bvh_is_undone(end: str, tmp_path: Path) -> None:
    deltas, pelvis, free = poser_case()
    (tmp_path / "a.bvh").write_bytes(pose_file.poser_bvh(deltas, pelvis, free, end))
    report = json.loads(run("convert", tmp_path / "a.bvh", tmp_path / "a.xml", "--to", "pose", "--json"))
    found = shown_by(tmp_path / "a.xml")
    assert set(report["free"]) == free
    assert set(report["held_at_zero"]) == found.keys() - deltas.keys() - free
    for name, one in found.items():
        wanted = product(REST[name].rotation, deltas.get(name, pose_file.IDENTITY))
        assert apart_degrees(one["rotation"], wanted) < 1e-4, name
        assert (one["known"] == "free") == (name in free)
    assert np.abs(found["mPelvis"]["position"] - pelvis).max() < 1e-6
    assert "poser_bvh" in run("check", tmp_path / "a.bvh", "--fail-on", "never")


def test_a_bvh_with_another_frame_is_an_ordinary_one(tmp_path: Path) -> None:
    deltas, pelvis, free = poser_case()
    lines = pose_file.poser_bvh(deltas, pelvis, free).decode().splitlines()
    lines = [line.replace("Frames:    2", "Frames: 3") for line in lines]
    (tmp_path / "a.bvh").write_text("\n".join([*lines, lines[-1], ""]), encoding="utf-8")
    report = json.loads(run("convert", tmp_path / "a.bvh", tmp_path / "a.xml", "--to", "pose", "--json"))
    assert "held_at_zero" not in report


def test_a_pose_becomes_a_bvh_that_an_upload_makes_into_it(full: Path, tmp_path: Path) -> None:
    run("convert", full, tmp_path / "a.bvh")
    run("convert", tmp_path / "a.bvh", tmp_path / "b.anim")
    made = anim_file.parse((tmp_path / "b.anim").read_bytes())
    played = player.local_pose(made, SKELETON, float(made.duration))
    for name in ("mShoulderLeft", "mHead", "mKneeRight", "mChest"):
        q = played[name].rotation
        assert q is not None
        # An upload packs rotations once more, by at most 0.2 degrees.
        assert apart_degrees(q, shown_by(full)[name]["rotation"]) < 0.2, name


def test_an_xml_is_told_by_its_content(full: Path, tmp_path: Path) -> None:
    run("convert", ROOT / "fixtures" / "sl_anim" / "minimal.anim", tmp_path / "a.xml", "--to", "pose")
    assert (tmp_path / "a.xml").read_bytes().startswith(b"<llsd>")
    run("convert", tmp_path / "a.xml", tmp_path / "a.anim")
    said = run("convert", tmp_path / "a.anim", tmp_path / "b.xml", code=2)
    assert "--to pose" in said
    done = json.loads(run("info", full, "--json"))
    assert done["format"] == "sl_pose"


def test_a_folder_of_poses_and_back(full: Path, tmp_path: Path) -> None:
    run("batch", full.parent / "full.xml", "--to", "anim", "--out", tmp_path / "anims")
    run("batch", tmp_path / "anims", "--to", "pose", "--out", tmp_path / "poses")
    assert pose_of(pose_file.parse((tmp_path / "poses" / "full.xml").read_bytes())).program == "firestorm"
    run("batch", full, "--to", "xml", "--out", tmp_path / "same")
    assert (tmp_path / "same" / "full.xml").read_bytes() == full.read_bytes()


def test_json_is_alone_on_its_stream() -> None:
    done = subprocess.run(
        [str(COMMAND), "pose", "--json", str(FIXTURES / "bd3.xml"), "0", "--load", "plain"],
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    joints = {one["joint"]: one for one in json.loads(done.stdout)["poses"][0]["joints"]}
    assert joints["mShoulderLeft"]["local_scale"] == [1.0, 1.0, 1.0]
    assert joints["PELVIS"]["known"] == "exact"
    assert joints["CHEST"]["known"] == "stored"


def test_fingers_by_name(full: Path, tmp_path: Path) -> None:
    run("convert", full, tmp_path / "a.xml", "--fingers", "left=fist,right=fist")
    made = shown_by(tmp_path / "a.xml")
    for finger in ("Index", "Middle", "Ring", "Pinky"):
        along = REST[f"mHand{finger}3Left"].position
        turn = pose_file.IDENTITY
        for number in (1, 2, 3):
            left = made[f"mHand{finger}{number}Left"]["rotation"]
            right = made[f"mHand{finger}{number}Right"]["rotation"]
            assert np.abs(left * [-1, 1, -1, 1] - right).max() < 1e-6
            turn = product(turn, left)
        # The last bone of a closed finger points back, and so does its cosine: 230 degrees in all.
        assert rotate(turn, along) @ along / (along @ along) < -0.5, finger
    body = {name for name in made if "Hand" not in name and name not in pose_file.VOLUMES}
    check_same(made, shown_by(full), body)


FOUND = {
    "fs8.xml": {"avatar_position", "other_viewer"},
    "fs8_diff_all.xml": {"difference_pose", "incomplete_states", "other_viewer"},
    "fs8_case.xml": {"same_joint", "unknown_joint", "other_viewer"},
    "fs8_negative_scale.xml": {"negative_scale", "other_viewer"},
    "fs8_locks.xml": {"avatar_position", "gimbal_storage", "other_viewer"},
    "fs9.xml": {"newer_version", "other_viewer"},
    "fs0_plain_version.xml": {"version_not_read", "other_viewer"},
    "fs8_plain_start.xml": {"version_not_read", "difference_pose", "other_viewer"},
    "fs3.xml": {"carries_shape", "negative_scale", "other_viewer"},
    "bd3.xml": {"carries_shape", "not_shown", "pelvis_volume", "negative_scale", "other_viewer"},
    "bd3_short.xml": {"assumed_program", "carries_shape", "negative_scale", "other_viewer"},
    "tail.xml": {"text_after_end", "other_viewer"},
    "one_line.xml": {"lost_document", "other_viewer"},
    "empty_pose.xml": {"other_viewer"},
    "odd.xml": {"element_count", "unreadable_number", "other_viewer"},
    "numbers.xml": {"element_count", "unreadable_number", "not_finite", "avatar_position", "other_viewer"},
}


@pytest.mark.parametrize("name", FOUND)
def test_what_a_check_finds(name: str) -> None:
    report = json.loads(run("check", FIXTURES / name, "--level", "strict", "--fail-on", "never", "--json"))
    assert {finding["id"] for finding in report["files"][0]["findings"]} == FOUND[name]


def test_a_name_that_firestorm_never_loads(tmp_path: Path) -> None:
    path = tmp_path / "My%20pose.xml"
    path.write_bytes((FIXTURES / "fs8.xml").read_bytes())
    assert "file_name" in run("check", path, "--fail-on", "never")
