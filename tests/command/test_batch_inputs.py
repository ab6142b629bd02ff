# SPDX-License-Identifier: MIT
"""What a batch takes for an input: nothing that is no file, and none of its own outputs."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from batch_programs import COMMAND, files_below
from batch_programs import run_command as run
from material import ROOT, demos

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")


def convert(*arguments: object, report: Path) -> tuple[int, list[dict[str, Any]]]:
    """Runs the batch with a report; its exit code and rows."""
    code = run([*map(str, arguments), "--report", str(report)])
    return code, json.loads(report.read_text())["rows"]


def fill(folder: Path) -> Path:
    """walk.anim and deep/wave.anim"""
    (folder / "deep").mkdir(parents=True)
    shutil.copy(WALK, folder / "walk.anim")
    shutil.copy(WAVE, folder / "deep" / "wave.anim")
    return folder


@pytest.mark.parametrize("spelling", ["folder", "files", "tree"])
def test_out_is_the_folder_of_the_inputs(spelling: str, tmp_path: Path) -> None:
    """The same command does the same twice: neither its outputs nor its report are inputs."""
    folder = fill(tmp_path / "in")
    given = {"folder": [folder], "files": [f"{folder}/*"], "tree": [f"{folder}/**"]}
    before = {path: path.read_bytes() for path in folder.rglob("*.anim")}
    for _ in range(2):
        code, rows = convert(*given[spelling], "--to", "json", "--out", folder, report=folder / "told.json")
        assert code == 0
        made = {str(folder / "walk.json"), str(folder / "deep" / "wave.json")}
        assert {row["output"] for row in rows} == made
        assert len(rows) == 2 and {row["status"] for row in rows} == {"ok"}
    assert {path: path.read_bytes() for path in folder.rglob("*.anim")} == before


def test_out_is_above_the_inputs(tmp_path: Path) -> None:
    folder = fill(tmp_path / "project" / "in")
    for given in (folder, f"{folder}/**/*.anim"):
        code, rows = convert(given, "--to", "json", "--out", tmp_path / "project", report=tmp_path / "r.json")
        assert code == 0 and len(rows) == 2
        assert (tmp_path / "project" / "deep" / "wave.json").is_file()


def test_only_outputs_are_there(tmp_path: Path) -> None:
    """No input is written over, and the message says why nothing is done."""
    folder = fill(tmp_path / "in")
    before = {path: path.read_bytes() for path in folder.rglob("*.anim")}
    for given in (folder, f"{folder}/*.anim"):
        code, rows = convert(given, "--to", "anim", "--out", folder, report=tmp_path / "r.json")
        assert code == 1 and len(rows) == 1 and "output" in rows[0]["error"]
    assert files_below(folder) == {str(path.relative_to(folder)): data for path, data in before.items()}
    # Given by name it is an input, and as such not written over.
    code, rows = convert(folder / "walk.anim", "--to", "anim", "--out", folder, report=tmp_path / "r.json")
    assert code == 1 and "is an input" in rows[0]["error"]


def odd_things(folder: Path) -> dict[str, str]:
    """What no batch may open: {its name: a word of what it is}."""
    os.mkfifo(folder / "pipe.anim")
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(folder)  # the path of a socket is short
        server.bind("socket.bvh")
    (folder / "device.anim").symlink_to("/dev/zero")
    (folder / "nowhere.oni").symlink_to(folder / "missing")
    (folder / "circle.dat").symlink_to(folder / "circle.dat")
    (folder / "loop").symlink_to(folder)
    (folder / "folder.anim").mkdir()
    return {
        "pipe.anim": "FIFO",
        "socket.bvh": "socket",
        "device.anim": "device",
        "nowhere.oni": "leads nowhere",
        "circle.dat": "leads back to itself",
    }


def in_a_process(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The batch where a hang can be ended."""
    command = [COMMAND, "batch", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_what_is_no_file_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # and back
    folder = fill(tmp_path / "in")
    odd = odd_things(folder)
    report = tmp_path / "r.json"
    for given in ([folder], [f"{folder}/**/*.*"], [f"{folder}/*.*"], [folder / name for name in odd]):
        done = in_a_process(*given, "--to", "json", "--out", tmp_path / "out", "--report", report)
        assert done.returncode == 1, done.stderr
        rows = {Path(row["input"]).name: row for row in json.loads(report.read_text())["rows"]}
        assert set(odd) <= set(rows)
        for name, word in odd.items():
            assert rows[name]["status"] == "failed" and word in rows[name]["error"], rows[name]
        assert all(row["status"] == "ok" for name, row in rows.items() if name not in odd)
    made = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.json")}
    assert made == {"walk.json", "deep/wave.json"}


def test_folders_that_lead_in_circles(tmp_path: Path) -> None:
    """Two links in a folder to that folder are 2^40 paths to each file. Each is converted once."""
    folder = fill(tmp_path / "in")
    for name in ("a", "b", "deep/up"):
        (folder / name).symlink_to(folder)
    other = fill(tmp_path / "other")
    (folder / "linked").symlink_to(other)
    (other / "back").symlink_to(folder)
    done = in_a_process(f"{folder}/**/*.anim", "--to", "json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    made = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.json")}
    assert made == {"walk.json", "deep/wave.json", "linked/walk.json", "linked/deep/wave.json"}


