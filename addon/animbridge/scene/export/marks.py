# SPDX-License-Identifier: GPL-3.0-or-later
"""The mark by which the user chooses Actions for export, whatever the format."""

from __future__ import annotations

from typing import Final

import bpy
from bpy.props import BoolProperty

#: The Actions' property group with the mark; .blend files have it under this name.
_GROUP: Final = "secondlife"


class MarkedForExport:
    """The mark, for that property group to inherit."""

    is_marked: BoolProperty(
        name="Export",
        description="Whether an export of marked Actions takes this one",
        default=False,
    )


def is_marked(action: bpy.types.Action) -> bool:
    """Whether an Action has the mark."""
    return bool(getattr(action, _GROUP).is_marked)
