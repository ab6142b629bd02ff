# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports recordings onto armatures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import bpy

from ...native.curves import Armature, Timing
from ...native.document import Document
from ...native.mrtk import RecordingCurves
from ...native.text import counted, readable
from ...scene.import_.importer import FileCurves, Importer
from ...scene.timing import LAST_FRAME, scene_frames_per_second
from .options import MrtkImportOptions, Rig

#: What is wrong with a recording, not with what this import makes of it, is the check's to say.
_SHOWN_FINDINGS: Final = 3


class MrtkImporter(Importer[MrtkImportOptions]):
    """A recording has poses of the world, in metres and seconds; nothing of it is left open."""

    format_id = "mrtk"
    left_joints = "an export keeps them. Import onto a new armature to see them"

    def timing(self, document: Document, scene: bpy.types.Scene, options: MrtkImportOptions) -> Timing:
        return Timing(scene_frames_per_second(scene), options.frame_start)

    def curves(
        self, document: Document, armature: Armature, timing: Timing, options: MrtkImportOptions
    ) -> RecordingCurves:
        return RecordingCurves(document, armature, timing, options.members())

    def show(self, action: bpy.types.Action, document: Document, timing: Timing) -> None:
        """Adds the recording's markers to the timeline."""
        markers = bpy.context.scene.timeline_markers
        for marker in document.info()["markers"]:
            frame = whole_frame(timing.frame_start + float(marker["seconds"]) * timing.frames_per_second)
            name = readable(marker["name"])
            if not any(one.frame == frame and one.name == name for one in markers):
                markers.new(name, frame=frame)

    def notes(self, document: Document, file: FileCurves, options: MrtkImportOptions) -> Iterator[str]:
        if options.rig is Rig.HANDS:
            yield "signs are continuous and rotations have length 1, as recorded and not as MRTK plays them"

    def warnings(self, document: Document) -> Iterator[str]:
        """The library's findings, in a few words; the command's check lists them."""
        findings = document.check()["findings"]
        for finding in findings[:_SHOWN_FINDINGS]:
            yield f"{finding['effect']} ({readable(finding['found'])}). {finding['advice']}"
        if len(findings) > _SHOWN_FINDINGS:
            more = len(findings) - _SHOWN_FINDINGS
            yield f"{counted(more, 'more finding')}: run animbridge check on the file"


def whole_frame(frame: float) -> int:
    """The nearest frame that a marker can have."""
    return math.floor(min(max(frame, -LAST_FRAME), LAST_FRAME) + 0.5)
