# SPDX-License-Identifier: MIT
"""A scene gives the same bytes each time, whatever was in memory before."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from material import ROOT

COMMAND = ROOT / "build" / "bin" / "animbridge"


def written(target: Path, source: Path, filler: int) -> bytes:
    """The file that a conversion makes while fresh memory is full of `filler`."""
    answer = subprocess.run(
        [str(COMMAND), "convert", str(source), str(target)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "MALLOC_PERTURB_": str(filler)},
    )
    assert answer.returncode == 0, answer.stderr
    return target.read_bytes()


@pytest.mark.parametrize("ending", ["glb", "fbx", "dae"])
def test_memory_leaves_no_trace(ending: str, tmp_path: Path) -> None:
    source = ROOT / "fixtures" / "mrtk" / "flags_camera_gaze.bin"
    first = written(tmp_path / f"first.{ending}", source, 0x55)
    assert first == written(tmp_path / f"second.{ending}", source, 0xAA)
