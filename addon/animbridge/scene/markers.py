# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose markers in an Action's timeline."""

from __future__ import annotations

import math
from typing import Final

import bpy

from .timing import LAST_FRAME

#: The markers that say when feet come down and go up.
FOOT_MARKERS: Final = ("Left Foot Down", "Left Foot Up", "Right Foot Down", "Right Foot Up")


def add_marker(action: bpy.types.Action, name: str, frame: float) -> None:
    """Adds a pose marker at the whole frame nearest to `frame`."""
    marker = action.pose_markers.new(name)
    marker.frame = math.floor(min(max(frame, -LAST_FRAME), LAST_FRAME) + 0.5)
