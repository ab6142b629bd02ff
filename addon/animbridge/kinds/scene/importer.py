# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports the motion of scenes onto armatures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...package import (
    AnimBridgeError,
    Document,
    animation_names,
    animation_option,
    document_skeleton,
    file_stem,
    readable,
)
from ...scene.armature.joints import BoneAxes, FileSkeletons
from ...scene.import_.importer import Importer
from ...scene.source_files import SourceFile
from .options import SceneImportOptions


class SceneImporter(Importer[SceneImportOptions]):
    """A scene has a skeleton of its own, and any number of animations."""

    format_id = "scene"
    no_match = "Choose a rig map, or import onto a new armature"
    left_joints = "The motion is left out"
    keeps_file = False
    most_findings = 3

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
                replace(options, library={**options.library, "animation": animation_option(names, index)}),
            )
            for index, name in enumerate(called)
        ]

    def members(self, document: Document, options: SceneImportOptions) -> dict[str, Any]:
        if not options.is_own and not document.info()["animations"]:
            raise AnimBridgeError(
                "The file has no animation. Set Target to New Armature to get its skeleton alone"
            )
        return {**options.library, "match": "names" if options.is_own else "rig_map"}

    def retargeting(self, document: Document, options: SceneImportOptions) -> dict[str, Any] | None:
        return {"document": dict(options.library)} if document.info()["animations"] else None


def skeleton_maker(options: SceneImportOptions, axes: BoneAxes = BoneAxes.LIMBS) -> FileSkeletons:
    """Makes armatures of the files' own joints."""
    placement = {name: axis for name, axis in options.library.items() if name in ("up", "forward")}
    return FileSkeletons(lambda document: document_skeleton(document, placement), axes)
