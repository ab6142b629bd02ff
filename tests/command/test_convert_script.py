# SPDX-License-Identifier: MIT
"""scripts/convert asks for Blender only where a .blend file is involved."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WALK = ROOT / "fixtures" / "demo" / "walk.anim"


def convert(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """With no Blender to be had."""
    return subprocess.run(
        [str(ROOT / "scripts" / "convert"), *words],
        cwd=folder,
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        env={**os.environ, "ANIMBRIDGE_BLENDER": str(folder / "no Blender")},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    shutil.copy(WALK, tmp_path / "in" / "walk.anim")
    return tmp_path


@pytest.mark.parametrize("inputs", ["in", "in/*.anim", "in/walk.anim"])
def test_files_to_files_need_no_blender(inputs: str, folder: Path) -> None:
    answer = convert(folder, inputs, "--to", "bvh", "--out", "out", "--report", "report.json", "--jobs", "2")
    assert answer.returncode == 0, answer.stderr
    assert (folder / "out" / "walk.bvh").is_file()
    assert json.loads((folder / "report.json").read_text("utf-8"))["rows"][0]["status"] == "ok"


def test_options_of_blend_files_need_none(folder: Path) -> None:
    answer = convert(folder, "in", "--to", "bvh", "--out", "out", "--facing", "x", "--fps=25")
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("in", "--to", "blend"),
        ("in", "--to=blend"),
        ("with/scene.blend", "--to", "anim"),
        ("with", "--to", "anim"),
        ("with/*", "--to", "anim"),
    ],
)
def test_blend_files_need_it(words: tuple[str, ...], folder: Path) -> None:
    (folder / "with" / "deep").mkdir(parents=True)
    for name in ("scene.blend", "deep/Scene.BLEND"):
        (folder / "with" / name).write_bytes(b"BLENDER")
    answer = convert(folder, *words, "--out", "out")
    assert answer.returncode == 1
    assert "Blender cannot be started: " in answer.stdout and "no Blender" in answer.stdout
    assert "0 written, " in answer.stdout
