# SPDX-License-Identifier: GPL-3.0-or-later
"""The frame where a door's opening half ends, as a marker that follows the property."""

from __future__ import annotations

from typing import Final

import bpy

from ...package import AnimBridgeError
from ...scene.markers import add_marker
from ...scene.templates import first_frame
from ...scene.timing import scene_frames_per_second
from .game import FRAMES_PER_SECOND, LARGEST_FIELD

#: The name of that pose marker.
HALF_STOP_MARKER: Final = "HalfStopFrame"


def mark_half_stop(action: bpy.types.Action, frame: float) -> None:
    """Puts the only marker of this name at the whole frame nearest to `frame`, a frame of the scene."""
    _unmark(action)
    add_marker(action, HALF_STOP_MARKER, frame)


def follow_half_stop(action: bpy.types.Action, frame: int, scene: bpy.types.Scene) -> None:
    """Moves the marker to the frame of the scene that shows this frame of the file; 0 removes it."""
    if frame:
        seconds = frame / FRAMES_PER_SECOND
        mark_half_stop(action, first_frame(action) + seconds * scene_frames_per_second(scene))
    else:
        _unmark(action)


def half_stop_at(action: bpy.types.Action, scene: bpy.types.Scene) -> int:
    """The frame of the file that the scene's current frame shows."""
    seconds = (scene.frame_current_final - first_frame(action)) / scene_frames_per_second(scene)
    frame = round(seconds * FRAMES_PER_SECOND)
    if not 0 <= frame <= LARGEST_FIELD:
        raise AnimBridgeError(
            f"The current frame would be frame {frame} of the file, but a half stop frame is 0 to "
            f"{LARGEST_FIELD}."
        )
    return frame


def _unmark(action: bpy.types.Action) -> None:
    for marker in [marker for marker in action.pose_markers if marker.name == HALF_STOP_MARKER]:
        action.pose_markers.remove(marker)
