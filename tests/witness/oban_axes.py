# SPDX-License-Identifier: MIT
"""A key in Blender's axes and metres, and back (spec 2, Blender). Quaternions here are w, x, y, z.

The table of the specification gives the location a factor of 0.1 and says nothing of the mesh: its vertices,
and with them the translation of Base, are taken to be in metres too, so that no scale is needed.
"""

from __future__ import annotations

import math
from typing import Any

from .oban_file import Key, floats_of

Vector = tuple[float, ...]
METRES = 0.1  # a unit
K: Vector = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # a quarter turn about X: Y up becomes Z up
K_BACK: Vector = (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0)


def product(a: Vector, b: Vector) -> Vector:
    """The Hamilton product: b acts first."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
    )


def location(position: Vector) -> Vector:
    """Metres, Z up."""
    x, y, z = position
    return (METRES * x, METRES * -z, METRES * y)


def position(place: Vector) -> Vector:
    """The file's units, Y up."""
    x, y, z = place
    return (x / METRES, z / METRES, -y / METRES)


def rotation_raw_axes(stored: Vector) -> Vector:
    """For cameras, and meshes that keep the file's axes."""
    x, y, z, w = stored
    return product(K, (-w, x, y, z))


def rotation_converted(stored: Vector) -> Vector:
    """For meshes that have been turned to Blender's axes."""
    return product(rotation_raw_axes(stored), K_BACK)


def stored_raw_axes(rotation: Vector) -> Vector:
    """What is stored (x, y, z, w) for a camera's rotation."""
    w, x, y, z = product(K_BACK, rotation)
    return (x, y, z, -w)


def stored_converted(rotation: Vector) -> Vector:
    """What is stored for the rotation of a turned mesh."""
    return stored_raw_axes(product(rotation, K))


def row(key: Key) -> dict[str, Any]:
    """A key for the manifest; rotations as w, x, y, z."""
    stored = floats_of(key.rotation_bits)
    return {
        "time": key.time,
        "location": location(floats_of(key.position_bits)),
        "rotation_raw_axes": rotation_raw_axes(stored),
        "rotation_converted": rotation_converted(stored),
    }
