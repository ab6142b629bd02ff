# SPDX-License-Identifier: GPL-3.0-or-later
"""New armatures for recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy

from ...package import Document, recording_skeleton
from ...scene.armature.makers import ArmatureMaker
from ...scene.import_.options import ImportOptions
from ...scene.names import data_block_name
from .armature import create_recording_armature
from .options import HANDS


@dataclass(frozen=True)
class Plan:
    """Bones to make. Exact bones rest at the origin, so those with the same names are the same but for the
    lengths with which they are drawn.
    """

    bones: str
    skeleton: Mapping[str, Any] = field(compare=False)


@dataclass(frozen=True)
class MrtkArmatures(ArmatureMaker[ImportOptions]):
    """The bones that a recording needs. Recordings with the same ones share an armature."""

    library: Mapping[str, Any]

    def plan(self, document: Document) -> Plan:
        skeleton = recording_skeleton(document, self.library)
        if self.library.get("rig") == HANDS:
            return Plan(repr(skeleton), skeleton)
        names = [joint["name"] for joint in skeleton["joints"]]
        return Plan(repr((names, skeleton["properties"])), skeleton)

    def make(self, context: bpy.types.Context, plan: Plan, file_stem: str) -> bpy.types.Object:
        return create_recording_armature(context, data_block_name(file_stem), plan.skeleton)
