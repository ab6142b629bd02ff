# SPDX-License-Identifier: MIT
"""The error after the import of a level of many animations, of which none was chosen."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hands


def show(stage: Any) -> Iterator[float]:
    """What the file browser's button leads to."""
    sys.path.insert(0, str(stage.demo.parents[1]))
    from tests.witness import oban_any, oban_level

    stage.clear()
    (swing,) = oban_any.read((stage.demo.parent / "oban" / "swing.oban").read_bytes()).found
    with tempfile.TemporaryDirectory() as folder:
        level = Path(folder) / "level2_Final.dat"
        records = {f"animation_of_a_door_{number:02}": swing.record for number in range(24)}
        level.write_bytes(oban_level.create(records, "level2_Final"))
        yield from stage.browse("import_anim.oni", filepath=str(level))
        x, y = stage.button_of_browser()
        yield from hands.click_at(x, y)
        yield from hands.until(lambda: stage.area_of("FILE_BROWSER") is None, "the end of the file browser")
        yield from hands.until_still()
