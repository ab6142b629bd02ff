# SPDX-License-Identifier: GPL-3.0-or-later
"""How the batch converts files whose motion is an armature's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ..package import Document
from ..scene.armature.makers import ArmatureMaker
from ..scene.export.action import export_playing
from ..scene.export.exporter import Exporter
from ..scene.export.options import MotionOptions
from ..scene.export.result import ExportResult
from ..scene.import_.files import import_onto_new_armature
from ..scene.import_.importer import Importer
from ..scene.import_.options import AnimationResult, ImportOptions
from ..scene.playing import Playing
from ..scene.source_files import SourceFile
from .kind import BlendFiles


@dataclass(frozen=True)
class ArmatureFiles(BlendFiles):
    """A kind's importer and exporter, and their options.

    `import_options`: of the start frame. `maker`: of these options. `export_options`: of a target and the
    flags. `takes_rate`: the scene gets the file's frame rate.
    """

    importer: Importer[Any]
    exporter: Exporter[Any]
    import_options: Callable[[float], ImportOptions]
    maker: Callable[[Any], ArmatureMaker[Any]]
    export_options: Callable[[str, Mapping[str, Any]], MotionOptions]
    takes_rate: bool = True

    def import_file(self, file: SourceFile, scene: bpy.types.Scene, frame_start: float) -> AnimationResult:
        options = self.import_options(frame_start)
        return import_onto_new_armature(self.importer, self.maker(options), file, scene, options)

    def frame_rate(self, document: Document) -> float | None:
        return self.importer.frame_rate(document) if self.takes_rate else None

    def export(
        self, playing: Playing, target: str, flags: Mapping[str, Any], stop_above_mm: float
    ) -> ExportResult:
        options = replace(self.export_options(target, flags), stop_above_mm=stop_above_mm)
        return export_playing(self.exporter, playing, options)
