# SPDX-License-Identifier: MIT
"""File > Import > Oni Animation: the file browser with a level picked and the importer's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def show(stage: Any) -> Iterator[None]:
    """The browser at a level."""
    level = stage.demo.parent / "oban" / "package_pc" / "level7_Final.dat"
    stage.invoke("import_anim.oni", filepath=str(level), oban="Door_A")
    yield
    yield
