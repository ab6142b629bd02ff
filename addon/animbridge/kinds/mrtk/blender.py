# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of recordings."""

from __future__ import annotations

from typing import Final

from ...scene.import_.options import ImportOptions
from ...ui.menus import ADD_ARMATURE_MENU, EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..armature_files import ArmatureFiles
from ..kind import InBlender
from .add_hands import ARMATURE_OT_mrtk_hands_add
from .export_operator import EXPORT_ANIM_OT_mrtk
from .exporter import MrtkExporter
from .import_operator import IMPORT_ANIM_OT_mrtk
from .importer import MrtkImporter
from .maker import MrtkArmatures
from .options import MrtkExportOptions

_LABEL: Final = "MRTK Recording (.bin)"


IN_BLENDER: Final = InBlender(
    classes=(IMPORT_ANIM_OT_mrtk, EXPORT_ANIM_OT_mrtk, ARMATURE_OT_mrtk_hands_add),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_mrtk.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_mrtk.bl_idname, _LABEL),
        MenuEntry(ADD_ARMATURE_MENU, ARMATURE_OT_mrtk_hands_add.bl_idname, icon="OUTLINER_OB_ARMATURE"),
    ),
    drop=FileDrop("IO_FH_animbridge_mrtk", "MRTK Recording", IMPORT_ANIM_OT_mrtk.bl_idname),
    blend_files=ArmatureFiles(
        MrtkImporter(),
        MrtkExporter(),
        ImportOptions,
        lambda options: MrtkArmatures(options.library),
        lambda *_: MrtkExportOptions(),
    ),
)
