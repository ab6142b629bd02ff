# SPDX-License-Identifier: MIT
"""Hamilton quaternions as float64 arrays (x, y, z, w), acting as v' = q v q* (spec 1.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
IDENTITY: Vector = np.array([0.0, 0.0, 0.0, 1.0])


def product(a: Vector, b: Vector) -> Vector:
    """The Hamilton product a (x) b: b acts first."""
    ax, ay, az, aw = a.tolist()  # Python's numbers: an array of four costs more than the sums
    bx, by, bz, bw = b.tolist()
    return np.array(
        [
            aw * bx + bw * ax + ay * bz - az * by,
            aw * by + bw * ay + az * bx - ax * bz,
            aw * bz + bw * az + ax * by - ay * bx,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    )


def rotate(q: Vector, v: Vector) -> Vector:
    """q v q*; a quaternion longer than 1 scales, as the formula says."""
    conjugate = np.array([-q[0], -q[1], -q[2], q[3]])
    return product(product(q, np.array([*v, 0.0])), conjugate)[:3]


def about_axis(axis: int, degrees: float) -> Vector:
    """A turn about the x (0), y (1) or z (2) axis."""
    q = np.zeros(4)
    q[axis] = math.sin(math.radians(degrees) / 2)
    q[3] = math.cos(math.radians(degrees) / 2)
    return q


def euler_x_first(degrees: Sequence[float]) -> Vector:
    """qz (x) qy (x) qx: the order of collision volumes (spec 3)."""
    x, y, z = (about_axis(i, d) for i, d in enumerate(degrees))
    return product(z, product(y, x))


def euler_z_first(degrees: Sequence[float]) -> Vector:
    """qx (x) qy (x) qz: the order of attachment points (spec 3) and of version 0.1 keys (spec 1.1)."""
    x, y, z = (about_axis(i, d) for i, d in enumerate(degrees))
    return product(x, product(y, z))


def interpolate(q0: Vector, q1: Vector, u: float) -> Vector:
    """The viewer's blend of two keys, 0 < u < 1 (spec 1.10)."""
    dot = float(np.dot(q0, q1))
    if dot < 0:
        return _slerp(-q0, q1, -dot, u)
    blended = u * q1 + (1 - u) * q0
    length = float(np.linalg.norm(blended))
    return blended / length if abs(1 - length) > 1e-6 else blended


def _slerp(q0: Vector, q1: Vector, dot: float, u: float) -> Vector:
    # Neither branch renormalises: keys longer than 1 come out longer than 1 (spec 1.10).
    if 1 - dot < 1e-5:
        return u * q1 + (1 - u) * q0
    angle = math.acos(dot)
    return (math.sin((1 - u) * angle) * q0 + math.sin(u * angle) * q1) / math.sin(angle)
