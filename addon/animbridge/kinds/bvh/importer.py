# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports BVH onto armatures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import bpy

from ...package import Document, Timing, document_skeleton
from ...scene.armature.joints import BoneAxes, FileSkeletons
from ...scene.import_.importer import FileCurves, Importer
from ...scene.placement import Placement
from ...scene.timing import HIGHEST_FRAMES_PER_SECOND, TELEVISION_BASE, scene_frames_per_second
from .options import BvhImportOptions, placement_for

#: Files round their frame time to at least six decimals.
_FRAME_TIME_ROUNDING: Final = 0.51e-6


class BvhImporter(Importer[BvhImportOptions]):
    """The file has no unit and no agreed axes, but a frame time and a skeleton of its own."""

    format_id = "bvh"
    left_joints = "The rotation was passed to the bones below"

    def timing(self, document: Document, scene: bpy.types.Scene, options: BvhImportOptions) -> Timing:
        """The scene's rate, or the file's if they differ only by the rounding of the frame time."""
        frame_time, rate = frame_time_of(document), scene_frames_per_second(scene)
        if frame_time > 0.0 and (options.whole_frames or is_rate_of(frame_time, rate)):
            rate = 1.0 / frame_time
        return Timing(rate, options.frame_start)

    def members(self, document: Document, options: BvhImportOptions) -> dict[str, Any]:
        return {
            **placement_for(document, options).members(),
            "match": "names" if options.is_own else "rig_map",
            "fit_height": options.fits_height,
        }

    def retargeting(self, document: Document, options: BvhImportOptions) -> dict[str, Any] | None:
        """Without an axis of the user's, the library finds which one is up."""
        if frame_time_of(document) <= 0.0 or frame_count_of(document) == 0:
            return None
        placement = placement_for(document, options)
        members = placement.members()
        if options.finds_axes:
            members = {"scale": placement.scale}
        return {"document": members, "root_scale": "auto" if options.fits_height else "1,1"}

    def frame_rate(self, document: Document) -> float | None:
        frame_time = frame_time_of(document)
        return rate_of(frame_time) if frame_time > 0.0 else None

    def placement(self, file: FileCurves, options: BvhImportOptions) -> Placement:
        report = file.report
        return Placement(str(report["forward"]), str(report["up"]), float(report["scale"]))

    def notes(self, document: Document, file: FileCurves, options: BvhImportOptions) -> Iterator[str]:
        """Which axis was found to be up, and how large the figure became, where the user chose neither."""
        placement = placement_for(document, options)
        if placement.up != options.placement.up:
            yield f"the figure stands along {placement.up}, so that axis is up"
        if options.human_scale and not options.fits_height:
            scale = float(file.report["scale"])
            height = float(document_skeleton(document, placement.members())["height"])
            if height > 0.0:
                yield f"scaled by {scale:g}: the figure is {height * scale:.2f} m tall"


def skeleton_maker(
    options: BvhImportOptions, axes: BoneAxes = BoneAxes.LIMBS, *, is_euler: bool = False
) -> FileSkeletons:
    """Makes armatures of the files' own joints."""

    def skeleton(document: Document) -> dict[str, Any]:
        return document_skeleton(document, placement_for(document, options).members())

    return FileSkeletons(skeleton, axes, is_euler)


def frame_time_of(document: Document) -> float:
    """Seconds from one frame of a BVH to the next; 0 if the file says so."""
    return float(document.info()["frame_time_seconds"])


def frame_count_of(document: Document) -> int:
    """How many frames a BVH has."""
    return int(document.info()["frames"])


def is_rate_of(frame_time: float, frames_per_second: float) -> bool:
    """Whether a file's frame time is this rate's, rounded as files round it."""
    return abs(frame_time - 1.0 / frames_per_second) <= _FRAME_TIME_ROUNDING


def rate_of(frame_time: float) -> float:
    """Frames per second of a frame time: a whole number, or a television rate such as 29.97, if one fits."""
    exact = 1.0 / frame_time
    if exact > HIGHEST_FRAMES_PER_SECOND:
        return exact
    whole = round(exact)
    television = round(TELEVISION_BASE / frame_time) / TELEVISION_BASE
    wishes = [rate for rate in (whole, television) if rate > 0 and is_rate_of(frame_time, rate)]
    return min(wishes, key=lambda rate: abs(1.0 / rate - frame_time), default=1.0 / frame_time)
