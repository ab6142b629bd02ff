# SPDX-License-Identifier: GPL-3.0-or-later
"""New armatures for BVH files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy
from mathutils import Quaternion

from ...package import Document, bvh_skeleton
from ...scene.armature.joints import BoneAxes, create_joint_armature
from ...scene.armature.makers import ArmatureMaker
from ...scene.names import data_block_name
from .options import BvhImportOptions, placement_for


@dataclass(frozen=True)
class BvhSkeletons(ArmatureMaker[BvhImportOptions]):
    """The skeleton of the file, one for all files that have the same; named after the first."""

    wanted: BvhImportOptions
    axes: BoneAxes = BoneAxes.LIMBS
    is_euler: bool = False

    def plan(self, document: Document) -> Any:
        skeleton = bvh_skeleton(document, placement_for(document, self.wanted).members())
        return {name: skeleton[name] for name in ("joints", "axes_wxyz")}

    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        # Only with the file's axes do the bones have the file's own values.
        axes = BoneAxes.FILE if self.is_euler else self.axes
        joints = plan["joints"]
        turns = [Quaternion(plan["axes_wxyz"])] * len(joints) if axes is BoneAxes.FILE else None
        modes = [(self.is_euler and joint["euler_order"]) or "QUATERNION" for joint in joints]
        return create_joint_armature(context, data_block_name(file_stem), joints, turns, modes)

    def options(self, options: BvhImportOptions) -> BvhImportOptions:
        return replace(options, is_own=True, fit_height=False, keep_euler=self.is_euler)
