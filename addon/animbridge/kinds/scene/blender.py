# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of scenes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import bpy

from ...compat.interface import imports_collada
from ...package import Document
from ...scene.export.action import export_playing
from ...scene.export.result import ExportResult
from ...scene.import_.action import import_document
from ...scene.import_.options import AnimationResult
from ...scene.placing import assign
from ...scene.playing import Playing
from ...scene.source_files import SourceFile
from ...ui.menus import EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..kind import BlendFiles, InBlender
from . import EXTENSIONS
from .export_operator import EXPORT_ANIM_OT_animbridge_scene
from .exporter import SceneExporter
from .import_operator import IMPORT_ANIM_OT_animbridge_scene
from .importer import SceneImporter
from .maker import SceneSkeletons
from .options import SceneExportOptions, SceneImportOptions

_LABEL: Final = "FBX, glTF, VRM Motion (AnimBridge)"
#: What Blender's own importers take when it is dropped, with meshes and materials.
_BLENDERS_OWN: Final = {".glb", ".gltf", ".fbx", ".x", ".mesh.xml"}


class SceneBlendFiles(BlendFiles):
    """Motion on the skeletons of the files."""

    def import_file(self, file: SourceFile, scene: bpy.types.Scene, frame_start: float) -> AnimationResult:
        """Every animation as an Action of one armature, which plays the first."""
        importer, options = SceneImporter(), SceneImportOptions(frame_start)
        maker = SceneSkeletons(options)
        armature = maker.make(bpy.context, maker.plan(file.document), file.name.rsplit(".", 1)[0])
        parts = importer.parts(file, options)
        results = [import_document(importer, one, armature, scene, maker.options(own)) for one, own in parts]
        for result in reversed(results):
            assign(armature, result.channels)
        return results[0]

    def frame_rate(self, document: Document) -> float | None:
        return SceneImporter().frame_rate(document)

    def export(
        self, playing: Playing, target: str, flags: Mapping[str, Any], stop_above_mm: float
    ) -> ExportResult:
        options = SceneExportOptions(stop_above_mm=stop_above_mm, container=target)
        return export_playing(SceneExporter(), playing, options)


def _dropped() -> tuple[str, ...]:
    """The extensions that Blender itself has no importer for."""
    own = _BLENDERS_OWN | ({".dae"} if imports_collada() else set[str]())
    return tuple(extension for extension in EXTENSIONS if extension not in own)


IN_BLENDER: Final = InBlender(
    classes=(IMPORT_ANIM_OT_animbridge_scene, EXPORT_ANIM_OT_animbridge_scene),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_animbridge_scene.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_animbridge_scene.bl_idname, _LABEL),
    ),
    drop=FileDrop("IO_FH_animbridge_scene", _LABEL, IMPORT_ANIM_OT_animbridge_scene.bl_idname, _dropped()),
    blend_files=SceneBlendFiles(),
)
