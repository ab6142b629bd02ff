# SPDX-License-Identifier: MIT
"""Viewer poses through the command: out of them and into them, read by the witness."""

from __future__ import annotations

import itertools
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
from tests.witness.quaternion import Vector, about_axis, product, rotate
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
    wanted = shown_by(full)
    for viewer in ("firestorm", "blackdragon"):
        run("convert", full, tmp_path / "b.xml", "--hand", "left", "--pose-format", viewer)
        found = {name: one for name, one in shown_by(tmp_path / "b.xml").items() if one["known"] != "free"}
        assert found.keys() == names, viewer
        for name, one in found.items():
            assert apart_degrees(one["rotation"], wanted[name]["rotation"]) < 1e-4, (viewer, name)


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
    "odd.xml": {"element_count", "unreadable_number", "same_joint", "other_viewer"},
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


# ---- motion of another space: BVH's axes and inches, a scene's axes ----

BVH = """HIERARCHY
ROOT hip
{{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Xrotation Zrotation Yrotation
	JOINT abdomen
	{{
		OFFSET 0 5 0
		CHANNELS 3 Xrotation Zrotation Yrotation
		End Site
		{{
			OFFSET 0 5 0
		}}
	}}
}}
MOTION
Frames: {count}
Frame Time: 0.1
{frames}
"""
INCH = 0.02540005


def in_avatar_axes(vector: Vector) -> Vector:
    """x_sl = z_bvh, y_sl = x_bvh, z_sl = y_bvh."""
    return np.array([vector[2], vector[0], vector[1], *vector[3:]])


def bvh_rotation(x: float, z: float, y: float) -> Vector:
    return product(product(about_axis(0, x), about_axis(2, z)), about_axis(1, y))


def write_bvh(path: Path, *frames: tuple[float, ...]) -> None:
    rows = "\n".join(" ".join(map(str, frame)) for frame in frames)
    path.write_text(BVH.format(count=len(frames), frames=rows), encoding="utf-8")


def test_a_bvh_of_the_avatar_is_read_as_by_the_upload(tmp_path: Path) -> None:
    """Axes, inches, and mPelvis relative to frame 0; without --at, the frame after that."""
    first, second = (1, 40, 0, 0, 0, 90, 0, 0, 0), (4, 41, 6, 10, 0, 90, 20, -30, 40)
    write_bvh(tmp_path / "a.bvh", first, second, (0, 40, 0, 0, 0, 0, 5, 6, 7))
    back = bvh_rotation(0, 0, 90) * [-1, -1, -1, 1]
    wanted = {
        "mPelvis": in_avatar_axes(product(back, bvh_rotation(10, 0, 90))),
        "mTorso": in_avatar_axes(bvh_rotation(20, -30, 40)),
    }
    place = in_avatar_axes(rotate(back, np.array([3.0, 1.0, 6.0]))) * INCH
    run("convert", tmp_path / "a.bvh", tmp_path / "a.xml", "--to", "pose")
    found = shown_by(tmp_path / "a.xml")
    for name, rotation in wanted.items():
        assert apart_degrees(found[name]["rotation"], rotation) < 1e-4, name
    assert np.abs(found["mPelvis"]["position"] - place).max() < 1e-6
    run("convert", tmp_path / "a.bvh", tmp_path / "b.xml", "--to", "pose", "--at", "0.2")
    last = in_avatar_axes(bvh_rotation(5, 6, 7))
    assert apart_degrees(shown_by(tmp_path / "b.xml")["mTorso"]["rotation"], last) < 1e-4


def test_a_sequence_of_bvh_files_is_in_the_avatars_axes(tmp_path: Path) -> None:
    write_bvh(tmp_path / "a.bvh", (0, 40, 0, *[0] * 6), (4, 41, 6, 0, 0, 10, 20, -30, 40))
    run("sequence", tmp_path / "a.anim", f"{tmp_path / 'a.bvh'}@0", f"{tmp_path / 'a.bvh'}@1")
    made = anim_file.parse((tmp_path / "a.anim").read_bytes())
    played = player.local_pose(made, SKELETON, 0.5)
    q, place = played["mTorso"].rotation, played["mPelvis"].position
    assert q is not None and apart_degrees(q, in_avatar_axes(bvh_rotation(20, -30, 40))) < 0.25
    # A code of a position is 0.15 mm.
    assert place is not None
    assert np.abs(place - in_avatar_axes(np.array([4.0, 1.0, 6.0])) * INCH).max() < 0.0002


