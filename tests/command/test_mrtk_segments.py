# SPDX-License-Identifier: MIT
"""Thousands of random segments between keys: the command's player against the witness's."""

from __future__ import annotations

import json
import random
import subprocess
from decimal import Decimal
from pathlib import Path

from material import ROOT
from tests.witness import mrtk_curve, mrtk_file
from tests.witness.mrtk_file import V10, Words, bits_of

COMMAND = ROOT / "build" / "bin" / "animbridge"
PARTS = ("x", "y", "z")
SEGMENTS = 1500
#: Doubles against 60 digits: where both weights are near 1, the time stands still in the middle of a segment,
#: and the value there is as good as the cube root of a double's last bit, times the slope.
NEAR = 1e-5
#: Elsewhere.
USUAL = 1e-10


def random_key(rng: random.Random, time: float) -> Words:
    """A key with weights of 0 to 1, their ends included."""
    weights = [rng.choice([0.0, 1.0, rng.random(), rng.random(), rng.random()]) for _ in range(2)]
    slopes = [rng.uniform(-8.0, 8.0) for _ in range(2)]
    numbers = (time, rng.uniform(-1.0, 1.0), *slopes, *weights)
    return (*(bits_of(number) for number in numbers), rng.randrange(4))


def test_random_segments_are_the_witness_s(tmp_path: Path) -> None:
    rng = random.Random(14)
    made = mrtk_file.empty(V10)
    times = [0.0]
    for _ in range(SEGMENTS):
        times.append(times[-1] + rng.uniform(0.004, 0.4))
    for part in PARTS:
        made.curves[f"camera.position.{part}"].keys[:] = [random_key(rng, time) for time in times]
    path = tmp_path / "segments.bin"
    path.write_bytes(mrtk_file.write(made))
    keys = {part: mrtk_curve.keys_of(made.curves[f"camera.position.{part}"]) for part in PARTS}
    # Each in a segment of its own, which begins and ends at single precision.
    moments = [
        a.time + rng.uniform(0.01, 0.99) * (b.time - a.time)
        for a, b in zip(keys["x"], keys["x"][1:], strict=False)
    ]
    told = subprocess.run(
        [str(COMMAND), "pose", "--json", str(path), *map(repr, moments)],
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    apart: list[float] = []
    for index, row in enumerate(json.loads(told.stdout)["poses"]):
        (camera,) = row["joints"]
        for part, found in zip(PARTS, camera["position"], strict=True):
            a, b = keys[part][index : index + 2]
            apart.append(abs(found - mrtk_curve.segment(a, b, Decimal(row["seconds"]))))
    assert len(apart) == 3 * SEGMENTS
    apart.sort()
    assert apart[-1] <= NEAR
    assert apart[len(apart) * 99 // 100] <= USUAL
