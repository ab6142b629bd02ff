# SPDX-License-Identifier: MIT
"""F-curves as this Blender evaluates them against Unity's curves, which the witness evaluates."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers import curves_of, operators, reported
from mrtk_support import frame_at, import_mrtk, path_of
from tests.witness import mrtk_curve, mrtk_file
from tests.witness.mrtk_curve import Key
from tests.witness.mrtk_file import V10, Curve, Words, bits_of

#: (channel, index in Blender): (the file's curve, sign), spec 4.1.
COMPONENTS = {
    ("location", 0): ("position.x", 1.0),
    ("location", 1): ("position.z", 1.0),
    ("location", 2): ("position.y", 1.0),
    ("rotation_quaternion", 0): ("rotation.w", 1.0),
    ("rotation_quaternion", 1): ("rotation.x", -1.0),
    ("rotation_quaternion", 2): ("rotation.z", -1.0),
    ("rotation_quaternion", 3): ("rotation.y", -1.0),
}
SEGMENTS = 60
#: Blender's cubic in single precision, where the curve is not steep.
WITHIN = 1e-5


def random_curve(rng: random.Random, first: float, middle: float) -> Curve:
    """Values near `middle`, so that no quaternion changes its sign; weights that make no segment vertical."""
    keys: list[Words] = []
    time = first
    for _ in range(SEGMENTS + 1):
        slopes = [rng.uniform(-2.0, 2.0) for _ in range(2)]
        weights = [rng.uniform(0.0, 0.45) for _ in range(2)]
        numbers = (time, middle + rng.uniform(-0.2, 0.2), *slopes, *weights)
        keys.append((*(bits_of(number) for number in numbers), rng.randrange(4)))
        time += rng.uniform(0.05, 0.3)
    return Curve(keys, 8, 8)


def recording_from(first: float, path: Path) -> mrtk_file.Recording:
    rng = random.Random(5)
    made = mrtk_file.empty(V10)
    # The curves of a rotation share their times.
    curves = dict(made.curves)
    for part, middle in (("position", 0.0), ("rotation", 0.0)):
        times: list[int] = []
        for axis in "xyz" if part == "position" else "xyzw":
            curve = random_curve(rng, first, 1.0 if axis == "w" else middle)
            times = times or [key[0] for key in curve.keys]
            keys = [(time, *key[1:]) for time, key in zip(times, curve.keys, strict=True)]
            curves[f"camera.{part}.{axis}"] = replace(curve, keys=keys)
    made = replace(made, curves=curves)
    path.write_bytes(mrtk_file.write(made))
    return made


def steepness(a: Key, b: Key) -> float:
    """No point of the segment's Bezier is steeper than the steepest side of its polygon, per second."""
    w0 = a.out_weight if a.mode & 2 else 1 / 3
    w1 = b.in_weight if b.mode & 1 else 1 / 3
    length = b.time - a.time
    rise = b.value - b.in_tangent * w1 * length - (a.value + a.out_tangent * w0 * length)
    return max(abs(a.out_tangent), abs(b.in_tangent), abs(rise / ((1 - w0 - w1) * length)))


@pytest.mark.parametrize("first", [0.0, 300.0])
def test_locations_and_rotations_are_unitys_between_keys(first: float, tmp_path: Path) -> None:
    """A frame is in single precision: its last bit, times the slope, is what a value may be off."""
    path = tmp_path / "random.bin"
    made = recording_from(first, path)
    import_mrtk(path)
    rng = random.Random(6)
    worst = 0.0
    for (channel, index), (part, sign) in COMPONENTS.items():
        (shown,) = [c for c in curves_of("Camera", channel) if c.array_index == index]
        keys = mrtk_curve.keys_of(made.curves[f"camera.{part}"])
        for a, b in itertools.pairwise(keys):
            time = a.time + rng.uniform(0.05, 0.95) * (b.time - a.time)
            frame = np.float32(frame_at(time))
            wanted = sign * mrtk_curve.value(made.curves[f"camera.{part}"], time)
            # The frame of the moment, of both keys and of both handles are rounded.
            frames = 3 * float(np.spacing(np.float32(frame_at(b.time))))
            allowed = WITHIN + steepness(a, b) * frames / frame_at(1.0, 0.0)
            away = abs(shown.evaluate(float(frame)) - wanted)
            assert away <= allowed, (channel, index, time, away, allowed)
            worst = max(worst, away)
    assert worst <= (2 * WITHIN if first == 0.0 else 1e-3)


@pytest.mark.parametrize("stem", ["switches_alone", "empty_v10"])
def test_a_recording_without_poses_offers_no_rig_map(stem: str, capfd: pytest.CaptureFixture[str]) -> None:
    operators.import_anim.mrtk(filepath=str(path_of(stem)))
    assert "rig map" not in reported(capfd).lower()
