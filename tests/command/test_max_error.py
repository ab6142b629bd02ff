# SPDX-License-Identifier: MIT
"""`--max-error`: how far a .anim may be off, and what the report says of its size."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scene_motions import run
from tests.witness import bvh_file, certificate, rigs
from tests.witness.walk import Gait, walk

UPLOAD_BYTES = 250_000


def walker(folder: Path, seconds: float, noise_degrees: float) -> Path:
    """A walk at 60 frames a second, with joints that tremble."""
    tables = rigs.load_tables()
    made = walk(rigs.build("mixamo", tables["mixamo"]), Gait(seconds=seconds, frames_per_second=60.0)).bvh
    random = np.random.default_rng(34)
    for row in made.motion:
        row[6:] = (np.array(row[6:]) + random.normal(0.0, noise_degrees, len(row) - 6)).tolist()
    path = folder / "walk.bvh"
    path.write_bytes(bvh_file.write(made))
    return path


def converted(source: Path, output: Path, *words: object) -> dict[str, Any]:
    answer = run("convert", source, output, *words, "--report", output.with_suffix(".json"))
    assert answer.returncode == 0, answer.stderr
    report: dict[str, Any] = json.loads(output.with_suffix(".json").read_text("utf-8"))
    return report


def farthest_mm(a: Path, b: Path, times: np.ndarray) -> float:
    """By the witness's player, over the joints that a certificate counts."""
    motions = [certificate.read(path) for path in (a, b)]
    names = certificate.counted(*motions)
    worst = 0.0
    for seconds in times:
        one, other = (motion.at(float(seconds)) for motion in motions)
        worst = max(
            worst, *(1000 * float(np.linalg.norm(one[name].place - other[name].place)) for name in names)
        )
    return worst


@pytest.fixture(scope="module")
def walking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return walker(tmp_path_factory.mktemp("walk"), 2.0, 0.3)


def test_the_motion_stays_within_what_was_allowed(tmp_path: Path, walking: Path) -> None:
    exact = tmp_path / "exact.anim"
    rest = converted(walking, exact, "--max-error", "0.001,0.001")["max_position_error_mm"]
    sizes = []
    times = np.random.default_rng(1).uniform(0.0, 2.0, 25)
    for allowed in (1.0, 4.0, 12.0):
        output = tmp_path / f"{allowed}.anim"
        report = converted(walking, output, "--max-error", allowed)
        sizes.append(output.stat().st_size)
        assert report["max_position_error_mm"] <= allowed + 0.01
        assert report["max_rotation_error_degrees"] <= allowed / 10 + 0.01
        assert farthest_mm(exact, output, times) <= allowed + rest + 0.3  # codes, and between the samples
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > 1.5 * sizes[-1]


def test_the_degrees_can_be_another_share(tmp_path: Path, walking: Path) -> None:
    narrow = converted(walking, tmp_path / "narrow.anim", "--max-error", "10,0.2")
    wide = converted(walking, tmp_path / "wide.anim", "--max-error", "10,3")
    old = converted(walking, tmp_path / "old.anim", "--position-mm", "10", "--rotation-degrees", "3")
    assert narrow["max_rotation_error_degrees"] <= 0.21 < wide["max_rotation_error_degrees"]
    assert old["bytes_out"] == wide["bytes_out"] < narrow["bytes_out"]
    assert (tmp_path / "old.anim").read_bytes() == (tmp_path / "wide.anim").read_bytes()


def test_the_report_says_what_other_sizes_cost(tmp_path: Path, walking: Path) -> None:
    report = converted(walking, tmp_path / "dance.anim")
    errors = report["errors"]["position_mm"]
    assert errors["worst"] == report["max_position_error_mm"]
    assert 0 < errors["mean"] < errors["percentile_99_9"] <= errors["worst"]
    assert errors["joint"] == report["worst"]["joint"]
    curve = report["size_curve"]
    assert len(curve) >= 4
    for a, b in itertools.pairwise(curve):
        assert a["bytes"] > b["bytes"] and a["max_position_mm"] < b["max_position_mm"]
    point = curve[2]
    output = tmp_path / "point.anim"
    made = converted(walking, output, "--max-error", point["max_position_mm"])
    assert output.stat().st_size == point["bytes"]
    # The report also measures at the samples' own times, where keys are a step of the file's clock off.
    assert made["max_position_error_mm"] == pytest.approx(point["position_error_mm"], abs=0.05)


def test_a_report_on_the_screen_takes_no_time_for_other_sizes(tmp_path: Path, walking: Path) -> None:
    answer = run("convert", walking, tmp_path / "out.anim", "--json")
    assert "size_curve" not in json.loads(answer.stdout)
    said = run("convert", walking, tmp_path / "out.anim").stdout
    assert re.search(r"99\.9 % stay within [\d.]+ mm and [\d.]+ degrees; the mean is [\d.]+ mm", said)


def test_what_second_life_does_not_take_is_refused_with_what_fits(tmp_path: Path) -> None:
    source = walker(tmp_path, 40.0, 0.7)
    output = tmp_path / "out.anim"
    refused = run("convert", source, output, "--max-error", "0.5", "--in-place")
    assert refused.returncode == 1 and not output.exists()
    found = re.search(
        r"needs (\d+) bytes to stay within 0\.5 mm and 0\.05 degrees, and Second Life takes 250000\. "
        r"The best motion that fits is up to ([\d.]+) mm and ([\d.]+) degrees off: to write it, leave out",
        refused.stderr,
    )
    assert found, refused.stderr
    assert int(found[1]) > UPLOAD_BYTES
    # What the message says comes true.
    report = converted(source, output, "--in-place", "--force")
    assert output.stat().st_size < UPLOAD_BYTES
    assert report["errors"]["position_mm"]["worst"] == pytest.approx(float(found[2]), rel=0.02)
    assert report["errors"]["rotation_degrees"]["worst"] == pytest.approx(float(found[3]), rel=0.02)
    # For OpenSim, it is written as asked.
    converted(source, output, "--max-error", "0.5", "--for", "opensim", "--in-place")
    assert output.stat().st_size == int(found[1])


def test_a_path_that_the_file_cannot_hold_is_the_first_thing_to_mend(tmp_path: Path) -> None:
    refused = run("convert", walker(tmp_path, 40.0, 0.7), tmp_path / "out.anim", "--max-error", "0.5")
    assert refused.returncode == 1 and "mPelvis is more than 5 m from its rest position" in refused.stderr
    assert "--in-place" in refused.stderr and "bytes" not in refused.stderr