@pytest.mark.parametrize("ending", ["glb", "fbx"])
def test_a_scene_of_the_avatar_becomes_its_pose(full: Path, ending: str, tmp_path: Path) -> None:
    """Scenes face another way than the avatar; its joints keep rotations and positions."""
    run("convert", full, tmp_path / f"a.{ending}")
    said = run("convert", tmp_path / f"a.{ending}", tmp_path / "a.xml", "--to", "pose")
    assert "parts of the body" not in said  # it is not retargeted
    wanted, found = shown_by(full), shown_by(tmp_path / "a.xml")
    for name, one in wanted.items():
        if one["known"] != "free":
            assert apart_degrees(found[name]["rotation"], one["rotation"]) < 0.001, name
            assert np.abs(found[name]["position"] - one["position"]).max() < 1e-5, name


ARM = """JOINT {side}Shldr
{{
OFFSET {x} 10 0
CHANNELS 3 Xrotation Zrotation Yrotation
End Site
{{
OFFSET {x} 0 0
}}
}}
"""


@pytest.mark.parametrize("words", [("a.anim",), ("a.xml", "--to", "pose")])
def test_a_bvh_in_a_scene_is_not_taken_as_the_avatar(words: tuple[str, ...], tmp_path: Path) -> None:
    """Its bones have no rest rotation, and only their places say that it looks another way."""
    text = BVH.format(count=2, frames="0 40 0" + " 0" * 12 + "\n0 40 0" + " 0" * 9 + " 50 0 0")
    arms = ARM.format(side="l", x=8) + ARM.format(side="r", x=-8)
    text = text.replace("End Site\n\t\t{\n\t\t\tOFFSET 0 5 0\n\t\t}", arms)
    (tmp_path / "a.bvh").write_text(text, encoding="utf-8")
    run("convert", tmp_path / "a.bvh", tmp_path / "a.glb")
    output, *options = words
    assert "looks another way" in run("convert", tmp_path / "a.glb", tmp_path / output, *options, code=1)


# ---- edits in the file itself ----


def off_rest(name: str, one: dict[str, Any]) -> Vector:
    return one["position"] - (np.zeros(3) if name == "mPelvis" else np.array(REST[name].position))


def other_side(name: str) -> str:
    return name.replace("Left", "Riht").replace("Right", "Left").replace("Riht", "Right")


@pytest.mark.parametrize("program", ["firestorm", "blackdragon"])
def test_a_mirrored_pose_stays_its_viewers(full: Path, program: str, tmp_path: Path) -> None:
    """Also scales, and joints that the pose leaves to animations, with their numbers."""
    run("convert", full, tmp_path / "a.xml", "--pose-format", program)
    run("edit", tmp_path / "a.xml", tmp_path / "b.xml", "--mirror")
    before, after = shown_by(tmp_path / "a.xml"), shown_by(tmp_path / "b.xml")
    pose = pose_of(pose_file.parse((tmp_path / "b.xml").read_bytes()))
    assert pose.program == {"blackdragon": "black_dragon"}.get(program, program)
    for name, one in after.items():
        if name in pose_file.VOLUMES:
            continue
        partner = before[other_side(name)]
        assert apart_degrees(one["rotation"], partner["rotation"] * [-1, 1, -1, 1]) < 1e-6, name
        moved = off_rest(other_side(name), partner) * [1, -1, 1]
        assert np.abs(off_rest(name, one) - moved).max() < 1e-6, name
        assert np.abs(one["scale"] - partner["scale"]).max() == 0, name
        assert one["known"] == partner["known"], name
    run("edit", tmp_path / "b.xml", tmp_path / "c.xml", "--mirror")
    assert (tmp_path / "c.xml").read_bytes() == (tmp_path / "a.xml").read_bytes()


