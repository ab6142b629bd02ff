# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of BVH files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import bpy

from ...package import Document
from ...scene.export.action import export_playing
from ...scene.export.result import ExportResult
from ...scene.import_.files import import_onto_new_armature
from ...scene.import_.options import AnimationResult
from ...scene.playing import Playing
from ...scene.source_files import SourceFile
from ...ui.menus import EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..kind import BlendFiles, InBlender
from .export_operator import EXPORT_ANIM_OT_animbridge_bvh
from .exporter import BvhExporter
from .import_operator import IMPORT_ANIM_OT_animbridge_bvh
from .importer import BvhImporter
from .maker import BvhSkeletons
from .options import BvhExportOptions, BvhImportOptions

#: Blender has an entry "Motion Capture (.bvh)" of its own.
_LABEL: Final = "Motion Capture (BVH, AnimBridge)"


class BvhBlendFiles(BlendFiles):
    """Motion on the skeletons of the files."""

    def import_file(self, file: SourceFile, scene: bpy.types.Scene, frame_start: float) -> AnimationResult:
        options = BvhImportOptions(frame_start)
        return import_onto_new_armature(BvhImporter(), BvhSkeletons(options), file, scene, options)

    def frame_rate(self, document: Document) -> float | None:
        return BvhImporter().frame_rate(document)

    def export(
        self, playing: Playing, target: str, flags: Mapping[str, Any], stop_above_mm: float
    ) -> ExportResult:
        return export_playing(BvhExporter(), playing, BvhExportOptions(stop_above_mm=stop_above_mm))


IN_BLENDER: Final = InBlender(
    classes=(IMPORT_ANIM_OT_animbridge_bvh, EXPORT_ANIM_OT_animbridge_bvh),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_animbridge_bvh.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_animbridge_bvh.bl_idname, _LABEL),
    ),
    drop=FileDrop("IO_FH_animbridge_bvh", _LABEL, IMPORT_ANIM_OT_animbridge_bvh.bl_idname),
    blend_files=BvhBlendFiles(),
)
