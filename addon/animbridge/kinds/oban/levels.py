# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels (.dat), which hold any number of OBANs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from ...package import AnimBridgeError, Document, is_level_file, level_obans, oban_from_level
from ..kind import Container, Part


def _parts(path: Path) -> list[Part]:
    """The level's OBANs; an error if there is none."""
    level = Document.read_file(path)
    obans = level_obans(level)
    if not obans:
        raise AnimBridgeError(f"{path}: the level contains no OBAN.")
    return [Part(one.name, ".oban", partial(oban_from_level, level, one.selector)) for one in obans]


LEVELS: Final = Container(is_one=is_level_file, parts=_parts)
