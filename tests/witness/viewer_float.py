# SPDX-License-Identifier: MIT
"""The viewer's float32 vectors and quaternions, one rounding an operation, no fused multiply-add.

Scalars are numpy.float32. The viewer's product a*b means "a first, then b", Hamilton b (x) a (spec 1.3), and
its sums run from left to right as that product is usually written out. sinf, cosf and strtof are glibc's:
spec 2.1 rule 12 says that correctly rounded ones give other bytes.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import NamedTuple

import numpy as np

F = np.float32
C_LIBRARY, MATHEMATICS = ("ucrtbase", "ucrtbase") if sys.platform == "win32" else ("libc.so.6", "libm.so.6")
RADIANS_PER_DEGREE = F(0.017453292519943295769)
HALF = F(0.5)
ONE = F(1)
ZERO = F(0)
SMALLEST_LENGTH = F(0.0000001)
A_MILLIONTH = F(0.000001)


class Vector(NamedTuple):
    """Three float32."""

    x: np.float32
    y: np.float32
    z: np.float32


class Quaternion(NamedTuple):
    """Four float32."""

    x: np.float32
    y: np.float32
    z: np.float32
    w: np.float32


IDENTITY = Quaternion(ZERO, ZERO, ZERO, ONE)
ORIGIN = Vector(ZERO, ZERO, ZERO)
X_AXIS = Vector(ONE, ZERO, ZERO)
Y_AXIS = Vector(ZERO, ONE, ZERO)


@cache
def _library(name: str) -> ctypes.CDLL:
    library = ctypes.CDLL(name)
    for function in (library.sinf, library.cosf) if name == MATHEMATICS else ():
        function.argtypes, function.restype = [ctypes.c_float], ctypes.c_float
    return library


def sine(angle: np.float32) -> np.float32:
    """sinf."""
    return F(_library(MATHEMATICS).sinf(float(angle)))


def cosine(angle: np.float32) -> np.float32:
    """cosf."""
    return F(_library(MATHEMATICS).cosf(float(angle)))


def parse_float(text: bytes) -> np.float32:
    """strtof in the C locale: the decimal text rounded once to float32; ValueError if it is no number."""
    strtof = _library(C_LIBRARY).strtof
    strtof.argtypes, strtof.restype = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)], ctypes.c_float
    buffer, end = ctypes.create_string_buffer(text), ctypes.c_void_p()
    value = F(strtof(ctypes.cast(buffer, ctypes.c_char_p), ctypes.byref(end)))
    if not text or end.value != ctypes.addressof(buffer) + len(text):
        raise ValueError(f"{text!r} is no number")
    return value


def conjugate(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion."""
    return Quaternion(-q.x, -q.y, -q.z, q.w)


def then(a: Quaternion, b: Quaternion) -> Quaternion:
    """The viewer's a*b."""
    return Quaternion(
        b.w * a.x + b.x * a.w + b.y * a.z - b.z * a.y,
        b.w * a.y + b.y * a.w + b.z * a.x - b.x * a.z,
        b.w * a.z + b.z * a.w + b.x * a.y - b.y * a.x,
        b.w * a.w - b.x * a.x - b.y * a.y - b.z * a.z,
    )


def rotated(v: Vector, q: Quaternion) -> Vector:
    """The viewer's v*q: q (x) v (x) conj(q), the product with the vector first."""
    w = -q.x * v.x - q.y * v.y - q.z * v.z
    x = q.w * v.x + q.y * v.z - q.z * v.y
    y = q.w * v.y + q.z * v.x - q.x * v.z
    z = q.w * v.z + q.x * v.y - q.y * v.x
    return Vector(
        -w * q.x + x * q.w - y * q.z + z * q.y,
        -w * q.y + y * q.w - z * q.x + x * q.z,
        -w * q.z + z * q.w - x * q.y + y * q.x,
    )


def about(axis: str, degrees: np.float32) -> Quaternion:
    """A turn about X, Y or Z; the other components are products with 0."""
    half_angle = degrees * RADIANS_PER_DEGREE * HALF
    s, c = sine(half_angle), cosine(half_angle)
    x, y, z = (s * (ONE if axis == name else ZERO) for name in "XYZ")
    return Quaternion(x, y, z, c)


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return Vector(a.x - b.x, a.y - b.y, a.z - b.z)


def distance_squared(a: Vector, b: Vector) -> np.float32:
    """|a - b| squared."""
    d = minus(a, b)
    return d.x * d.x + d.y * d.y + d.z * d.z


def distance(a: Vector, b: Vector) -> np.float32:
    """|a - b|."""
    return F(np.sqrt(distance_squared(a, b)))


def length(q: Quaternion) -> np.float32:
    """|q|."""
    return F(np.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w))


def blend_vectors(a: Vector, b: Vector, u: np.float32) -> Vector:
    """From a toward b."""
    return Vector(a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u, a.z + (b.z - a.z) * u)


def blend(a: Quaternion, b: Quaternion, u: np.float32) -> Quaternion:
    """From a toward b without regard to sign, rescaled where its length is off by a millionth (spec 1.10)."""
    v = ONE - u
    q = Quaternion(*(u * there + v * here for here, there in zip(a, b, strict=True)))
    size = length(q)
    if not size > SMALLEST_LENGTH:
        return IDENTITY
    if abs(ONE - size) > A_MILLIONTH:
        scale = ONE / size
        q = Quaternion(*(part * scale for part in q))
    return q


def to_stored(q: Quaternion) -> Vector:
    """x, y, z of the unit quaternion whose w is not negative (spec 1.3)."""
    size = length(q)
    v = Vector(q.x / size, q.y / size, q.z / size) if size > SMALLEST_LENGTH else Vector(q.x, q.y, q.z)
    return v if q.w >= 0 else Vector(-v.x, -v.y, -v.z)
