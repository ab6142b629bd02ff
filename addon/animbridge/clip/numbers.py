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
    duration_seconds: FloatProperty(name="Length", description="How long it lasts")
    seam_degrees: FloatProperty(
        name="Seam", description="The largest turn of a bone from the loop's end to its beginning"
    )
    seam_mm: FloatProperty(
        name="Seam", description="How far a bone is at the loop's end from where it is at the beginning"
    )
    travel_metres: FloatProperty(name="Travel", description="How far the body goes in one round")


class ClipNumbers(bpy.types.PropertyGroup):
    """Both, of the last tool."""

    is_known: BoolProperty(name="Measured", description="Whether anything has been measured")
    before: PointerProperty(name="Before", description="Before the last tool", type=ClipFigures)
    after: PointerProperty(name="After", description="After it", type=ClipFigures)


CLASSES: Final = (ClipFigures, ClipNumbers)

#: Per row: its label, the property, and how its value is written.
_ROWS: Final = (
    ("Keys", "keys", "{:,}"),
    ("Length", "duration_seconds", "{:.2f} s"),
    ("Seam", "seam_degrees", "{:.1f}°"),
    ("Seam", "seam_mm", "{:.0f} mm"),
    ("Travel", "travel_metres", "{:.2f} m"),
)


def numbers_of(action: bpy.types.Action) -> Any:
    """The numbers of an Action."""
    return getattr(action, ATTRIBUTE)


def store(action: bpy.types.Action, report: Mapping[str, Any]) -> None:
    """Keeps what a tool reports."""
    numbers = numbers_of(action)
    numbers.is_known = True
    for figures, values in ((numbers.before, report["before"]), (numbers.after, report["after"])):
        for _, name, _ in _ROWS:
            setattr(figures, name, values[name])


def draw(layout: Any, action: bpy.types.Action) -> None:
    """One row for each number; of one that a tool has changed, both values."""
    numbers = numbers_of(action)
    if not numbers.is_known:
        return
    column = layout.column(align=True)
    for label, name, form in _ROWS:
        before, after = (form.format(getattr(one, name)) for one in (numbers.before, numbers.after))
        row = column.split(factor=0.3)
        row.label(text=label)
        row.label(text=after if before == after else f"{before} \N{RIGHTWARDS ARROW} {after}")


def attach() -> None:
    """Gives every Action its numbers."""
    setattr(bpy.types.Action, ATTRIBUTE, PointerProperty(type=ClipNumbers))


def detach() -> None:
    """Takes them away again."""
    delattr(bpy.types.Action, ATTRIBUTE)
