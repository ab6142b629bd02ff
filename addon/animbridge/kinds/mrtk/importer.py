# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports recordings onto armatures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import bpy

from ...package import Armature, Document, RecordingCurves, Timing, counted, finding_remedy
from ...scene.import_.importer import FileCurves, Importer
from ...scene.timing import scene_frames_per_second
from .markers import markers_of
from .options import MrtkImportOptions, Rig

#: What is wrong with a recording, not with what this import makes of it, is the check's to say.
_SHOWN_FINDINGS: Final = 3


class MrtkImporter(Importer[MrtkImportOptions]):
    """A recording has poses of the world, in metres and seconds; nothing of it is left open."""

    format_id = "mrtk"
    no_match = "Import onto a new armature"
    left_joints = "An export keeps the keys"

    def timing(self, document: Document, scene: bpy.types.Scene, options: MrtkImportOptions) -> Timing:
        return Timing(scene_frames_per_second(scene), options.frame_start)

    def curves(
        self, document: Document, armature: Armature, timing: Timing, options: MrtkImportOptions
    ) -> RecordingCurves:
        return RecordingCurves(document, armature, timing, options.members())

    def retargeting(self, document: Document, options: MrtkImportOptions) -> dict[str, Any] | None:
        """As hands, whose joints hang on each other: exact bones have no part of a body."""
        return {"document": {**options.members(), "rig": Rig.HANDS.value}}

    def show(self, action: bpy.types.Action, document: Document, timing: Timing, *, is_file: bool) -> None:
        """Adds the recording's markers to the timeline."""
        present = bpy.context.scene.timeline_markers
        for marker in markers_of(document, timing):
            if not any((one.frame, one.name) == (marker.frame, marker.name) for one in present):
                present.new(marker.name, frame=marker.frame)

    def notes(self, document: Document, file: FileCurves, options: MrtkImportOptions) -> Iterator[str]:
        """That curves hold which repeat in the recording: MRTK itself makes none of these."""
        count = int(file.report["repeating_curves"])
        if count:
            kept = ". An export keeps that" if options.rig is Rig.EXACT else ""
            repeat = "repeats" if count == 1 else "repeat"
            yield (
                f"{counted(count, 'curve')} of the file {repeat} before or after the keys, but "
                f"{'holds' if count == 1 else 'hold'} the first and last value in Blender{kept}"
            )

    def warnings(self, document: Document) -> Iterator[str]:
        """The library's findings, in a few words; the command's check lists them."""
        findings = document.check()["findings"]
        for finding in findings[:_SHOWN_FINDINGS]:
            yield finding_remedy(finding)
        if len(findings) > _SHOWN_FINDINGS:
            more = counted(len(findings) - _SHOWN_FINDINGS, "more finding")
            yield f"Run animbridge check on the file for {more}"
