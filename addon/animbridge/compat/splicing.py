# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys put between the other keys of an F-curve, which keep everything that they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from .keyframes import ENUM_TYPE, JITTER, KEYFRAME, LINEAR, Codes, Floats

#: 3.4 does nothing when handle types are set in bulk, and gives zeros for them.
_BULK_HANDLE_TYPES: Final = bpy.app.version >= (4, 3, 0)
#: Blender 4.3 and later merges keys that are closer than this.
_MERGE_DISTANCE_FRAMES: Final = 0.01
_AUTO_CLAMPED: Final = 4

#: Everything that a key has: numbers by their width, and codes.
_FLOATS: Final = {"co": 2, "handle_left": 2, "handle_right": 2, "amplitude": 1, "back": 1, "period": 1}
_PLAIN_CODES: Final = ("interpolation", "easing", "type")
_HANDLE_TYPES: Final = ("handle_left_type", "handle_right_type")
_CODES: Final = (*_PLAIN_CODES, *_HANDLE_TYPES)
_BULK: Final = (*_FLOATS, *(_CODES if _BULK_HANDLE_TYPES else _PLAIN_CODES))

_Table = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Span:
    """Frames whose keys are replaced, both ends included."""

    first: float
    last: float

    def before(self, frames: Floats) -> NDArray[np.bool_]:
        """Which frames come before the span."""
        return frames < self.first - _MERGE_DISTANCE_FRAMES

    def after(self, frames: Floats) -> NDArray[np.bool_]:
        """Which frames come after the span."""
        return frames > self.last + _MERGE_DISTANCE_FRAMES


def splice_linear_keys(
    curve: bpy.types.FCurve, co: Floats, inserted: Codes | None, span: Span, later_factor: float = 1.0
) -> None:
    """Puts linear keys (frame, value) in order of time in the place of those that the curve has in the span.

    Other keys stay as they are, but for the values after the span, which are multiplied by `later_factor`.
    Towards such keys the new ones are held to the end of the span. `inserted` marks new keys as Jitter.
    """
    old = _read(curve)
    before, after = span.before(old["co"][:, 0]), span.after(old["co"][:, 0])
    for name in ("co", "handle_left", "handle_right"):
        old[name][after, 1] *= np.float32(later_factor)
    marks = np.zeros(len(co), np.bool_) if inserted is None else inserted.astype(np.bool_)
    if before.any() and not _touches(co[0, 0], span.first):
        co, marks = np.vstack([[[span.first, co[0, 1]]], co]), np.append(False, marks)
    if after.any() and not _touches(co[-1, 0], span.last):
        co, marks = np.vstack([co, [[span.last, co[-1, 1]]]]), np.append(marks, False)
    new = _linear(co.astype(np.float32), marks)
    table = {name: np.concatenate([old[name][before], new[name], old[name][after]]) for name in old}
    points: Any = curve.keyframe_points
    points.clear()
    points.add(len(table["co"]))
    _write(points, table)
    curve.update()


def _touches(frame: float, end: float) -> bool:
    return abs(frame - end) <= _MERGE_DISTANCE_FRAMES


def _linear(co: Floats, marks: NDArray[np.bool_]) -> _Table:
    """New keys, with Blender's own values in what a linear key does not use."""
    count = len(co)
    table: _Table = {name: np.zeros((count, width), np.float32) for name, width in _FLOATS.items()}
    table |= {name: np.zeros(count, ENUM_TYPE) for name in _CODES}
    table |= dict.fromkeys(("co", "handle_left", "handle_right"), co)
    table |= {name: np.full(count, _AUTO_CLAMPED, ENUM_TYPE) for name in _HANDLE_TYPES}
    table["interpolation"] = np.full(count, LINEAR, ENUM_TYPE)
    table["type"] = np.where(marks, JITTER, KEYFRAME).astype(ENUM_TYPE)
    return table


def _read(curve: bpy.types.FCurve) -> _Table:
    points: Any = curve.keyframe_points
    table: _Table = {}
    for name, width in _FLOATS.items():
        values = np.empty(width * len(points), np.float32)
        points.foreach_get(name, values)
        table[name] = values.reshape(-1, width)
    for name in _CODES:
        table[name] = np.empty(len(points), ENUM_TYPE)
        if name in _BULK:
            points.foreach_get(name, table[name])
        else:
            codes = _codes_by_name(name)
            table[name][:] = [codes[getattr(key, name)] for key in points]
    return table


def _write(points: Any, table: _Table) -> None:
    for name in _BULK:
        points.foreach_set(name, np.ravel(table[name]))
    for name in set(_CODES) - set(_BULK):
        names = {code: text for text, code in _codes_by_name(name).items()}
        for index in np.flatnonzero(table[name] != _AUTO_CLAMPED):
            setattr(points[int(index)], name, names[int(table[name][index])])


def _codes_by_name(attribute: str) -> dict[str, int]:
    prop: Any = bpy.types.Keyframe.bl_rna.properties[attribute]
    return {item.identifier: item.value for item in prop.enum_items}
