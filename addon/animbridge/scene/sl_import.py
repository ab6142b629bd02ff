# SPDX-License-Identifier: GPL-3.0-or-later
"""Second Life's animations: what their import does its own way."""

from __future__ import annotations

import math
from typing import Final

import bpy

from ..native.abi import FACING_NAMES, Facing
from ..native.curves import Armature, ImportedCurves, Timing
from ..native.document import Document
from . import header
from .import_kind import FileCurves, ImportKind
from .import_options import ImportOptions
from .timing import scene_frames_per_second

#: Blender's highest frame.
_LAST_FRAME: Final = 1_048_574


class SlImport(ImportKind):
    """Priorities, eases and the like go along; the skeleton is known, and so are its axes and units."""

    left_joints = "an export keeps them as they are"

    def timing(self, document: Document, scene: bpy.types.Scene, options: ImportOptions) -> Timing:
        return Timing(scene_frames_per_second(scene), options.frame_start)

    def curves(
        self, document: Document, armature: Armature, timing: Timing, options: ImportOptions
    ) -> ImportedCurves:
        return ImportedCurves(document, armature, timing)

    def show(self, action: bpy.types.Action, document: Document, timing: Timing) -> None:
        header.show(action, document.info())
        _mark_loop(action, document, timing)

    def facing(self, file: FileCurves) -> Facing:
        return FACING_NAMES[file.report["facing"]]

    def placement(self, file: FileCurves, options: ImportOptions) -> None:
        return None


def _mark_loop(action: bpy.types.Action, document: Document, timing: Timing) -> None:
    """Pose markers at the whole frames nearest to where a looping animation's loop begins and ends."""
    info = document.info()
    if not info.get("loop"):
        return
    points = (info["loop_in_seconds"], info["loop_out_seconds"])
    for name, seconds in zip(header.LOOP_MARKERS, points, strict=True):
        frame = timing.frame_start + float(seconds) * timing.frames_per_second
        marker = action.pose_markers.new(name)
        marker.frame = math.floor(min(max(frame, -_LAST_FRAME), _LAST_FRAME) + 0.5)
