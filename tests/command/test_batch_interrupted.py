# SPDX-License-Identifier: MIT
"""Signals sent to a batch: a pipe that nobody reads holds the run where the test wants it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from batch_programs import COMMAND
from material import demos
from test_batch_command import batch

WALK = next(path for path in demos() if path.name == "walk.anim")
COUNT = 800
SIGNALS = [(signal.SIGINT, 130, "SIGINT"), (signal.SIGTERM, 143, "SIGTERM")]


@contextmanager
def running(tmp_path: Path, stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[bytes]]:
    """A run that has written something, ended in any case. Its lines fill a pipe many times."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(COUNT):
        os.link(shutil.copy(WALK, tmp_path / "walk.anim"), folder / f"{number:04}{'x' * 200}.anim")
    words = [COMMAND, "batch", folder, "--to", "json", "--out", tmp_path / "out"]
    words += ["--report", tmp_path / "report.json", "--jobs", "3"]
    with subprocess.Popen(words, stdout=stdout, stderr=subprocess.PIPE) as process:
        try:
            while not any((tmp_path / "out").glob("*.json")):
                assert process.poll() is None
            yield process
        finally:
            process.kill()


def resumed(tmp_path: Path) -> str:
    """What the next run says, which does the rest."""
    words = (tmp_path / "in", "--to", "json", "--out", tmp_path / "out", "--resume", "--quiet")
    done = batch(*words)
    assert done.returncode == 0 and len(list((tmp_path / "out").glob("*.json"))) == COUNT
    return done.stdout


@pytest.mark.parametrize(("number", "code", "name"), SIGNALS)
def test_the_first_stops_after_the_files_in_hand(
    number: signal.Signals, code: int, name: str, tmp_path: Path
) -> None:
    with running(tmp_path) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(number)
        out, errors = process.communicate(timeout=120)
    assert process.returncode == code, errors
    assert errors.count(b"Stopping after the files in hand") == 1
    told = json.loads((tmp_path / "report.json").read_text())
    done = len(told["rows"])
    assert 1 <= done < COUNT and told["stopped"] == {"signal": name, "inputs_left": COUNT - done}
    assert {row["output"] for row in told["rows"]} == set(map(str, (tmp_path / "out").glob("*.json")))
    assert f"Stopped by {name}: {COUNT - done} inputs not converted." in out.decode()
    assert f"{COUNT - done} written" in resumed(tmp_path)


@pytest.mark.parametrize(("number", "code", "name"), SIGNALS)
def test_the_second_stops_at_once(number: signal.Signals, code: int, name: str, tmp_path: Path) -> None:
    """Nobody reads what the run prints, so the first cannot end it. What is written is whole."""
    reader, writer = os.pipe()
    os.write(writer, b"." * fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ))  # full from the start
    with running(tmp_path, writer) as process:
        while True:
            # A signal that is still pending takes up the next one of its kind, so it is sent until it counts.
            process.send_signal(number)
            try:
                process.wait(timeout=0.2)
                break
            except subprocess.TimeoutExpired:
                continue
        assert process.returncode == code
    os.close(writer)
    os.close(reader)
    assert not (tmp_path / "report.json").exists() and (tmp_path / "report.json.partial").exists()
    outputs = list((tmp_path / "out").glob("*.json"))
    assert 1 <= len(outputs) < COUNT
    for path in outputs:
        assert json.loads(path.read_text())["format"] == "sl_anim"
    resumed(tmp_path)


def test_a_run_without_signals_says_nothing_of_them(tmp_path: Path) -> None:
    done = batch(WALK, "--to", "json", "--out", tmp_path / "out", "--report", tmp_path / "report.json")
    assert done.returncode == 0 and "Stop" not in done.stdout + done.stderr
    assert "stopped" not in json.loads((tmp_path / "report.json").read_text())
