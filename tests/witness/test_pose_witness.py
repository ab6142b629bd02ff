# SPDX-License-Identifier: MIT
"""The witness's viewer poses against the numbers that the specification states."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.witness import pose_file
from tests.witness.cases import sl_pose_cases
from tests.witness.pose_file import angles, euler, parse, pose_of, shown

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "sl_pose"


def test_the_files_are_the_ones_that_are_there() -> None:
    files = sl_pose_cases.all_files()
    assert sorted(path.name for path in FIXTURES.iterdir()) == sorted(files)
    assert all((FIXTURES / name).read_bytes() == data for name, data in files.items())


@pytest.mark.parametrize(
    ("file", "joint", "rotation", "position", "scale"),
    [
        (
            "fs8.xml",
            "mShoulderLeft",
            (0.0933066, -0.2265663, 0.2109838, 0.9462808),
            (0.01, 0.079, -0.02),
            (1.1, 1, 0.95),
        ),
        (
            "fs8.xml",
            "PELVIS",
            (0.1077968, -0.1600052, 0.2039612, 0.9597802),
            (0, 0, -0.04),
            (0.22, 0.16, 0.12),
        ),
        (
            "bd3.xml",
            "mShoulderLeft",
            (0.0933066, 0.2685155, -0.1540971, 0.9462808),
            (0.01, 0, -0.02),
            (0.1, 0, -0.05),
        ),
    ],
)
def test_the_worked_example(
    file: str,
    joint: str,
    rotation: tuple[float, ...],
    position: tuple[float, ...],
    scale: tuple[float, ...],
) -> None:
    """Section 2.4."""
    one = shown(pose_of(parse((FIXTURES / file).read_bytes())))[joint]
    for key, wanted in (("rotation", rotation), ("position", position), ("scale", scale)):
        assert np.abs(one[key] - np.array(wanted)).max() < 1e-6, key


def test_gimbal_lock_is_stored_as_the_viewer_stores_it() -> None:
    """Section 2.4: x 30, y 90, z 0 degrees."""
    stored = angles(euler(math.radians(30), math.radians(90), 0.0))
    assert np.abs(np.array(stored) - np.array([0, math.pi / 2, 0.5235988])).max() < 1e-6


def test_the_posers_offsets() -> None:
    """Section 4.4."""
    text = pose_file.poser_bvh({}, np.zeros(3), set()).decode()
    last = text.splitlines()[-1].split("  ")
    assert last[0] == "0.000000 0.000000 0.000000" and last[1] == "0.295000 0.000000 0.000000"
    told = {row.split()[0] for row in last[1:]}
    upper = "650000 492424 393939 281385 246212 218855 179063 164141 151515 140693 295000"
    lower = "043771 042819 041908 041035 040198 039394"
    assert told == {"0." + digits for digits in f"{upper} {lower}".split()}
    assert len(last) == 156
