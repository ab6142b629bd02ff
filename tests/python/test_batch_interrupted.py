# SPDX-License-Identifier: MIT
"""Signals sent to a batch in a process of its own, between files: no Blender is needed for that.

A pipe that nobody reads holds the run where the test wants it: the next line of progress does not fit.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from material import ROOT, demos

WALK = next(path for path in demos() if path.name == "walk.anim")
COUNT = 400
SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from animbridge.batch.command import run
sys.exit(run(sys.argv[2:]))
"""
SIGNALS = [(signal.SIGINT, 130, "SIGINT"), (signal.SIGTERM, 143, "SIGTERM")]


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Names so long that their lines of progress fill a pipe many times."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(COUNT):
        os.link(shutil.copy(WALK, tmp_path / "walk.anim"), folder / f"{number:04}{'x' * 200}.anim")
    return folder


@contextmanager
def batch(
    folder: Path, tmp_path: Path, *, errors: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[bytes]]:
    """A run on its way, ended in any case."""
    command = [sys.executable, "-c", SCRIPT, ROOT / "addon", folder, "--to", "json"]
    command += ["--out", tmp_path / "out", "--report", tmp_path / "report.json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process:
        try:
            yield process
        finally:
            process.kill()


def told(tmp_path: Path) -> dict[str, Any]:
    """The report; what it says was written must be there, and nothing else."""
    report = json.loads((tmp_path / "report.json").read_text())
    outputs = {row["output"] for row in report["rows"]}
    assert outputs == set(map(str, (tmp_path / "out").iterdir()))
    for row in report["rows"]:
        assert row["status"] == "ok" and json.loads(Path(row["output"]).read_text())["format"] == "sl_anim"
    return report


@pytest.mark.parametrize(("number", "code", "name"), SIGNALS)
def test_the_first_stops_after_the_file_in_hand(
    number: signal.Signals, code: int, name: str, inputs: Path, tmp_path: Path
) -> None:
    with batch(inputs, tmp_path) as process:
        assert process.stderr
        first = process.stderr.readline()
        process.send_signal(number)
        out, errors = process.communicate(timeout=120)
        assert process.returncode == code, errors
    assert first.startswith(b"  1/400  ok ") and errors.count(b"Stopping after the current file") <= 1
    report = told(tmp_path)
    done = len(report["rows"])
    assert 1 <= done < COUNT
    assert report["stopped"] == {"signal": name, "inputs_left": COUNT - done}
    assert report["totals"]["outputs"] == done
    lines = out.decode().splitlines()
    assert lines[-2] == f"Stopped by {name}: {COUNT - done} inputs not converted."
    assert lines[-1].startswith(f"{done} written, 0 failed")
    assert len(lines) == done + 2  # a row for each, and these two


@pytest.mark.parametrize(("number", "code", "name"), SIGNALS)
def test_the_second_stops_at_once(
    number: signal.Signals, code: int, name: str, inputs: Path, tmp_path: Path
) -> None:
    """The main thread waits for a reader that never comes: only the second signal can end this run."""
    reader, writer = os.pipe()
    size = fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ)
    os.write(writer, b"." * size)  # full from the start
    with batch(inputs, tmp_path, errors=writer) as process:
        while not (tmp_path / "out").is_dir() or not any((tmp_path / "out").glob("*.json")):
            assert process.poll() is None
        process.send_signal(number)
        while True:
            # A signal that is still pending takes up the next one of its kind, so it is sent until it counts.
            try:
                process.wait(timeout=0.2)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(number)
        assert process.returncode == code
        out = process.stdout.read() if process.stdout else b""
    os.close(writer)
    os.close(reader)
    report = told(tmp_path)
    assert len(report["rows"]) == 1
    assert report["stopped"] == {"signal": name, "inputs_left": COUNT}
    assert out.decode().splitlines()[-1].startswith("1 written, 0 failed")


def test_a_run_without_signals_says_nothing_of_them(inputs: Path, tmp_path: Path) -> None:
    with batch(inputs / f"0000{'x' * 200}.anim", tmp_path) as process:
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0 and b"Stop" not in out + errors
    assert "stopped" not in told(tmp_path)
    assert errors.decode() == f"1/1  ok       {tmp_path}/out/0000{'x' * 200}.json\n"


LEFT_OVER = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from addon.animbridge.batch.temporary import TemporaryFolders
with TemporaryFolders().beside(Path(sys.argv[2]) / "walk.json") as folder:
    (folder / "walk.blend").write_bytes(b"half")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_leftovers_of_the_dead_go_and_those_of_the_living_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    mine = [out / ".animbridge-notes", out / ".animbridge-settings", out / ".animbridge-abcdefgh.txt"]
    for folder in mine[:2]:
        folder.mkdir()
        (folder / "notes.txt").write_bytes(b"mine")
    mine[2].write_bytes(b"mine")
    command = [sys.executable, "-c", LEFT_OVER, ROOT / "addon", out]
    runs = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    folders = [Path(os.fsdecode(run.stdout.readline().strip())) for run in runs if run.stdout]
    dead, living = runs
    dead.send_signal(signal.SIGKILL)
    dead.communicate()
    assert all((folder / "walk.blend").is_file() for folder in folders)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, ROOT / "addon", WALK, "--to", "json", "--out", out],
        check=True,
        capture_output=True,
    )
    assert b"1 written" in done.stdout
    assert not folders[0].exists()
    assert (folders[1] / "walk.blend").read_bytes() == b"half"
    living.communicate()
    assert living.returncode == 0
    assert set(out.iterdir()) == {*mine, out / "walk.json"}
