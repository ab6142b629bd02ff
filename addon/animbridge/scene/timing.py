# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame rates and frame ranges of scenes."""

from __future__ import annotations

import math
from typing import Final

import bpy
import numpy as np

from ..package import AnimBridgeError

#: Blender's rate is a whole number of at most 32,767 over a base.
LOWEST_FRAMES_PER_SECOND: Final = 0.01
HIGHEST_FRAMES_PER_SECOND: Final = 32767.0
#: Television's rates, such as 29.97, are whole numbers over this.
TELEVISION_BASE: Final = 1.001
#: Blender's own.
LAST_FRAME: Final = 1_048_574.0
#: Ten for each frame of the longest scene.
_MOST_STEPS: Final = 10 * LAST_FRAME
#: How early the last frame may come, as a share of a frame, because Blender's frames are rounded.
_FRAME_ROUNDING: Final = 1e-3
_TELEVISION_TOLERANCE: Final = 2e-6


def step_count(first: float, last: float, step: float, rounding: float) -> int:
    """The number of whole steps from the first frame to the last; an error if there are too many."""
    count = (last - first) / step + rounding if step > 0.0 else math.nan
    if not abs(count) <= _MOST_STEPS:
        raise AnimBridgeError(
            f"The frames {first:g} to {last:g} cannot be sampled in steps of {step:g}. Check the frame range."
        )
    return math.floor(count)


def frame_count(first: float, last: float, step: float) -> int:
    """The number of frames of a file with one every `step` frames of the scene, at least one."""
    return max(step_count(first, last, step, _FRAME_ROUNDING) + 1, 1)


def scene_frames_per_second(scene: bpy.types.Scene) -> float:
    """Frames per second of a scene."""
    return float(scene.render.fps / scene.render.fps_base)


def typed_frames_per_second(value: float) -> float:
    """The rate that was typed into a property, which has single precision; 29.97 means 30 / 1.001."""
    typed = float(str(np.float32(value)))
    return _television_rate(typed) or typed


def _television_rate(frames_per_second: float) -> float | None:
    """The exact television rate that this one is rounded from, if any."""
    exact = max(math.ceil(frames_per_second), 1) / TELEVISION_BASE
    return exact if abs(exact / frames_per_second - 1) < _TELEVISION_TOLERANCE else None


def set_frames_per_second(scene: bpy.types.Scene, frames_per_second: float) -> None:
    """Sets a scene's rate; 29.97 and its like become exactly 30 / 1.001, as Blender's own presets have it."""
    if not LOWEST_FRAMES_PER_SECOND <= frames_per_second <= HIGHEST_FRAMES_PER_SECOND:
        raise AnimBridgeError(
            f"The frame rate {frames_per_second:g} is not between {LOWEST_FRAMES_PER_SECOND:g} and "
            f"{HIGHEST_FRAMES_PER_SECOND:g} frames per second."
        )
    whole = max(math.ceil(frames_per_second), 1)
    exact = whole / frames_per_second
    scene.render.fps = whole
    scene.render.fps_base = exact if _television_rate(frames_per_second) is None else TELEVISION_BASE


def set_frame_range(scene: bpy.types.Scene, frame_range: tuple[float, float]) -> None:
    """Sets a scene's range to the whole frames around an animation, within Blender's limits."""
    scene.frame_start = math.floor(min(max(frame_range[0], 0.0), LAST_FRAME))
    scene.frame_end = math.ceil(min(max(frame_range[1], 0.0), LAST_FRAME))
