# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of a motion before and after a clip tool, which stay with the Action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty, PointerProperty

ATTRIBUTE: Final = "animbridge_clip"


class ClipFigures(bpy.types.PropertyGroup):
    """What the library measures of a motion."""

    keys: IntProperty(name="Keys", description="Keyframes on the curves that the tool works on")
    seconds: FloatProperty(name="Length", description="How long it lasts")
    seam_degrees: FloatProperty(
        name="Seam", description="The largest turn of a bone from the loop's end to its beginning"
    )
    seam_mm: FloatProperty(
        name="Seam", description="How far a bone is at the loop's end from where it is at the beginning"
    )
    way_metres: FloatProperty(name="Travel", description="How far the body goes in one round")
    shake_degrees: FloatProperty(name="Shaking", description="How far bones are from smooth curves")
    slide_mm_per_second: FloatProperty(name="Sliding", description="How fast feet on the ground slide")
    depth_mm: FloatProperty(name="Overlap", description="How deep one limb is in another at most")


class ClipNumbers(bpy.types.PropertyGroup):
    """Both, of the last tool."""

    is_known: BoolProperty(name="Measured", description="Whether anything has been measured")
    before: PointerProperty(name="Before", description="Before the last tool", type=ClipFigures)
    after: PointerProperty(name="After", description="After it", type=ClipFigures)


CLASSES: Final = (ClipFigures, ClipNumbers)

#: What has not been measured: a body without positions, or without feet on the ground.
_UNKNOWN: Final = -1.0
#: Per row: its label, the part of the report, the property, and how its value is written.
_ROWS: Final = (
    ("Keys", None, "keys", "{:,}"),
    ("Length", None, "seconds", "{:.2f} s"),
    ("Seam", "loop", "seam_degrees", "{:.1f}°"),
    ("Seam", "loop", "seam_mm", "{:.0f} mm"),
    ("Travel", "travel", "way_metres", "{:.2f} m"),
    ("Shaking", None, "shake_degrees", "{:.2f}°"),
    ("Sliding", "feet", "slide_mm_per_second", "{:.0f} mm/s"),
    ("Overlap", "overlap", "depth_mm", "{:.0f} mm"),
)


def numbers_of(action: bpy.types.Action) -> Any:
    """The numbers of an Action."""
    return getattr(action, ATTRIBUTE)


def store(action: bpy.types.Action, report: Mapping[str, Any]) -> None:
    """Keeps what a tool reports."""
    numbers = numbers_of(action)
    numbers.is_known = True
    for figures, values in ((numbers.before, report["before"]), (numbers.after, report["after"])):
        for _, part, name, _ in _ROWS:
            found = (values[part] or {}) if part else values
            value = found.get(name)
            setattr(figures, name, _UNKNOWN if value is None else value)


def draw(layout: Any, action: bpy.types.Action) -> None:
    """One row for each number; of one that a tool has changed, both values."""
    numbers = numbers_of(action)
    if not numbers.is_known:
        return
    column = layout.column(align=True)
    for label, _, name, form in _ROWS:
        values = [getattr(one, name) for one in (numbers.before, numbers.after)]
        before, after = ("–" if value == _UNKNOWN else form.format(value) for value in values)
        row = column.split(factor=0.3)
        row.label(text=label)
        row.label(text=after if before == after else f"{before} \N{RIGHTWARDS ARROW} {after}")


def attach() -> None:
    """Gives every Action its numbers."""
    setattr(bpy.types.Action, ATTRIBUTE, PointerProperty(type=ClipNumbers))


def detach() -> None:
    """Takes them away again."""
    delattr(bpy.types.Action, ATTRIBUTE)
