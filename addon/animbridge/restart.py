# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for the add-on until Blender restarts: the menus say so.

After an update, Blender still has the old library. If register() failed then, Blender would disable the
add-on for good.
"""

from __future__ import annotations

from typing import Any, Final

import bpy

from .ui.menus import EXPORT_MENU, IMPORT_MENU

_message: Final[list[str]] = []


def register(message: str) -> None:
    """Puts the message where the add-on's entries would be, in place of an earlier one, and prints it."""
    unregister()
    print(message)
    _message.append(message)
    for menu in (IMPORT_MENU, EXPORT_MENU):
        getattr(bpy.types, menu).append(_draw)


def unregister() -> bool:
    """Takes the message away; whether it was there."""
    if not _message:
        return False
    _message.clear()
    for menu in (IMPORT_MENU, EXPORT_MENU):
        getattr(bpy.types, menu).remove(_draw)
    return True


def _draw(self: Any, _context: Any) -> None:
    self.layout.label(text=_message[0], icon="ERROR")
