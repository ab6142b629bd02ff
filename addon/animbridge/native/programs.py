# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that lie beside the library."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def allow(path: Path) -> None:
    """Makes a program executable again, which Blender's unpacking of a zip file forgets.

    Where that is not allowed, whoever starts the program reports it.
    """
    if path.is_file() and not os.access(path, os.X_OK):
        with contextlib.suppress(OSError):
            path.chmod(path.stat().st_mode | 0o111)


def run_instead(words: Sequence[str]) -> int:
    """Runs a program in the place of this process. Windows cannot do that: there, waits for its exit code."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(words[0], list(words))
    with subprocess.Popen(words) as running:
        while True:
            try:
                return running.wait()
            except KeyboardInterrupt:  # which the program gets too: it ends what it began
                continue
