# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that Blender is told about, in one ordered list; taken back in reverse order."""

from __future__ import annotations

from typing import Any, Final

import bpy

from .batch.command import run
from .compat.commands import register_command, unregister_command
from .operators import header_editing, judging, menus, oni_editing
from .operators.add_skeleton import ARMATURE_OT_secondlife_skeleton_add
from .operators.export_bvh import EXPORT_ANIM_OT_animbridge_bvh
from .operators.export_oni import EXPORT_ANIM_OT_oni
from .operators.export_secondlife import EXPORT_ANIM_OT_secondlife
from .operators.import_bvh import IMPORT_ANIM_OT_animbridge_bvh, IO_FH_animbridge_bvh
from .operators.import_oni import IMPORT_ANIM_OT_oni, IO_FH_oni
from .operators.import_secondlife import IMPORT_ANIM_OT_secondlife, IO_FH_secondlife
from .scene import oban_properties, properties
from .ui import oni_panels, panels

COMMAND: Final = "animbridge"
_CLASSES: Final[tuple[Any, ...]] = (
    *properties.CLASSES,
    *oban_properties.CLASSES,
    *judging.CLASSES,
    *header_editing.CLASSES,
    *oni_editing.CLASSES,
    IMPORT_ANIM_OT_secondlife,
    EXPORT_ANIM_OT_secondlife,
    IMPORT_ANIM_OT_animbridge_bvh,
    EXPORT_ANIM_OT_animbridge_bvh,
    IMPORT_ANIM_OT_oni,
    EXPORT_ANIM_OT_oni,
    ARMATURE_OT_secondlife_skeleton_add,
    *panels.CLASSES,
    *oni_panels.CLASSES,
    # What this Blender cannot do is None.
    *(cls for cls in (IO_FH_secondlife, IO_FH_animbridge_bvh, IO_FH_oni) if cls is not None),
)
_MENUS: Final = (
    ("TOPBAR_MT_file_import", menus.draw_import),
    ("TOPBAR_MT_file_export", menus.draw_export),
    ("VIEW3D_MT_armature_add", menus.draw_add_armature),
)

_command_handles: list[Any] = []


def register() -> None:
    """Adds operators, drag and drop, menu entries and the command."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    properties.attach()
    oban_properties.attach()
    for menu, draw in _MENUS:
        getattr(bpy.types, menu).append(draw)
    _command_handles.append(register_command(COMMAND, run))


def unregister() -> None:
    """Takes everything back."""
    while _command_handles:
        unregister_command(_command_handles.pop())
    for menu, draw in reversed(_MENUS):
        getattr(bpy.types, menu).remove(draw)
    oban_properties.detach()
    properties.detach()
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
