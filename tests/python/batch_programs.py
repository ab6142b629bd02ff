# SPDX-License-Identifier: MIT
"""Both batches: the add-on's, and the command's, which must behave alike wherever no Blender is needed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from material import ROOT

COMMAND = ROOT / "build" / "bin" / "animbridge"
#: The folder of the command's ledger and locks, in the output folder.
OWN_FOLDER = ".animbridge"


def run_command(arguments: Sequence[str]) -> int:
    """`animbridge batch` in a process, with its words on this process's streams; the exit code."""
    done = subprocess.run(
        [COMMAND, "batch", *arguments],
        capture_output=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    sys.stdout.write(done.stdout.decode())
    sys.stderr.write(done.stderr.decode())
    return done.returncode


def use_command(module: str, monkeypatch: pytest.MonkeyPatch, script: Sequence[object]) -> None:
    """Puts the command in the place of the add-on's batch, in the tests of a module."""
    monkeypatch.setattr(sys.modules[module], "run", run_command)
    monkeypatch.setattr(sys.modules[module], "SCRIPT", script)


def files_below(folder: Path) -> dict[str, bytes]:
    """The outputs in a folder: {path below it: content}."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and OWN_FOLDER not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}
