# SPDX-License-Identifier: MIT
"""When `animbridge convert` onto the avatar makes no file: which joint, when, why, and what cures it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from test_retarget_command import GAIT, TABLES, converted, run, write
from tests.witness import anim_file, player, rigs
from tests.witness.bvh_file import Bvh
from tests.witness.skeleton import load_skeleton
from tests.witness.walk import Gait, walk

SKELETON = load_skeleton()


def walker(x: float, z: float, gait: Gait = GAIT) -> Bvh:
    """A walk whose root is x and z metres from where it would be."""
    made = walk(rigs.build("cmu_motionbuilder", TABLES["cmu_motionbuilder"]), gait).bvh
    for row in made.motion:
        row[0] += x
        row[2] += z
    return made


def test_a_walk_far_from_the_origin_begins_there(tmp_path: Path) -> None:
    """5 m are all that a .anim can hold of the pelvis's place."""
    near = write(tmp_path / "near.bvh", walker(0.0, 0.0))
    far = write(tmp_path / "far.bvh", walker(7.0, -6.0))
    assert converted(near, tmp_path / "near.anim", "--retarget")["warnings"] == []
    report = converted(far, tmp_path / "far.anim", "--retarget")
    assert report["max_position_error_mm"] < 1
    assert any("begins at the origin" in warning for warning in report["warnings"])
    one, other = (anim_file.parse((tmp_path / f"{name}.anim").read_bytes()) for name in ("near", "far"))
    ways = []
    for file in (one, other):
        places = [
            player.world_pose(file, SKELETON, t)["mPelvis"].position for t in np.linspace(0, GAIT.seconds, 9)
        ]
        ways.append(np.array(places) - places[0])
        if file is other:
            assert np.abs(places[0][:2]).max() < 1e-3
    assert np.abs(ways[0] - ways[1]).max() < 2e-3


def test_a_path_that_is_too_long_is_refused_with_its_cure(tmp_path: Path) -> None:
    made = walker(0.0, 0.0)
    for i, row in enumerate(made.motion):
        row[2] += 20.0 * i / len(made.motion)
    source = write(tmp_path / "long.bvh", made)
    refused = run("convert", source, tmp_path / "out.anim", "--retarget")
    assert refused.returncode == 1 and not (tmp_path / "out.anim").exists()
    assert re.search(r"at [\d.]+ s, \w+ would be [\d.]+ mm from the retargeted motion", refused.stderr)
    assert "mPelvis is more than 5 m from its rest position" in refused.stderr
    assert "--in-place" in refused.stderr and "Shorten" not in refused.stderr
    converted(source, tmp_path / "out.anim", "--retarget", "--in-place")


def noise(tmp_path: Path, frames: int = 800) -> Path:
    """So much motion that 250,000 bytes do not hold it within 20 mm."""
    random = np.random.default_rng(5)
    made = walk(rigs.build("mixamo", TABLES["mixamo"]), Gait(seconds=1.0, frames_per_second=30.0)).bvh
    first = np.array(made.motion[0])
    turns = np.zeros((frames, len(first)))
    turns[:, 3:] = random.uniform(-80, 80, (frames, len(first) - 3))
    made.motion = (first + turns).tolist()
    return write(tmp_path / "noise.bvh", made)


def test_a_size_that_is_too_small_is_the_cause_that_is_named(tmp_path: Path) -> None:
    refused = run("convert", noise(tmp_path), tmp_path / "out.anim", "--retarget")
    assert refused.returncode == 1 and not (tmp_path / "out.anim").exists()
    assert "Not all keys fit into 249999 bytes" in refused.stderr
    assert "--for opensim" in refused.stderr


def test_opensim_has_no_limit_of_its_own(tmp_path: Path) -> None:
    source = noise(tmp_path, 1500)
    report = converted(source, tmp_path / "out.anim", "--retarget", "--for", "opensim")
    assert (tmp_path / "out.anim").stat().st_size > 250_000
    # So fast a motion is far off within one of the file's steps of time, which alone stops nothing.
    assert report["max_position_error_mm"] > 20 > report["at_held_times"]["max_position_error_mm"]
    assert any("the file holds times in steps of" in warning for warning in report["warnings"])
    fitted = converted(
        source, tmp_path / "out.anim", "--retarget", "--for", "opensim", "--fit", "300000", "--force"
    )
    assert fitted["bytes_out"] <= 300_000


def test_a_file_for_second_life_keeps_within_its_limit(tmp_path: Path) -> None:
    converted(noise(tmp_path), tmp_path / "out.anim", "--retarget", "--force")
    assert (tmp_path / "out.anim").stat().st_size < 250_000
