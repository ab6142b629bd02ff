# SPDX-License-Identifier: GPL-3.0-or-later
"""Registers everything with Blender, and unregisters it in reverse order."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Final

import bpy

from . import kinds
from .batch import command
from .clip import blender as clip
from .clip import split
from .compat.commands import register_command, unregister_command
from .compat.interface import file_handler
from .kinds.kind import Kind
from .retarget import blender as retargeting
from .ui import manual
from .ui.menus import DROP_AREAS, MenuEntry, drawer_of

COMMAND: Final = "animbridge"

#: The steps that undo what is registered now.
_registered: Final[list[ExitStack]] = []
_command_handles: Final[list[Any]] = []


def register() -> None:
    """Adds operators, menu entries, drag and drop, and the command; on an error, none of them."""
    with ExitStack() as undo:
        for kind in kinds.KINDS:
            in_blender = kind.in_blender()
            for cls in in_blender.classes:
                _register_class(cls, undo)
            in_blender.attach()
            undo.callback(in_blender.detach)
            if in_blender.size_of is not None:
                split.SIZES.append(in_blender.size_of)
                undo.callback(split.SIZES.remove, in_blender.size_of)
        for part in (clip, retargeting):
            for cls in part.CLASSES:
                _register_class(cls, undo)
            part.attach()
            undo.callback(part.detach)
        for kind in kinds.KINDS:
            _register_drop(kind, undo)
        _register_menus(undo)
        manual.register(undo)
        _command_handles.append(register_command(COMMAND, command.run))
        _registered.append(undo.pop_all())


def unregister() -> None:
    """Removes everything again."""
    while _command_handles:
        unregister_command(_command_handles.pop())
    while _registered:
        _registered.pop().close()


def _register_class(cls: Any, undo: ExitStack) -> None:
    bpy.utils.register_class(cls)
    undo.callback(bpy.utils.unregister_class, cls)


def _register_drop(kind: Kind, undo: ExitStack) -> None:
    """Adds drag and drop, if this Blender has it."""
    drop = kind.in_blender().drop
    if drop is not None:
        extensions = kind.extensions if drop.extensions is None else drop.extensions
        handler = file_handler(drop.name, drop.label, drop.operator, extensions, DROP_AREAS)
        if handler is not None:
            _register_class(handler, undo)


def _register_menus(undo: ExitStack) -> None:
    """Adds one function per menu, which draws the entries of all kinds."""
    menus: dict[str, list[MenuEntry]] = {}
    for kind in kinds.KINDS:
        for entry in kind.in_blender().menu_entries:
            menus.setdefault(entry.menu, []).append(entry)
    for name, entries in menus.items():
        menu, draw = getattr(bpy.types, name), drawer_of(entries)
        menu.append(draw)
        undo.callback(menu.remove, draw)
