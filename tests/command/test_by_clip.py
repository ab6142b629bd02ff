# SPDX-License-Identifier: MIT
"""Conversions between formats without an exact bridge, by way of a clip; the witness reads both ends."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import oban_scene as scene
import pytest
from material import ROOT
from tests.witness import bvh_file, bvh_pose, oban_any
from tests.witness import oban_player as player
from tests.witness.bvh_file import Bvh, Joint
from tests.witness.quaternion import Vector

COMMAND = ROOT / "build" / "bin" / "animbridge"
DEMO = ROOT / "fixtures" / "demo"
METRES_PER_UNIT = 0.1
TURNS = ["Zrotation", "Xrotation", "Yrotation"]
MOVES = ["Xposition", "Yposition", "Zposition"]


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


def rotation_of(pose: player.Pose) -> Vector:
    """x, y, z, w."""
    return np.array(pose.rotation)


def degrees_between(a: Vector, b: Vector) -> float:
    """From the chord of two unit quaternions."""
    chord = min(np.linalg.norm(a - b), np.linalg.norm(a + b))
    return math.degrees(4 * math.asin(min(float(chord) / 2, 1.0)))


#: A BVH has no room for places beyond 1e30 metres.
NEAR = [path for path in scene.playable() if "signs_and_denormals" not in path.name]


@pytest.mark.parametrize("path", NEAR, ids=lambda path: path.name)
def test_an_oban_becomes_a_bvh_that_moves_alike(tmp_path: Path, path: Path) -> None:
    record = scene.record_of(path.read_bytes())
    target = tmp_path / "out.bvh"
    report = converted(path, target)
    bvh = bvh_file.parse(target.read_bytes())
    assert report["way"] == "clip"
    assert len(bvh.motion) == round(player.last_frame(record) / 60 / bvh.frame_time) + 1
    for frame in sorted({0, 1, len(bvh.motion) // 3, len(bvh.motion) - 1} & set(range(len(bvh.motion)))):
        file_frame = min(frame * bvh.frame_time * 60, float(player.last_frame(record)))
        shown = bvh_pose.pose(bvh, frame)
        pose = player.pose(record, file_frame)
        place, turn = np.array(pose.position), rotation_of(pose)
        # The file's axes are the BVH's: Y up. A key of six decimals, and a rate that keys need not fit.
        away = max(1.0, float(np.abs(place).max()))
        assert np.abs(shown.positions[0] - METRES_PER_UNIT * place).max() <= 2e-4 * away
        assert degrees_between(shown.rotations[0], turn) <= 0.05
        whole = player.transform(record, file_frame)
        moved = METRES_PER_UNIT * np.array(whole[9:12])
        assert np.abs(shown.positions[-1] - moved).max() <= 2e-4 * max(1.0, float(np.abs(moved).max()))


def chain(frames: int) -> Bvh:
    """Three joints in a row that turn and move, at 60 frames a second."""
    bvh = Bvh(frame_time=1 / 60)
    bvh.joints = [
        Joint("root", None, (0.0, 1.0, 0.0), [*MOVES, *TURNS]),
        Joint("arm", 0, (0.5, 0.0, 0.25), TURNS),
        Joint("crate", 1, (0.0, 2.0, 0.0), TURNS, [("", (0.0, 1.0, 0.0))]),
    ]
    for frame in range(frames):
        t = frame / 60
        root = [math.sin(t), 1 + t, -t, 40 * t, 10 * math.sin(3 * t), -20 * t]
        arm = [5 * t, 30 * t, 10 * math.cos(t)]
        bvh.motion.append([*root, *arm, 90 * math.sin(t), 0.0, 15 * t])
    return bvh


def written(path: Path, bvh: Bvh) -> Path:
    path.write_bytes(bvh_file.write(bvh))
    return path


def moved_alike(bvh: Bvh, joint: int, oban: Path) -> None:
    """Within the 1 mm and 0.05 degrees that an export of samples keeps by default."""
    record = oban_any.read(oban.read_bytes()).found[0].record
    assert player.last_frame(record) == len(bvh.motion) - 1
    for frame in range(len(bvh.motion)):
        wanted = bvh_pose.pose(bvh, frame)
        pose = player.pose(record, float(frame))
        place = METRES_PER_UNIT * np.array(pose.position)
        assert np.abs(place - wanted.positions[joint]).max() <= 1.01e-3
        assert degrees_between(rotation_of(pose), wanted.rotations[joint]) <= 0.051


def test_a_chain_becomes_an_oban_of_its_last_joint(tmp_path: Path) -> None:
    bvh = chain(90)
    report = converted(written(tmp_path / "chain.bvh", bvh), tmp_path / "out.oban")
    moved_alike(bvh, 2, tmp_path / "out.oban")
    assert report["left_out"] == []
    assert report["max_position_error_mm"] <= 1.0


def test_a_joint_of_many_is_named(tmp_path: Path) -> None:
    bvh = chain(30)
    bvh.joints.append(Joint("tail", 0, (0.0, -1.0, 0.0), TURNS, [("", (0.0, -1.0, 0.0))]))
    for index, row in enumerate(bvh.motion):
        row += [float(index), 0.0, 0.0]
    source = written(tmp_path / "two.bvh", bvh)
    answer = run("convert", source, tmp_path / "out.oban")
    assert answer.returncode != 0 and "4 joints" in answer.stderr and "--joint: is missing" in answer.stderr
    assert not (tmp_path / "out.oban").exists()
    report = converted(source, tmp_path / "out.oban", "--joint", "tail")
    moved_alike(bvh, 3, tmp_path / "out.oban")
    assert report["left_out"] == ["the motion of 2 other joints"]
    wrong = run("convert", source, tmp_path / "none.oban", "--joint", "nose")
    assert wrong.returncode == 2 and '--joint: is "nose"' in wrong.stderr


def test_an_avatar_s_head_carries_an_object(tmp_path: Path) -> None:
    source = sorted(DEMO.glob("*.anim"))[0]
    report = converted(source, tmp_path / "head.oban", "--joint", "mHead")
    assert any("priorities" in item for item in report["left_out"])
    assert oban_any.read((tmp_path / "head.oban").read_bytes()).found


def test_the_rate_is_the_one_that_is_asked_for(tmp_path: Path) -> None:
    path = scene.OBAN / "every_frame.oban"
    converted(path, tmp_path / "out.bvh", "--fps", "12", "--force")
    assert bvh_file.parse((tmp_path / "out.bvh").read_bytes()).frame_time == pytest.approx(1 / 12)


def test_an_oban_is_no_avatar(tmp_path: Path) -> None:
    answer = run("convert", scene.OBAN / "every_frame.oban", tmp_path / "out.anim")
    assert answer.returncode != 0 and "rig file" in answer.stderr
    assert not (tmp_path / "out.anim").exists()


def test_a_level_has_no_way(tmp_path: Path) -> None:
    answer = run("convert", scene.OBAN / "level_pc.dat", tmp_path / "out.bvh")
    assert answer.returncode != 0 and "extract" in answer.stderr


def test_an_option_of_another_way_is_refused(tmp_path: Path) -> None:
    answer = run("convert", scene.OBAN / "every_frame.oban", tmp_path / "out.bvh", "--joint", "x")
    assert answer.returncode == 2
    assert (
        "--joint: is not an option here; allowed are --camera, --forward, --up, --scale, --fps"
        in answer.stderr
    )
