# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports Second Life animations onto armatures."""

from __future__ import annotations

from typing import Any

import bpy

from ...package import FACING_NAMES, SL_FORMAT, Document, Facing, Timing
from ...scene.import_.importer import FileCurves, Importer
from ...scene.import_.options import ImportOptions
from ...scene.markers import add_marker
from . import header


class SlImporter(Importer[ImportOptions]):
    """The header becomes the Action's properties; skeleton, axes and units are the format's own."""

    format_id = SL_FORMAT
    left_joints = "An export keeps the keys"
    #: The panel's check lists them.
    most_findings = 0

    def retargeting(self, document: Document, options: ImportOptions) -> dict[str, Any]:
        return {}

    def show(self, action: bpy.types.Action, document: Document, timing: Timing, *, is_file: bool) -> None:
        header.show(action, document.info(), is_file=is_file)
        _mark_loop(action, document, timing)

    def facing(self, file: FileCurves) -> Facing:
        return FACING_NAMES[file.report["facing"]]


def _mark_loop(action: bpy.types.Action, document: Document, timing: Timing) -> None:
    """Adds pose markers where a looping animation's loop begins and ends."""
    info = document.info()
    if not info.get("loop"):
        return
    points = (info["loop_in_seconds"], info["loop_out_seconds"])
    for name, seconds in zip(header.LOOP_MARKERS, points, strict=True):
        add_marker(action, name, timing.frame_start + float(seconds) * timing.frames_per_second)
