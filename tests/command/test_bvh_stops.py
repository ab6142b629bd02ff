# SPDX-License-Identifier: MIT
"""A BVH that is too far off between its frames: it gets more of them, or is refused with its cure.

The witness shakes a joint as glTF, and reads the BVH. A joint turns by a sine about X, so a BVH shows how far
it is turned in one channel.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_retarget_command import converted, run
from tests.witness import bvh_file
from tests.witness.scene_gltf import write_glb
from tests.witness.scene_math import array
from tests.witness.scene_model import ROTATION, Y_UP, Animation, Channel, Local, Node, Scene

AMPLITUDE_DEGREES = 80.0
LENGTH_METRES = 0.1
SECONDS = 0.5


def degrees_at(hertz: float, seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    return AMPLITUDE_DEGREES * np.sin(2 * math.pi * hertz * seconds)


def shaken(folder: Path, hertz: float) -> Path:
    """A scene whose joint shakes, with a key about every millisecond: at no frame of any usual rate."""
    random = np.random.default_rng(1)
    steps = random.uniform(0.0005, 0.0015, int(SECONDS * 1000))
    times = np.cumsum([0.0, *steps])
    times *= SECONDS / times[-1]
    half = np.radians(degrees_at(hertz, times)) / 2
    turns = np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=1)
    nodes = [
        Node("root"),
        Node("shaken", 0, Local.of((0.0, 1.0, 0.0))),
        Node("end", 1, Local.of((0.0, LENGTH_METRES, 0.0))),
    ]
    seconds = [float(time) for time in times]
    still = array([(1.0, 0.0, 0.0, 0.0)] * 2)
    channels = [
        Channel(1, ROTATION, seconds, array(turns)),
        Channel(2, ROTATION, [seconds[0], seconds[-1]], still),
    ]
    path = folder / "shaken.glb"
    path.write_bytes(write_glb(Scene(nodes, [Animation.of("Shake", channels)], axes=array(Y_UP))))
    return path


def about_x(path: Path, name: str) -> tuple[float, NDArray[np.float64]]:
    """Seconds from a frame to the next, and how far the joint is turned about X from the first one."""
    bvh = bvh_file.parse(path.read_bytes())
    columns = [(joint.name, channel) for joint in bvh.joints for channel in joint.channels]
    column = columns.index((name, "Xrotation"))
    values = np.array([row[column] for row in bvh.motion])
    return bvh.frame_time, values - values[0]


def worst_degrees(path: Path, hertz: float) -> float:
    """Of the joint against the sine, at the frames and between them, as a line from frame to frame."""
    frame_time, values = about_x(path, "shaken")
    frames = frame_time * np.arange(len(values))
    times = np.linspace(0.01, 0.95 * frames[-1], 5000)
    return float(np.abs(np.interp(times, frames, values) - degrees_at(hertz, times)).max())


def text_of(report: dict[str, Any]) -> str:
    return "\n".join(report["warnings"])


def test_the_rate_rises_until_the_file_is_exact(tmp_path: Path) -> None:
    report = converted(shaken(tmp_path, 15.0), tmp_path / "out.bvh")
    assert report["frames_per_second"] == 240.0
    assert "The file has 240 frames a second: at 120, " in text_of(report)
    assert report["max_rotation_error_degrees"] < 5 and report["max_position_error_mm"] < 20
    assert worst_degrees(tmp_path / "out.bvh", 15.0) == pytest.approx(
        report["max_rotation_error_degrees"], abs=0.5
    )


def test_a_file_that_is_exact_enough_keeps_its_rate(tmp_path: Path) -> None:
    report = converted(shaken(tmp_path, 5.0), tmp_path / "out.bvh")
    assert report["frames_per_second"] == 120.0 and "The file has" not in text_of(report)


def test_what_no_rate_shows_is_refused_with_its_cure(tmp_path: Path) -> None:
    file, out = shaken(tmp_path, 60.0), tmp_path / "out.bvh"
    refused = run("convert", file, out)
    assert refused.returncode == 1 and not out.exists()
    assert re.search(r"at [\d.]+ s, end would be [\d.]+ mm from the input's motion", refused.stderr)
    assert "allowed are 20 mm" in refused.stderr and "--force" in refused.stderr
    assert "too fast for 240 frames a second" in refused.stderr and "--fps" in refused.stderr
    converted(file, out, "--fps", "1000")
    assert worst_degrees(out, 60.0) < 5


def test_a_rate_of_the_users_does_not_rise(tmp_path: Path) -> None:
    file, out = shaken(tmp_path, 15.0), tmp_path / "out.bvh"
    refused = run("convert", file, out, "--fps", "60", "--stop-above", "1000")
    assert refused.returncode == 1 and "too fast for 60 frames a second" in refused.stderr
    assert re.search(r"at [\d.]+ s, shaken would be turned by [\d.]+ degrees from", refused.stderr)
    assert "allowed are 5 degrees" in refused.stderr
    assert converted(file, out, "--fps", "60", "--force")["frames_per_second"] == 60.0


@pytest.mark.parametrize(
    ("bound", "rate"), [("20,20", 120.0), ("0,0", 120.0), ("1000", 240.0), ("5,20", 240.0)]
)
def test_the_bound_is_millimetres_and_degrees(bound: str, rate: float, tmp_path: Path) -> None:
    """At 120 a second, the joint is up to 6 degrees off, and its end about 10 mm."""
    report = converted(shaken(tmp_path, 15.0), tmp_path / "out.bvh", "--stop-above", bound)
    assert report["frames_per_second"] == rate


def test_a_turn_of_more_than_half_a_circle_goes_on(tmp_path: Path) -> None:
    """Each channel is continued from the frame before: two turns are 720 degrees, and no frame goes back."""
    times = [i / 60 for i in range(61)]
    half = np.radians(720.0 * np.array(times)) / 2
    turns = np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=1)
    nodes = [Node("root"), Node("spun", 0, Local.of((0.0, 1.0, 0.0)))]
    scene = Scene(
        nodes, [Animation.of("Spin", [Channel(1, ROTATION, times, array(turns))])], axes=array(Y_UP)
    )
    (tmp_path / "spin.glb").write_bytes(write_glb(scene))
    converted(tmp_path / "spin.glb", tmp_path / "out.bvh")
    steps = np.diff(about_x(tmp_path / "out.bvh", "spun")[1])
    assert steps == pytest.approx(np.full(60, 12.0), abs=1e-4)
