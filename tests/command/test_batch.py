# SPDX-License-Identifier: MIT
"""Batches between files: inputs, outputs, report, exit codes."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from batch_programs import COMMAND, OWN_FOLDER, files_below
from batch_programs import run_command as run
from material import ROOT, UNREADABLE, demos

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
DOOR = ROOT / "fixtures" / "oban" / "door.oban"
BROKEN = next(case.path for case in UNREADABLE if case.path.name == "cut_in_keys.anim")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """in/walk.anim, in/deep/er/wave.anim, in/notes.txt"""
    folder = tmp_path / "in"
    (folder / "deep" / "er").mkdir(parents=True)
    shutil.copy(WALK, folder / "walk.anim")
    shutil.copy(WAVE, folder / "deep" / "er" / "wave.anim")
    (folder / "notes.txt").write_text("no animation")
    return folder


def convert(*arguments: object) -> tuple[int, list[dict[str, Any]], dict[str, Any]]:
    """Runs the batch with a report; its exit code, rows and totals."""
    out = Path(str(arguments[list(arguments).index("--out") + 1]))
    report = out.parent / "report.json"
    code = run([*map(str, arguments), "--report", str(report)])
    told = json.loads(report.read_text())
    return code, told["rows"], told["totals"]


def test_folder_keeps_its_structure(tree: Path, tmp_path: Path) -> None:
    code, rows, totals = convert(tree, "--to", "anim", "--out", tmp_path / "out")
    assert code == 0
    assert files_below(tmp_path / "out") == {
        "walk.anim": WALK.read_bytes(),
        "deep/er/wave.anim": WAVE.read_bytes(),
    }
    assert [row["status"] for row in rows] == ["ok", "ok"]
    sizes = WALK.stat().st_size + WAVE.stat().st_size
    assert (totals["inputs"], totals["outputs"], totals["failed"]) == (2, 2, 0)
    assert totals["bytes_in"] == totals["bytes_out"] == sizes


def test_json_and_back(tree: Path, tmp_path: Path) -> None:
    assert convert(tree, "--to", "json", "--out", tmp_path / "json")[0] == 0
    assert convert(tmp_path / "json", "--to", "anim", "--out", tmp_path / "back")[0] == 0
    assert files_below(tmp_path / "back")["deep/er/wave.anim"] == WAVE.read_bytes()


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.anim", {"walk.anim"}),
        ("**/*.anim", {"walk.anim", "deep/er/wave.anim"}),
        ("d*/er", {"deep/er/wave.anim"}),
        ("deep/*/w*.anim", {"er/wave.anim"}),
    ],
)
def test_patterns(tree: Path, tmp_path: Path, pattern: str, expected: set[str]) -> None:
    """What lies below the fixed part of a pattern keeps its folders."""
    code, _, _ = convert(f"{tree}/{pattern}", "--to", "anim", "--out", tmp_path / "out")
    assert code == 0
    assert set(files_below(tmp_path / "out")) == expected


def test_any_file_is_looked_at(tmp_path: Path) -> None:
    data = tmp_path / "asset.dat"
    shutil.copy(WALK, data)
    assert convert(data, "--to", "anim", "--out", tmp_path / "out")[0] == 0
    assert files_below(tmp_path / "out") == {"asset.anim": WALK.read_bytes()}


def test_a_file_is_converted_once(tree: Path, tmp_path: Path) -> None:
    _, rows, _ = convert(
        tree / "walk.anim", f"{tree}/*.anim", tree / "walk.anim", "--to", "anim", "--out", tmp_path / "o"
    )
    assert len(rows) == 1


def test_bad_files_are_reported_and_the_rest_goes_on(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(BROKEN, tree / "broken.anim")
    old = tmp_path / "out" / "broken.anim"
    old.parent.mkdir()
    old.write_bytes(b"old")
    code, rows, totals = convert(tree, tmp_path / "none.anim", "--to", "anim", "--out", tmp_path / "out")
    assert code == 1 and totals["failed"] == 2 and totals["outputs"] == 2
    assert old.read_bytes() == b"old"
    broken = next(row for row in rows if row["input"].endswith("broken.anim"))
    assert broken["status"] == "failed" and "byte " in broken["error"] and "broken.anim" in broken["error"]
    missing = next(row for row in rows if row["input"].endswith("none.anim"))
    assert missing["output"] is None and "no such file" in missing["error"]
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert last.startswith("2 written, 2 failed")


def test_two_inputs_for_one_output(tree: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(WAVE, other / "walk.anim")
    code, rows, _ = convert(
        tree / "walk.anim", other / "walk.anim", "--to", "anim", "--out", tmp_path / "out"
    )
    assert code == 1
    assert [row["status"] for row in rows] == ["ok", "failed"]
    assert str(tree / "walk.anim") in rows[1]["error"] and str(other / "walk.anim") in rows[1]["error"]
    assert (tmp_path / "out" / "walk.anim").read_bytes() == WALK.read_bytes()


def test_an_input_is_never_written_over(tree: Path) -> None:
    before = files_below(tree)
    code, rows, _ = convert(tree, "--to", "anim", "--out", tree / ".." / "in")
    assert code == 1 and all(row["status"] == "failed" for row in rows)
    assert files_below(tree) == before


def test_the_output_folder_is_no_input(tree: Path) -> None:
    for _ in range(2):
        code, rows, _ = convert(tree, "--to", "json", "--out", tree / "out")
        assert code == 0
        assert len([row for row in rows if row["status"] == "ok"]) == 2
        (tree / "report.json").unlink()


def test_as_stored_and_level(tmp_path: Path) -> None:
    code, rows, _ = convert(
        WALK, "--to", "anim", "--out", tmp_path / "out", "--as-stored", "--level", "strict"
    )
    assert code == 0
    assert {"id", "class", "joint", "joint_count", "key", "byte_offset", "found"} == {
        key for f in rows[0]["findings"] for key in f
    } or (rows[0]["findings"] == [])


def test_empty_folder_and_pattern(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, rows, _ = convert(
        tmp_path / "empty", tmp_path / "*.anim", "--to", "anim", "--out", tmp_path / "out"
    )
    assert code == 1
    assert "contains no" in rows[0]["error"] and "matches the pattern" in rows[1]["error"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a.anim"],
        ["a.anim", "--to", "mp4", "--out", "o"],
        ["a.anim", "--to", "anim"],
        ["--to", "anim", "--out", "o"],
        ["a.anim", "--to", "blend", "--out", "o", "--frame-start", "nan"],
        ["a.anim", "--to", "blend", "--out", "o", "--frame-start", "1e9"],
        ["a.anim", "--to", "blend", "--out", "o", "--fps", "nan"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    assert run(arguments) == 2


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help-all"]) == 0
    said = capsys.readouterr().out
    for word in ("--to", "--out", "--report", "--fps", "--as-stored", "--jobs", "--resume", "--shard"):
        assert word in said


def test_out_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x")
    assert run([str(WALK), "--to", "anim", "--out", str(tmp_path / "out")]) == 2


def test_unwritable_output(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "walk.anim").mkdir()
    code, rows, _ = convert(WALK, "--to", "anim", "--out", tmp_path / "out")
    assert code == 1 and "walk.anim" in rows[0]["error"]
    assert {path.name for path in (tmp_path / "out").iterdir()} - {OWN_FOLDER} == {"walk.anim"}


def test_the_script_itself(tree: Path, tmp_path: Path) -> None:
    command = [COMMAND, "batch", tree, "--to", "anim", "--out", tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().splitlines()[-1].startswith("2 written, 0 failed")


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """A file name whose bytes are no UTF-8 is converted, printed and reported; the output's name is text."""
    folder = tmp_path / "in"
    folder.mkdir()
    name = os.fsdecode(b"odd \xff.anim")
    (folder / name).write_bytes(WALK.read_bytes())
    (folder / os.fsdecode(b"bad \xfe.anim")).write_bytes(b"x")
    code, rows, _ = convert(folder, "--to", "anim", "--out", tmp_path / "out")
    assert code == 1 and sorted(row["status"] for row in rows) == ["failed", "ok"]
    assert (tmp_path / "out" / "odd _.anim").read_bytes() == WALK.read_bytes()


