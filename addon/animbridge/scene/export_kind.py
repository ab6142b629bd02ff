# SPDX-License-Identifier: GPL-3.0-or-later
"""One file to be made, and what an export does its own way in each format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat import actions
from ..native.abi import Facing
from ..native.curves import Armature, Curve, Timing
from ..native.document import Document
from . import template
from .armature import read_armature
from .channels import BoneCurves
from .curve_export import UsedCurves
from .export_options import MotionOptions
from .sampling import Poses
from .spans import Span
from .timing import scene_frames_per_second

Options = TypeVar("Options", bound=MotionOptions)


@dataclass(frozen=True)
class Work(Generic[Options]):
    """One file to be made, and all that Blender says of it.

    `channels` None: whatever the armature shows. `alone`: they are what it plays at present, and nothing has
    been changed for this export. `kept`, `source`: the state and the file that the Action was imported with,
    if it is to go on from there. `joints`: the bones that show joints. `only`: the bones that are wanted;
    None: all.
    """

    armature_object: bpy.types.Object
    scene: bpy.types.Scene
    channels: actions.Channels | None
    alone: bool
    options: Options
    kept: template.Template | None
    source: Document | None
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
    def scene_rate(self) -> float:
        return scene_frames_per_second(self.scene)

    @property
    def timing(self) -> Timing:
        """The template's rate as long as the scene shows it, else the scene's."""
        if self.kept is not None and self.kept.is_of_rate(self.scene_rate):
            return Timing(self.kept.timing.frames_per_second, self.span.first)
        return Timing(self.scene_rate, self.span.first)


class ExportKind(ABC, Generic[Options]):
    """One format."""

    format_id: str

    @abstractmethod
    def facing(self, options: Options) -> Facing:
        """Where the character of an Action looks that was not imported."""

    def goes_on(self, options: Options) -> bool:
        """Whether an Action that came from a file of this format takes what is untouched from there."""
        return True

    def armature(self, armature_object: bpy.types.Object, facing: Facing, options: Options) -> Armature:
        """The bones, as the library is to see them."""
        return read_armature(armature_object, facing, options.rig_map)

    @abstractmethod
    def joint_of_bone(self, armature: Armature, only: Collection[str] | None) -> dict[str, str]:
        """The bones by which joints of the file move, and the joints that they show; `only` as in Work."""

    def bones_read(self, armature: Armature, only: Collection[str] | None) -> Collection[str] | None:
        """The bones whose curves make the file; None: all."""
        return only

    def reason_to_sample(self, work: Work[Options]) -> str:
        """Why an export needs samples, besides what the curves leave untold; "" if it does not."""
        return "the armature object's own motion goes along" if work.options.object_motion else ""

    @abstractmethod
    def from_curves(self, work: Work[Options], curves: Iterable[Curve]) -> tuple[Document, dict[str, Any]]:
        """The document, and the library's report."""

    @abstractmethod
    def sample_frames(self, work: Work[Options]) -> NDArray[np.float64]:
        """The frames at which poses are taken."""

    @abstractmethod
    def from_samples(self, work: Work[Options], poses: Poses) -> tuple[Document, dict[str, Any]]:
        """The document, and the library's report."""
