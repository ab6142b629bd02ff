# SPDX-License-Identifier: MIT
"""Matrices (column vectors, float64), unit quaternions (w, x, y, z) and Euler angles, for scenes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
IDENTITY_TURN: Array = np.array([1.0, 0.0, 0.0, 0.0])


def array(values: ArrayLike) -> Array:
    """A new float64 array."""
    return np.array(values, dtype=np.float64)


def product(a: Array, b: Array) -> Array:
    """The Hamilton product: b acts first."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    return np.array([w, x, y, z])


def inverse(q: Array) -> Array:
    """The inverse of a unit quaternion."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def unit(q: Array) -> Array:
    """q / |q|."""
    return q / math.sqrt(float(np.dot(q, q)))


def about(axis: Sequence[float], degrees: float) -> Array:
    """The turn about an axis of any length but zero."""
    direction = array(axis)
    half = math.radians(degrees) / 2
    return np.array([math.cos(half), *(math.sin(half) * unit(direction))])


def matrix3(q: Array) -> Array:
    """The rotation matrix of a unit quaternion."""
    w, x, y, z = (float(v) for v in q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def turn_of(r: Array) -> Array:
    """The unit quaternion of a rotation matrix, w not negative."""
    # The largest of the four squares is never small, so its root divides safely.
    squares = [
        1 + r[0, 0] + r[1, 1] + r[2, 2],
        1 + r[0, 0] - r[1, 1] - r[2, 2],
        1 - r[0, 0] + r[1, 1] - r[2, 2],
        1 - r[0, 0] - r[1, 1] + r[2, 2],
    ]
    rows = [
        [squares[0], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
        [r[2, 1] - r[1, 2], squares[1], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0]],
        [r[0, 2] - r[2, 0], r[0, 1] + r[1, 0], squares[2], r[1, 2] + r[2, 1]],
        [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], squares[3]],
    ]
    q = unit(array([float(v) for v in rows[int(np.argmax(squares))]]))
    return -q if q[0] < 0 else q


def split(linear: Array) -> tuple[Array, Array]:
    """Rotation (quaternion) and scale of R S; a mirror goes to the scale of x."""
    scale = np.sqrt(np.sum(linear * linear, axis=0))
    if float(np.linalg.det(linear)) < 0:
        scale[0] = -scale[0]
    return turn_of(linear / scale), scale


def affine(linear: Array, translation: Array) -> Array:
    """The 4 x 4 matrix."""
    result = np.eye(4)
    result[:3, :3] = linear
    result[:3, 3] = translation
    return result


def slerp(a: Array, b: Array, share: float) -> Array:
    """The short way from a to b."""
    cosine = float(np.dot(a, b))
    if cosine < 0:
        b, cosine = -b, -cosine
    angle = math.atan2(math.sqrt(max(0.0, 1 - cosine * cosine)), cosine)
    if angle < 1e-9:
        return unit((1 - share) * a + share * b)
    return unit((math.sin((1 - share) * angle) * a + math.sin(share * angle) * b) / math.sin(angle))


def hermite(p0: Array, m0: Array, p1: Array, m1: Array, u: float) -> Array:
    """A cubic from p0 with slope m0 (per whole segment) to p1 with slope m1."""
    u2, u3 = u * u, u * u * u
    start, end = 2 * u3 - 3 * u2 + 1, -2 * u3 + 3 * u2
    return start * p0 + (u3 - 2 * u2 + u) * m0 + end * p1 + (u3 - u2) * m1


ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx")
"""FBX's RotationOrder 0 to 5: the axis that acts first stands first."""


def from_euler(degrees: Sequence[float] | Array, order: str = "xyz") -> Array:
    """The turn of angles about fixed x, y, z; the axis that acts first stands first in `order`."""
    result = IDENTITY_TURN
    for axis in order:
        i = "xyz".index(axis)
        result = product(about(np.eye(3)[i].tolist(), float(degrees[i])), result)
    return result


def to_euler(q: Array, order: str = "xyz") -> Array:
    """Angles about x, y, z in degrees, the middle one within 90; `from_euler` takes them back to q."""
    i, j, k = ("xyz".index(axis) for axis in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    r = matrix3(q)
    result = np.zeros(3)
    # R = Rk Rj Ri: its row k is (-s sin j ...), by the rule for xyz with the axes renamed.
    cosine = math.hypot(r[i, i], r[j, i])
    result[j] = math.degrees(math.atan2(-sign * r[k, i], cosine))
    if cosine > 1e-9:
        result[i] = math.degrees(math.atan2(sign * r[k, j], r[k, k]))
        result[k] = math.degrees(math.atan2(sign * r[j, i], r[i, i]))
    else:  # The first and the last axis are one: all goes to the first.
        result[i] = math.degrees(math.atan2(-sign * r[j, k], r[j, j]))
    return result


def unrolled(rows: Array) -> Array:
    """Angles in degrees, frame by frame (rows), made continuous by whole turns."""
    return np.asarray(np.unwrap(rows, period=360.0, axis=0), dtype=np.float64)


def angle_degrees(a: Array, b: Array) -> float:
    """The angle between two orientations, 0 to 180, whatever their signs."""
    difference = product(inverse(a), b)
    return math.degrees(2 * math.atan2(float(np.linalg.norm(difference[1:])), abs(float(difference[0]))))