OWN_TEXT = b"""<llsd>\r
    <map>\r
    <key>mHead</key>\r
        <map>\r
        <key>enabled</key>\r
            <boolean>0</boolean>\r
        <key>mine</key>\r
            <string>kept</string>\r
        <key>rotation</key>\r
            <array>\r
                <real>0.10</real>\r
                <real>1e-9</real>\r
                <real>0</real>\r
            </array>\r
        </map>\r
    <key>mHandIndex1Left</key>\r
        <map>\r
        <key>enabled</key>\r
            <boolean>1</boolean>\r
        <key>rotation</key>\r
            <array>\r
                <real>0</real>\r
                <real>0</real>\r
                <real>0</real>\r
            </array>\r
        </map>\r
    <key>startFromTeePose</key>\r
        <map>\r
        <key>value</key>\r
            <boolean>1</boolean>\r
        </map>\r
    <key>version</key>\r
        <map>\r
        <key>value</key>\r
            <integer>5</integer>\r
        </map>\r
    </map>\r
</llsd>\r
"""


@pytest.mark.parametrize(
    ("edit", "changed"), [("--fingers=left=fist", "mHand"), ("--blend-edit=mNeck=0,0,20@0", "mNeck")]
)
def test_an_edit_changes_only_its_joints(edit: str, changed: str, tmp_path: Path) -> None:
    path, made = tmp_path / "a.xml", tmp_path / "b.xml"
    path.write_bytes(OWN_TEXT)
    run("edit", path, made, edit)
    text = made.read_bytes()
    assert text.count(b"\n") == text.count(b"\r\n")
    head = OWN_TEXT[OWN_TEXT.index(b"    <key>mHead") : OWN_TEXT.index(b"    <key>mHandIndex1Left")]
    assert head in text and b"<integer>5</integer>" in text
    before, after = shown_by(path), shown_by(made)
    for name, one in after.items():
        if name.startswith(changed):
            assert one["known"] == "exact", name
        else:
            assert one["known"] == before[name]["known"], name
            assert (one["rotation"] == before[name]["rotation"]).all(), name
    new = after.keys() - before.keys()
    assert all(name.startswith(changed) and "Right" not in name for name in new)
    moved = "mHandIndex2Left" if changed == "mHand" else "mNeck"
    assert apart_degrees(after[moved]["rotation"], pose_file.IDENTITY) > 15


def test_parts_that_are_left_out_are_left_to_animations(full: Path, tmp_path: Path) -> None:
    run("edit", full, tmp_path / "a.xml", "--leave-out", "mHead")
    before, after = shown_by(full), shown_by(tmp_path / "a.xml")
    changed = {name for name in before if before[name]["known"] != after[name]["known"]}
    assert changed == {"mHead"} and after["mHead"]["known"] == "free"


@pytest.mark.parametrize("tool", ["--speed=2", "--hold-last=2", "--reverse", "--close-loop"])
def test_a_pose_has_no_time(full: Path, tool: str, tmp_path: Path) -> None:
    assert "no time" in run("edit", full, tmp_path / "a.xml", tool, code=2)
    assert not (tmp_path / "a.xml").exists()


def test_a_pose_cannot_be_cut(full: Path, tmp_path: Path) -> None:
    assert "has no time" in run("edit", full, tmp_path / "a.xml", "--trim", "0:0.5", code=2)


# ---- hands, folders, differences, reports ----


@pytest.mark.parametrize("ending", ["anim", "glb"])
def test_a_hand_and_fingers_at_once(full: Path, ending: str, tmp_path: Path) -> None:
    run("convert", full, tmp_path / f"a.{ending}", "--hand", "left", "--fingers", "left=fist")
    assert (tmp_path / f"a.{ending}").exists()


def test_each_side_has_one_hand(full: Path, tmp_path: Path) -> None:
    run("convert", full, tmp_path / "a.xml", "--fingers", "left=fist,left=flat", code=2)


