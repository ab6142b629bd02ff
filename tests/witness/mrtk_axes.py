# SPDX-License-Identifier: MIT
"""Vectors and quaternions of Unity's space (left-handed, +Y up), and where they are in Blender's (spec 4.1).

Quaternions are x, y, z, w here, as in the file; Blender's are w, x, y, z.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Floats = Sequence[float]
Vector = tuple[float, ...]
IDENTITY: Vector = (0.0, 0.0, 0.0, 1.0)


def product(a: Floats, b: Floats) -> Vector:
    """The Hamilton product: b acts first."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


def rotated(q: Floats, v: Floats) -> Vector:
    """The vector v, turned by the unit quaternion q."""
    turned = product(product(q, (*v, 0.0)), (-q[0], -q[1], -q[2], q[3]))
    return turned[:3]


def turn(axis: int, degrees: float) -> Vector:
    """A turn about x (0), y (1) or z (2)."""
    half = math.radians(degrees) / 2
    parts = [0.0, 0.0, 0.0, math.cos(half)]
    parts[axis] = math.sin(half)
    return tuple(parts)


def added(a: Floats, b: Floats) -> Vector:
    """a + b."""
    return tuple(p + q for p, q in zip(a, b, strict=True))


def scaled(a: Floats, factor: float) -> Vector:
    """a times a number."""
    return tuple(p * factor for p in a)


def dot(a: Floats, b: Floats) -> float:
    """The scalar product, rounded once: sum() adds otherwise from Python 3.12 on."""
    return math.fsum(p * q for p, q in zip(a, b, strict=True))


def length(a: Floats) -> float:
    """The Euclidean length."""
    return math.sqrt(dot(a, a))


def normalised(q: Floats) -> Vector:
    """Of length 1; the identity for zero (spec 3.2)."""
    size = length(q)
    return scaled(q, 1 / size) if size > 0 else IDENTITY


def degrees_apart(a: Floats, b: Floats) -> float:
    """The angle between two rotations, whatever their lengths and signs."""
    p, q = normalised(a), normalised(b)
    if dot(p, q) < 0:
        q = scaled(q, -1)
    chord = length([x - y for x, y in zip(p, q, strict=True)])
    return math.degrees(4 * math.asin(min(chord / 2, 1.0)))


def matrix(q: Floats) -> list[Vector]:
    """The images of X, Y and Z."""
    return [rotated(q, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]


def blender_vector(v: Floats) -> Vector:
    """Unity's vector in Blender's space: Y and Z change places."""
    return (v[0], v[2], v[1])


def blender_rotation(q: Floats) -> Vector:
    """Unity's x, y, z, w as Blender's w, x, y, z: the axis is a pseudovector, hence three signs."""
    return (q[3], -q[0], -q[2], -q[1])
