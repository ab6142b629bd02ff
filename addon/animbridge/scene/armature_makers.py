# SPDX-License-Identifier: GPL-3.0-or-later
"""What an import makes when it is given no armature."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ..native.bvh import bvh_skeleton
from ..native.document import Document
from .bvh_armature import BoneAxes, create_bvh_armature
from .import_options import ImportOptions
from .names import data_block_name
from .placement import Placement
from .skeleton import SkeletonOptions, create_sl_skeleton, hide_unmoved_groups


class ArmatureMaker(ABC):
    """Makes the armatures of one import."""

    @abstractmethod
    def plan(self, document: Document) -> Any:
        """What a document needs: documents with equal plans go onto the same new armature."""

    @abstractmethod
    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        """A new armature, active and selected."""

    @abstractmethod
    def options(self, options: ImportOptions) -> ImportOptions:
        """The options for an import onto it."""

    def tidy(self, armature: bpy.types.Object, moved: Set[str]) -> list[str]:
        """Hides groups of bones of which none is moved; their names."""
        return []


@dataclass(frozen=True)
class SlSkeletons(ArmatureMaker):
    """Second Life's skeleton, for every file the same."""

    wanted: SkeletonOptions

    def plan(self, document: Document) -> None:
        return None

    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        return create_sl_skeleton(context, self.wanted)

    def options(self, options: ImportOptions) -> ImportOptions:
        return replace(options, facing=self.wanted.facing)

    def tidy(self, armature: bpy.types.Object, moved: Set[str]) -> list[str]:
        return hide_unmoved_groups(armature, self.wanted, moved)


@dataclass(frozen=True)
class BvhSkeletons(ArmatureMaker):
    """The skeleton of the file, one for all files that have the same; named after the first."""

    placement: Placement
    axes: BoneAxes = BoneAxes.LIMBS
    is_euler: bool = False

    def plan(self, document: Document) -> Any:
        skeleton = bvh_skeleton(document, self.placement.members())
        return {name: skeleton[name] for name in ("joints", "axes_wxyz")}

    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        # Values are the file's own only where the axes are.
        axes = BoneAxes.FILE if self.is_euler else self.axes
        return create_bvh_armature(context, data_block_name(file_stem), plan, axes, is_euler=self.is_euler)

    def options(self, options: ImportOptions) -> ImportOptions:
        reading = replace(options.bvh, placement=self.placement, is_own=True, fit_height=False)
        return replace(options, bvh=reading, keep_euler=self.is_euler)
