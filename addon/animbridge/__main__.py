# SPDX-License-Identifier: GPL-3.0-or-later
"""The command, from the Python package: `python -m animbridge convert walk.bvh walk.anim`.

Every word goes to the program that the package holds, and its exit code comes back.
"""

from __future__ import annotations

import sys

from .native import command, programs
from .native.errors import LibraryError


def main() -> int:
    """Runs the command in place of this process; on Windows, which has no such thing, waits for it."""
    try:
        words = [str(command.find()), *sys.argv[1:]]
    except LibraryError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return programs.run_instead(words)


if __name__ == "__main__":
    sys.exit(main())
