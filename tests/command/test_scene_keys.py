# SPDX-License-Identifier: MIT
"""Kinds of keys in written scenes, and what is between them: the witness reads both ends."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from scene_motions import SCENES, convert
from tests.witness.scene_compare import difference, poses_of, read_scene
from tests.witness.scene_model import CUBICSPLINE, STEP, Scene

# What issue 16 allows between keys.
MOST_MM = 0.1
MOST_DEGREES = 0.05
#: Around a jump of a file that has slopes instead, or that holds its times as floats.
NEAR_JUMP = 1e-4


def times_between_keys(scene: Scene) -> list[float]:
    """Since the first key: close to each key on both sides, and at shares of the way."""
    keys = sorted({time for channel in scene.animations[0].channels() for time in channel.times})
    if not keys:  # FBX: three curves for each channel, each with times of its own
        start, end = scene.animations[0].span()
        return [(number + 0.37) / 97 * (end - start) for number in range(97)]
    times: list[float] = []
    for start, end in pairwise(keys):
        if end - start > 10 * NEAR_JUMP:
            times += [start + NEAR_JUMP, end - NEAR_JUMP]
            times += [start + share * (end - start) for share in (0.13, 0.37, 0.5, 0.71, 0.9)]
    return [time - keys[0] for time in times]


@pytest.mark.parametrize("ending", ["glb", "gltf", "fbx", "dae"])
@pytest.mark.parametrize("name", ["step.glb", "cubic.glb", "kinds_of_keys.fbx", "weighted.fbx"])
def test_between_keys_the_motion_is_the_same(name: str, ending: str, tmp_path: Path) -> None:
    made = tmp_path / f"out.{ending}"
    exact = ("--keys", "exact") if ending == "dae" else ()  # what other files get without being asked
    convert(*exact, SCENES / name, made)
    wanted, found = read_scene(SCENES / name), read_scene(made)
    times = times_between_keys(wanted)
    apart = difference(poses_of(found, 0, times), poses_of(wanted, 0, times))
    assert apart.compared >= 1
    assert apart.millimetres <= MOST_MM, apart
    assert apart.degrees <= MOST_DEGREES, apart


@pytest.mark.parametrize("ending", ["gltf", "fbx", "dae"])
def test_keys_that_hold_stay_so_in_gltf(ending: str, tmp_path: Path) -> None:
    made = tmp_path / f"out.{ending}"
    convert(SCENES / "step.glb", made)
    wanted, found = read_scene(SCENES / "step.glb"), read_scene(made)
    before = [c for c in wanted.animations[0].channels() if c.interpolation == STEP]
    assert len(before) > 1
    after = [c for c in found.animations[0].channels() if c.interpolation == STEP]
    assert len(after) == (len(before) if ending == "gltf" else 0)
    if ending == "gltf":
        assert sorted(len(c.times) for c in after) == sorted(len(c.times) for c in before)
    convert(made, tmp_path / "again.glb")
    assert read_scene(tmp_path / "again.glb").animations[0].span()[1] == pytest.approx(
        wanted.animations[0].span()[1] - min(0.0, wanted.animations[0].span()[0]), abs=1e-6
    )


@pytest.mark.parametrize("ending", ["glb", "gltf", "fbx", "dae"])
def test_splines_stay_so_in_gltf(ending: str, tmp_path: Path) -> None:
    made = tmp_path / f"out.{ending}"
    convert(SCENES / "cubic.glb", made)
    wanted, found = read_scene(SCENES / "cubic.glb"), read_scene(made)
    before = [c for c in wanted.animations[0].channels() if c.interpolation == CUBICSPLINE]
    assert len(before) > 1
    after = [c for c in found.animations[0].channels() if c.interpolation == CUBICSPLINE]
    assert len(after) == (len(before) if ending in {"glb", "gltf"} else 0)
    for one, other in zip(before, after, strict=False):
        assert other.times == pytest.approx(one.times, abs=1e-6)
