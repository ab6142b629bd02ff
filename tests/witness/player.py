# SPDX-License-Identifier: MIT
"""What the viewer shows of a file at a moment: clip time, weight, joint transforms (spec 1.2, 1.3, 1.10).

Times are mapped in float32, as the viewer does; poses are blended in float64, so that they are a reference to
measure a float32 player against.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from . import quantise as q
from .anim_file import AnimFile, Joint, KeyTable
from .quaternion import IDENTITY, Vector, interpolate, product, rotate
from .skeleton import Skeleton
from .upload import key_times, legacy_positions, legacy_quaternions, surviving_rows

FOREVER = float("inf")


@dataclass(frozen=True)
class Moment:
    """Clip time in seconds, weight 0..1 against other animations, and whether the animation is over."""

    clip_seconds: float
    weight: float
    finished: bool


@dataclass(frozen=True)
class LocalPose:
    """What a joint's keys say, in the parent's frame; None where the joint has no such keys."""

    rotation: Vector | None  # (x, y, z, w)
    position: Vector | None  # metres


@dataclass(frozen=True)
class WorldPose:
    """Position in metres and rotation (x, y, z, w) in the avatar's frame (mRoot)."""

    position: Vector
    rotation: Vector


def smoothstep(x: float) -> float:
    """3x^2 - 2x^3 of x held to 0..1."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3 - 2 * x)


def looped_time(anim: AnimFile, seconds: float) -> float:
    """Clip time of a loop that nobody stops, before any limit to the duration; seconds since the start."""
    t, start, end = np.float32(seconds), anim.loop_in, anim.loop_out
    if anim.duration == 0:
        return 0.0
    if t <= end:
        return float(t)
    if start == end:
        return float(end)
    with np.errstate(all="ignore"):
        return float(np.float32(start + np.fmod(np.float32(t - end), np.float32(end - start))))


def self_stop_time(anim: AnimFile) -> float:
    """Seconds since the start at which the animation ends by itself; infinite for a sound loop."""
    duration, start, end = float(anim.duration), float(anim.loop_in), float(anim.loop_out)
    if not anim.loop:
        # Tested only once ease-in is over; when that comes too late, the clip's end stops it.
        stop = max(duration - float(anim.ease_out), 0.0)
        return max(min(stop, duration), 0.0) if stop >= float(anim.ease_in) else max(duration, 0.0)
    if duration == 0:
        return FOREVER
    if end > duration:
        return max(duration, 0.0)
    if start > end and 2 * start - end > duration:  # runs over in..in+(in-out)
        return end + max(duration - start, 0.0)
    return FOREVER


def stop_time(anim: AnimFile, request: float) -> float:
    """When ease-out begins after a stop request; both in seconds since the start (the outro rule)."""
    if not anim.loop or anim.loop_out == anim.duration:
        return request
    length = float(anim.loop_out) - float(anim.loop_in)
    # fmod keeps the sign of what is divided: before the first passage of loop_in the next one counts.
    cycle_start = request - (math.fmod(request - float(anim.loop_in), length) if length else 0.0)
    outro = float(anim.duration) - float(anim.loop_in) - float(anim.ease_out)
    return max(request, cycle_start + outro)


def _ease_in_weight(anim: AnimFile, seconds: float) -> float:
    ease = float(anim.ease_in)
    return smoothstep(seconds / ease) if ease > 0 else 1.0


def moment(anim: AnimFile, seconds: float, stop_request: float | None = None) -> Moment:
    """The animation `seconds` after its start; stop_request: when someone asked it to stop, if ever.

    An ease-out that begins before ease-in is over falls from the weight reached.
    """
    own = self_stop_time(anim)
    request = min(own, FOREVER if stop_request is None else stop_request)
    begin = request if own <= request else stop_time(anim, request)
    if not anim.loop:
        clip = min(seconds, max(float(anim.duration), 0.0))
    elif seconds <= request:
        clip = looped_time(anim, seconds)
    else:  # no wrapping any more, and held at the end
        clip = min(looped_time(anim, request) + seconds - request, float(anim.duration))
    weight = _ease_in_weight(anim, min(seconds, begin))
    ease_out = max(float(anim.ease_out), 0.0)
    if seconds > begin:
        weight *= 1 - smoothstep((seconds - begin) / ease_out) if ease_out > 0 else 0.0
    return Moment(clip, weight, seconds > begin + ease_out)


def _track_at(times: q.Floats, values: Vector, clip_seconds: float, is_rotation: bool) -> Vector | None:
    rows = surviving_rows(times)
    if not rows:
        return None
    sorted_times = times[rows]
    kept: list[Vector] = [values[row] for row in rows]
    t = np.float32(clip_seconds)
    after = int(np.searchsorted(sorted_times, t, side="left"))  # first key at or behind t
    if after == len(rows):
        return kept[-1]
    if after == 0 or sorted_times[after] == t:
        return kept[after]
    before = after - 1
    t0, t1 = float(sorted_times[before]), float(sorted_times[after])
    u = (float(t) - t0) / (t1 - t0)
    if is_rotation:
        return interpolate(kept[before], kept[after], u)
    return kept[before] + u * (kept[after] - kept[before])


def _rotations(keys: KeyTable) -> Vector:
    legacy = keys.dtype == np.uint32
    return (legacy_quaternions(keys) if legacy else q.quaternion_of_codes(keys[:, 1:])).astype(np.float64)


def _positions(keys: KeyTable) -> Vector:
    legacy = keys.dtype == np.uint32
    return (legacy_positions(keys) if legacy else q.decode_position(keys[:, 1:])).astype(np.float64)


def sorted_rotations(joint: Joint, duration: np.float32) -> list[Vector]:
    """The rotations (x, y, z, w) of the keys that the viewer keeps, by time; duration in seconds."""
    rows = surviving_rows(key_times(joint.rotation_keys, duration))
    values = _rotations(joint.rotation_keys)
    return [values[row] for row in rows]


def joint_at(joint: Joint, duration: np.float32, clip_seconds: float) -> LocalPose:
    """One joint's keyed transform at a clip time; duration and time in seconds."""
    turns, shifts = joint.rotation_keys, joint.position_keys
    rotation = _track_at(key_times(turns, duration), _rotations(turns), clip_seconds, is_rotation=True)
    position = _track_at(key_times(shifts, duration), _positions(shifts), clip_seconds, is_rotation=False)
    return LocalPose(rotation, position)


