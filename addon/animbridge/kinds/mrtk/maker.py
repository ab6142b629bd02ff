# SPDX-License-Identifier: GPL-3.0-or-later
"""New armatures for recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ...native.document import Document
from ...native.mrtk import recording_skeleton
from ...scene.armature.makers import ArmatureMaker
from ...scene.names import data_block_name
from .armature import create_recording_armature
from .options import MrtkImportOptions


@dataclass(frozen=True)
class MrtkArmatures(ArmatureMaker[MrtkImportOptions]):
    """The bones that a recording needs. Recordings with the same ones share an armature."""

    wanted: MrtkImportOptions

    def plan(self, document: Document) -> Mapping[str, Any]:
        return recording_skeleton(document, self.wanted.members())

    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        return create_recording_armature(context, data_block_name(file_stem), plan)

    def options(self, options: MrtkImportOptions) -> MrtkImportOptions:
        return replace(options, rig=self.wanted.rig)
