# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded hands, camera and gaze of the Mixed Reality Toolkit (MRTK 2 input animation)."""

from __future__ import annotations

from typing import Final

from ...package import MRTK_FORMAT
from ..kind import InBlender, Kind


def _in_blender() -> InBlender:
    from .blender import IN_BLENDER

    return IN_BLENDER


KIND: Final = Kind(id=MRTK_FORMAT, extensions=(".bin",), targets=("bin",), in_blender=_in_blender)
