# SPDX-License-Identifier: GPL-3.0-or-later
"""New armatures for Second Life animations, and for motion that an avatar gets."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ...package import Document
from ..armature.makers import ArmatureMaker
from ..import_.options import ImportOptions
from .skeleton import SkeletonOptions, create_sl_skeleton, hide_unmoved_groups


@dataclass(frozen=True)
class SlSkeletons(ArmatureMaker[ImportOptions]):
    """Second Life's skeleton, the same for every file. `is_own`: the files are Second Life's."""

    wanted: SkeletonOptions
    is_own: bool = True

    def plan(self, document: Document) -> None:
        return None

    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        return create_sl_skeleton(context, self.wanted)

    def options(self, options: ImportOptions) -> ImportOptions:
        return replace(options, facing=self.wanted.facing)

    def tidy(self, armature: bpy.types.Object, moved: Set[str]) -> list[str]:
        return hide_unmoved_groups(armature, self.wanted, moved)
