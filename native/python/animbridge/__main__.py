# SPDX-License-Identifier: MIT
"""The command, from the Python package: `python -m animbridge convert walk.bvh walk.anim`."""

from __future__ import annotations

import sys

from . import command
from .errors import LibraryError


def main() -> int:
    """Runs the command in this process; the exit code."""
    try:
        return command.run(sys.argv[1:])
    except LibraryError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
