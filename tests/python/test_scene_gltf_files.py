# SPDX-License-Identifier: MIT
"""Files beside a glTF file, which its buffers may name, and what a hostile one may ask for."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "build" / "bin" / "animbridge"
BESIDE = ROOT / "fixtures" / "scene" / "beside.gltf"
DATA = BESIDE.parent / "beside it.bin"


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def test_the_buffer_beside_is_read_unless_that_is_forbidden(tmp_path: Path) -> None:
    assert run("convert", BESIDE, tmp_path / "made.bvh").returncode == 0
    answer = run("convert", BESIDE, tmp_path / "none.bvh", "--no-side-files")
    assert answer.returncode == 1
    assert "beside it.bin" in answer.stderr
    assert not (tmp_path / "none.bvh").exists()


@pytest.mark.parametrize("kind", ["above", "a link", "absolute", "backslashes"])
def test_no_buffer_is_read_from_outside_of_the_folder(kind: str, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    outside = tmp_path / "outside.bin"
    outside.write_bytes(DATA.read_bytes())
    (inner / "link.bin").symlink_to(outside)
    uri = {"above": "../outside.bin", "a link": "link.bin", "absolute": str(outside),
           "backslashes": "..\\\\outside.bin"}[kind]  # fmt: skip
    scene = inner / "scene.gltf"
    text = BESIDE.read_text(encoding="utf-8")
    scene.write_text(text.replace("beside%20it.bin", uri), encoding="utf-8")
    answer = run("info", scene)
    assert answer.returncode == 1
    assert "is not beside it" in answer.stderr
    # The same file inside is read.
    (inner / "inside.bin").write_bytes(DATA.read_bytes())
    scene.write_text(text.replace("beside%20it.bin", "inside.bin"), encoding="utf-8")
    assert run("info", scene).returncode == 0


def bomb(path: Path, nodes: int) -> Path:
    """Every node moves by the same million keys, for which the file has no bytes."""
    keys = 1 << 20
    scene = {
        "asset": {"version": "2.0"},
        "nodes": [{} for _ in range(nodes)],
        "accessors": [{"componentType": 5126, "type": kind, "count": keys} for kind in ("SCALAR", "VEC3")],
        "animations": [
            {
                "samplers": [{"input": 0, "output": 1}],
                "channels": [
                    {"sampler": 0, "target": {"node": node, "path": path_of}}
                    for node in range(nodes)
                    for path_of in ("translation", "scale")
                ],
            }
        ],
    }
    path.write_text(json.dumps(scene), encoding="utf-8")
    return path


def test_a_small_file_cannot_ask_for_all_the_memory(tmp_path: Path) -> None:
    """A hundred kilobytes ask for 60 GB."""
    answer = run("info", bomb(tmp_path / "bomb.gltf", 1000), "--memory-mib", 256)
    assert answer.returncode == 1
    assert "256 MiB" in answer.stderr
    assert "--memory-mib" in answer.stderr


def test_a_large_side_file_counts(tmp_path: Path) -> None:
    scene = tmp_path / "scene.gltf"
    scene.write_text(BESIDE.read_text(encoding="utf-8"), encoding="utf-8")
    with (tmp_path / DATA.name).open("wb") as file:
        file.write(DATA.read_bytes())
        os.truncate(file.fileno(), 65 << 20)
    assert "64 MiB" in run("info", scene, "--memory-mib", 64).stderr
    assert run("info", scene).returncode == 0
