# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion capture (.bvh)."""

from __future__ import annotations

from typing import Final

from ..kind import InBlender, Kind


def _in_blender() -> InBlender:
    from .blender import IN_BLENDER

    return IN_BLENDER


KIND: Final = Kind(id="bvh", extensions=(".bvh",), targets=("bvh",), in_blender=_in_blender)
