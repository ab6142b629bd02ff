# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of Second Life animations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import bpy

from ...package import Target
from ...scene.avatar.maker import SlSkeletons
from ...scene.avatar.skeleton import SkeletonOptions
from ...scene.export.action import export_playing
from ...scene.export.result import ExportResult
from ...scene.import_.files import import_onto_new_armature
from ...scene.import_.options import AnimationResult, ImportOptions
from ...scene.playing import Playing
from ...scene.source_files import SourceFile
from ...ui.menus import ADD_ARMATURE_MENU, EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..kind import BlendFiles, InBlender
from . import header_operators, judging_operators, panels, properties
from .add_skeleton import ARMATURE_OT_secondlife_skeleton_add
from .export_operator import EXPORT_ANIM_OT_secondlife
from .exporter import SlExporter
from .flags import encoder_of, facing_of
from .import_operator import IMPORT_ANIM_OT_secondlife
from .importer import SlImporter
from .options import SlExportOptions

_LABEL: Final = "Second Life Animation (.anim)"


class SlBlendFiles(BlendFiles):
    """Animations on Second Life's skeleton."""

    def import_file(self, file: SourceFile, scene: bpy.types.Scene, frame_start: float) -> AnimationResult:
        maker = SlSkeletons(SkeletonOptions())
        return import_onto_new_armature(SlImporter(), maker, file, scene, ImportOptions(frame_start))

    def export(
        self, playing: Playing, target: str, flags: Mapping[str, Any], stop_above_mm: float
    ) -> ExportResult:
        # Sizes are judged by the findings in the file's row: what was imported must come out again.
        options = SlExportOptions(
            encoder=encoder_of(flags),
            facing=facing_of(flags),
            target=Target.OPENSIM,
            stop_above_mm=stop_above_mm,
        )
        return export_playing(SlExporter(), playing, options)


IN_BLENDER: Final = InBlender(
    classes=(
        *properties.CLASSES,
        *judging_operators.CLASSES,
        *header_operators.CLASSES,
        IMPORT_ANIM_OT_secondlife,
        EXPORT_ANIM_OT_secondlife,
        ARMATURE_OT_secondlife_skeleton_add,
        *panels.CLASSES,
    ),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_secondlife.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_secondlife.bl_idname, _LABEL),
        MenuEntry(
            ADD_ARMATURE_MENU, ARMATURE_OT_secondlife_skeleton_add.bl_idname, icon="OUTLINER_OB_ARMATURE"
        ),
    ),
    drop=FileDrop(
        "IO_FH_animbridge_secondlife", "Second Life Animation", IMPORT_ANIM_OT_secondlife.bl_idname
    ),
    attach=properties.attach,
    detach=properties.detach,
    blend_files=SlBlendFiles(),
)
