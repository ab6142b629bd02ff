# SPDX-License-Identifier: GPL-3.0-or-later
"""New armatures for scenes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy
from mathutils import Quaternion

from ...package import AnimBridgeError, Document, scene_skeleton
from ...scene.armature.joints import BoneAxes, create_joint_armature
from ...scene.armature.makers import ArmatureMaker
from ...scene.names import data_block_name
from .options import SceneImportOptions


@dataclass(frozen=True)
class SceneSkeletons(ArmatureMaker[SceneImportOptions]):
    """The skeleton of the file, one for all files that have the same; named after the first."""

    wanted: SceneImportOptions
    axes: BoneAxes = BoneAxes.LIMBS

    def plan(self, document: Document) -> Any:
        joints = scene_skeleton(document, self.wanted.axes())["joints"]
        if not joints:
            raise AnimBridgeError("The file has no joints: nothing in it moves or is a bone")
        return joints

    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        is_file = self.axes is BoneAxes.FILE
        turns = [Quaternion(joint["rotation_wxyz"]) for joint in plan] if is_file else None
        return create_joint_armature(context, data_block_name(file_stem), plan, turns)

    def options(self, options: SceneImportOptions) -> SceneImportOptions:
        return replace(options, is_own=True)
