# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the user interface that newer Blenders have: drag and drop, panels that fold, import popups."""

from __future__ import annotations

from typing import Any

import bpy


def file_handler(
    name: str, label: str, operator: str, extensions: tuple[str, ...], area_types: frozenset[str]
) -> type | None:
    """The class (to be registered) by which files are dropped onto areas; None before Blender 4.1."""
    base = getattr(bpy.types, "FileHandler", None)
    if base is None:
        return None

    def poll_drop(_cls: type, context: bpy.types.Context) -> bool:
        return context.area is not None and context.area.type in area_types

    members = {
        "bl_idname": name,
        "bl_label": label,
        "bl_import_operator": operator,
        "bl_file_extensions": ";".join(extensions),
        "poll_drop": classmethod(poll_drop),
    }
    return type(name, (base,), members)


def imports_collada() -> bool:
    """Whether this Blender reads COLLADA itself, as it did until 4.5."""
    return "collada_import" in dir(bpy.ops.wm)


def folding_panel(layout: Any, name: str, title: str, *, is_closed: bool = False) -> Any:
    """A layout under a title that can be folded (None while it is); a box with a title before Blender 4.1.

    `is_closed`: it begins folded.
    """
    if hasattr(layout, "panel"):
        header, body = layout.panel(name, default_closed=is_closed)
        header.label(text=title)
        return body
    box = layout.box()
    box.label(text=title)
    return box


def ask_for_options(operator: Any, context: bpy.types.Context) -> set[Any]:
    """A popup with the operator's options for files that are known already."""
    if hasattr(operator, "invoke_popup"):
        return operator.invoke_popup(context)
    return context.window_manager.invoke_props_dialog(operator)
