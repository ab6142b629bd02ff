# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports recordings onto armatures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import bpy

from ...compat import actions
from ...package import Armature, Document, RecordingCurves, Timing, counted, finding_remedy
from ...scene.import_.importer import FileCurves, Importer
from ...scene.timing import scene_frames_per_second
from .cycles import show_cycles
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

    def finish(self, channels: actions.Channels, file: FileCurves) -> None:
        """Makes the curves repeat that do so in the recording. A retargeted one has other curves."""
        if not file.is_retargeted:
            show_cycles(channels, file.report)

    def warnings(self, document: Document) -> Iterator[str]:
        """The library's findings, in a few words; the command's check lists them."""
        findings = document.check()["findings"]
        for finding in findings[:_SHOWN_FINDINGS]:
            yield finding_remedy(finding)
        if len(findings) > _SHOWN_FINDINGS:
            more = counted(len(findings) - _SHOWN_FINDINGS, "more finding")
            yield f"Run animbridge check on the file for {more}"