def local_pose(anim: AnimFile, skeleton: Skeleton, clip_seconds: float) -> dict[str, LocalPose]:
    """Keyed transforms of the animated joints by canonical name; of a joint's records the first counts."""
    poses: dict[str, LocalPose] = {}
    for joint in anim.joints:
        name = skeleton.canonical(joint.name)
        if name is not None and name not in poses:
            poses[name] = joint_at(joint, anim.duration, clip_seconds)
    return poses


def world_pose(anim: AnimFile, skeleton: Skeleton, clip_seconds: float) -> dict[str, WorldPose]:
    """Every joint's pose at full weight, at rest where it is not animated; scale 1, no shape sliders.

    HUD points hang on mScreen, which like mRoot is taken as the identity.
    """
    animated = local_pose(anim, skeleton, clip_seconds)
    root = WorldPose(np.zeros(3), IDENTITY)
    world: dict[str, WorldPose] = {"mRoot": root, "mScreen": root}
    for node in skeleton.nodes.values():  # parents come first
        keyed = animated.get(node.name, LocalPose(None, None))
        rotation = node.rotation if keyed.rotation is None else keyed.rotation
        position = node.position if keyed.position is None else keyed.position
        parent = world[node.parent]
        place = parent.position + rotate(parent.rotation, position)
        world[node.name] = WorldPose(place, product(parent.rotation, rotation))
    return world
