# SPDX-License-Identifier: MIT
"""Recordings that begin with a T-pose, and parts that never move: what the witness's player shows of them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_retarget_command import GAIT, TABLES, converted, run, write
from tests.witness import anim_file, bvh_file, player, rigs
from tests.witness.bvh_file import Bvh
from tests.witness.skeleton import load_skeleton
from tests.witness.walk import walk

from animbridge.convert import convert_file
from animbridge.errors import AnimBridgeError

SKELETON = load_skeleton()
FRAME = 1 / GAIT.frames_per_second


def walking(kind: str) -> Bvh:
    """A walk; "rest": after a first frame in which nothing turns; "far": after one with bent legs."""
    made = walk(rigs.build("cmu_motionbuilder", TABLES["cmu_motionbuilder"]), GAIT).bvh
    first = list(made.motion[0])
    at = 0
    for joint in made.joints:
        for channel in joint.channels:
            if channel.endswith("rotation"):
                bent = kind == "far" and channel.startswith("X") and "Leg" in joint.name
                first[at] = 80.0 if bent else 0.0 if kind == "rest" else first[at]
            at += 1
    if kind != "walk":
        made.motion.insert(0, first)
    return made


def swings(anim: Path, times: list[float]) -> list[float]:
    """How far each limb joint of the avatar is turned between two times, at most, in degrees."""
    read = anim_file.parse(anim.read_bytes())
    poses = [player.world_pose(read, SKELETON, seconds) for seconds in times]
    names = ("mHipLeft", "mKneeLeft", "mHipRight", "mShoulderLeft", "mElbowLeft", "mShoulderRight")
    apart = [
        np.degrees(
            2 * np.arcsin(min(1.0, float(np.linalg.norm(sign * a[name].rotation - b[name].rotation)) / 2))
        )
        for a, b in pairwise(poses)
        for name in names
        for sign in [1.0 if float(a[name].rotation @ b[name].rotation) > 0 else -1.0]
    ]
    return [float(value) for value in apart]


@pytest.mark.parametrize("kind", ["rest", "far"])
def test_a_first_frame_that_jumps_is_left_out(kind: str, tmp_path: Path) -> None:
    source = write(tmp_path / "in.bvh", walking(kind))
    report = converted(source, tmp_path / "out.anim", "--retarget")
    first = report["retarget"]["first_frame"]
    assert first["seconds"] == 0 and first["next_seconds"] == pytest.approx(FRAME)
    assert first["jump_degrees"] > 15
    # The second frame's pose is held from the start, and no time moves.
    assert max(swings(tmp_path / "out.anim", [0.0, FRAME])) < 0.05
    plain = write(tmp_path / "plain.bvh", walking("walk"))
    converted(plain, tmp_path / "plain.anim", "--retarget")
    moved, other = (anim_file.parse((tmp_path / f"{name}.anim").read_bytes()) for name in ("out", "plain"))
    assert float(moved.duration) == pytest.approx(float(other.duration) + FRAME, abs=1e-6)
    for seconds in (0.2, 0.5, 0.9):
        late = player.world_pose(moved, SKELETON, seconds + FRAME)
        early = player.world_pose(other, SKELETON, seconds)
        for name in ("mWristLeft", "mFootRight", "mHead"):
            assert np.abs(late[name].position - early[name].position).max() < 2e-3
    said = run("convert", source, tmp_path / "said.anim", "--retarget").stdout
    assert "The first frame is left out" in said and "--keep-first-frame" in said


def test_the_first_frame_stays_if_it_is_asked_for(tmp_path: Path) -> None:
    source = write(tmp_path / "in.bvh", walking("rest"))
    report = converted(source, tmp_path / "out.anim", "--retarget", "--keep-first-frame")
    assert report["retarget"]["first_frame"] is None
    assert max(swings(tmp_path / "out.anim", [0.0, FRAME])) > 15


def test_a_walk_keeps_its_first_frame(tmp_path: Path) -> None:
    source = write(tmp_path / "in.bvh", walking("walk"))
    report = converted(source, tmp_path / "out.anim", "--retarget")
    assert report["retarget"]["first_frame"] is None
    assert report["leading_hold_seconds"] == 0


def test_a_loop_begins_after_the_first_frame(tmp_path: Path) -> None:
    source = write(tmp_path / "in.bvh", walking("rest"))
    report = converted(source, tmp_path / "out.anim", "--retarget", "--loop")
    assert report["leading_hold_seconds"] == pytest.approx(FRAME)
    read = anim_file.parse((tmp_path / "out.anim").read_bytes())
    assert float(read.loop_in) == pytest.approx(FRAME, abs=1e-6)
    assert float(read.loop_out) == float(read.duration)
    converted(source, tmp_path / "own.anim", "--retarget", "--loop", "--loop-in", "0")
    assert float(anim_file.parse((tmp_path / "own.anim").read_bytes()).loop_in) == 0


def with_fingers(bent: float) -> Bvh:
    """A walk of a rig with fingers, whose left index finger bends, in degrees; all others are at rest."""
    made = walk(rigs.build("mixamo", TABLES["mixamo"]), GAIT).bvh
    at = 0
    for joint in made.joints:
        for channel in joint.channels:
            if joint.name.endswith("LeftHandIndex1") and channel == "Zrotation":
                for i, row in enumerate(made.motion):
                    row[at] = bent * i / len(made.motion)
            at += 1
    return made


def finger_joints(anim: Path) -> set[str]:
    read: Any = anim_file.parse(anim.read_bytes())
    return {joint.name.decode() for joint in read.joints if joint.name.startswith(b"mHand")}


def test_fingers_that_rest_are_left_out(tmp_path: Path) -> None:
    """Keys for still fingers would freeze the wearer's own. --no-align: then rest stays rest."""
    still = write(tmp_path / "still.bvh", with_fingers(0.0))
    converted(still, tmp_path / "still.anim", "--retarget", "--no-align")
    assert finger_joints(tmp_path / "still.anim") == set()
    moves = write(tmp_path / "moves.bvh", with_fingers(40.0))
    converted(moves, tmp_path / "moves.anim", "--retarget", "--no-align")
    assert finger_joints(tmp_path / "moves.anim") == {f"mHandIndex{i}Left" for i in (1, 2, 3)}, (
        "a finger goes, or stays, as a whole"
    )
    read: Any = anim_file.parse((tmp_path / "still.anim").read_bytes())
    assert {"mPelvis", "mTorso", "mHead", "mShoulderLeft", "mKneeRight"} <= {
        j.name.decode() for j in read.joints
    }


