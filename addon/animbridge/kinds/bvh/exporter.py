# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports armatures as BVH."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...package import (
    BONE_NO_INHERIT_ROTATION,
    AnimBridgeError,
    Armature,
    Curve,
    Document,
    Facing,
    listed,
)
from ...scene.armature.reading import read_tails
from ...scene.armature.rotations import euler_channels
from ...scene.export.curves import still_curves
from ...scene.export.exporter import Exporter, Work
from ...scene.timing import frame_count
from .importer import frame_count_of, frame_time_of
from .options import BvhExportOptions

_Work = Work[BvhExportOptions]


@dataclass(frozen=True)
class _Grid:
    """The frames of the file: one every `step` frames of the scene."""

    frame_time_seconds: float
    step: float
    count: int


class BvhExporter(Exporter[BvhExportOptions]):
    """Every bone is a joint."""

    format_id = "bvh"

    def continues_import(self, options: BvhExportOptions) -> bool:
        return options.as_imported

    def armature(
        self, armature_object: bpy.types.Object, facing: Facing, options: BvhExportOptions, *, is_new: bool
    ) -> Armature:
        """The bones, with their rotation orders, which the channels may take over."""
        armature = super().armature(armature_object, facing, options, is_new=is_new)
        if not armature.names:
            raise AnimBridgeError(
                f"The armature '{armature_object.name}' has no bones, but a BVH needs at least one joint."
            )
        return replace(armature, rotation_channels=euler_channels(armature_object, armature.names))

    def joint_of_bone(self, armature: Armature, only: Collection[str] | None) -> dict[str, str]:
        read = self.bones_read(armature, only)
        return {name: name for name in armature.names if read is None or name in read}

    def bones_read(self, armature: Armature, only: Collection[str] | None) -> Collection[str] | None:
        """Joints turn with all parents of their bones, whether those are in the file or not."""
        if only is None:
            return None
        above = {armature.names[bone]: int(parent) for bone, parent in enumerate(armature.parents)}
        read, waiting = set(only), list(only)
        while waiting:
            parent = above[waiting.pop()]
            if parent >= 0 and armature.names[parent] not in read:
                read.add(armature.names[parent])
                waiting.append(armature.names[parent])
        return read

    def reason_to_sample(self, work: _Work) -> str:
        """Curves do not tell the library about bones that do not inherit rotation."""
        is_free = (work.armature.flags & BONE_NO_INHERIT_ROTATION) != 0
        free = [name for name, yes in zip(work.armature.names, is_free, strict=True) if yes]
        names = sorted(work.joints.intersection(free))
        return super().reason_to_sample(work) or (
            f"Inherit Rotation is off: {listed(names)}" if names else ""
        )

    def from_curves(self, work: _Work, curves: Iterable[Curve]) -> tuple[Document, dict[str, Any]]:
        all_curves = list(curves)
        if work.alone:
            all_curves += still_curves(work.armature_object, work.used, work.armature, work.timing)
        return super().from_curves(work, all_curves)

    def sample_frames(self, work: _Work) -> NDArray[np.float64]:
        grid = _grid(work)
        return work.span.first + grid.step * np.arange(grid.count, dtype=np.float64)

    def members(self, work: _Work) -> dict[str, Any]:
        options, template, grid = work.options, work.template, _grid(work)
        imported = template.placement if template else None
        placement = imported or options.placement
        chosen = super().members(work)
        if work.template_document is not None:
            # Joints of an imported file keep their channels, and get others only where they need them.
            chosen["positions"] = "moving"
        return {
            **chosen,
            **placement.members(),
            "frame_time_seconds": grid.frame_time_seconds,
            "frame_count": grid.count,
            "frame_step": grid.step,
            "bones": work.wanted_names,
            "tails": read_tails(work.armature_object),
        }


def _grid(work: _Work) -> _Grid:
    rate, options, document = work.timing.frames_per_second, work.options, work.template_document
    if document is not None and work.template and work.template.is_of_rate(work.scene_rate):
        # A file without time between its frames was given one of the scene's.
        frame_time = frame_time_of(document) if frame_time_of(document) > 0.0 else 1.0 / rate
        step = frame_time * rate
        # Undoes rounding: the product that placed the keys may differ in its last bit.
        step = 1.0 if math.isclose(step, 1.0, rel_tol=1e-12) else step
        count = max(frame_count_of(document), 1) if work.span.is_unchanged else _count(work, step)
        return _Grid(frame_time, step, count)
    step = rate / options.frames_per_second if options.frames_per_second else 1.0
    return _Grid(step / rate, step, _count(work, step))


def _count(work: _Work, step: float) -> int:
    return frame_count(work.span.first, work.span.last, step)
