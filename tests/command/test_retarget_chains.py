# SPDX-License-Identifier: MIT
"""Bodies that are no humans: a user's rig files name a chain, and a snake moves a longer one.

Half-way along its body the longer snake must be turned as the shorter one is there, and its head as its head.
"""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path

import numpy as np
from material import ROOT
from tests.witness import bvh_file, bvh_pose
from tests.witness.bvh_file import Bvh, Joint
from tests.witness.quaternion import Vector, about_axis

COMMAND = ROOT / "build" / "bin" / "animbridge"
FRAMES = 5
TURNS = ["Zrotation", "Xrotation", "Yrotation"]
MOVES = ["Xposition", "Yposition", "Zposition"]


def snake(name: str, joints: int, length: float) -> Bvh:
    """A body of joints in a row along -Z, Y up; each turns about Y by an equal share of the whole bend."""
    offset = (0.0, 0.0, -length / (joints - 1))
    bvh = Bvh(frame_time=1 / 30)
    for index in range(joints):
        parent, place = (None, (0.0, 0.0, 0.0)) if index == 0 else (index - 1, offset)
        bvh.joints.append(Joint(f"{name}{index}", parent, place, [*([] if index else MOVES), *TURNS]))
    bvh.joints[-1].end_sites.append(("", offset))
    bvh.motion = [[0.0] * bvh.width for _ in range(FRAMES)]
    return bvh


def bent(bvh: Bvh) -> Bvh:
    """Turns each joint but the first by frame * 3 degrees about Y: the turn grows evenly along the body."""
    for frame, row in enumerate(bvh.motion):
        for index in range(1, len(bvh.joints)):
            row[len(MOVES) + 3 * index + 2] = 3.0 * frame
    return bvh


def write(path: Path, bvh: Bvh, name: str) -> tuple[Path, Path]:
    """The file, and a rig file that calls its joints one chain."""
    path.write_bytes(bvh_file.write(bvh))
    rig = path.with_suffix(".json")
    joints = [joint.name for joint in bvh.joints]
    rig.write_text(json.dumps({"animbridge_rig": 1, "id": name, "slots": {}, "chains": {"body": joints}}))
    return path, rig


def degrees_between(a: Vector, b: Vector) -> float:
    chord = min(np.linalg.norm(a - b), np.linalg.norm(a + b))
    return math.degrees(4 * math.asin(min(float(chord) / 2, 1.0)))


def test_a_longer_snake_bends_as_a_short_one(tmp_path: Path) -> None:
    source, source_rig = write(tmp_path / "short.bvh", bent(snake("seg", 5, 1.0)), "short")
    onto, target_rig = write(tmp_path / "long.bvh", snake("bone_", 9, 3.0), "long")
    answer = subprocess.run(
        [
            *(COMMAND, "convert", source, tmp_path / "out.bvh", "--onto", onto),
            *("--rig", source_rig, "--target-rig", target_rig),
        ],
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert answer.returncode == 0, answer.stderr
    made = bvh_file.parse((tmp_path / "out.bvh").read_bytes())
    assert [joint.name for joint in made.joints] == [f"bone_{index}" for index in range(9)]
    for frame in range(FRAMES):
        turns = bvh_pose.pose(made, frame).rotations
        for index in range(9):
            # The short one's joint k is turned by 3 * frame * k degrees, at k quarters of its length.
            wanted = about_axis(1, 3.0 * frame * index / 2)
            assert degrees_between(turns[index], wanted) < 0.01, (frame, index)
