# SPDX-License-Identifier: MIT
"""Clip tools on BVH: a file does not say its unit, and tools take and report metres all the same."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from clip_files import COMMAND, edit
from tests.witness import anim_file
from tests.witness.bvh_file import Bvh, Joint, parse, write

RATE = 30
FRAMES = 61
UNITS = {"metres": 1.0, "centimetres": 0.01, "inches": 0.0254}
TURNS = ["Zrotation", "Xrotation", "Yrotation"]
#: Of a person of 1.7 m: the parent, and where it rests in metres; Y is up, and it looks along Z.
BODY: dict[str, tuple[str | None, tuple[float, float, float]]] = {
    "Hips": (None, (0, 0.95, 0)),
    "Spine": ("Hips", (0, 0.15, 0)),
    "Chest": ("Spine", (0, 0.2, 0)),
    "Neck": ("Chest", (0, 0.2, 0)),
    "Head": ("Neck", (0, 0.1, 0)),
    **{
        side + name: (side + parent if parent not in ("Hips", "Chest") else parent, (sign * x, y, z))
        for side, sign in (("Left", 1), ("Right", -1))
        for name, parent, x, y, z in (
            *(("UpLeg", "Hips", 0.1, -0.05, 0), ("Leg", "UpLeg", 0, -0.42, 0), ("Foot", "Leg", 0, -0.42, 0)),
            *(("ToeBase", "Foot", 0, -0.04, 0.12), ("Arm", "Chest", 0.18, 0.15, 0)),
            *(("ForeArm", "Arm", 0.28, 0, 0), ("Hand", "ForeArm", 0.25, 0, 0)),
        )
    },
}


def path_metres(frame: int) -> tuple[float, float, float]:
    """Of the hips: 1.2 m forward in two seconds, and a shake that is no more than 9 mm."""
    return 0.009 * math.sin(frame * 2.9), 0.95 + 0.02 * math.sin(frame / 5), 0.6 * frame / RATE


def file_in(unit: float) -> Bvh:
    """The same motion in metres divided by the unit."""
    names = list(BODY)
    joints: list[Joint] = []
    for name, (parent, (x, y, z)) in BODY.items():
        is_end = name.endswith(("Hand", "ToeBase", "Head"))
        ends = [("", (0.0, 0.1 / unit, 0.0))] if is_end else []
        channels = ["Xposition", "Yposition", "Zposition", *TURNS] if parent is None else TURNS
        above = names.index(parent) if parent else None
        joints.append(Joint(name, above, (x / unit, y / unit, z / unit), channels, ends))
    motion = [
        [*(v / unit for v in path_metres(i)), *(20 * math.sin(i / 7 + k) for k in range(3 * len(joints)))]
        for i in range(FRAMES)
    ]
    return parse(write(Bvh(joints, 1 / RATE, motion)))  # joints in file order


def edited(folder: Path, bvh: Bvh, *options: str) -> tuple[Bvh, list[dict[str, Any]]]:
    """What the command writes, and the rows of its tools. It is what they make of the motion."""
    source = folder / "in.bvh"
    source.write_bytes(write(bvh))
    data, told = edit(source, folder / "out.bvh", *options, "--json")
    assert data is not None, told
    report = json.loads(told)["edits"]
    assert report["largest_difference"]["position_mm"] < 40  # frames cut a corner of retimed motion
    return parse(data), report["tools"]


def hips(bvh: Bvh, unit: float) -> list[list[float]]:
    """The path in metres."""
    return [[v * unit for v in row[:3]] for row in bvh.motion]


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_travel_is_in_metres(unit: float, tmp_path: Path) -> None:
    bvh = file_in(unit)
    made, rows = edited(tmp_path, bvh, "--no-travel")
    assert rows[0]["way_metres"] == pytest.approx(1.2, abs=0.02)
    start, end = hips(made, unit)[0], hips(made, unit)[-1]
    assert end[0] == pytest.approx(start[0], abs=1e-5)
    assert end[2] == pytest.approx(start[2], abs=1e-5)
    again, _ = edited(tmp_path, made, "--travel", "1.5")
    for frame, row in enumerate(hips(again, unit)):
        before = hips(made, unit)[frame]
        assert row == pytest.approx([before[0], before[1], before[2] + 1.5 * frame / RATE], abs=1e-5)
    # The other channels keep their numbers, digit for digit.
    assert [row[3:] for row in again.motion] == [row[3:] for row in bvh.motion]


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_a_bound_is_in_millimetres(unit: float, tmp_path: Path) -> None:
    bvh = file_in(unit)
    made, rows = edited(tmp_path, bvh, "--smooth", "0.5,4")
    away = [math.dist(a, b) for a, b in zip(hips(bvh, unit), hips(made, unit), strict=True)]
    assert max(away) == pytest.approx(0.004, abs=1e-4)
    assert rows[0]["max_position_change_mm"] == pytest.approx(1000 * max(away), abs=0.01)


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_a_file_that_is_written_anew_keeps_its_unit(unit: float, tmp_path: Path) -> None:
    bvh = file_in(unit)
    made, rows = edited(tmp_path, bvh, "--retime", "0=0,1=1.5,2=2", "--close-loop")
    assert [row["tool"] for row in rows] == ["retime", "close-loop"]
    assert rows[1]["max_position_change_mm"] < 2000
    for old, new in zip(bvh.joints, made.joints, strict=True):
        assert new.offset == pytest.approx(old.offset, abs=1e-5)
    assert hips(made, unit)[45] == pytest.approx(path_metres(30), abs=1e-4)


def test_a_conversion_in_parts(tmp_path: Path) -> None:
    """The parts are those of the converted file, and one that exists stays."""
    source, whole = tmp_path / "in.bvh", tmp_path / "whole.anim"
    source.write_bytes(write(file_in(0.0254)))

    def converted(name: str, *options: str) -> subprocess.CompletedProcess[str]:
        words = [COMMAND, "convert", source, tmp_path / name, "--retarget", *options]
        return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)

    assert converted("whole.anim").returncode == 0
    done = converted("made.anim", "--split", "1s", "--json")
    assert done.returncode == 0, done.stderr
    parts = json.loads(done.stdout)["parts"]
    assert [row["output"] for row in parts] == [str(tmp_path / f"made-{i + 1}.anim") for i in range(3)]
    assert [row["start_seconds"] for row in parts] == [0.0, *(row["end_seconds"] for row in parts[:-1])]
    assert parts[-1]["end_seconds"] == pytest.approx(2.0, abs=1e-3)
    assert not (tmp_path / "made.anim").exists()
    edit(whole, tmp_path / "again.anim", "--split", "1s")
    for i, row in enumerate(parts):
        data = Path(row["output"]).read_bytes()
        assert data == (tmp_path / f"again-{i + 1}.anim").read_bytes()
        length = row["end_seconds"] - row["start_seconds"] + (0.3 if i < 2 else 0.0)
        assert float(anim_file.parse(data).duration) == pytest.approx(length, abs=1e-3)
    (tmp_path / "made-1.anim").unlink()
    refused = converted("made.anim", "--split", "1s")
    assert refused.returncode != 0
    assert "made-2.anim" in refused.stderr
    assert not (tmp_path / "made-1.anim").exists()


def test_a_batch_in_parts(tmp_path: Path) -> None:
    """Each input's parts are those of a conversion; other limits make a resumed batch do them again."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for name in ("one.bvh", "two.bvh"):
        (folder / name).write_bytes(write(file_in(0.0254)))
    (folder / "broken.bvh").write_text("HIERARCHY\n")

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False, timeout=60)

    def batch(*options: str) -> subprocess.CompletedProcess[str]:
        report = ("--report", tmp_path / "r.json")
        return run("batch", folder, "--to", "anim", "--out", out, "--retarget", *report, *options)

    def rows() -> list[dict[str, Any]]:
        written: list[dict[str, Any]] = json.loads((tmp_path / "r.json").read_text())["rows"]
        return written

    assert batch("--split", "1s").returncode == 1
    broken, *parts = rows()
    assert broken["status"] == "failed"
    assert "broken.bvh" in broken["error"]
    names = [f"{stem}-{number}.anim" for stem in ("one", "two") for number in (1, 2, 3)]
    assert sorted(path.name for path in out.glob("*.anim")) == names
    assert [Path(row["output"]).name for row in parts] == names
    assert (
        run("convert", folder / "one.bvh", tmp_path / "one.anim", "--retarget", "--split", "1s").returncode
        == 0
    )
    for name in names[:3]:
        assert (out / name).read_bytes() == (tmp_path / name).read_bytes()
    assert [row["conversion"]["part"]["bytes"] for row in parts] == [row["bytes_out"] for row in parts]

    batch("--split", "1s", "--resume")
    assert [row["status"] for row in rows()[1:]] == ["current"] * 6
    batch("--split", "1.5s", "--resume")
    assert [row["status"] for row in rows()[1:]] == ["ok"] * 4
    batch("--split", "1.5s", "--trim", "0:1", "--resume")
    assert [row["status"] for row in rows()[1:]] == ["ok"] * 2
