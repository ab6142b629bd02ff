# SPDX-License-Identifier: GPL-3.0-or-later
"""The command, from the Python package: `python -m animbridge convert walk.bvh walk.anim`.

Every word goes to the program that the package holds, and its exit code comes back.
"""

from __future__ import annotations

import os
import subprocess
import sys

from .native import command
from .native.errors import LibraryError


def main() -> int:
    """Runs the command in place of this process; on Windows, which has no such thing, waits for it."""
    try:
        words = [str(command.find()), *sys.argv[1:]]
    except LibraryError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    if os.name != "nt":
        os.execv(words[0], words)
    with subprocess.Popen(words) as running:
        while True:
            try:
                return running.wait()
            except KeyboardInterrupt:  # which the program gets too: it ends what it began
                continue


if __name__ == "__main__":
    sys.exit(main())
