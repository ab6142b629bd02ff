# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of Blender that show an option of the library."""

from __future__ import annotations

from typing import Any, Final

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from .option_row import OptionRow
from .option_tables import TABLES

#: The items of a choice of one axis.
AXES: Final = tuple(
    (name, name if name.startswith("-") else f"+{name}", f"The file's {name} axis")
    for name in ("X", "Y", "Z", "-X", "-Y", "-Z")
)
_PROPERTIES: Final[dict[str, Any]] = {
    "flag": BoolProperty,
    "integer": IntProperty,
    "number": FloatProperty,
    "seconds": FloatProperty,
    "choice": EnumProperty,
    "text": StringProperty,
    "texts": StringProperty,
}
#: The library's units that Blender has too.
_UNITS: Final = {"s": "TIME_ABSOLUTE"}
#: Beyond this, a limit of the library only keeps numbers finite; a slider needs none.
_LARGEST_LIMIT: Final = 1e12


def option_row(kind: str, call: str, name: str) -> OptionRow:
    """The row of a kind's option: option_row("sl_anim", "from_samples", "encoder")."""
    return TABLES[kind][call][name]


def option_property(kind: str, call: str, option: str, **own: Any) -> Any:
    """The property of an option: default, limits, unit and description are the row's, where `own` is silent.

    `own` must have a name, and a choice its items, whose ids are the library's in upper case.
    """
    row = option_row(kind, call, option)
    return _PROPERTIES[row.kind](**{**_of_row(row, own), **own})


def chosen_options(owner: Any, kind: str, call: str) -> dict[str, Any]:
    """What the owner's properties say for a call of the library, by the names of its options."""
    rows = TABLES[kind][call]
    return {name: _value_of(row, getattr(owner, name)) for name, row in rows.items() if hasattr(owner, name)}


def _value_of(row: OptionRow, value: Any) -> Any:
    """An item's id is the library's word in upper case."""
    return next((choice for choice in row.choices if choice.upper() == value.upper()), value)


def _of_row(row: OptionRow, own: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {"description": row.help}
    if row.kind == "choice":
        # The items say what each choice means.
        fields["description"] = row.help.split(". ")[0]
        if isinstance(row.default, str):
            fields["default"] = row.default.upper()
        return fields
    if row.default is not None:
        fields["default"] = row.default
    if row.kind in {"flag", "text", "texts"}:
        return fields
    for name, limit in (("min", row.low), ("max", row.high)):
        if limit is not None and abs(limit) < _LARGEST_LIMIT:
            fields[name] = limit
    if row.zero and own.get("min", row.low) == 0:
        fields["description"] += f". 0: {row.zero}"
    if row.unit in _UNITS:
        fields["unit"] = _UNITS[row.unit]
    return fields
