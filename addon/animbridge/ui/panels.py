# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels in the sidebars share."""

from __future__ import annotations

from typing import Any, Final

import bpy

_CATEGORY: Final = "AnimBridge"
#: Characters that fit into a panel of the usual width.
_LINE: Final = 29


def sidebar_panel(name: str, section: type, space: str, parent: str = "") -> Any:
    """The class that shows a section in the sidebar of one kind of editor, or inside its parent there."""
    members = {"bl_space_type": space, "bl_region_type": "UI", "bl_category": _CATEGORY}
    if parent:
        members["bl_parent_id"] = parent
    return type(name, (section, bpy.types.Panel), members)


def split_column(layout: Any) -> Any:
    """A column with labels on the left."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout.column()


def draw_props(layout: Any, owner: Any, *names: str) -> None:
    """Draws properties one below the other."""
    for name in names:
        layout.prop(owner, name)


def draw_note(layout: Any, *lines: str) -> None:
    """Draws short lines under one icon. A label of a file browser's side panel has room for 28 characters."""
    column = layout.column(align=True)
    for number, line in enumerate(lines):
        column.label(text=line, icon="BLANK1" if number else "INFO")


def wrapped(text: str, longest: int = _LINE) -> list[str]:
    """Splits the text into lines, because labels of panels do not wrap."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > longest:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
