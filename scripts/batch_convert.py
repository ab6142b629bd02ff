# SPDX-License-Identifier: MIT
"""Converts animation files in a headless Blender.

blender --background --python scripts/batch_convert.py -- INPUTS... --to FORMAT --out DIR [options]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "addon"))

from animbridge.batch.command import run


def main() -> int:
    """Runs the batch with what stands behind "--"."""
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    return run(arguments, "blender --background --python scripts/batch_convert.py --")


if __name__ == "__main__":
    sys.exit(main())
