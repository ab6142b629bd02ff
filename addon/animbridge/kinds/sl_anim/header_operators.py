# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons of the panel: loop points from frames and markers, priorities of the selected bones."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty

from ...compat.bones import selected_bones
from ...native.errors import AnimBridgeError
from ...scene.armature.reading import active_armature
from ...ui.reporting import run_reported
from . import header
from .judging import require_assigned


def _action(context: bpy.types.Context) -> tuple[bpy.types.Object, bpy.types.Action]:
    target = active_armature(context.view_layer)
    if target is None:
        raise AnimBridgeError("No armature is active.")
    return target, require_assigned(target).action


class _HeaderOperator(bpy.types.Operator):
    """Runs `edit`, whose errors are reported."""

    bl_options = {"REGISTER", "UNDO"}

    def edit(self, context: bpy.types.Context) -> None:
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self.edit(context))


class ANIMBRIDGE_OT_set_loop_point(_HeaderOperator):
    """Set a loop point to the current frame, or both to the pose markers 'loop in' and 'loop out'"""

    bl_idname = "animbridge.set_loop_point"
    bl_label = "Set Loop Point"

    point: EnumProperty(
        name="Point",
        description="Which loop point is set",
        items=(
            ("IN", "Loop In", "Where the repeated part begins, from the current frame"),
            ("OUT", "Loop Out", "Where the repeated part ends, from the current frame"),
            ("MARKERS", "From Markers", "Both, from the Action's pose markers 'loop in' and 'loop out'"),
        ),
        default="IN",
    )

    def edit(self, context: bpy.types.Context) -> None:
        _, action = _action(context)
        if self.point == "MARKERS":
            header.set_loop_from_markers(action, context.scene)
        else:
            header.set_loop_point(
                action, context.scene, context.scene.frame_current_final, is_end=self.point == "OUT"
            )


class ANIMBRIDGE_OT_set_joint_priority(_HeaderOperator):
    """Set the priority of the selected bones' joints in this animation"""

    bl_idname = "animbridge.set_joint_priority"
    bl_label = "Set for Selected Bones"

    priority: IntProperty(
        name="Priority",
        description="Which animation wins these joints. -1: the animation's own, 0 weakest, 6 strongest",
        default=4,
        min=-1,
        max=6,
    )

    def edit(self, context: bpy.types.Context) -> None:
        target, action = _action(context)
        names = selected_bones(target)
        if not names:
            raise AnimBridgeError("No bone is selected.")
        header.set_joint_priorities(action, names, self.priority)


class ANIMBRIDGE_OT_clear_joint_priority(_HeaderOperator):
    """Give the selected bones' joints the animation's own priority"""

    bl_idname = "animbridge.clear_joint_priority"
    bl_label = "As the Animation"

    def edit(self, context: bpy.types.Context) -> None:
        target, action = _action(context)
        names = selected_bones(target)
        if not names:
            raise AnimBridgeError("No bone is selected.")
        header.set_joint_priorities(action, names, -1)


CLASSES = (
    ANIMBRIDGE_OT_set_loop_point,
    ANIMBRIDGE_OT_set_joint_priority,
    ANIMBRIDGE_OT_clear_joint_priority,
)
