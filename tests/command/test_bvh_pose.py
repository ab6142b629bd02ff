# SPDX-License-Identifier: MIT
"""BVH as it plays: `pose` shows what the witness's forward kinematics give, `compare` what was changed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import BVH, ROOT, bvh_samples
from tests.witness import bvh_file, bvh_pose
from tests.witness.bvh_file import Bvh

from animbridge.document import Document
from animbridge.errors import AnimBridgeError

POSED = [path.with_name(path.name.replace(".world.json", ".bvh")) for path in BVH.rglob("*.world.json")]
FILES = [*sorted(POSED), *bvh_samples()]
COMMAND = ROOT / "build" / "bin" / "animbridge"


def posed(path: Path, seconds: list[float]) -> list[dict[str, Any]]:
    """What `animbridge pose` tells."""
    command = [str(COMMAND), "pose", "--json", str(path), *map(repr, seconds)]
    told = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    return json.loads(told.stdout)["poses"]


def degrees_apart(a: np.ndarray, b: np.ndarray) -> float:
    """The largest angle between rows of unit quaternions, by their chords."""
    chords = np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    return float(np.degrees(4 * np.arcsin(np.clip(chords / 2, 0, 1))).max(initial=0.0))


def rows(joints: list[dict[str, Any]], key: str) -> np.ndarray:
    """One value of all joints; quaternions as the witness has them, w last."""
    values = np.array([joint[key] for joint in joints])
    return np.roll(values, -1, axis=1) if key.endswith("wxyz") else values


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pose_is_the_witness_s_at_every_frame(path: Path) -> None:
    bvh = bvh_file.parse(path.read_bytes())
    seconds = [frame * bvh.frame_time for frame in range(len(bvh.motion))]
    for frame, told in enumerate(posed(path, seconds)):
        wanted, joints = bvh_pose.pose(bvh, frame), told["joints"]
        assert [joint["joint"] for joint in joints] == [joint.name for joint in bvh.joints]
        size = max(1.0, float(np.abs(wanted.positions).max()))
        assert np.abs(rows(joints, "world_position") - wanted.positions).max() <= 1e-12 * size
        assert degrees_apart(rows(joints, "world_rotation_wxyz"), wanted.rotations) <= 1e-10
        assert degrees_apart(rows(joints, "local_rotation_wxyz"), wanted.local_rotations) <= 1e-10


def two_joints(angles: list[float]) -> Bvh:
    """A root, and an arm of ten units along +X that turns about Z by these angles."""
    channels = ["Zrotation", "Xrotation", "Yrotation"]
    joints = [
        bvh_file.Joint("root", None, (0.0, 0.0, 0.0), channels),
        bvh_file.Joint("arm", 0, (1.0, 0.0, 0.0), channels),
        bvh_file.Joint("hand", 1, (10.0, 0.0, 0.0), channels, [("", (1.0, 0.0, 0.0))]),
    ]
    return Bvh(joints, 0.1, [[0.0, 0.0, 0.0, angle, 0.0, 0.0, 0.0, 0.0, 0.0] for angle in angles])


def document_of(bvh: Bvh) -> Document:
    """The witness's text of it, read by the library."""
    return Document.read(bvh_file.write(bvh), "two_joints.bvh")


def test_compare_measures_what_was_turned() -> None:
    told = document_of(two_joints([0.0, 0.0, 0.0])).compare(document_of(two_joints([0.0, 60.0, 0.0])))
    by_joint = {row["joint"]: row for row in told["joints"]}
    assert by_joint["arm"]["rotation_degrees"] == pytest.approx(60.0, abs=1e-9)
    assert by_joint["arm"]["rotation_at_seconds"] == pytest.approx(0.1)
    # The chord of 60 degrees at ten units, of which each counts as a metre.
    assert by_joint["hand"]["position_mm"] == pytest.approx(10_000.0)
    assert by_joint["hand"]["rotation_degrees"] == 0.0
    assert told["max_position_mm"] == by_joint["hand"]["position_mm"]
    # Three frames, and half-way between.
    assert told["times"] == 5 and told["only_in_a"] == told["only_in_b"] == []


def test_compare_holds_the_shorter_one_and_names_what_is_in_one_alone() -> None:
    longer, shorter = two_joints([0.0, 30.0, 90.0]), two_joints([0.0, 30.0])
    shorter.joints[2].name = "claw"
    told = document_of(longer).compare(document_of(shorter))
    assert told["only_in_a"] == ["hand"] and told["only_in_b"] == ["claw"]
    assert [row["joint"] for row in told["joints"]] == ["root", "arm"]
    assert told["max_rotation_degrees"] == pytest.approx(60.0, abs=1e-9)
    assert told["max_rotation_at_seconds"] == pytest.approx(0.2)


def test_between_frames_the_pose_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "two.bvh"
    path.write_bytes(bvh_file.write(two_joints([0.0, 60.0])))
    half, late = posed(path, [0.05, 9.0])
    assert half["joints"][2]["world_position"] == pytest.approx(
        [1 + 10 * np.cos(np.pi / 6), 5.0, 0.0], abs=1e-12
    )
    assert late["clip_seconds"] == pytest.approx(0.1)
    assert late["joints"][2]["world_position"] == pytest.approx([6.0, 10 * np.sin(np.pi / 3), 0.0], abs=1e-12)


def test_what_a_bvh_cannot_do_is_an_error() -> None:
    anim = Document.read((ROOT / "fixtures" / "sl_anim" / "minimal.anim").read_bytes(), "minimal.anim")
    with pytest.raises(AnimBridgeError, match="no body is found"):
        document_of(two_joints([0.0])).compare(anim)
    stopped = [str(COMMAND), "pose", "--stop", "1", str(BVH / "dialects" / "newline_lf.bvh"), "0"]
    told = subprocess.run(stopped, check=False, capture_output=True, encoding="utf-8")
    assert told.returncode != 0 and "stop" in told.stderr
