# SPDX-License-Identifier: MIT
"""Calls of `animbridge batch`, and what they leave."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

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


def files_below(folder: Path) -> dict[str, bytes]:
    """The outputs in a folder: {path below it: content}."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and OWN_FOLDER not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}
