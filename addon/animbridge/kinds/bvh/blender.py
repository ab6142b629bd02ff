# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of BVH files."""

from __future__ import annotations

from typing import Final

from ...ui.menus import EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..armature_files import ArmatureFiles
from ..kind import InBlender
from .export_operator import EXPORT_ANIM_OT_animbridge_bvh
from .exporter import BvhExporter
from .import_operator import IMPORT_ANIM_OT_animbridge_bvh
from .importer import BvhImporter, skeleton_maker
from .options import BvhExportOptions, BvhImportOptions

#: Blender has an entry "Motion Capture (.bvh)" of its own.
_LABEL: Final = "Motion Capture (BVH, AnimBridge)"


IN_BLENDER: Final = InBlender(
    classes=(IMPORT_ANIM_OT_animbridge_bvh, EXPORT_ANIM_OT_animbridge_bvh),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_animbridge_bvh.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_animbridge_bvh.bl_idname, _LABEL),
    ),
    drop=FileDrop("IO_FH_animbridge_bvh", _LABEL, IMPORT_ANIM_OT_animbridge_bvh.bl_idname),
    blend_files=ArmatureFiles(
        BvhImporter(), BvhExporter(), BvhImportOptions, skeleton_maker, lambda *_: BvhExportOptions()
    ),
)
