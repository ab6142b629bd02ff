# SPDX-License-Identifier: MIT
"""One animation of a level by its name, in levels that the witness makes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from batch_programs import COMMAND, files_below
from material import ROOT
from test_batch_command import batch
from tests.witness import oban_any, oban_file, oban_level

NAMES = {"Door_A": "door.oban", "swing": "swing.oban"}


def record_in(path: Path) -> oban_file.Record:
    """Without the ids, which are the file's own."""
    return oban_file.with_pre_header(oban_any.read(path.read_bytes()).found[0].record, 0, 0)


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, check=False)


@pytest.fixture
def level(tmp_path: Path) -> Path:
    folder = ROOT / "fixtures" / "oban"
    records = {name: oban_file.parse_raw((folder / file).read_bytes()) for name, file in NAMES.items()}
    path = tmp_path / "level0_Final.dat"
    path.write_bytes(oban_level.create(records, "Final"))
    return path


@pytest.mark.parametrize(
    ("called", "name"), [("swing", "swing"), ("OBANDoor_A", "Door_A"), ("#0", "Door_A"), ("#1", "swing")]
)
def test_convert_takes_it_to_every_format(level: Path, tmp_path: Path, called: str, name: str) -> None:
    expected = record_in(ROOT / "fixtures" / "oban" / NAMES[name])
    for ending in ("oban", "oni", "xml", "json", "glb"):
        made = tmp_path / f"made.{ending}"
        answer = run("convert", f"{level}#{called}", made)
        assert answer.returncode == 0, answer.stderr
        if ending in ("oban", "oni"):
            assert record_in(made) == expected
        if ending == "json":
            assert json.loads(made.read_text(encoding="utf-8"))["name"] == name
    # What came from JSON is the same.
    assert run("convert", tmp_path / "made.json", tmp_path / "again.oban").returncode == 0
    assert record_in(tmp_path / "again.oban") == expected
    assert run("compare", f"{level}#{called}", ROOT / "fixtures" / "oban" / NAMES[name]).returncode == 0
    assert f"  {name}\n" in run("info", f"{level}#{called}").stdout


def test_a_name_that_is_not_there(level: Path, tmp_path: Path) -> None:
    answer = run("convert", f"{level}#nobody", tmp_path / "made.oni")
    assert answer.returncode == 2 and 'found no OBAN "nobody"; allowed are Door_A, swing' in answer.stderr
    assert not (tmp_path / "made.oni").exists()


@pytest.mark.parametrize("option", ["--animation", "--oban"])
def test_batch_takes_it_of_each_level(level: Path, tmp_path: Path, option: str) -> None:
    """With --fps, which is for glb: it stays an option of the conversion."""
    done = batch(level, "--to", "glb", "--out", tmp_path / "out", option, "swing", "--fps", "30")
    assert done.returncode == 0, done.stdout
    assert set(files_below(tmp_path / "out")) == {"level0_Final/swing.glb"}
    done = batch(level, "--to", "oni", "--out", tmp_path / "none", option, "nobody")
    assert done.returncode == 1 and "allowed are Door_A, swing" in done.stdout
