# SPDX-License-Identifier: GPL-3.0-or-later
"""Animations of objects, doors and cameras of the game Oni (OBAN), in files of their own and in levels."""

from __future__ import annotations

from typing import Final

from ...package import OBAN_FORMAT
from ..kind import InBlender, Kind
from .levels import LEVELS


def _in_blender() -> InBlender:
    from .blender import IN_BLENDER

    return IN_BLENDER


KIND: Final = Kind(
    id=OBAN_FORMAT,
    extensions=(".oni", ".dat", ".xml", ".oban"),
    targets=("oni", "xml"),
    in_blender=_in_blender,
    container=LEVELS,
    exports_armatures=False,
    nothing_to_export="no Action moves an object",
)
