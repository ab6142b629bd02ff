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

#: 3.4 ignores handle types in bulk, 4.5 takes them.
_SETS_NO_HANDLE_TYPES: Final = bpy.app.version < (4, 5, 0)

CONSTANT: Final = 0
LINEAR: Final = 1
BEZIER: Final = 2

#: The handle type that Blender leaves where it is.
FREE: Final = 0

#: Deselecting this many takes a tenth of a second.
_MOST_DESELECTED: Final = 200_000

#: The key type (not interpolation) that marks a key which AnimBridge added.
KEYFRAME: Final = 0
JITTER: Final = 3


@dataclass(frozen=True)
class Keys:
    """The keys of an F-curve as Blender holds them: (frame, value) and interpolation code of each."""

    co: Floats
    interpolation: Codes


@dataclass(frozen=True)
class Shape:
    """How a curve goes from key to key; `handles`: left and right ones as (frame, value), for Bezier keys."""

    interpolation: Codes
    handles: tuple[Floats, Floats] | None = None


class NewCurves:
    """Makes F-curves in `holder` (compat.actions.Channels), for one import.

    Neither they nor their keys are selected, or whoever moves a key of their own would move them all. Where
    Blender cannot copy curves (before 5.0), deselecting takes as long as all else: there the keys of imports
    of more than _MOST_DESELECTED keys stay selected, as Blender makes them.
    """

    def __init__(self, holder: Any, key_count: int) -> None:
        self._fcurves = holder.fcurves
        self._deselects = key_count <= _MOST_DESELECTED
        #: By number of keys: a curve to copy, and codes.
        self._alike: dict[int, bpy.types.FCurve] = {}
        self._linear: dict[int, Codes] = {}

    def add(
        self, data_path: str, index: int, co: Floats, inserted: Codes | None, shape: Shape | None = None
    ) -> tuple[bpy.types.FCurve, Keys]:
        """A curve with keys (frame, value) in order of time, and what Blender made of them.

        `inserted` marks keys as Jitter; without a `shape`, keys are linear. Blender 4.3 and later merges keys
        less than 0.01 frame apart.
        """
        count = len(co)
        has_marks = inserted is not None and bool(inserted.any())
        curve = self._copy_of_alike(data_path, index, count) if shape is None else None
        if curve is None:
            curve = self._new(data_path, index, count)
        points = curve.keyframe_points
        points.foreach_set("co", np.ravel(co))
        if shape is not None:
            _set_shape(points, shape)
        if inserted is not None and has_marks:
            points.foreach_set("type", np.where(inserted, JITTER, KEYFRAME).astype(ENUM_TYPE))
        curve.update()
        if len(points) != count or shape is not None:
            return curve, read_keys(curve)
        if not has_marks:
            self._alike[count] = curve
        return curve, Keys(co, self._linear[count])

    def _copy_of_alike(self, data_path: str, index: int, count: int) -> bpy.types.FCurve | None:
        """A copy of a curve with as many keys, which is quicker than making and deselecting them."""
        source = self._alike.get(count)
        if source is None or not hasattr(self._fcurves, "new_from_fcurve"):
            return None
        # Under a path that no curve has, for the source's index is copied along.
        curve = self._fcurves.new_from_fcurve(source, data_path="animbridge")
        curve.data_path, curve.array_index = data_path, index
        return curve

    def _new(self, data_path: str, index: int, count: int) -> bpy.types.FCurve:
        curve = self._fcurves.new(data_path, index=index)
        curve.keyframe_points.add(count)
        if count not in self._linear:
            self._linear[count] = np.full(count, LINEAR, ENUM_TYPE)
        curve.keyframe_points.foreach_set("interpolation", self._linear[count])
        if self._deselects or hasattr(self._fcurves, "new_from_fcurve"):
            nothing = np.zeros(count, np.bool_)
            for part in ("select_control_point", "select_left_handle", "select_right_handle"):
                curve.keyframe_points.foreach_set(part, nothing)
        curve.select = False
        return curve


def _set_shape(points: Any, shape: Shape) -> None:
    count = len(points)
    points.foreach_set("interpolation", shape.interpolation.astype(ENUM_TYPE))
    if shape.handles is not None:
        _free_handles(points, count)
        for side, places in zip(("left", "right"), shape.handles, strict=True):
            points.foreach_set(f"handle_{side}", np.ravel(places))


def _free_handles(points: Any, count: int) -> None:
    """Makes Blender leave handles where they are."""
    if _SETS_NO_HANDLE_TYPES:
        for key in points:
            key.handle_left_type = key.handle_right_type = "FREE"
        return
    free = np.full(count, FREE, ENUM_TYPE)
    points.foreach_set("handle_left_type", free)
    points.foreach_set("handle_right_type", free)


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
