# SPDX-License-Identifier: MIT
"""Files beside a glTF file, which its buffers may name, and what a hostile one may ask for."""

from __future__ import annotations

import base64
import json
import os
import struct
import subprocess
import sys
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
    """Every channel moves by a million keys of its own, for which the file has no bytes."""
    keys = 1 << 20
    scene = {
        "asset": {"version": "2.0"},
        "nodes": [{} for _ in range(nodes)],
        "accessors": [
            {"componentType": 5126, "type": kind, "count": keys} for kind in ["SCALAR"] + ["VEC3"] * 2 * nodes
        ],
        "animations": [
            {
                "samplers": [{"input": 0, "output": 1 + channel} for channel in range(2 * nodes)],
                "channels": [
                    {"sampler": 2 * node + scales, "target": {"node": node, "path": path_of}}
                    for node in range(nodes)
                    for scales, path_of in enumerate(("translation", "scale"))
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


def turning(path: Path, copies: int) -> Path:
    """Three nodes that turn by the same keys, for which the file has `copies` of the accessors. The third key
    has no length, and the fourth goes back in time."""
    times = [0.0, 0.5, 1.0, 0.25, 2.0]
    rows = [(0, 0, 0, 1), (0, 0, 0.6, 0.8), (0, 0, 0, 0), (0, 1, 0, 0), (0, 0, -0.6, -0.8)]
    data = struct.pack("<5f", *times) + struct.pack("<20f", *(number for row in rows for number in row))
    accessors = [
        {"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 5},
        {"bufferView": 0, "byteOffset": 20, "componentType": 5126, "type": "VEC4", "count": 5},
    ]
    samplers = [{"input": 2 * (node % copies), "output": 2 * (node % copies) + 1} for node in range(3)]
    scene = {
        "asset": {"version": "2.0"},
        "nodes": [
            {"name": name, "translation": [0, 1, 0], "children": [node + 1] if node < 2 else []}
            for node, name in enumerate("abc")
        ],
        "scenes": [{"nodes": [0]}],
        "buffers": [
            {
                "byteLength": len(data),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii"),
            }
        ],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "accessors": accessors * copies,
        "animations": [
            {
                "samplers": samplers,
                "channels": [
                    {"sampler": node, "target": {"node": node, "path": "rotation"}} for node in range(3)
                ],
            }
        ],
    }
    path.write_text(json.dumps(scene), encoding="utf-8")
    return path


def test_channels_that_share_keys_move_like_those_with_keys_of_their_own(tmp_path: Path) -> None:
    made = []
    for copies in (1, 3):
        scene = turning(tmp_path / "turning.gltf", copies)
        motion = tmp_path / f"{copies}.bvh"
        assert run("convert", scene, motion, "--fps", 4).returncode == 0
        text = tmp_path / f"{copies}.json"
        assert run("convert", scene, text).returncode == 0
        document = json.loads(text.read_text(encoding="utf-8"))
        assert [len(one["times_seconds"]) for one in document["animations"][0]["channels"]] == [3, 3, 3]
        (checked,) = json.loads(run("check", "--json", scene).stdout)["files"]
        del checked["bytes"]  # the accessors are as many as the copies
        made.append((motion.read_bytes(), checked, document["notes"]))
    assert made[0] == made[1]
    assert len(made[0][2]) == 6  # two for each node


def test_an_error_quotes_no_megabytes(tmp_path: Path) -> None:
    scene = json.loads(turning(tmp_path / "long.gltf", 1).read_text(encoding="utf-8"))
    scene["nodes"][0]["name"] = "\u00e9" * 2_500_000
    scene["accessors"][1]["count"] = 4  # of five keys
    (tmp_path / "long.gltf").write_text(json.dumps(scene, ensure_ascii=False), encoding="utf-8")
    answer = run("info", tmp_path / "long.gltf")
    assert answer.returncode == 1
    assert len(answer.stderr) < 8192
    assert "a channel of node" in answer.stderr
    assert answer.stderr.endswith("has 5 times and 4 values of 4 numbers; needed are 5 of 4\n")
    assert "\ufffd" not in answer.stderr


def sharing(path: Path, nodes: int, keys: int) -> Path:
    """Every node moves by the same two accessors."""
    numbers = [key / 30 for key in range(keys)] + [1 / (3 + number) for number in range(3 * keys)]
    data = struct.pack(f"<{4 * keys}f", *numbers)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")
    scene = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": f"n{node}"} for node in range(nodes)],
        "scenes": [{"nodes": list(range(nodes))}],
        "buffers": [{"byteLength": len(data), "uri": uri}],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": keys},
            {"bufferView": 0, "byteOffset": 4 * keys, "componentType": 5126, "type": "VEC3", "count": keys},
        ],
        "animations": [
            {
                "samplers": [{"input": 0, "output": 1}],
                "channels": [
                    {"sampler": 0, "target": {"node": node, "path": "translation"}} for node in range(nodes)
                ],
            }
        ],
    }
    path.write_text(json.dumps(scene), encoding="utf-8")
    return path


PEAK = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(status, used.ru_maxrss)
"""


def test_json_of_keys_that_channels_share_keeps_the_limit(tmp_path: Path) -> None:
    scene = sharing(tmp_path / "sharing.gltf", 1500, 600)
    made = tmp_path / "made.json"
    answer = run("convert", scene, made, "--memory-mib", 128)
    assert answer.returncode == 1
    assert "more than the 128 MiB that are allowed" in answer.stderr
    assert not made.exists()
    # Started by a small process: the peak of a new one is at first that of the one that it comes from.
    words = [str(COMMAND), "convert", str(scene), str(made), "--memory-mib", "160"]
    told = subprocess.check_output([sys.executable, "-c", PEAK, *words], text=True)
    status, peak_kib = map(int, told.split()[-2:])
    assert status == 0
    assert peak_kib < 160 << 10
