# SPDX-License-Identifier: MIT
"""`convert in.bvh out.anim` writes the bytes of Second Life's own loader, as the witness works them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from material import BVH, bvh_samples
from tests.witness import bvh_loader
from tests.witness.bvh_loader_text import RefusalError
from tests.witness.skeleton import load_skeleton

from animbridge.convert import convert_file
from animbridge.errors import AnimBridgeError

FOLDER = BVH / "loader"
ROWS: list[dict[str, Any]] = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
LOADED = [row for row in ROWS if row["load"] == "ok"]
REFUSED = [row for row in ROWS if row["load"] == "refused"]
SAMPLES = bvh_samples()
PRE_2022 = {"loader": "pre2022"}


def name_of(value: object) -> str:
    """A test's name from a row or a path."""
    return value.stem if isinstance(value, Path) else str(value["name"] if isinstance(value, dict) else value)


@pytest.mark.parametrize("row", LOADED, ids=name_of)
def test_fixture(row: dict[str, Any], tmp_path: Path) -> None:
    source, target = FOLDER / f"{row['name']}.bvh", tmp_path / "out.anim"
    convert_file(source, target)
    assert target.read_bytes() == source.with_suffix(".anim").read_bytes()
    convert_file(source, target, conversion=PRE_2022)
    assert target.read_bytes() == (FOLDER / f"{row['name']}.pre2022.anim").read_bytes()


@pytest.mark.parametrize("row", LOADED, ids=name_of)
def test_dropped_joints_are_told(row: dict[str, Any], tmp_path: Path) -> None:
    report = convert_file(FOLDER / f"{row['name']}.bvh", tmp_path / "out.anim")
    text = json.dumps(report)
    assert [name for name in row["dropped"] if name not in text] == []


@pytest.mark.parametrize("row", LOADED, ids=name_of)
def test_stored_asset_is_refused_where_the_upload_is(row: dict[str, Any], tmp_path: Path) -> None:
    source, target = FOLDER / f"{row['name']}.bvh", tmp_path / "out.anim"
    if row["upload"] == "ok":
        convert_file(source, target, as_stored=True)
        assert target.exists()
        return
    with pytest.raises(AnimBridgeError):
        convert_file(source, target, as_stored=True)
    assert not target.exists()


@pytest.mark.parametrize("row", REFUSED, ids=name_of)
def test_refusal_names_its_rule(row: dict[str, Any], tmp_path: Path) -> None:
    source, target = FOLDER / f"{row['name']}.bvh", tmp_path / "out.anim"
    with pytest.raises(AnimBridgeError):
        convert_file(source, target, strict=True)
    assert not target.exists()


@pytest.mark.parametrize("timing", ["current", "pre2022"])
@pytest.mark.parametrize("path", SAMPLES, ids=name_of)
def test_sample(path: Path, timing: bvh_loader.Timing, tmp_path: Path) -> None:
    target = tmp_path / "out.anim"
    expected = bvh_loader.convert(path.read_bytes(), load_skeleton(), timing)
    convert_file(path, target, conversion=PRE_2022 if timing == "pre2022" else None)
    assert target.read_bytes() == expected.data()


def test_every_refusal_is_of_the_witness() -> None:
    for row in REFUSED:
        with pytest.raises(RefusalError) as caught:
            bvh_loader.convert((FOLDER / f"{row['name']}.bvh").read_bytes(), load_skeleton())
        assert caught.value.rule == row["rule"]


def test_opensim_takes_what_is_too_long_for_second_life(tmp_path: Path) -> None:
    """The same bytes: only what counts as refused differs."""
    lines = (FOLDER / "rule01_cr.bvh").read_text(encoding="utf-8").splitlines()
    slow = ["Frame Time: 50" if line.startswith("Frame Time:") else line for line in lines]
    source, target = tmp_path / "slow.bvh", tmp_path / "out.anim"
    source.write_text("\n".join(slow) + "\n", encoding="utf-8")
    refused = convert_file(source, target)["refused"]
    assert [row["id"] for row in refused] == ["duration_too_long"]
    written = target.read_bytes()
    report = convert_file(source, target, conversion={"grid": "opensim"})
    assert (report["refused"], report["made_for"]) == ([], "OpenSim")
    assert target.read_bytes() == written
