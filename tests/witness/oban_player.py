# SPDX-License-Identifier: MIT
"""What a record shows at a moment (spec 2): A(f) = T(position) * R(rotation) * Base, in doubles.

The specification names no precision, so this is the exact answer for the stored floats, to measure a float32
player against; only +, -, *, / and square roots are used, so it is the same on every machine.
Decisions: a rotation is normalised at a key too; a dot product of 0 turns no sign; the end frames hold, and
before the first key and behind the last one the nearest key does; when both loop flags are set, back-to-back
counts; times before 0 loop like the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .oban_file import BACK_TO_BACK_LOOP, NORMAL_LOOP, Key, Record, floats_of

Matrix = tuple[float, ...]  # images of X, Y, Z, then the translation
Quaternion = tuple[float, ...]  # x, y, z, w
FRAMES_PER_SECOND = 60


@dataclass(frozen=True)
class Pose:
    """A rotation (standard Hamilton, x, y, z, w) and a position in the file's units (0.1 m)."""

    rotation: Quaternion
    position: tuple[float, ...]


def standard(stored: Quaternion) -> Quaternion:
    """The usual active quaternion of a stored one: the conjugate, with the sign that spec 1 gives it."""
    x, y, z, w = stored
    return (x, y, z, -w)


def normalised(q: Quaternion) -> Quaternion:
    """Of length 1; ValueError when there is no direction."""
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if not (math.isfinite(length) and length > 0):
        raise ValueError("a rotation without direction")
    return tuple(part / length for part in q)


def dot(a: Quaternion, b: Quaternion) -> float:
    """The four-dimensional scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


def _key_pose(key: Key) -> Pose:
    return Pose(normalised(standard(floats_of(key.rotation_bits))), floats_of(key.position_bits))


def _blend(a: Key, b: Key, u: float) -> Pose:
    here, there = standard(floats_of(a.rotation_bits)), standard(floats_of(b.rotation_bits))
    sign = -1.0 if dot(here, there) < 0 else 1.0
    rotation = normalised(tuple((1 - u) * p + u * sign * q for p, q in zip(here, there, strict=True)))
    places = zip(floats_of(a.position_bits), floats_of(b.position_bits), strict=True)
    return Pose(rotation, tuple((1 - u) * p + u * q for p, q in places))


def last_frame(record: Record) -> int:
    """FrameCount - 1, and never below 0."""
    return max(record.frame_count - 1, 0)


def pose(record: Record, frame: float) -> Pose:
    """The keys' part of A(f); the frame may lie between two. ValueError without keys."""
    if not record.keys:
        raise ValueError("no keys")
    frame = min(max(frame, 0.0), float(last_frame(record)))
    keys = record.keys
    behind = next((i for i, key in enumerate(keys) if key.time > frame), len(keys))
    if behind == 0:
        return _key_pose(keys[0])
    before = keys[behind - 1]
    if behind == len(keys) or before.time == frame:
        return _key_pose(before)
    after = keys[behind]
    return _blend(before, after, (frame - before.time) / (after.time - before.time))


def rotation_matrix(q: Quaternion) -> Matrix:
    """The images of X, Y and Z under a unit quaternion."""
    x, y, z, w = q
    return (
        1 - 2 * (y * y + z * z),
        2 * (x * y + w * z),
        2 * (x * z - w * y),
        2 * (x * y - w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z + w * x),
        2 * (x * z + w * y),
        2 * (y * z - w * x),
        1 - 2 * (x * x + y * y),
    )


def turned(m: Matrix, v: Matrix) -> Matrix:
    """The linear part of m applied to v."""
    return tuple(m[i] * v[0] + m[i + 3] * v[1] + m[i + 6] * v[2] for i in range(3))


def transformed(m: Matrix, v: Matrix) -> Matrix:
    """p' = m0*x + m1*y + m2*z + m3."""
    return tuple(a + b for a, b in zip(turned(m, v), m[9:12], strict=True))


def transform(record: Record, frame: float) -> Matrix:
    """A(f), 12 numbers as in the file; vertex_world = A(f) * vertex."""
    now, base = pose(record, frame), floats_of(record.base_bits)
    m = (*rotation_matrix(now.rotation), *now.position)
    columns = [turned(m, base[i : i + 3]) for i in (0, 3, 6)]
    return (*columns[0], *columns[1], *columns[2], *transformed(m, base[9:12]))


def looped_frame(record: Record, frames: float) -> float:
    """The frame that is shown so many frames after the start."""
    last = float(last_frame(record))
    if record.flags & BACK_TO_BACK_LOOP:
        if last == 0:
            return 0.0
        phase = frames % (2 * last)
        return phase if phase <= last else 2 * last - phase
    if record.flags & NORMAL_LOOP:
        # Between the last frame and the next start the last frame holds: nothing blends back to the first.
        return min(frames % (last + 1), last)
    return min(max(frames, 0.0), last)
