# SPDX-License-Identifier: MIT
"""`animbridge quality` on motions whose numbers follow from their formulas (docs/clip-tools.md)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from batch_programs import COMMAND
from material import ROOT
from tests.witness import anim_file
from tests.witness.anim_file import AnimFile, Joint, bits_of
from tests.witness.cases.build import joint
from tests.witness.cases.content import loop, once, placed, turned
from tests.witness.skeleton import load_skeleton

from animbridge.document import Document

RATE = 30
SECONDS = 2.0
FRAMES = int(SECONDS * RATE) + 1
WALK = ROOT / "fixtures" / "demo" / "walk.anim"
SKELETON = load_skeleton()


def quality(path: Path, anim: AnimFile) -> dict[str, Any]:
    """What the command says of one file."""
    path.write_bytes(anim_file.write(anim))
    done = subprocess.run([COMMAND, "quality", "--json", path], capture_output=True, text=True, check=True)
    (row,) = json.loads(done.stdout)["files"]
    assert row["file"] == str(path)
    assert row["bytes"] == path.stat().st_size
    return row


def sampled(degrees: Callable[[int], float], name: str = "mChest") -> Joint:
    """A joint turned about z, with a key for each frame."""
    rows = [(i / RATE, degrees(i)) for i in range(FRAMES)]
    return joint(name, rotation_keys=turned(2, *rows, duration=SECONDS))


def moved(*rows: tuple[float, float, float, float], **parts: Any) -> Joint:
    """Hips on a path."""
    return joint("mPelvis", position_keys=placed(*rows, duration=SECONDS), **parts)


def shakes(degrees: list[float]) -> list[float]:
    """How far each is from the parabola through seven. Beyond an end is the other side, turned round."""
    weights = {-3: -2, -2: 3, -1: 6, 0: 7, 1: 6, 2: 3, 3: -2}
    return [
        abs(
            sum(
                weight / 21 * (degrees[i + k] - here if 0 <= i + k < FRAMES else here - degrees[i - k])
                for k, weight in weights.items()
            )
        )
        for i, here in enumerate(degrees)
    ]


def test_shaking(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    noise = [40 * np.sin(i / 9) + float(random.normal(0, 2)) for i in range(FRAMES)]
    row = quality(tmp_path / "a.anim", once(sampled(lambda i: noise[i]), seconds=SECONDS))
    expected = shakes(noise)
    assert row["shake_degrees"] == pytest.approx(np.sqrt(np.mean(np.square(expected))), abs=0.01)
    assert row["largest_shake_degrees"] == pytest.approx(max(expected), abs=0.02)
    assert row["shakiest_joint"] == "mChest"
    speeds = np.diff(noise) * RATE
    jitter = np.sqrt(np.mean(np.square(np.diff(speeds, 2) * RATE**2)))
    assert row["jitter_degrees_per_second3"] == pytest.approx(jitter, rel=0.01)
    assert row["seconds"] == SECONDS
    assert row["keys"] == FRAMES


def test_a_smooth_motion_does_not_shake(tmp_path: Path) -> None:
    row = quality(tmp_path / "a.anim", once(sampled(lambda i: i * 1.0), seconds=SECONDS))
    assert row["shake_degrees"] < 0.01


def test_travel_and_seam(tmp_path: Path) -> None:
    """A walk of 2 m that turns by 40 degrees, rises by 100 mm, and ends with the head turned by 30."""
    hips = moved(
        (0, 0, 0, 0),
        (SECONDS, 2, 0, 0.1),
        rotation_keys=turned(2, (0, 0), (SECONDS, 40), duration=SECONDS),
    )
    head = joint("mHead", rotation_keys=turned(1, (0, 0), (SECONDS, 30), duration=SECONDS))
    row = quality(tmp_path / "a.anim", loop(hips, head, end=SECONDS, seconds=SECONDS))
    assert row["travel"]["way_metres"] == pytest.approx(2, abs=1e-3)
    assert row["travel"]["metres_per_second"] == pytest.approx(1, abs=1e-3)
    assert row["travel"]["heading_degrees"] == pytest.approx(40, abs=0.02)
    assert row["loop"]["seam_degrees"] == pytest.approx(40, abs=0.02)
    assert row["loop"]["seam_joint"] == "mPelvis"
    assert (row["loop"]["in_seconds"], row["loop"]["out_seconds"]) == (0, SECONDS)


def test_the_seam_leaves_out_what_the_body_travels(tmp_path: Path) -> None:
    row = quality(
        tmp_path / "a.anim", loop(moved((0, 0, 0, 0), (SECONDS, 2, 0, 0.1)), end=SECONDS, seconds=SECONDS)
    )
    assert row["loop"]["seam_mm"] == pytest.approx(100, abs=0.2)
    assert row["loop"]["seam_degrees"] == 0


def test_sliding_feet(tmp_path: Path) -> None:
    """Straight legs that are pushed 60 mm over the ground in two seconds."""
    legs = [
        joint(name, rotation_keys=turned(1, (0, 0), (SECONDS, 0), duration=SECONDS))
        for side in ("Left", "Right")
        for name in (f"mHip{side}", f"mKnee{side}", f"mAnkle{side}", f"mFoot{side}", f"mToe{side}")
    ]
    rows = [(i / RATE, 0.03 * i / RATE, 0.0, 0.0) for i in range(FRAMES)]
    row = quality(tmp_path / "a.anim", once(moved(*rows), *legs, seconds=SECONDS))
    assert row["feet"]["contact_seconds"] == pytest.approx(4 * SECONDS, abs=0.4)
    # Heel and ball of one foot are two points.
    assert row["feet"]["slide_mm_per_second"] == pytest.approx(30, abs=1.5)
    assert row["feet"]["depth_mm"] == pytest.approx(0, abs=0.1)


def test_what_plays_after_a_stop(tmp_path: Path) -> None:
    row = quality(
        tmp_path / "a.anim",
        loop(sampled(lambda i: i * 1.0), end=0.5, seconds=SECONDS, ease_out_bits=bits_of(0.5)),
    )
    assert row["stop_delay_seconds"] == pytest.approx(1.5)
    assert row["outro_seconds"] == pytest.approx(1.5)
    held = loop(sampled(lambda i: min(i, 9) * 1.0), end=0.5, seconds=SECONDS, ease_out_bits=bits_of(0.5))
    assert quality(tmp_path / "b.anim", held)["outro_seconds"] == 0


def test_limbs_in_each_other(tmp_path: Path) -> None:
    """Straight legs that turn inwards: at 4 degrees the shins touch at the ankles, at 20 the legs cross."""
    hip, knee, ankle = (SKELETON.nodes[f"m{name}Left"].position for name in ("Hip", "Knee", "Ankle"))
    scale = float(np.linalg.norm(knee) + np.linalg.norm(ankle)) / 0.959

    def depth(degrees: float) -> dict[str, Any]:
        legs = [
            joint(f"mHip{side}", rotation_keys=turned(0, (0, 0), (SECONDS, sign * degrees), duration=SECONDS))
            for side, sign in (("Left", -1), ("Right", 1))
        ]
        overlap: dict[str, Any] = quality(tmp_path / "a.anim", once(*legs, seconds=SECONDS))["overlap"]
        return overlap

    angle = -np.radians(4)
    side = hip[1] + (knee + ankle)[1] * np.cos(angle) - (knee + ankle)[2] * np.sin(angle)
    assert depth(4)["depth_mm"] == pytest.approx(1000 * (2 * 0.06 * scale - 2 * side), abs=3)
    assert depth(4)["joints"] == ["mKneeLeft", "mKneeRight"]
    assert depth(4)["at_seconds"] == pytest.approx(SECONDS)
    # Thighs touch at rest and do not count: one crosses the other shin.
    assert depth(20)["depth_mm"] == pytest.approx(1000 * (0.09 + 0.06) * scale, abs=3)
    assert depth(0) == {"depth_mm": 0, "joints": [], "at_seconds": None}


def test_python_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.anim"
    row = quality(path, once(sampled(lambda i: i % 5 * 1.0), seconds=SECONDS))
    numbers = Document.read(path.read_bytes(), path.name).quality()
    assert numbers == {name: value for name, value in row.items() if name not in ("file", "bytes")}


def test_side_by_side(tmp_path: Path) -> None:
    before, after = tmp_path / "before.anim", tmp_path / "after.anim"
    before.write_bytes(anim_file.write(once(sampled(lambda i: i % 2 * 2.0), seconds=SECONDS)))
    words = [COMMAND, "edit", before, after, "--smooth", "5"]
    subprocess.run(words, capture_output=True, check=True)
    done = subprocess.run([COMMAND, "quality", before, after], capture_output=True, text=True, check=True)
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["before.anim", "after.anim"]
    (shaking,) = [line for line in lines if line.startswith("shaking")]
    first, second = (float(word) for word in shaking.split()[1::2])
    assert first > 0.7
    assert second < first / 3


def test_many_files_get_a_line_each() -> None:
    done = subprocess.run([COMMAND, "quality", *[WALK] * 5], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 6


def test_a_format_without_a_skeleton() -> None:
    level = next((ROOT / "fixtures" / "oban").glob("**/*.dat"))
    done = subprocess.run([COMMAND, "quality", level], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "has no skeleton" in done.stderr
