# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of an F-curve in bulk.

foreach_set of codes is ten times faster with exactly the integer type that Blender keeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Codes = NDArray[Any]

ENUM_TYPE: Final = np.uint8 if bpy.app.version >= (4, 4, 0) else np.int8

#: 3.4 cannot read codes of linked Actions in bulk, 4.5 can.
_READS_NO_LINKED_CODES: Final = bpy.app.version < (4, 5, 0)

CONSTANT: Final = 0
LINEAR: Final = 1
BEZIER: Final = 2

#: The key type (not interpolation) that marks a key which AnimBridge added.
KEYFRAME: Final = 0
JITTER: Final = 3


@dataclass(frozen=True)
class Keys:
    """The keys of an F-curve as Blender holds them: (frame, value) and interpolation code of each."""

    co: Floats
    interpolation: Codes


def add_linear_keys(curve: bpy.types.FCurve, co: Floats, inserted: Codes | None) -> Keys:
    """Fills a new F-curve with keys (frame, value) in order of time, all linear; what Blender made of them.

    Neither they nor the curve are selected. `inserted` marks keys as Jitter. Blender 4.3 and later merges
    keys that are less than 0.01 frame apart.
    """
    points = curve.keyframe_points
    count = len(co)
    points.add(count)
    points.foreach_set("co", np.ravel(co))
    linear = np.full(count, LINEAR, ENUM_TYPE)
    points.foreach_set("interpolation", linear)
    if inserted is not None and inserted.any():
        points.foreach_set("type", np.where(inserted, JITTER, KEYFRAME).astype(ENUM_TYPE))
    _deselect(curve)
    curve.update()
    return Keys(co, linear) if len(points) == count else read_keys(curve)


def _deselect(curve: bpy.types.FCurve) -> None:
    """New keys come selected, with their curve: whoever moves a key of their own would move them all."""
    nothing = np.zeros(len(curve.keyframe_points), np.bool_)
    for part in ("select_control_point", "select_left_handle", "select_right_handle"):
        curve.keyframe_points.foreach_set(part, nothing)
    curve.select = False


def read_keys(curve: bpy.types.FCurve) -> Keys:
    """The keys of an F-curve."""
    return Keys(read_co(curve), read_interpolation(curve))


def read_co(curve: bpy.types.FCurve) -> Floats:
    """The keys as an array of (frame, value)."""
    return _read_pairs(curve, "co")


def read_handles(curve: bpy.types.FCurve) -> tuple[Floats, Floats]:
    """The left and right handles as arrays of (frame, value)."""
    return _read_pairs(curve, "handle_left"), _read_pairs(curve, "handle_right")


def read_interpolation(curve: bpy.types.FCurve) -> Codes:
    """The interpolation codes; CONSTANT, LINEAR, BEZIER, and more above them."""
    return _read_codes(curve, "interpolation")


def read_inserted(curve: bpy.types.FCurve) -> NDArray[np.uint8]:
    """1 for every key that is marked as Jitter."""
    return (_read_codes(curve, "type") == JITTER).astype(np.uint8)


def _read_pairs(curve: bpy.types.FCurve, attribute: str) -> Floats:
    values = np.empty(2 * len(curve.keyframe_points), np.float32)
    curve.keyframe_points.foreach_get(attribute, values)
    return values.reshape(-1, 2)


def _read_codes(curve: bpy.types.FCurve, attribute: str) -> Codes:
    owner: Any = curve.id_data
    if _READS_NO_LINKED_CODES and owner.library is not None:
        # There foreach_get gives uninitialised memory, so each key is asked by itself.
        prop: Any = bpy.types.Keyframe.bl_rna.properties[attribute]
        items = prop.enum_items
        return np.array([items[getattr(key, attribute)].value for key in curve.keyframe_points], ENUM_TYPE)
    codes = np.empty(len(curve.keyframe_points), ENUM_TYPE)
    curve.keyframe_points.foreach_get(attribute, codes)
    return codes
