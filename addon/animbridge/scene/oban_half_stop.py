# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a door's opening half ends: a marker in the Action's timeline, which follows the property."""

from __future__ import annotations

import math
from typing import Final

import bpy

from ..native.errors import AnimBridgeError
from .header import first_frame
from .timing import scene_frames_per_second

#: The pose marker at the frame where a door's opening half ends.
HALF_STOP_MARKER: Final = "HalfStopFrame"
#: Blender's highest frame.
_LAST_FRAME = 1_048_574
_FRAMES_PER_SECOND = 60.0
_LARGEST = 0xFFFF


def mark_half_stop(action: bpy.types.Action, frame: float) -> None:
    """A pose marker at the whole frame nearest to this one of the scene, and no other of its name."""
    _unmark(action)
    marker = action.pose_markers.new(HALF_STOP_MARKER)
    marker.frame = math.floor(min(max(frame, -_LAST_FRAME), _LAST_FRAME) + 0.5)


def follow_half_stop(action: bpy.types.Action, frame: int, scene: bpy.types.Scene) -> None:
    """Moves the marker to where this frame of the file is in the scene; 0: there is none."""
    if frame:
        seconds = frame / _FRAMES_PER_SECOND
        mark_half_stop(action, first_frame(action) + seconds * scene_frames_per_second(scene))
    else:
        _unmark(action)


def half_stop_at(action: bpy.types.Action, scene: bpy.types.Scene) -> int:
    """The current frame of the scene, as a frame of the file."""
    seconds = (scene.frame_current_final - first_frame(action)) / scene_frames_per_second(scene)
    frame = round(seconds * _FRAMES_PER_SECOND)
    if not 0 <= frame <= _LARGEST:
        raise AnimBridgeError(
            f"The current frame would be frame {frame} of the file, but a half stop frame is 0 to {_LARGEST}."
        )
    return frame


def _unmark(action: bpy.types.Action) -> None:
    for marker in [marker for marker in action.pose_markers if marker.name == HALF_STOP_MARKER]:
        action.pose_markers.remove(marker)
