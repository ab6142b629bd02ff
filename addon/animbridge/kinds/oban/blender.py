# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of OBANs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import bpy

from ...package import Document
from ...scene.export.names import stem_for
from ...scene.export.result import ExportResult
from ...scene.import_.options import AnimationResult
from ...scene.names import data_block_name
from ...scene.playing import Playing
from ...scene.source_files import SourceFile
from ...ui.menus import EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..kind import BlendFiles, InBlender
from . import KIND, panels, properties
from .export_operator import EXPORT_ANIM_OT_oni
from .exporter import export_objects
from .game import FRAMES_PER_SECOND
from .half_stop_operator import ANIMBRIDGE_OT_set_half_stop
from .import_operator import IMPORT_ANIM_OT_oni
from .importer import Oban, import_oban
from .object_motion import moved_objects
from .options import ObanExportOptions, ObanImportOptions


class ObanBlendFiles(BlendFiles):
    """Animations of objects: of new empties, and of whatever an Action moves."""

    def import_file(self, file: SourceFile, scene: bpy.types.Scene, frame_start: float) -> AnimationResult:
        thing = bpy.data.objects.new(data_block_name(Path(file.name).stem), None)
        bpy.context.collection.objects.link(thing)
        return import_oban(Oban(file), thing, scene, ObanImportOptions(frame_start=frame_start))

    def frame_rate(self, document: Document) -> float:
        return FRAMES_PER_SECOND

    def find_playing(self, *, imported: bool) -> list[Playing]:
        return moved_objects(imported=imported)

    def export(
        self, playing: Playing, target: str, flags: Mapping[str, Any], stop_above_mm: float
    ) -> ExportResult:
        """What Blender shows of the object; for JSON in the container that it came from."""
        options = ObanExportOptions(
            container=target if target in KIND.targets else None, stop_above_mm=stop_above_mm
        )
        name = stem_for(playing.action, set())
        return export_objects([(playing.thing, name)], bpy.context.scene, options)[0]


IN_BLENDER: Final = InBlender(
    classes=(
        *properties.CLASSES,
        ANIMBRIDGE_OT_set_half_stop,
        IMPORT_ANIM_OT_oni,
        EXPORT_ANIM_OT_oni,
        *panels.CLASSES,
    ),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_oni.bl_idname, "Oni Animation (.oni/.dat/.xml/.oban)"),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_oni.bl_idname, "Oni Animation (.oni)"),
    ),
    drop=FileDrop("IO_FH_animbridge_oni", "Oni Animation", IMPORT_ANIM_OT_oni.bl_idname),
    attach=properties.attach,
    detach=properties.detach,
    blend_files=ObanBlendFiles(),
)
