# SPDX-License-Identifier: GPL-3.0-or-later
"""Add > Armature > Second Life Skeleton."""

from __future__ import annotations

from typing import Any

import bpy

from ...scene.avatar.skeleton import create_sl_skeleton
from ...ui.reporting import run_reported
from .skeleton_properties import SkeletonProperties


class ARMATURE_OT_secondlife_skeleton_add(SkeletonProperties, bpy.types.Operator):
    """Add the Second Life (Bento) skeleton as an armature, at the 3D cursor"""

    bl_idname = "armature.secondlife_skeleton_add"
    bl_label = "Second Life Skeleton"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.mode == "OBJECT"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._add(context))

    def _add(self, context: bpy.types.Context) -> None:
        skeleton = create_sl_skeleton(context, self.skeleton_options())
        skeleton.location = context.scene.cursor.location

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        self.draw_skeleton_options(layout)
