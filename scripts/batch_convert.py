# SPDX-License-Identifier: MIT
"""Converts animation files by `animbridge batch`, with this Blender and the add-on of this checkout.

blender --background --python-exit-code 1 --python scripts/batch_convert.py -- INPUTS... --to FORMAT --out DIR
"""

from __future__ import annotations

import runpy
from pathlib import Path

if __name__ == "__main__":
    addon = Path(__file__).resolve().parent.parent / "addon" / "animbridge"
    runpy.run_path(str(addon / "batch" / "start.py"), run_name="__main__")
