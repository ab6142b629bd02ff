# SPDX-License-Identifier: MIT
"""The script that people run on systems that we don't have."""

from __future__ import annotations

import runpy

import pytest
from tests.python.material import ROOT

pytestmark = pytest.mark.compat


def test_what_works_and_what_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "scripts" / "try_installed.py"))
    first, *rows = capsys.readouterr().out.splitlines()
    assert first.startswith("AnimBridge in Blender ")
    assert [row.split()[:2] for row in rows if "FAILED" in row or "works" in row] == [
        ["works", f"wave.{ending}"] for ending in ("anim", "bvh", "glb", "fbx", "dae")
    ]


@pytest.mark.usefixtures("no_program")
def test_a_fault_is_a_row_of_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "scripts" / "try_installed.py"))
    rows = [row for row in capsys.readouterr().out.splitlines() if row.startswith(("works", "FAILED"))]
    assert [row.split()[1] for row in rows if row.startswith("FAILED")] == [
        "wave.glb",
        "wave.fbx",
        "wave.dae",
    ]
    assert all("animbridge-scene" in row for row in rows if row.startswith("FAILED"))
