# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions as pose assets: they are in the asset browser, and a click poses the armature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import bpy

_TAG: Final = "Second Life pose"


def mark_as_assets(found: Iterable[bpy.types.Action], description: str = "") -> None:
    """Marks Actions as pose assets; with pictures of the active armature if Blender has a screen."""
    for action in found:
        action.asset_mark()
        data: Any = action.asset_data
        data.tags.new(_TAG, skip_if_exists=True)
        data.description = description
        if not bpy.app.background:
            action.asset_generate_preview()


def pose_assets() -> list[bpy.types.Action]:
    """The pose assets of this .blend file, in the order of their names."""
    return [one for one in bpy.data.actions if one.asset_data is not None and one.library is None]
