# SPDX-License-Identifier: GPL-3.0-or-later
"""The mark by which the user chooses Actions for export, whatever the format."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty

from ..action_properties import group_of
from ..previews import is_preview


class MarkedForExport:
    """The mark, for the Actions' property group to inherit."""

    is_marked: BoolProperty(
        name="Export",
        description="Whether an export of marked Actions takes this one",
        default=False,
    )


def is_marked(action: bpy.types.Action) -> bool:
    """Whether an Action has the mark. A preview is never exported."""
    return bool(group_of(action).is_marked) and not is_preview(action)
