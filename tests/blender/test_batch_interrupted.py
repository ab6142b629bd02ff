# SPDX-License-Identifier: MIT
"""Ctrl-C and SIGTERM for a batch and its Blender, and what its .blend files are allowed to whom."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from batches import files_below, run, start_of_batch
from helpers import with_this_library
from tests.python.material import demos

pytest.importorskip("fcntl", reason="Windows has neither these signals nor these permissions")

WALK = next(path for path in demos() if path.name == "walk.anim")
COUNT = 200
SIGNALS = [(signal.SIGINT, 130, "SIGINT"), (signal.SIGTERM, 143, "SIGTERM")]


@contextmanager
def batch(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run of the documented call whose one Blender is at work; ended in any case."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(COUNT):
        os.link(shutil.copy(WALK, tmp_path / "walk.anim"), folder / f"{number:03}.anim")
    words = [*start_of_batch(), folder, "--to", "blend", "--out", tmp_path / "out", "--jobs", "1"]
    words += ["--report", tmp_path / "report.json"]
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=with_this_library(),
        start_new_session=True,
    ) as process:
        try:
            while not list((tmp_path / "out").glob(".animbridge/work-*/0/*.blend")):
                assert process.poll() is None
                time.sleep(0.01)
            yield process
        finally:
            if is_anybody_left(process):
                os.killpg(process.pid, signal.SIGKILL)


def is_anybody_left(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process or one that it started is there."""
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("number", "code", "name"), SIGNALS)
def test_the_first_stops_after_the_file_in_hand(
    number: signal.Signals, code: int, name: str, tmp_path: Path
) -> None:
    """As a terminal sends it: to the command and to its Blender."""
    with batch(tmp_path) as process:
        os.killpg(process.pid, number)
        out, errors = process.communicate(timeout=120)
        assert process.returncode == code, errors
        assert not is_anybody_left(process)
    report = json.loads((tmp_path / "report.json").read_text())
    done = len(report["rows"])
    assert 1 <= done < COUNT and {row["status"] for row in report["rows"]} == {"ok"}
    assert report["stopped"] == {"signal": name, "inputs_left": COUNT - done}
    assert f"Stopped by {name}: {COUNT - done} inputs not converted." in out.decode()
    assert set(files_below(tmp_path / "out")) == {Path(row["output"]).name for row in report["rows"]}


@pytest.mark.parametrize(("number", "code", "name"), SIGNALS)
def test_the_second_stops_at_once(number: signal.Signals, code: int, name: str, tmp_path: Path) -> None:
    """Only the command gets it here. Its Blender goes with it, and the next run removes what it left."""
    with batch(tmp_path) as process:
        while process.poll() is None:
            # A signal that is still pending takes up the next one of its kind, so it is sent until it counts.
            process.send_signal(number)
            time.sleep(0.05)
        process.communicate(timeout=120)
        assert process.returncode == code
        deadline = time.monotonic() + 60
        while is_anybody_left(process):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert not files_below(tmp_path / "out")
    own = tmp_path / "out" / ".animbridge"
    assert list(own.glob("work-*"))
    assert run([str(WALK), "--to", "json", "--out", str(tmp_path / "out")]) == 0
    assert not list(own.glob("work-*"))


@pytest.mark.parametrize(("umask", "mode"), [(0o077, 0o600), (0o022, 0o644), (0o002, 0o664)])
def test_new_files_respect_the_umask(umask: int, mode: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        assert run([str(WALK), "--to", "blend", "--out", str(tmp_path), "--report", str(tmp_path / "r")]) == 0
    finally:
        os.umask(before)
    for name in ("walk.blend", "r"):
        assert (tmp_path / name).stat().st_mode & 0o777 == mode


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    """And a link stays a link."""
    real = tmp_path / "real.blend"
    real.write_bytes(b"old")
    real.chmod(0o640)
    (tmp_path / "walk.blend").symlink_to(real)
    assert run([str(WALK), "--to", "blend", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "walk.blend").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640 and real.stat().st_size > 1000
    assert set(files_below(tmp_path)) == {"real.blend", "walk.blend"}
