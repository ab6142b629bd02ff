# SPDX-License-Identifier: MIT
"""Recordings from characters' hands and back: the witness poses the rigs and reads the files."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import ROOT
from tests.witness import bvh_file, bvh_pose, mrtk_axes, mrtk_file, mrtk_hands, mrtk_player, rigs
from tests.witness.bvh_file import Bvh
from tests.witness.quaternion import Vector

COMMAND = ROOT / "build" / "bin" / "animbridge"
TABLES = rigs.load_tables()
RATE = 30.0
FRAMES = 12
#: An export drops keys within 0.1 mm and 0.02 degrees; single precision adds less than a tenth of that.
METRES = 1.1e-4
DEGREES = 0.03


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
        assert mrtk_axes.rotated(wrist.meant, (0, 1, 0))[1] > 0.99
        # The character looks at its file's +Z, so its left is at +X.
        assert across * mrtk_axes.rotated(wrist.meant, (0, 0, 1))[0] > 0.95
        assert across * wrist.position[0] > 0.3


@pytest.mark.parametrize("convention", ["mixamo", "vrm1", "ue5"])
def test_the_fingers_of_a_recording_point_the_same_way_on_a_rig(convention: str, tmp_path: Path) -> None:
    rig = rigs.build(convention, TABLES[convention])
    onto = write(tmp_path / "rig.bvh", rigs.as_bvh(rig))
    recording = ROOT / "fixtures" / "mrtk" / "two_hands_v11.bin"
    converted(recording, tmp_path / "out.bvh", "--onto", onto)
    made = bvh_file.parse((tmp_path / "out.bvh").read_bytes())
    source = mrtk_file.parse(recording.read_bytes())
    names = [joint.name for joint in made.joints]
    worst = 0.0
    for frame in range(0, len(made.motion), max(len(made.motion) // 10, 1)):
        posed = bvh_pose.pose(made, frame)
        for side in ("left", "right"):
            for joint, below in mrtk_hands.NEXT.items():
                ends = [
                    mrtk_player.pose_of(source, f"{side}.{name}", frame * made.frame_time).position
                    for name in (joint, below)
                ]
                places = [
                    posed.positions[names.index(rig.truth[side + mrtk_hands.SLOTS[name]])]
                    for name in (joint, below)
                ]
                wanted = np.array(ends[1]) - np.array(ends[0])
                found = mrtk_hands.unity(places[1] - places[0])
                worst = max(worst, degrees_between(wanted, found))
    assert worst <= 0.05