def test_what_cannot_become_the_target_is_skipped(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The formats are at fault, not the file: the run goes well."""
    shutil.copy(DOOR, tree / "swing.oban")
    code, rows, totals = convert(tree, "--to", "anim", "--out", tmp_path / "out")
    assert code == 0 and (totals["outputs"], totals["failed"], totals["skipped"]) == (2, 0, 1)
    (skipped,) = [row for row in rows if row["status"] == "skipped"]
    assert skipped["input"].endswith("swing.oban") and skipped["output"] is None
    assert "Second Life" in skipped["error"]
    assert set(files_below(tmp_path / "out")) == {"walk.anim", "deep/er/wave.anim"}
    assert "2 written, 0 failed, 1 skipped" in capsys.readouterr().out


def test_a_run_that_skips_everything_fails(tmp_path: Path) -> None:
    assert convert(DOOR, "--to", "anim", "--out", tmp_path / "out")[0] == 1


def test_a_damaged_file_is_not_skipped(tmp_path: Path) -> None:
    broken = tmp_path / "broken.oban"
    broken.write_bytes(DOOR.read_bytes()[:50])
    code, rows, _ = convert(broken, WALK, "--to", "anim", "--out", tmp_path / "out")
    assert code == 1 and [row["status"] for row in rows] == ["failed", "ok"]


def test_quiet_prints_what_is_not_ok(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(BROKEN, tree / "broken.anim")
    shutil.copy(DOOR, tree / "swing.oban")
    assert run([str(tree), "--to", "anim", "--out", str(tmp_path / "out"), "--quiet"]) == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["failed", "skipped"]
    assert lines[-1].startswith("2 written, 1 failed, 1 skipped")


def test_rows_as_lines_of_json(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    out = str(tmp_path / "out")
    assert run([str(tree), "--to", "json", "--out", out, "--json-lines", "--report", str(report)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows == json.loads(report.read_text())["rows"] and len(rows) == 2


def test_a_bar_on_a_terminal(tree: Path, tmp_path: Path) -> None:
    """With the time that is left; it is gone when the table comes."""
    leader, follower = pty.openpty()
    command = [COMMAND, "batch", str(tree), "--to", "json", "--out", str(tmp_path / "out")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower) as process:
        os.close(follower)
        shown = b""
        with suppress(OSError):  # the terminal's end
            while part := os.read(leader, 4096):
                shown += part
        assert process.wait(timeout=60) == 0
    os.close(leader)
    text = shown.decode()
    assert "1/2" in text and "2/2" in text and "0:00 left" in text and "[####" in text
    assert "\n" not in text and text.endswith("\r\x1b[K")
