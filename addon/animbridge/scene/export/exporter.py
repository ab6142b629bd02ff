# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export of an armature does its own way in each format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import bpy
import numpy as np
from numpy.typing import NDArray

from ...compat import actions
from ...package import Armature, Curve, Document, Facing, Samples, Timing, from_curves, from_samples
from ..armature.reading import read_armature
from ..channels import BoneCurves
from ..templates import Template
from ..timing import scene_frames_per_second
from .curves import UsedCurves
from .options import MotionOptions
from .sampling import Poses, frames_between
from .spans import Span, timing_of

Options = TypeVar("Options", bound=MotionOptions)


@dataclass(frozen=True)
class Work(Generic[Options]):
    """The file to be made of an armature, and everything that Blender knows about it.

    `channels` None: whatever the armature shows. `alone`: they are what it plays at present, and nothing has
    been changed for this export. `template`, `template_document`: of an imported Action, if the export
    continues its import. `joints`: the bones that show joints. `only`: the bones that are wanted; None: all.
    """

    armature_object: bpy.types.Object
    scene: bpy.types.Scene
    channels: actions.Channels | None
    alone: bool
    options: Options
    template: Template | None
    template_document: Document | None
    armature: Armature
    bones: dict[str, BoneCurves]
    elsewhere: list[bpy.types.FCurve]
    used: list[UsedCurves]
    only: Collection[str] | None
    joint_of_bone: dict[str, str]
    span: Span

    @property
    def joints(self) -> set[str]:
        return set(self.joint_of_bone)

    @property
    def wanted_names(self) -> list[str] | None:
        """The bones that are wanted, in the armature's order; None: all."""
        return None if self.only is None else [name for name in self.armature.names if name in self.only]

    @property
    def scene_rate(self) -> float:
        return scene_frames_per_second(self.scene)

    @property
    def timing(self) -> Timing:
        """The frame rate, from the first frame on."""
        return timing_of(self.scene, self.template, self.span)


class Exporter(ABC, Generic[Options]):
    """One format."""

    format_id: str
    #: The custom properties of the armature object that the format has a place for.
    properties: Collection[str] = ()

    def facing(self, options: Options) -> Facing:
        """Where the character looks if the Action was not imported."""
        return Facing.AUTO

    def continues_import(self, options: Options) -> bool:
        """Whether an Action imported from this format takes what is unchanged from its file."""
        return True

    def armature(
        self, armature_object: bpy.types.Object, facing: Facing, options: Options, *, is_new: bool
    ) -> Armature:
        """The bones, as the library is to see them. `is_new`: the Action does not continue an import."""
        return read_armature(armature_object, facing, options.rig_map)

    @abstractmethod
    def joint_of_bone(self, armature: Armature, only: Collection[str] | None) -> dict[str, str]:
        """{bone: joint} of the bones that move joints of the file; `only` as in Work."""

    def bones_read(self, armature: Armature, only: Collection[str] | None) -> Collection[str] | None:
        """The bones whose curves are read for the file; None: all."""
        return only

    def reason_to_sample(self, work: Work[Options]) -> str:
        """Why an export needs samples although the curves say everything; "" if it does not."""
        return "Object Motion is on" if work.options.object_motion else ""

    def members(self, work: Work[Options]) -> dict[str, Any]:
        """The library's options, for curves and samples."""
        return {**work.options.library, "stop_above_mm": work.options.stop_above_mm}

    def sample_members(self, work: Work[Options]) -> dict[str, Any]:
        """Options for samples alone."""
        return {}

    def template(self, work: Work[Options]) -> Document | None:
        """The document from which the file takes what is unchanged."""
        return work.template_document

    def from_curves(self, work: Work[Options], curves: Iterable[Curve]) -> tuple[Document, dict[str, Any]]:
        """The document, and the library's report."""
        return from_curves(
            self.format_id,
            work.armature,
            work.timing,
            list(curves),
            self.members(work),
            self.template(work),
            work.options.progress,
        )

    def sample_frames(self, work: Work[Options]) -> NDArray[np.float64]:
        """The frames at which poses are taken."""
        return frames_between(work.span.first, work.span.last, 1.0)

    def samples(self, work: Work[Options], poses: Poses) -> Samples:
        """The poses as the library takes them."""
        return Samples(poses.frames, poses.matrices, poses.object_motion())

    def from_samples(self, work: Work[Options], poses: Poses) -> tuple[Document, dict[str, Any]]:
        """The document, and the library's report."""
        return from_samples(
            self.format_id,
            work.armature,
            work.timing,
            self.samples(work, poses),
            {**self.members(work), **self.sample_members(work)},
            self.template(work),
            work.options.progress,
        )
