# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys put between the other keys of an F-curve, which keep everything that they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from .key_tables import Table, blank_table, read_table, write_table
from .keyframes import ENUM_TYPE, JITTER, KEYFRAME, Codes, Floats

#: Blender 4.3 and later merges keys that are closer than this.
_MERGE_DISTANCE_FRAMES: Final = 0.01


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
    old = read_table(curve)
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
    write_table(points, table)
    curve.update()


def _touches(frame: float, end: float) -> bool:
    return abs(frame - end) <= _MERGE_DISTANCE_FRAMES


def _linear(co: Floats, marks: NDArray[np.bool_]) -> Table:
    """New keys, with Blender's own values in what a linear key does not use."""
    table = blank_table(len(co))
    table |= dict.fromkeys(("co", "handle_left", "handle_right"), co)
    table["type"] = np.where(marks, JITTER, KEYFRAME).astype(ENUM_TYPE)
    return table
