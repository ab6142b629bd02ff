# SPDX-License-Identifier: MIT
"""Vectors and unit quaternions (w, x, y, z) as tuples of floats, acting as v' = q v q*."""

from __future__ import annotations

import math

Vector = tuple[float, float, float]
Turn = tuple[float, float, float, float]
NO_TURN: Turn = (1.0, 0.0, 0.0, 0.0)
UP: Vector = (0.0, 0.0, 1.0)


def add(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def sub(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(k: float, a: Vector) -> Vector:
    """k a."""
    return k * a[0], k * a[1], k * a[2]


def dot(a: Vector, b: Vector) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length(a: Vector) -> float:
    """The Euclidean length."""
    return math.sqrt(dot(a, a))


def unit(a: Vector) -> Vector:
    """a / |a|; a must have a length."""
    return times(1 / length(a), a)


def mul(a: Turn, b: Turn) -> Turn:
    """The Hamilton product: b acts first."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def back(q: Turn) -> Turn:
    """The inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


def normal(q: Turn) -> Turn:
    """q / |q|."""
    size = math.sqrt(sum(v * v for v in q))
    return q[0] / size, q[1] / size, q[2] / size, q[3] / size


def rotate(q: Turn, v: Vector) -> Vector:
    """q v q*."""
    _, x, y, z = mul(mul(q, (0.0, *v)), back(q))
    return x, y, z


def about(axis: Vector, radians: float) -> Turn:
    """The turn about an axis of any length."""
    x, y, z = times(math.sin(radians / 2), unit(axis))
    return math.cos(radians / 2), x, y, z


def swing(a: Vector, b: Vector) -> Turn:
    """The least turn that takes the direction of a to that of b; opposite: about some axis across a."""
    a, b = unit(a), unit(b)
    middle = add(a, b)
    if length(middle) < 1e-9:
        across = cross(a, (1.0, 0.0, 0.0) if abs(a[0]) < 0.9 else (0.0, 1.0, 0.0))
        return about(across, math.pi)
    return normal((1 + dot(a, b), *cross(a, b)))


def angle(q: Turn) -> float:
    """The angle of a turn in radians, 0 to pi."""
    return 2 * math.atan2(math.sqrt(q[1] ** 2 + q[2] ** 2 + q[3] ** 2), abs(q[0]))


def twist_about(q: Turn, axis: Vector) -> Turn:
    """The twist of q = swing twist: the part about a unit axis, which acts first."""
    along = q[1] * axis[0] + q[2] * axis[1] + q[3] * axis[2]
    if math.hypot(q[0], along) < 1e-12:
        return NO_TURN
    return normal((q[0], *times(along, axis)))


def part(q: Turn, share: float) -> Turn:
    """A share of a turn, by the short way."""
    if q[0] < 0:
        q = (-q[0], -q[1], -q[2], -q[3])
    half = angle(q) / 2
    if half < 1e-12:
        return NO_TURN
    x, y, z = times(math.sin(share * half) / math.sin(half), (q[1], q[2], q[3]))
    return math.cos(share * half), x, y, z


def between(a: Turn, b: Turn, share: float) -> Turn:
    """Slerp by the short way."""
    return mul(a, part(mul(back(a), b), share))


def chord(a: Turn, b: Turn) -> float:
    """How far two turns are from each other, whatever their signs: 2 sin(angle / 4)."""
    minus = math.dist(a, b)
    plus = math.sqrt(sum((u + v) ** 2 for u, v in zip(a, b, strict=True)))
    return min(minus, plus)
