# SPDX-License-Identifier: GPL-3.0-or-later
"""`blender --command NAME`, which Blender has since 4.2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

Command = Callable[[list[str]], int]


def register_command(name: str, command: Command) -> Any:
    """Registers a command and gives its handle; None where Blender has no commands."""
    register = getattr(bpy.utils, "register_cli_command", None)
    return register(name, command) if register else None


def unregister_command(handle: Any) -> None:
    """Takes a command back; None is allowed."""
    if handle is not None:
        bpy.utils.unregister_cli_command(handle)
