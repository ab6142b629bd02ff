# SPDX-License-Identifier: GPL-3.0-or-later
"""Second Life and OpenSim animations (.anim)."""

from __future__ import annotations

from typing import Final

from ..kind import InBlender, Kind
from .flags import add_flags


def _in_blender() -> InBlender:
    from .blender import IN_BLENDER

    return IN_BLENDER


KIND: Final = Kind(
    id="sl_anim",
    extensions=(".anim", ".animatn"),
    targets=("anim",),
    in_blender=_in_blender,
    add_flags=add_flags,
)
