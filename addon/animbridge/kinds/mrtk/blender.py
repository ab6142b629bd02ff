# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of recordings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import bpy

from ...scene.export.action import export_playing
from ...scene.export.result import ExportResult
from ...scene.import_.files import import_onto_new_armature
from ...scene.import_.options import AnimationResult
from ...scene.playing import Playing
from ...scene.source_files import SourceFile
from ...ui.menus import ADD_ARMATURE_MENU, EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..kind import BlendFiles, InBlender
from .add_hands import ARMATURE_OT_mrtk_hands_add
from .export_operator import EXPORT_ANIM_OT_mrtk
from .exporter import MrtkExporter
from .import_operator import IMPORT_ANIM_OT_mrtk
from .importer import MrtkImporter
from .maker import MrtkArmatures
from .options import MrtkExportOptions, MrtkImportOptions

_LABEL: Final = "MRTK Recording (.bin)"


class MrtkBlendFiles(BlendFiles):
    """Recordings, key for key."""

    def import_file(self, file: SourceFile, scene: bpy.types.Scene, frame_start: float) -> AnimationResult:
        options = MrtkImportOptions(frame_start)
        return import_onto_new_armature(MrtkImporter(), MrtkArmatures(options), file, scene, options)

    def export(
        self, playing: Playing, target: str, flags: Mapping[str, Any], stop_above_mm: float
    ) -> ExportResult:
        return export_playing(MrtkExporter(), playing, MrtkExportOptions(stop_above_mm=stop_above_mm))


IN_BLENDER: Final = InBlender(
    classes=(IMPORT_ANIM_OT_mrtk, EXPORT_ANIM_OT_mrtk, ARMATURE_OT_mrtk_hands_add),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_mrtk.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_mrtk.bl_idname, _LABEL),
        MenuEntry(ADD_ARMATURE_MENU, ARMATURE_OT_mrtk_hands_add.bl_idname, icon="OUTLINER_OB_ARMATURE"),
    ),
    drop=FileDrop("IO_FH_animbridge_mrtk", "MRTK Recording", IMPORT_ANIM_OT_mrtk.bl_idname),
    blend_files=MrtkBlendFiles(),
)
