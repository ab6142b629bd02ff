# SPDX-License-Identifier: MIT
"""`animbridge compare` of two formats: what was changed by a known amount is found, and said where."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import ROOT
from scene_motions import run
from test_retarget_command import LIMBS, worst_on_avatar
from tests.witness import bvh_file, rigs
from tests.witness.bvh_file import Bvh
from tests.witness.scene_read_gltf import read_gltf
from tests.witness.walk import Gait, walk

DEMO = ROOT / "fixtures" / "demo"
MOVES = ["Xposition", "Yposition", "Zposition"]
TURNS = ["Zrotation", "Xrotation", "Yrotation"]
#: Between keys, a BVH's angles and a GLB's quaternions go other ways: up to 0.005 degrees, on an arm of 10 m.
CLOSE_MM = 1.0
ANGLES = [0.0, 10.0, 35.0, 20.0, -15.0, 5.0]


def compared(a: Path, b: Path) -> dict[str, Any]:
    """The report of a comparison."""
    answer = run("compare", a, b, "--json")
    assert answer.returncode in (0, 1), answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def arm(path: Path, angles: list[float], place: float = 0.0, turn: float = 0.0) -> Path:
    """A root, an arm of ten units and its hand, written by the witness. The arm turns about Z, ten frames a
    second; the root stands at `place` on X and is turned about Y."""
    joints = [
        bvh_file.Joint("root", None, (0.0, 0.0, 0.0), MOVES + TURNS),
        bvh_file.Joint("arm", 0, (1.0, 0.0, 0.0), TURNS),
        bvh_file.Joint("hand", 1, (10.0, 0.0, 0.0), TURNS, [("", (1.0, 0.0, 2.0))]),
    ]
    row = [place, 0.0, 0.0, 0.0, 0.0, turn]
    rows = [[*row, angle, 0.0, 0.0, 0.0, angle / 2, 0.0] for angle in angles]
    path.write_bytes(bvh_file.write(Bvh(joints, 0.1, rows)))
    return path


@pytest.fixture(name="glb")
def glb_of_arm(tmp_path: Path) -> Path:
    """The arm as a GLB, made by the command."""
    source = arm(tmp_path / "source.bvh", ANGLES)
    answer = run("convert", source, tmp_path / "arm.glb")
    assert answer.returncode == 0, answer.stderr
    return tmp_path / "arm.glb"


def arm_length_mm(glb: Path) -> float:
    """As the witness reads it."""
    hand = next(node for node in read_gltf(glb.read_bytes()).nodes if node.name == "hand")
    return 1000 * float(np.linalg.norm(hand.rest.translation))


def test_files_of_one_motion_are_equal(tmp_path: Path, glb: Path) -> None:
    told = compared(tmp_path / "source.bvh", glb)
    assert told["by"] == "names"
    assert told["only_in_a"] == told["only_in_b"] == told["warnings"] == []
    assert told["max_position_mm"] < CLOSE_MM and told["max_rotation_degrees"] < 0.01
    assert told["turned_degrees"] == 0 and told["path_offset_metres"] == [0, 0, 0]
    assert told["seconds"] == {"a": 0.5, "b": 0.5, "compared": 0.5, "later": 0}


def test_a_turned_joint_is_found(tmp_path: Path, glb: Path) -> None:
    angles = [*ANGLES]
    angles[2] += 30.0
    told = compared(arm(tmp_path / "other.bvh", angles), glb)
    worst = told["errors"]["rotation_degrees"]
    assert worst["joint"] == "arm" and worst["at_seconds"] == pytest.approx(0.2)
    assert worst["worst"] == pytest.approx(30.0, abs=0.01)
    chord = 2 * arm_length_mm(glb) * math.sin(math.radians(15))
    assert told["errors"]["position_mm"]["worst"] == pytest.approx(chord, rel=1e-3)
    assert told["errors"]["position_mm"]["joint"] == "hand"


def test_a_path_that_begins_elsewhere_is_said_and_not_counted(tmp_path: Path, glb: Path) -> None:
    told = compared(arm(tmp_path / "other.bvh", ANGLES, place=3.0), glb)
    assert told["max_position_mm"] < CLOSE_MM
    away = np.linalg.norm(told["path_offset_metres"])
    assert float(away) == pytest.approx(0.3 * arm_length_mm(glb) / 1000, rel=1e-3)
    assert "path is" in run("compare", tmp_path / "other.bvh", glb).stdout


def test_a_body_that_is_turned_as_a_whole_is_said_and_not_counted(tmp_path: Path, glb: Path) -> None:
    told = compared(arm(tmp_path / "other.bvh", ANGLES, turn=40.0), glb)
    assert told["turned_degrees"] == pytest.approx(40.0, abs=0.01)
    assert told["max_position_mm"] < CLOSE_MM and told["max_rotation_degrees"] < 0.01


def test_only_the_time_that_both_last_counts(tmp_path: Path, glb: Path) -> None:
    told = compared(arm(tmp_path / "other.bvh", [*ANGLES, 80.0, 90.0]), glb)
    assert told["seconds"] == pytest.approx({"a": 0.7, "b": 0.5, "compared": 0.5, "later": 0.0})
    assert told["max_position_mm"] < CLOSE_MM


def test_a_motion_that_begins_some_frames_later_is_found(tmp_path: Path, glb: Path) -> None:
    told = compared(arm(tmp_path / "other.bvh", [60.0, 70.0, *ANGLES]), glb)
    assert told["seconds"]["later"] == pytest.approx(0.2)
    assert told["max_position_mm"] < CLOSE_MM


def test_two_bodies_are_compared_by_their_parts(tmp_path: Path) -> None:
    walker = walk(rigs.build("mixamo", rigs.load_tables()["mixamo"]), Gait(1.0, 30.0))
    source, anim = tmp_path / "walk.bvh", tmp_path / "walk.anim"
    source.write_bytes(bvh_file.write(walker.bvh))
    assert run("convert", source, anim, "--retarget").returncode == 0
    told = compared(source, anim)
    assert told["by"] == "parts" and "leftLowerArm" in [row["joint"] for row in told["joints"]]
    assert told["max_position_mm"] < 2 and told["max_rotation_degrees"] < 0.5
    limbs = [row for row in told["joints"] if row["joint"] in {above for above, _ in LIMBS}]
    witnessed = worst_on_avatar(walker, anim)
    assert max(row["rotation_degrees"] for row in limbs) == pytest.approx(witnessed, abs=1e-3)
    other = tmp_path / "other.anim"
    assert run("convert", source, other, "--retarget", "--offset", "leftLowerArm=0,0,10").returncode == 0
    worst = compared(source, other)["errors"]["rotation_degrees"]
    assert worst["joint"] in ("leftLowerArm", "leftHand")
    assert worst["worst"] == pytest.approx(10.0, abs=0.3)


def test_what_has_no_clip_is_an_error() -> None:
    level = ROOT / "fixtures" / "oban" / "replaced" / "level_pc_swing_shorter.dat"
    answer = run("compare", level, DEMO / "walk.anim")
    assert answer.returncode == 2 and "only with another one" in answer.stderr
    door = ROOT / "fixtures" / "oban" / "camera_steep.oban"
    answer = run("compare", door, DEMO / "walk.anim")
    assert answer.returncode == 2 and "no body is found in the first one" in answer.stderr