def test_an_output_that_is_no_file(tmp_path: Path) -> None:
    """Nothing is written into a pipe that happens to have an output's name; nobody may read it."""
    source, out = tmp_path / "walk.anim", tmp_path / "out"
    shutil.copy(WALK, source)
    out.mkdir()
    os.mkfifo(out / "walk.json")
    done = in_a_process(source, "--to", "json", "--out", out)
    assert done.returncode == 1 and "FIFO" in done.stdout


def test_a_path_that_is_too_long(tmp_path: Path) -> None:
    code, rows = convert("x" * 5000, "--to", "json", "--out", tmp_path / "out", report=tmp_path / "r.json")
    assert code == 1 and rows[0]["status"] == "failed"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**", {"a.anim", ".h/b.anim", "d/c.anim", "d/e/f.anim", "d/.g.anim"}),
        ("**/*.anim", {"a.anim", "d/c.anim", "d/e/f.anim"}),
        ("**/.*.anim", {"d/.g.anim"}),
        ("d/**/*.anim", {"c.anim", "e/f.anim"}),
        ("**/e/*.anim", {"d/e/f.anim"}),
        ("**/**/f.*", {"d/e/f.anim"}),
        (".h/**/*.anim", {"b.anim"}),
        ("*/[cd].anim", {"d/c.anim"}),
    ],
)
def test_patterns_are_those_of_shells(pattern: str, expected: set[str], tmp_path: Path) -> None:
    """Names with a dot in front only where the pattern has one, or in folders that it names."""
    for name in ("a.anim", ".h/b.anim", "d/c.anim", "d/e/f.anim", "d/.g.anim"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(WALK, path)
    convert(f"{tmp_path}/in/{pattern}", "--to", "anim", "--out", tmp_path / "out", report=tmp_path / "r.json")
    made = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.anim")}
    # What is hidden loses its dot, for the name is made by the rules of outputs.
    assert made == {name.replace("/.g", "/g") for name in expected}


def test_a_recording_without_an_extension_is_found_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    shutil.copy(ROOT / "fixtures" / "mrtk" / "two_hands_v11.bin", folder / "session 7")
    (folder / "notes").write_text("no animation")
    (folder / "empty").touch()
    code, rows = convert(folder, "--to", "json", "--out", tmp_path / "out", report=tmp_path / "report.json")
    assert code == 0
    assert [Path(row["input"]).name for row in rows] == ["session 7"]
    assert (tmp_path / "out" / "session 7.json").is_file()
