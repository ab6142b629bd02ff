# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons of the panel: loop points from frames and markers, priorities of joints."""

from __future__ import annotations

from typing import Any, Final

import bpy
from bpy.props import EnumProperty, IntProperty

from ...compat.bones import selected_bones
from ...package import AnimBridgeError, Facing, counted
from ...scene.armature.reading import active_armature, read_armature
from ...scene.export.foreign import foreign_or_own
from ...ui.reporting import report_error, run_reported
from . import header
from .exporter import SlExporter
from .judging import require_assigned
from .options import SlExportOptions
from .properties import HIGHEST_PRIORITY, LOWEST_PRIORITY, animation_of

#: Joints that the dialog lists.
_MOST_LISTED: Final = 16


def _target(context: bpy.types.Context) -> bpy.types.Object:
    target = active_armature(context.view_layer)
    if target is None:
        raise AnimBridgeError("No armature is active. Select one.")
    return target


def _action(context: bpy.types.Context) -> bpy.types.Action:
    return require_assigned(_target(context)).action


def _selected(context: bpy.types.Context) -> set[str]:
    names = selected_bones(_target(context))
    if not names:
        raise AnimBridgeError("No bone is selected. Select bones in Pose mode.")
    return names


class _HeaderOperator(bpy.types.Operator):
    """Runs `edit`, whose errors are reported."""

    bl_options = {"REGISTER", "UNDO"}

    def edit(self, context: bpy.types.Context) -> str | None:
        """Makes the change; the line to report, if any."""
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
            ("IN", "Loop In", "The repeated part starts at the current frame"),
            ("OUT", "Loop Out", "The repeated part ends at the current frame"),
            ("MARKERS", "From Markers", "Both, from the Action's pose markers 'loop in' and 'loop out'"),
        ),
        default="IN",
    )

    def edit(self, context: bpy.types.Context) -> None:
        action = _action(context)
        if self.point == "MARKERS":
            header.set_loop_from_markers(action, context.scene)
        else:
            header.set_loop_point(
                action, context.scene, context.scene.frame_current_final, is_end=self.point == "OUT"
            )


class ANIMBRIDGE_OT_set_joint_priority(_HeaderOperator):
    """Set the priority of the selected bones' joints in this animation"""

    bl_idname = "animbridge.set_joint_priority"
    bl_label = "Set Joint Priority"

    priority: IntProperty(
        name="Priority",
        description="Which animation wins these joints. -1: the animation's own, 0 weakest, 6 strongest",
        default=4,
        min=LOWEST_PRIORITY,
        max=HIGHEST_PRIORITY,
    )

    #: Shown by the dialog that `invoke` opens; the panel of the last operation has none.
    lines: tuple[str, ...] = ()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        try:
            lines = joint_lines(_target(context), _action(context), _selected(context))
        except AnimBridgeError as error:
            return report_error(self, error)
        self.lines = tuple(lines)
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.prop(self, "priority")
        column = layout.column(align=True)
        for line in self.lines[:_MOST_LISTED]:
            column.label(text=line)
        if len(self.lines) > _MOST_LISTED:
            column.label(text=f"and {len(self.lines) - _MOST_LISTED} more")

    def edit(self, context: bpy.types.Context) -> str:
        action, names = _action(context), _selected(context)
        header.set_joint_priorities(action, names, self.priority)
        return f"Priority {self.priority} set for {counted(len(names), 'joint')}"


class ANIMBRIDGE_OT_clear_joint_priority(_HeaderOperator):
    """Give the selected bones' joints the animation's own priority"""

    bl_idname = "animbridge.clear_joint_priority"
    bl_label = "Use the Animation's"

    def edit(self, context: bpy.types.Context) -> str:
        action, names = _action(context), _selected(context)
        header.set_joint_priorities(action, names, LOWEST_PRIORITY)
        return f"{counted(len(names), 'joint')} set to the animation's priority"


class ANIMBRIDGE_OT_set_all_priorities(_HeaderOperator):
    """Give every joint the animation's priority"""

    bl_idname = "animbridge.set_all_priorities"
    bl_label = "Set All Joints"

    def edit(self, context: bpy.types.Context) -> str:
        action = _action(context)
        header.clear_own_priorities(action)
        return f"All joints have priority {animation_of(action).base_priority}"


def joint_lines(target: bpy.types.Object, action: bpy.types.Action, names: set[str]) -> list[str]:
    """A line for each of these bones: the joint, the bone where it has another name, and the priority."""
    joints, shown = _joint_of_bone(target), animation_of(action)
    lines = []
    for name in sorted(names):
        item = shown.joint_priorities.get(name)
        joint = joints.get(name, name)
        bone = "" if joint == name else f" (bone {name})"
        priority = f"as the animation ({shown.base_priority})"
        if item is not None and item.priority != LOWEST_PRIORITY:
            priority = str(item.priority)
        lines.append(f"{joint}{bone}: {priority}")
    return lines


def _joint_of_bone(target: bpy.types.Object) -> dict[str, str]:
    """{bone: joint} as an export matches them; {} if it cannot be told."""
    try:
        armature = foreign_or_own(target, read_armature(target, Facing.AUTO), SlExportOptions())
        return SlExporter().joint_of_bone(armature, None)
    except AnimBridgeError:
        return {}


CLASSES = (
    ANIMBRIDGE_OT_set_loop_point,
    ANIMBRIDGE_OT_set_joint_priority,
    ANIMBRIDGE_OT_clear_joint_priority,
    ANIMBRIDGE_OT_set_all_priorities,
)
