# SPDX-License-Identifier: MIT
"""Curves between their keys: what lines make of them, what a cut leaves, and how far off is said to be."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from material import ROOT
from tests.witness import mrtk_axes, mrtk_curve, mrtk_file, mrtk_player
from tests.witness.mrtk_file import Recording
from tests.witness.mrtk_player import Pose

COMMAND = ROOT / "build" / "bin" / "animbridge"
MRTK = ROOT / "fixtures" / "mrtk"
LOOKS = 600


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def report_of(*words: object) -> dict[str, Any]:
    """The report of a call that succeeds."""
    answer = run(*words, "--json")
    assert answer.returncode in (0, 1) and answer.stdout, answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def recording(path: Path) -> Recording:
    return mrtk_file.parse(path.read_bytes())


def looks(made: Recording) -> list[float]:
    end = mrtk_player.duration(made)
    return [end * step / LOOKS for step in range(LOOKS + 1)]


@cache
def fixture_poses(stem: str) -> list[Pose]:
    """The camera, all along."""
    made = recording(MRTK / f"{stem}.bin")
    return [mrtk_player.pose_of(made, "camera", seconds) for seconds in looks(made)]


def largest_difference(stem: str, other: Recording) -> tuple[float, float]:
    """The camera's, in millimetres and degrees."""
    millimetres = degrees = 0.0
    for seconds, a in zip(looks(recording(MRTK / f"{stem}.bin")), fixture_poses(stem), strict=True):
        b = mrtk_player.pose_of(other, "camera", seconds)
        apart = [p - q for p, q in zip(a.position, b.position, strict=True)]
        millimetres = max(millimetres, 1000 * mrtk_axes.length(apart))
        assert a.meant and b.meant
        degrees = max(degrees, mrtk_axes.degrees_apart(a.meant, b.meant))
    return millimetres, degrees


@pytest.mark.parametrize("stem", ["weights", "hermite", "weights_0_and_1"])
def test_lines_of_version_1_1_are_close_to_bent_curves(stem: str, tmp_path: Path) -> None:
    out = tmp_path / "lines.bin"
    report = report_of("edit", MRTK / f"{stem}.bin", out, "--mrtk-version", "1.1")["edits"]["version"]
    millimetres, degrees = largest_difference(stem, recording(out))
    # Chords of whole segments are 25 mm off.
    assert 0 < millimetres <= 0.5
    assert 0 < degrees <= 0.11
    assert 0.98 * millimetres <= report["max_position_error_mm"] <= 0.5
    assert 0.98 * degrees <= report["max_rotation_error_degrees"] <= 0.11
    assert report["curved_segments"] > 0


def as_lines(made: Recording, longest: float) -> Recording:
    """Version 1.1, with evenly spaced keys on each segment."""
    curves = dict(mrtk_file.empty((1, 1)).curves)
    for name, curve in made.curves.items():
        if mrtk_file.is_bool(name) or not curve.keys:
            continue
        times = curve.times()
        fine: list[float] = []
        for start, end in pairwise(times):
            pieces = int((end - start) / longest) + 1
            fine += [start + (end - start) * i / pieces for i in range(pieces)]
        keys = [mrtk_file.short_key(t, mrtk_curve.value(curve, t)) for t in [*fine, times[-1]]]
        curves[name] = replace(curves[name], keys=keys)
    return replace(mrtk_file.empty((1, 1)), curves=curves)


@pytest.mark.parametrize("stem", ["weights", "weights_0_and_1"])
def test_compare_finds_what_is_between_keys_and_midpoints(stem: str, tmp_path: Path) -> None:
    other = tmp_path / "lines.bin"
    other.write_bytes(mrtk_file.write(as_lines(recording(MRTK / f"{stem}.bin"), 1 / 120)))
    compared = report_of("compare", MRTK / f"{stem}.bin", other)
    said = next(joint for joint in compared["joints"] if joint["joint"] == "Camera")
    millimetres, degrees = largest_difference(stem, recording(other))
    assert said["position_mm"] >= 0.99 * millimetres > 0.5
    assert said["rotation_degrees"] >= 0.99 * degrees > 0.05


def test_a_step_in_version_1_1_is_no_difference(tmp_path: Path) -> None:
    """Between two neighbours in single precision there is no time that MRTK shows."""
    out = tmp_path / "lines.bin"
    report = report_of("edit", MRTK / "steps.bin", out, "--mrtk-version", "1.1")["edits"]["version"]
    assert report["steps"] > 0
    # What curves among the steps are off.
    assert report["max_position_error_mm"] <= 0.5
    assert report["max_rotation_error_degrees"] <= 0.11


def test_keys_that_lines_add_have_the_length_that_mrtk_plays_there(tmp_path: Path) -> None:
    """Curves of a quaternion's parts leave length 1 between keys: what the check says of 1.1 is so in 1.0."""
    out = tmp_path / "lines.bin"
    answer = run("edit", MRTK / "weights.bin", out, "--mrtk-version", "1.1")
    assert "rotation_length" in answer.stdout + answer.stderr
    before, after = recording(MRTK / "weights.bin"), recording(out)
    for part in "xyzw":
        name = f"camera.rotation.{part}"
        for key in mrtk_curve.keys_of(after.curves[name]):
            assert abs(mrtk_curve.value(before.curves[name], key.time) - key.value) < 1e-6
    played = [mrtk_player.played_rotation(before, "camera", seconds) for seconds in looks(before)]
    assert min(mrtk_axes.length(q) for q in played) < 0.99


def test_a_cut_through_a_large_turn_plays_the_same(tmp_path: Path) -> None:
    out = tmp_path / "cut.bin"
    source = recording(MRTK / "two_hands_v10.bin")
    report_of("edit", MRTK / "two_hands_v10.bin", out, "--trim-start", "0.5", "--trim-end", "1")
    made = recording(out)
    shortest = 1.0
    for owner in ("right.Wrist", "left.IndexTip"):
        for step in range(51):
            seconds = 0.5 * step / 50
            wanted = mrtk_player.played_rotation(source, owner, 0.5 + seconds)
            found = mrtk_player.played_rotation(made, owner, seconds)
            assert max(abs(a - b) for a, b in zip(wanted, found, strict=True)) < 1e-6
            shortest = min(shortest, mrtk_axes.length(found))
    assert shortest < 0.98
