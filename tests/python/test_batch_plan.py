# SPDX-License-Identifier: MIT
"""Plans of `animbridge batch`, and doing parts of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from batch_programs import OWN_FOLDER, files_below
from material import demos
from test_batch_command import batch

WALK = next(path for path in demos() if path.name == "walk.anim")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The current folder of the calls: in/, with two inputs for one output."""
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for name in ("a.anim", "b.anim", "b.animatn", "deep/c.anim"):
        shutil.copy(WALK, tmp_path / "in" / name)
    return tmp_path


def test_plan_lists_inputs_and_options(folder: Path) -> None:
    words = [
        "in",
        "nothing.anim",
        "--to",
        "bvh",
        "--out",
        "out",
        "--level",
        "strict",
        "--jobs",
        "2",
        "--quiet",
    ]
    done = batch(*words, "--quiet", "--plan", "plan.jsonl", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    header, *rows = lines_of(folder / "plan.jsonl")
    assert header["folder"] == str(folder) and header["out"] == "out" and header["reserved"] == []
    assert header["arguments"] == ["--to", "bvh", "--out", "out", "--level", "strict"]
    assert [(row["input"], row["folder"]) for row in rows] == [
        ("in/a.anim", ""),
        ("in/b.anim", ""),
        ("in/b.animatn", ""),
        ("in/deep/c.anim", "deep"),
        ("nothing.anim", ""),
    ]
    stat = (folder / "in" / "a.anim").stat()
    assert (rows[0]["size"], rows[0]["modified"]) == (stat.st_size, stat.st_mtime_ns)
    assert rows[4]["fault"] == "there is no such file"
    assert not files_below(folder / "out")


def test_parts_are_the_whole(folder: Path) -> None:
    """Each with the header, in any order; their ledgers are that of a single run."""
    single = batch("in", "--to", "bvh", "--out", "single", cwd=folder)
    batch("in", "--to", "bvh", "--out", "out", "--plan", "plan.jsonl", cwd=folder)
    header, *rows = (folder / "plan.jsonl").read_text(encoding="utf-8").splitlines()
    ledger: list[dict[str, Any]] = []
    for number, part in enumerate((rows[3:], rows[:3])):
        text = "\n".join([header, *part])
        words = ["--planned", "-", "--ledger", f"{number}.jsonl", "--to", "bvh", "--out", "out"]
        done = batch(*words, given=text.encode(), cwd=folder)
        assert done.returncode == number, done.stderr  # the second has two inputs for one output
        ledger += lines_of(folder / f"{number}.jsonl")
    assert single.returncode == 1
    assert files_below(folder / "out") == files_below(folder / "single")
    rows_of_single = lines_of(folder / "single" / OWN_FOLDER / "ledger.jsonl")
    assert sorted(ledger, key=lambda row: row["path"]) == sorted(rows_of_single, key=lambda row: row["path"])
    assert not (folder / "out" / OWN_FOLDER / "ledger.jsonl").read_bytes()


def test_plan_leaves_out_what_is_done(folder: Path) -> None:
    words = ["in/a.anim", "in/deep", "--to", "bvh", "--out", "out"]
    batch(*words, cwd=folder)
    (folder / "out" / "c.bvh").unlink()
    done = batch(*words, "--resume", "--plan", "plan.jsonl", cwd=folder)
    assert done.stderr.strip().endswith("plan.jsonl lists 1 input of 2.")
    header, row = lines_of(folder / "plan.jsonl")
    assert row["input"] == "in/deep/c.anim"
    ledger = folder / "out" / OWN_FOLDER / "ledger.jsonl"
    assert header["ledger_bytes"] == ledger.stat().st_size
    assert header["options"] == lines_of(ledger)[0]["options"]


def test_part_replaces_no_input_of_the_whole(folder: Path) -> None:
    """A level's or a scene's outputs may have the name of any input in the output folder."""
    batch(WALK, "--to", "bvh", "--out", "in", cwd=folder)
    kept = (folder / "in" / "walk.bvh").read_bytes()
    batch("in/walk.bvh", WALK, "--to", "bvh", "--out", "in", "--plan", "plan.jsonl", cwd=folder)
    header, *rows = (folder / "plan.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(header)["reserved"] == ["in/walk.bvh"]
    words = ["--planned", "-", "--ledger", "l.jsonl", "--to", "bvh", "--out", "in", "--level", "strict"]
    done = batch(*words, given=f"{header}\n{rows[1]}".encode(), cwd=folder)
    assert done.returncode == 1 and "which is an input" in done.stdout
    assert (folder / "in" / "walk.bvh").read_bytes() == kept


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["in", "--planned", "p", "--ledger", "l"], "--planned does what the plan lists; leave out inputs"),
        (["--planned", "p", "--ledger", "l", "--resume"], "leave out inputs, --from, --shard, --resume"),
        (["--planned", "p"], "--planned and --ledger go together"),
        (["in", "--ledger", "l"], "--planned and --ledger go together"),
        (["in", "--plan", "p", "--shard", "1/2"], "--plan converts nothing; leave out"),
        (["in", "--plan", "p", "--json-lines"], "--plan converts nothing; leave out"),
    ],
)
def test_contradictions_are_said(folder: Path, words: list[str], said: str) -> None:
    done = batch(*words, "--to", "bvh", "--out", "out", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (folder / "out").exists()
