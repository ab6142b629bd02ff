# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports the motion of scenes onto armatures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import bpy

from ...package import (
    AnimBridgeError,
    Armature,
    Document,
    SceneCurves,
    Timing,
    animation_names,
    animation_option,
    counted,
    file_stem,
    finding_remedy,
    readable,
)
from ...scene.import_.importer import Importer
from ...scene.source_files import SourceFile
from ...scene.timing import scene_frames_per_second
from .options import SceneImportOptions

#: The command's check lists all of them.
_SHOWN_FINDINGS: Final = 3


class SceneImporter(Importer[SceneImportOptions]):
    """A scene has a skeleton of its own, and any number of animations."""

    format_id = "scene"
    no_match = "Choose a rig map, or import onto a new armature"
    left_joints = "The motion is left out"
    keeps_file = False

    def parts(
        self, source: SourceFile, options: SceneImportOptions
    ) -> list[tuple[SourceFile, SceneImportOptions]]:
        """An import for each animation, if all are wanted; their Actions are named FILE-ANIMATION."""
        names = animation_names(source.document)
        if not options.all_animations or len(names) < 2:
            return [(source, options)]
        stem = source.name.rsplit(".", 1)[0]
        # One without a name is called by its number.
        called = [readable(name) or str(number) for number, name in enumerate(names, 1)]
        return [
            (
                replace(source, name=f"{file_stem(f'{stem}-{name}')}.scene"),
                replace(options, animation=animation_option(names, index)),
            )
            for index, name in enumerate(called)
        ]

    def timing(self, document: Document, scene: bpy.types.Scene, options: SceneImportOptions) -> Timing:
        return Timing(scene_frames_per_second(scene), options.frame_start)

    def curves(
        self, document: Document, armature: Armature, timing: Timing, options: SceneImportOptions
    ) -> SceneCurves:
        if not options.is_own and not document.info()["animations"]:
            raise AnimBridgeError(
                "The file has no animation. Set Target to New Armature to get its skeleton alone"
            )
        match = "names" if options.is_own else "rig_map"
        return SceneCurves(document, armature, timing, {**options.members(), "match": match})

    def retargeting(self, document: Document, options: SceneImportOptions) -> dict[str, Any] | None:
        return {"document": options.members()} if document.info()["animations"] else None

    def frame_rate(self, document: Document) -> float | None:
        rate = document.info()["frames_per_second"]
        return None if rate is None else float(rate)

    def warnings(self, document: Document) -> Iterator[str]:
        """The library's findings about the file, in a few words."""
        findings = document.check()["findings"]
        for finding in findings[:_SHOWN_FINDINGS]:
            yield finding_remedy(finding)
        if len(findings) > _SHOWN_FINDINGS:
            yield f"Run animbridge check on it for {counted(len(findings) - _SHOWN_FINDINGS, 'more finding')}"
