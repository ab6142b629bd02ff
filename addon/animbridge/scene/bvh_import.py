# SPDX-License-Identifier: GPL-3.0-or-later
"""BVH: what its import does its own way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import bpy

from ..native.abi import Facing
from ..native.bvh import BvhCurves
from ..native.curves import Armature, Timing
from ..native.document import Document
from ..native.text import counted, readable
from .import_kind import FileCurves, ImportKind
from .import_options import ImportOptions
from .placement import Placement
from .timing import HIGHEST_FRAMES_PER_SECOND, scene_frames_per_second

#: Files round their frame time to six decimals or more.
_FRAME_TIME_ROUNDING: Final = 0.51e-6
_TELEVISION_BASE: Final = 1.001


class BvhImport(ImportKind):
    """The file has no unit and no agreed axes, but a frame time and a skeleton of its own."""

    left_joints = "the bones below them take their turns along"

    def timing(self, document: Document, scene: bpy.types.Scene, options: ImportOptions) -> Timing:
        """The scene's rate, or the file's where that is the same but for the rounding of its frame time."""
        frame_time, rate = frame_time_of(document), scene_frames_per_second(scene)
        if frame_time > 0.0 and (options.bvh.whole_frames or is_rate_of(frame_time, rate)):
            rate = 1.0 / frame_time
        return Timing(rate, options.frame_start)

    def curves(
        self, document: Document, armature: Armature, timing: Timing, options: ImportOptions
    ) -> BvhCurves:
        reading = options.bvh
        members: dict[str, Any] = {
            **reading.placement.members(),
            "match": "names" if reading.is_own else "rig_map",
            "fit_height": reading.fit_height,
        }
        return BvhCurves(document, armature, timing, members)

    def show(self, action: bpy.types.Action, document: Document, timing: Timing) -> None:
        """A BVH says nothing besides its motion."""

    def facing(self, file: FileCurves) -> Facing:
        return Facing.AUTO

    def placement(self, file: FileCurves, options: ImportOptions) -> Placement:
        up = options.bvh.placement.up
        return Placement(str(file.report["forward"]), up, float(file.report["scale"]))

    def warnings(self, document: Document) -> Iterator[str]:
        """What the lenient reader put up with, and what other programs may not."""
        alike: dict[str, list[dict[str, Any]]] = {}
        for finding in document.check()["findings"]:
            alike.setdefault(finding["id"], []).append(finding)
        for findings in alike.values():
            first, more = findings[0], len(findings) - 1
            times = f", and {counted(more, 'time')} more" if more else ""
            yield f"{first['effect']} ({readable(first['found'])}{times})"


def frame_time_of(document: Document) -> float:
    """Seconds from a frame of a BVH to the next; 0 in files that say so."""
    return float(document.info()["frame_time_seconds"])


def frame_count_of(document: Document) -> int:
    """How many frames a BVH has."""
    return int(document.info()["frames"])


def is_rate_of(frame_time: float, frames_per_second: float) -> bool:
    """Whether a file's frame time is this rate's, rounded as files round it."""
    return abs(frame_time - 1.0 / frames_per_second) <= _FRAME_TIME_ROUNDING


def rate_of(frame_time: float) -> float:
    """Frames per second of a frame time: whole, or television's 29.97 and its like, where that fits."""
    exact = 1.0 / frame_time
    if exact > HIGHEST_FRAMES_PER_SECOND:
        return exact
    whole = round(exact)
    television = round(_TELEVISION_BASE / frame_time) / _TELEVISION_BASE
    wishes = [rate for rate in (whole, television) if rate > 0 and is_rate_of(frame_time, rate)]
    return min(wishes, key=lambda rate: abs(1.0 / rate - frame_time), default=1.0 / frame_time)
