# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that the keys of an F-curve have, as arrays."""

from __future__ import annotations

from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from .keyframes import BEZIER, ENUM_TYPE, FREE, LINEAR

#: 3.4 does nothing when handle types are set in bulk, and gives zeros for them.
_BULK_HANDLE_TYPES: Final = bpy.app.version >= (4, 3, 0)
AUTO_CLAMPED: Final = 4
#: Frames, and values: what single precision loses.
_HANDLE_TOLERANCE: Final = 2e-5

#: Everything that a key has: numbers by their width, and codes.
FLOATS: Final = {"co": 2, "handle_left": 2, "handle_right": 2, "amplitude": 1, "back": 1, "period": 1}
_PLAIN_CODES: Final = ("interpolation", "easing", "type")
HANDLE_TYPES: Final = ("handle_left_type", "handle_right_type")
CODES: Final = (*_PLAIN_CODES, *HANDLE_TYPES)
FLAGS: Final = ("select_control_point", "select_left_handle", "select_right_handle")
_BULK: Final = (*FLOATS, *FLAGS, *(CODES if _BULK_HANDLE_TYPES else _PLAIN_CODES))

Table = dict[str, NDArray[Any]]


def read_table(curve: bpy.types.FCurve) -> Table:
    """The keys of a curve."""
    points: Any = curve.keyframe_points
    table: Table = {}
    for name, width in FLOATS.items():
        values = np.empty(width * len(points), np.float32)
        points.foreach_get(name, values)
        table[name] = values.reshape(-1, width)
    for name in FLAGS:
        table[name] = np.empty(len(points), np.bool_)
        points.foreach_get(name, table[name])
    for name in CODES:
        table[name] = np.empty(len(points), ENUM_TYPE)
        if name in _BULK:
            points.foreach_get(name, table[name])
        else:
            codes = _codes_by_name(name)
            table[name][:] = [codes[getattr(key, name)] for key in points]
    return table


def write_table(points: Any, table: Table) -> None:
    """Gives as many keys, which Blender has just made, what they have."""
    for name in _BULK:
        points.foreach_set(name, np.ravel(table[name]))
    for name in set(CODES) - set(_BULK):
        names = {code: text for text, code in _codes_by_name(name).items()}
        for index in np.flatnonzero(table[name] != AUTO_CLAMPED):
            setattr(points[int(index)], name, names[int(table[name][index])])


def _codes_by_name(attribute: str) -> dict[str, int]:
    prop: Any = bpy.types.Keyframe.bl_rna.properties[attribute]
    return {item.identifier: item.value for item in prop.enum_items}


def blank_table(count: int) -> Table:
    """Keys with Blender's own values in what a linear key does not use, not selected."""
    table: Table = {name: np.zeros((count, width), np.float32) for name, width in FLOATS.items()}
    table |= {name: np.zeros(count, np.bool_) for name in FLAGS}
    table |= {name: np.zeros(count, ENUM_TYPE) for name in CODES}
    table |= {name: np.full(count, AUTO_CLAMPED, ENUM_TYPE) for name in HANDLE_TYPES}
    table["interpolation"] = np.full(count, LINEAR, ENUM_TYPE)
    return table


def replace_keys(curve: bpy.types.FCurve, table: Table) -> None:
    """Gives a curve these keys in place of its own. Handles that Blender would move are made free."""
    points: Any = curve.keyframe_points
    points.clear()
    points.add(len(table["co"]))
    write_table(points, table)
    curve.update()
    if len(points) != len(table["co"]):
        return  # Blender has merged some that are very close
    now = read_table(curve)
    moved = np.zeros(len(points), np.bool_)
    for name in ("handle_left", "handle_right"):
        moved |= (np.abs(now[name] - table[name]) > _HANDLE_TOLERANCE).any(axis=1)
    moved &= _has_handles(table["interpolation"])
    if moved.any():
        freed = {**table, **{name: np.where(moved, FREE, table[name]) for name in HANDLE_TYPES}}
        freed = {name: values.astype(table[name].dtype) for name, values in freed.items()}
        write_table(points, freed)
        curve.update()


def _has_handles(codes: NDArray[Any]) -> NDArray[np.bool_]:
    """Which keys are at an end of a Bezier segment."""
    right = codes == BEZIER
    return right | np.append(False, right[:-1])
