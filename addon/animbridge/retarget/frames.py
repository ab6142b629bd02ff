# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames of the source become keys of the target."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat import actions
from ..package import AnimBridgeError
from ..scene.channels import COMPONENTS, split_path
from ..scene.export.curves import ReadKeys
from ..scene.export.sampling import frames_between

Doubles = NDArray[np.float64]

#: Blender merges keys that are nearer to each other, from 4.3 on.
_NEAREST_KEYS: Final = 0.01
_OBJECT_PATHS: Final = (*COMPONENTS, "scale")


class KeyTimes(Enum):
    """Where keys are made."""

    FRAMES = "FRAMES"
    SOURCE = "SOURCE"
    EXACT = "EXACT"


def frames_of(
    channels: actions.Channels | None,
    bones: Collection[str],
    times: KeyTimes,
    span: tuple[float, float] | None,
    scene: bpy.types.Scene,
    read_keys: ReadKeys,
) -> Doubles:
    """The frames to sample, ascending; `span`: the first and last one, None: as the Action says.

    `bones`: those whose keys count. FRAMES: every frame. SOURCE: the source's key times. EXACT: both.
    """
    keys = _key_times(channels, bones, read_keys)
    first, last = span or _span_of(channels, keys, scene)
    if not first <= last:
        raise AnimBridgeError(f"The frames go from {first:g} to {last:g}. Check the frame range.")
    inside = keys[(keys >= first) & (keys <= last)]
    if times is KeyTimes.SOURCE and not len(inside):
        raise AnimBridgeError(
            f"The source has no keys between the frames {first:g} and {last:g}. Set Keys to Frames, or "
            "choose another range."
        )
    if times is KeyTimes.SOURCE:
        return inside
    frames = frames_between(first, last, 1.0)
    return frames if times is KeyTimes.FRAMES else _apart(np.union1d(frames, inside))


def _span_of(channels: actions.Channels | None, keys: Doubles, scene: bpy.types.Scene) -> tuple[float, float]:
    """The Action's own range, or else its keys; the scene's range without an Action."""
    if channels is not None and channels.action.use_frame_range:
        first, last = channels.action.frame_range
        return float(first), float(last)
    if len(keys):
        return float(keys[0]), float(keys[-1])
    return float(scene.frame_start), float(scene.frame_end)


def _key_times(channels: actions.Channels | None, bones: Collection[str], read_keys: ReadKeys) -> Doubles:
    """The times of all keys that move the bones or the object, none nearer than _NEAREST_KEYS to another."""
    found: list[NDArray[np.float32]] = []
    for curve in channels.fcurves if channels else ():
        place = split_path(curve.data_path)
        counts = place[0] in bones if place else curve.data_path in _OBJECT_PATHS
        if not counts or not len(curve.keyframe_points):
            continue
        times = read_keys(curve)[:, 0]
        if not any(times.shape == other.shape and (times == other).all() for other in found[-1:]):
            found.append(times)
    if not found:
        return np.empty(0, np.float64)
    return _apart(np.unique(np.concatenate(found)).astype(np.float64))


def _apart(times: Doubles) -> Doubles:
    """The ascending times without those that are too near to the one before."""
    return times[np.append(True, np.diff(times) >= _NEAREST_KEYS)]
