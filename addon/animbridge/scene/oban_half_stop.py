# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a door's opening half ends: the property of the Action, and a marker in its timeline."""

from __future__ import annotations

import math

import bpy

from ..native.errors import AnimBridgeError
from .header import first_frame
from .oban_properties import HALF_STOP_MARKER, oni_of
from .timing import scene_frames_per_second

#: Blender's highest frame.
_LAST_FRAME = 1_048_574
_FRAMES_PER_SECOND = 60.0
_LARGEST = 0xFFFF


def mark_half_stop(action: bpy.types.Action, frame: float) -> None:
    """A pose marker at the whole frame nearest to this one of the scene, and no other of its name."""
    for marker in [marker for marker in action.pose_markers if marker.name == HALF_STOP_MARKER]:
        action.pose_markers.remove(marker)
    marker = action.pose_markers.new(HALF_STOP_MARKER)
    marker.frame = math.floor(min(max(frame, -_LAST_FRAME), _LAST_FRAME) + 0.5)


def set_half_stop(action: bpy.types.Action, scene: bpy.types.Scene) -> None:
    """The current frame of the scene, as a frame of the file."""
    seconds = (scene.frame_current_final - first_frame(action)) / scene_frames_per_second(scene)
    frame = round(seconds * _FRAMES_PER_SECOND)
    if not 0 <= frame <= _LARGEST:
        raise AnimBridgeError(
            f"The current frame would be frame {frame} of the file, but a half stop frame is 0 to {_LARGEST}."
        )
    oni_of(action).half_stop_frame = frame
    mark_half_stop(action, scene.frame_current_final)
