# SPDX-License-Identifier: GPL-3.0-or-later
"""The property group of Actions that exports of every format read."""

from __future__ import annotations

from typing import Any, Final

import bpy

#: The name under which an Action has the group, also in .blend files. The first kind attaches it.
ATTRIBUTE: Final = "secondlife"


def group_of(action: bpy.types.Action) -> Any:
    """The group of an Action."""
    return getattr(action, ATTRIBUTE)
