# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose markers in an Action's timeline."""

from __future__ import annotations

import math

import bpy

from .timing import LAST_FRAME


def add_marker(action: bpy.types.Action, name: str, frame: float) -> None:
    """Adds a pose marker at the whole frame nearest to `frame`."""
    marker = action.pose_markers.new(name)
    marker.frame = math.floor(min(max(frame, -LAST_FRAME), LAST_FRAME) + 0.5)