@pytest.mark.parametrize(("target", "ending"), [("anim", "anim"), ("pose", "xml"), ("xml", "xml")])
def test_the_bvh_beside_a_pose_is_skipped(full: Path, target: str, ending: str, tmp_path: Path) -> None:
    """Firestorm's poser saves both; the BVH holds less."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.xml").write_bytes(full.read_bytes())
    (folder / "a.bvh").write_bytes(pose_file.poser_bvh({}, np.zeros(3), set()))
    said = run("batch", folder, "--to", target, "--out", tmp_path / "out")
    assert "a.bvh" in said and "holds more" in said
    run("convert", full, tmp_path / f"b.{ending}")
    assert (tmp_path / "out" / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


def test_a_difference_on_the_t_pose_becomes_another_viewers(tmp_path: Path) -> None:
    path = FIXTURES / "fs8_diff_all.xml"
    said = run("convert", path, tmp_path / "a.xml", "--pose-format", "blackdragon", "--on-tpose")
    assert "T-pose" in said
    assert pose_of(pose_file.parse((tmp_path / "a.xml").read_bytes())).program == "black_dragon"
    assert "--on-tpose" in run("convert", path, tmp_path / "b.xml", "--pose-format", "blackdragon", code=1)


def test_a_sequence_says_that_it_stands_on_the_t_pose(full: Path, tmp_path: Path) -> None:
    said = run(
        "sequence", tmp_path / "a.anim", f"{full}@0", f"{FIXTURES / 'fs8_diff_all.xml'}@1", "--on-tpose"
    )
    assert "T-pose" in said and "fs8_diff_all.xml" in said


def test_an_animation_without_a_joint_of_the_difference(tmp_path: Path) -> None:
    name = "2408fe9e-0000-0000-0000-000000000001"
    state = {"animationId": name, "captureOrder": 0, "inLayerOrder": 0, "jointNumbersAnimated": ""}
    loose = {"jointBaseRotationIsZero": False, "userSetBaseRotationToZero": False}
    joints = {key: joint([Real(0.2)] * 3, **loose) for key in ("mHead", "mNeck")}
    states = {"poseState0": {**state, "lastUpdateTime": Real(0)}}
    (tmp_path / "a.xml").write_bytes(pose_file.pretty(firestorm_file(8, False, **joints, **states)))
    animation(tmp_path / "neck.anim", 4, mNeck=pose_file.euler(0.5, 0, 0))
    said = run("convert", tmp_path / "a.xml", tmp_path / "a.anim", "--under", tmp_path / "neck.anim")
    line = next(line for line in said.splitlines() if "not among" in line)
    assert "mHead" in line and "mNeck" not in line
    assert "the saver owns" in said


def test_a_pose_beyond_the_reach_of_an_animation(tmp_path: Path) -> None:
    far = joint(NONE, [Real(0), Real(0), Real(20)])
    (tmp_path / "a.xml").write_bytes(pose_file.pretty(firestorm_file(8, mPelvis=far)))
    for ending in ("anim", "bvh"):
        said = run("convert", tmp_path / "a.xml", tmp_path / f"a.{ending}", code=1)
        assert "mPelvis" in said and "5 m" in said


def test_scales_of_volumes_are_reported(tmp_path: Path) -> None:
    volumes: dict[str, Any] = {
        "BELLY": {"scale": [Real(0.5)] * 3},
        "mHead": {"enabled": True, "rotation": NONE, "scale": [Real(2)] * 3},
    }
    (tmp_path / "a.xml").write_bytes(pose_file.pretty({**volumes, "version": {"value": 2}}))
    report = json.loads(run("convert", tmp_path / "a.xml", tmp_path / "a.anim", "--json"))
    assert any("scale of BELLY" in item for item in report["left_out"])
    grown = joint(NONE, NONE, [Real(0), Real(0), Real(5)])
    (tmp_path / "b.xml").write_bytes(pose_file.pretty(firestorm_file(8, mShoulderLeft=grown)))
    report = json.loads(run("convert", tmp_path / "b.xml", tmp_path / "b.anim", "--json"))
    (item,) = (item for item in report["left_out"] if "scale of mShoulderLeft" in item)
    # L_UPPER_ARM rests 0.01 m below the joint, which is then six times as far.
    millimetres = 5000 * abs(REST["L_UPPER_ARM"].position[2])
    assert abs(float(item.split()[-2]) - millimetres) < 0.01, item


def test_a_position_within_half_a_millimetre_says_nothing(tmp_path: Path) -> None:
    place = [Real(number) for number in np.add(REST["mHead"].position, (0.0004, 0, 0))]
    entry = {"enabled": True, "rotation": [Real(0.1)] * 3, "position": place}
    (tmp_path / "a.xml").write_bytes(pose_file.pretty({"mHead": entry, "version": {"value": 2}}))
    run("convert", tmp_path / "a.xml", tmp_path / "a.anim")
    (head,) = anim_file.parse((tmp_path / "a.anim").read_bytes()).joints
    assert len(head.position_keys) == 0


def test_a_difference_says_so_wherever_it_is_shown(tmp_path: Path) -> None:
    path = FIXTURES / "fs8_diff_all.xml"
    for words in (("info", path), ("pose", path, "0"), ("check", path, "--fail-on", "never")):
        assert "rotations of 3 of 5 joints" in run(*words), words
    report = json.loads(run("check", path, "--fail-on", "never", "--json"))
    assert report["files"][0]["findings"][0]["id"] == "difference_pose"
    assert "nobody set" in run("pose", FIXTURES / "bd3.xml", "0")


@pytest.mark.parametrize("lines", [False, True])
def test_an_entry_that_comes_twice(lines: bool, tmp_path: Path) -> None:
    one = {"rotation": NONE, "enabled": True}
    if lines:
        data = pose_file.in_lines([{"time": Real(0), "type": 0}, *[{"bone": "mHead", **one}] * 2])
    else:
        text = pose_file.pretty({"mHead": one, "mNeck": one, "version": {"value": 2}})
        data = text.replace(b"mNeck", b"mHead")
    (tmp_path / "a.xml").write_bytes(data)
    assert "same_joint" in run("check", tmp_path / "a.xml", "--fail-on", "never")


@pytest.mark.parametrize(
    ("text", "is_corrupt"), [("||D", True), ("|}F", True), ("{GF}Y", False), ("|D", False)]
)
def test_a_list_of_joints_that_cannot_be_written(text: str, is_corrupt: bool, tmp_path: Path) -> None:
    state = {"animationId": "", "captureOrder": 0, "lastUpdateTime": Real(0), "jointNumbersAnimated": text}
    (tmp_path / "a.xml").write_bytes(pose_file.pretty(firestorm_file(8, False, poseState0=state)))
    said = run("check", tmp_path / "a.xml", "--fail-on", "never")
    assert ("corrupt_joint_list" in said) == is_corrupt


def test_a_base_that_version_5_does_not_know(tmp_path: Path) -> None:
    """Only from version 6 on, the start in the T-pose sets every base to zero."""
    loose = joint(jointBaseRotationIsZero=False)
    for version, known in ((5, "delta"), (6, "exact")):
        (tmp_path / "a.xml").write_bytes(pose_file.pretty(firestorm_file(version, mHead=loose)))
        report = json.loads(run("pose", "--json", tmp_path / "a.xml", "0"))
        joints = {one["joint"]: one["known"] for one in report["poses"][0]["joints"]}
        assert joints["mHead"] == known


def test_moments_are_all_written_or_none(full: Path, tmp_path: Path) -> None:
    run("convert", full, tmp_path / "a.anim")
    run(
        "convert", tmp_path / "a.anim", tmp_path / "b.xml", "--to", "pose", "--at", "0", "--at", "999", code=2
    )
    assert not list(tmp_path.glob("b*.xml"))


def test_names_of_poses_in_a_folder(full: Path, tmp_path: Path) -> None:
    """Black Dragon escapes names; Firestorm never loads an escaped one."""
    folder = tmp_path / "in"
    folder.mkdir()
    run("convert", full, folder / "My%20pose.xml", "--pose-format", "blackdragon")
    run("batch", folder, "--to", "xml", "--pose-format", "firestorm", "--out", tmp_path / "fs")
    assert [path.name for path in (tmp_path / "fs").glob("*.xml")] == ["My pose.xml"]
    run("batch", tmp_path / "fs", "--to", "xml", "--pose-format", "blackdragon", "--out", tmp_path / "bd")
    assert [path.name for path in (tmp_path / "bd").glob("*.xml")] == ["My%20pose.xml"]
    run("batch", folder, "--to", "xml", "--out", tmp_path / "same")
    assert (tmp_path / "same" / "My%20pose.xml").read_bytes() == (folder / "My%20pose.xml").read_bytes()
    run("batch", folder, "--to", "anim", "--out", tmp_path / "anim")
    assert (tmp_path / "anim" / "My pose.anim").exists()


def test_joints_without_keys_are_held_or_left(tmp_path: Path) -> None:
    animation(tmp_path / "a.anim", 4, mNeck=pose_file.euler(0.5, 0, 0))
    for state, known in (("zero", "exact"), ("free", "free")):
        run("convert", tmp_path / "a.anim", tmp_path / "a.xml", "--to", "pose", "--unkeyed", state)
        found = shown_by(tmp_path / "a.xml")
        assert found["mNeck"]["known"] == "exact"
        assert {one["known"] for name, one in found.items() if name != "mNeck"} == {known}


def test_codes_near_a_half_turn(tmp_path: Path) -> None:
    """There w is small, and the best codes may be farther than the neighbours of the numbers."""
    turns = {"mHead": (3.1402, 0.2, -0.3), "mNeck": (3.05, -0.4, 0.1), "mChest": (0.3, 0.2, 0.1)}
    joints = {name: joint([Real(angle) for angle in angles]) for name, angles in turns.items()}
    (tmp_path / "a.xml").write_bytes(pose_file.pretty(firestorm_file(5, **joints)))
    report = json.loads(run("convert", tmp_path / "a.xml", tmp_path / "a.anim", "--json"))
    made = anim_file.parse((tmp_path / "a.anim").read_bytes())
    found = player.local_pose(made, SKELETON, 0.0)
    for name in turns:
        q = shown_by(tmp_path / "a.xml")[name]["rotation"]
        wanted = -q if q[3] < 0 else q
        codes = [round((number + 1) / 2 * 65535) for number in wanted[:3]]
        around = itertools.product(*(range(code - 4, code + 5) for code in codes))
        values = quantise.decode_rotation(np.array(list(around))).astype(float)
        w = np.sqrt(np.maximum(1 - (values**2).sum(axis=1), 0))
        chords = np.linalg.norm(np.column_stack([values, w]) - wanted, axis=1)
        best = math.degrees(4 * math.asin(float(chords.min()) / 2))
        own = found[name].rotation
        assert own is not None
        # The player's w is single, which counts where it is small.
        assert apart_degrees(own, q) < best + (0.006 if wanted[3] < 0.01 else 0.0001), name
    warns = any("170 degrees" in item and "mHead" in item for item in report["warnings"])
    assert warns == (report["max_rotation_error_degrees"] > 0.02)


def test_empty_offsets_of_the_posers_volumes(tmp_path: Path) -> None:
    """As Firestorm 7.2.2 and 7.2.3 wrote them."""
    deltas, pelvis, free = poser_case()
    lines = pose_file.poser_bvh(deltas, pelvis, free).decode().splitlines()
    (tmp_path / "a.bvh").write_text("\n".join([*lines, ""]), encoding="utf-8")
    is_volume, emptied = False, 0
    for i, line in enumerate(lines):
        words = line.split()
        if words and words[0] in {"ROOT", "JOINT"}:
            is_volume = words[1] in pose_file.VOLUMES
        if words and words[0] == "OFFSET" and is_volume:
            lines[i] = line[: line.index("OFFSET")] + "OFFSET "
            emptied += 1
    assert emptied > 25
    (tmp_path / "b.bvh").write_text("\n".join([*lines, ""]), encoding="utf-8")
    for name in "ab":
        run("convert", tmp_path / f"{name}.bvh", tmp_path / f"{name}.xml", "--to", "pose")
    assert (tmp_path / "a.xml").read_bytes() == (tmp_path / "b.xml").read_bytes()
    assert "offset_missing" in run("check", tmp_path / "b.bvh", "--fail-on", "never")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<llsd>\n<map>\xff</map></llsd>\n", "line 2, column 6"),
        (b"<llsd>\n<map>\x01</map></llsd>\n", "control character"),
        (b"<llsd>\n<string>&#0;</string></llsd>\n", "line 2, column 9"),
        (b"<llsd>\n<string>&#x110000;</string></llsd>\n", "line 2, column 9"),
    ],
)
def test_text_that_is_no_xml(data: bytes, said: str, tmp_path: Path) -> None:
    """The viewers' parser refuses it too. A hint at another output would not help."""
    (tmp_path / "a.xml").write_bytes(data)
    found = run("convert", tmp_path / "a.xml", tmp_path / "b.xml", code=1)
    assert said in found and "--to pose" not in found
