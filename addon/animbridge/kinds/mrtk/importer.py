# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports recordings onto armatures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

from ...package import MRTK_FORMAT, Document, Timing, counted
from ...scene.import_.importer import FileCurves, Importer
from ...scene.import_.options import ImportOptions
from .markers import markers_of
from .options import HANDS


class MrtkImporter(Importer[ImportOptions]):
    """A recording has poses of the world, in metres and seconds; nothing of it is left open."""

    format_id = MRTK_FORMAT
    no_match = "Import onto a new armature"
    left_joints = "An export keeps the keys"
    most_findings = 3

    def retargeting(self, document: Document, options: ImportOptions) -> dict[str, Any] | None:
        """As hands, whose joints hang on each other: exact bones have no part of a body."""
        return {"document": {**options.library, "rig": HANDS}}

    def show(self, action: bpy.types.Action, document: Document, timing: Timing, *, is_file: bool) -> None:
        """Adds the recording's markers to the timeline."""
        present = bpy.context.scene.timeline_markers
        for marker in markers_of(document, timing):
            if not any((one.frame, one.name) == (marker.frame, marker.name) for one in present):
                present.new(marker.name, frame=marker.frame)

    def notes(self, document: Document, file: FileCurves, options: ImportOptions) -> Iterator[str]:
        """That curves hold which repeat in the recording: MRTK itself makes none of these."""
        count = int(file.report["repeating_curves"])
        if count:
            kept = ". An export keeps that" if options.library.get("rig") != HANDS else ""
            repeat = "repeats" if count == 1 else "repeat"
            yield (
                f"{counted(count, 'curve')} of the file {repeat} before or after the keys, but "
                f"{'holds' if count == 1 else 'hold'} the first and last value in Blender{kept}"
            )
