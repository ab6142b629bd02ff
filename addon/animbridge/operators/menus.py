# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of File > Import, File > Export and Add > Armature."""

from __future__ import annotations

from typing import Any, Final

import bpy

from .add_skeleton import ARMATURE_OT_secondlife_skeleton_add
from .export_bvh import EXPORT_ANIM_OT_animbridge_bvh
from .export_oni import EXPORT_ANIM_OT_oni
from .export_secondlife import EXPORT_ANIM_OT_secondlife
from .import_bvh import IMPORT_ANIM_OT_animbridge_bvh
from .import_oni import IMPORT_ANIM_OT_oni
from .import_secondlife import IMPORT_ANIM_OT_secondlife

_SECOND_LIFE: Final = "Second Life Animation (.anim)"
#: Blender has an entry "Motion Capture (.bvh)" of its own.
_BVH: Final = "Motion Capture (BVH, AnimBridge)"

_ONI: Final = "Oni Animation (.oni/.dat/.xml/.oban)"
_ONI_OUT: Final = "Oni Animation (.oni)"


def draw_import(self: Any, _context: bpy.types.Context) -> None:
    """The entries of File > Import."""
    self.layout.operator(IMPORT_ANIM_OT_secondlife.bl_idname, text=_SECOND_LIFE)
    self.layout.operator(IMPORT_ANIM_OT_animbridge_bvh.bl_idname, text=_BVH)
    self.layout.operator(IMPORT_ANIM_OT_oni.bl_idname, text=_ONI)


def draw_export(self: Any, _context: bpy.types.Context) -> None:
    """The entries of File > Export."""
    self.layout.operator(EXPORT_ANIM_OT_secondlife.bl_idname, text=_SECOND_LIFE)
    self.layout.operator(EXPORT_ANIM_OT_animbridge_bvh.bl_idname, text=_BVH)
    self.layout.operator(EXPORT_ANIM_OT_oni.bl_idname, text=_ONI_OUT)


def draw_add_armature(self: Any, _context: bpy.types.Context) -> None:
    """The entry of Add > Armature."""
    self.layout.operator(ARMATURE_OT_secondlife_skeleton_add.bl_idname, icon="OUTLINER_OB_ARMATURE")
