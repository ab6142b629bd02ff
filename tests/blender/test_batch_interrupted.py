# SPDX-License-Identifier: MIT
"""Signals sent to a batch in a Blender of its own, and what its .blend files are allowed to whom."""

from __future__ import annotations

import array
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

import bpy
import pytest
from tests.python.material import demos

import animbridge
from animbridge.batch.command import run

fcntl = pytest.importorskip("fcntl", reason="Windows has neither these signals nor these permissions")
termios = pytest.importorskip("termios")

WALK = next(path for path in demos() if path.name == "walk.anim")
COUNT = 200
PIPE_BYTES = 4096
SCRIPT = """
import os
import sys
sys.path.insert(0, {addon!r})
import animbridge
animbridge.register()
from animbridge.batch.command import run
code = run(sys.argv[sys.argv.index("--") + 1:])
sys.stdout.flush()
os._exit(code)  # the bpy module of 4.5 may hang or crash in its own clean-up
"""
SIGNALS = [(signal.SIGINT, 130, "SIGINT"), (signal.SIGTERM, 143, "SIGTERM")]


def command(folder: Path, *arguments: object) -> list[str]:
    """The batch in another Blender of this kind."""
    script = folder / "script.py"
    script.write_text(SCRIPT.format(addon=str(Path(animbridge.__file__).parents[1])))
    blender = [sys.executable, str(script)]
    if bpy.app.binary_path:
        blender = [bpy.app.binary_path, "--background", "-noaudio", "--factory-startup"]
        blender += ["--python-exit-code", "1", "--python", str(script)]
    return [*blender, "--", *map(str, arguments)]


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Names so long that their lines of progress fill a pipe soon."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(COUNT):
        shutil.copy(WALK, folder / f"{number:03}{'x' * 200}.anim")
    return folder


@contextmanager
def batch(folder: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run on its way whose progress fits a small pipe a few times only; ended in any case."""
    words = command(tmp_path, folder, "--to", "blend", "--out", tmp_path / "out")
    words += ["--report", str(tmp_path / "report.json")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr
            fcntl.fcntl(process.stderr, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            yield process
        finally:
            process.kill()


def told(tmp_path: Path) -> dict[str, Any]:
    """The report; what it says was written is there and whole, and nothing else is."""
    report = json.loads((tmp_path / "report.json").read_text())
    assert {row["status"] for row in report["rows"]} == {"ok"}
    assert {row["output"] for row in report["rows"]} == set(map(str, (tmp_path / "out").iterdir()))
    for row in report["rows"]:
        assert Path(row["output"]).stat().st_size == row["bytes_out"] > 0
    return report


@pytest.mark.parametrize(("number", "code", "name"), SIGNALS)
def test_the_first_stops_after_the_file_in_hand(
    number: signal.Signals, code: int, name: str, inputs: Path, tmp_path: Path
) -> None:
    with batch(inputs, tmp_path) as process:
        assert process.stderr
        while b"1/200  ok" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(number)
        process.communicate(timeout=300)
        assert process.returncode == code
    report = told(tmp_path)
    done = len(report["rows"])
    assert 1 <= done < COUNT
    assert report["stopped"] == {"signal": name, "inputs_left": COUNT - done}


@pytest.mark.parametrize(("number", "code", "name"), SIGNALS)
def test_the_second_stops_at_once(
    number: signal.Signals, code: int, name: str, inputs: Path, tmp_path: Path
) -> None:
    """The pipe of the progress is full and nobody reads: only the second signal can end this run."""
    with batch(inputs, tmp_path) as process:
        assert process.stderr
        waiting = array.array("i", [0])
        while waiting[0] < PIPE_BYTES - 500:
            assert process.poll() is None
            fcntl.ioctl(process.stderr, termios.FIONREAD, waiting)
        while True:
            # A signal that is still pending takes up the next one of its kind, so it is sent until it counts.
            process.send_signal(number)
            try:
                process.wait(timeout=0.2)
                break
            except subprocess.TimeoutExpired:
                continue
        assert process.returncode == code
    report = told(tmp_path)
    assert 1 <= len(report["rows"]) < 40
    assert report["stopped"]["signal"] == name


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
    assert {path.name for path in tmp_path.iterdir()} == {"real.blend", "walk.blend"}