def test_what_rests_in_another_pose_keeps_a_key(tmp_path: Path) -> None:
    source = with_fingers(40.0)
    for row in source.motion:
        row[:] = source.motion[-1]
    converted(write(tmp_path / "in.bvh", source), tmp_path / "out.anim", "--retarget", "--no-align")
    read: Any = anim_file.parse((tmp_path / "out.anim").read_bytes())
    (bent,) = [joint for joint in read.joints if joint.name == b"mHandIndex1Left"]
    assert len(bent.rotation_keys) == 1


def test_the_file_reads_back(tmp_path: Path) -> None:
    """The fixture of these tests is a BVH that the witness reads as it wrote it."""
    source = walking("far")
    path = write(tmp_path / "in.bvh", source)
    assert np.allclose(bvh_file.parse(path.read_bytes()).motion, source.motion, atol=1e-6)


def test_a_clip_of_two_frames_keeps_both(tmp_path: Path) -> None:
    """What follows the second frame says how fast the motion is; here nothing does."""
    made = walking("far")
    del made.motion[2:]
    report = converted(write(tmp_path / "in.bvh", made), tmp_path / "out.anim", "--retarget")
    assert report["retarget"]["first_frame"] is None
    assert max(swings(tmp_path / "out.anim", [0.0, FRAME])) > 15


def test_a_quick_start_from_rest_is_kept(tmp_path: Path) -> None:
    """From rest on, the legs turn by 20 degrees a frame, and go on doing so."""
    made = walking("rest")
    still = made.motion[0]
    made.motion = [list(still) for _ in range(5)]
    at = 0
    for joint in made.joints:
        for channel in joint.channels:
            if "Leg" in joint.name and channel == "Xrotation":
                for i, row in enumerate(made.motion):
                    row[at] = still[at] + 20.0 * i
            at += 1
    report = converted(write(tmp_path / "in.bvh", made), tmp_path / "out.anim", "--retarget")
    assert report["retarget"]["first_frame"] is None


def test_a_loop_that_ends_before_the_motion_begins_at_the_start(tmp_path: Path) -> None:
    source = write(tmp_path / "in.bvh", walking("rest"))
    converted(source, tmp_path / "out.anim", "--retarget", "--loop", "--loop-out", "0.02")
    assert float(anim_file.parse((tmp_path / "out.anim").read_bytes()).loop_in) == 0


def test_python_can_forbid_it(tmp_path: Path) -> None:
    source = write(tmp_path / "in.bvh", walking("walk"))
    assert "retarget" in convert_file(source, tmp_path / "a.anim")
    assert "retarget" not in convert_file(source, tmp_path / "b.anim", retarget=False)
    with pytest.raises(AnimBridgeError, match="leave one of them out"):
        convert_file(source, tmp_path / "c.anim", retarget=False, onto=source)


def test_frames_of_a_reference_count_from_one(tmp_path: Path) -> None:
    """The first frame is the rest pose, and the second one walks."""
    source = write(tmp_path / "in.bvh", walking("rest"))

    def made(pose: str, words: str) -> bytes:
        report = converted(source, tmp_path / "out.anim", "--reference", pose)
        assert report["retarget"]["references"] == {"source": words, "target": "the rest pose"}
        return (tmp_path / "out.anim").read_bytes()

    first, rest, second = (
        made(pose, words)
        for pose, words in (
            ("frame:1", "frame 1"),
            ("rest", "the rest pose"),
            ("frame:2", "frame 2"),
        )
    )
    assert first == rest != second
