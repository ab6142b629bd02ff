# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons that check what the viewer does with the Action, and show it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import bpy
from bpy.props import FloatProperty, StringProperty

from ...compat.bones import select_only
from ...package import AnimBridgeError
from ...scene import previews
from ...scene.armature.modes import show_pose
from ...scene.armature.reading import active_armature, pose_bones
from ...scene.playing import assigned_channels
from ...ui.reporting import report_done, report_error, run_reported
from .judging import judge, mend, predict, require_assigned
from .options import OPENSIM, SlExportOptions
from .properties import animation_of
from .texts import size, verdict

#: Sizes are findings here: a check must not stop at the first error.
_OPTIONS = SlExportOptions(stop_above_mm=0.0, library={"target": OPENSIM})
_WITH_SIZES = replace(_OPTIONS, library={**_OPTIONS.library, "size_curve": True})


class _OnPlayingArmature(bpy.types.Operator):
    """For operators that need an armature with an Action; errors of `work` are reported."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        target = active_armature(context.view_layer)
        return target is not None and assigned_channels(target) is not None

    def work(self, target: bpy.types.Object, scene: bpy.types.Scene) -> str:
        """Does the work, and returns the line to report."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[Any]:
        target = active_armature(context.view_layer)
        if target is None:
            return report_error(self, "No armature is active. Select one.")
        return run_reported(self, lambda: self.work(target, context.scene))


class ANIMBRIDGE_OT_check(_OnPlayingArmature):
    """Make the file in memory and list what the viewer will refuse, change or show wrong"""

    bl_idname = "animbridge.check"
    bl_label = "Check Animation"

    def work(self, target: bpy.types.Object, scene: bpy.types.Scene) -> str:
        judge(target, scene, _WITH_SIZES)
        shown = animation_of(require_assigned(target).action)
        return f"{verdict(len(shown.findings))}, {size(shown.checked_bytes)}"


class ANIMBRIDGE_OT_predict_upload(_OnPlayingArmature):
    """Show the animation as it is after an upload. Click again to go back to your Action"""

    bl_idname = "animbridge.predict_upload"
    bl_label = "Show as Uploaded"

    def work(self, target: bpy.types.Object, scene: bpy.types.Scene) -> str:
        original = previews.end(target)
        if original is not None:
            return f"The Action '{original.name}' plays again"
        made = predict(target, scene, _OPTIONS)
        return (
            f"'{made.original.name}' is shown as after an upload: at most {made.max_position_mm:.2f} mm and "
            f"{made.max_rotation_degrees:.3f} degrees from the original. Click again to go back"
        )


class ANIMBRIDGE_OT_mend(_OnPlayingArmature):
    """Mend this finding in a copy of the Action, and play the copy. What the mend need not touch stays"""

    bl_idname = "animbridge.mend"
    bl_label = "Mend"

    rule: StringProperty(
        name="Finding", description="The finding to mend. Not set: all findings that mend themselves"
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        if properties.rule:
            return str(cls.__doc__)
        return "Mend all findings that mend themselves in a copy of the Action, and play the copy"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        target = active_armature(context.view_layer)
        if target is None:
            return report_error(self, "No armature is active. Select one.")
        try:
            previews.end(target)
            made = mend(target, context.scene, _OPTIONS, self.rule)
            judge(target, context.scene, _WITH_SIZES)
        except AnimBridgeError as error:
            return report_error(self, error)
        line = f"'{made.action.name}' plays, and '{made.original.name}' is kept. {'; '.join(made.done)}"
        return report_done(self, line, details=made.left)


class ANIMBRIDGE_OT_show_finding(bpy.types.Operator):
    """Select the bone that the finding is about, and go to the frame of its key"""

    bl_idname = "animbridge.show_finding"
    bl_label = "Go to Finding"
    bl_options = {"REGISTER", "UNDO"}

    bone: StringProperty(name="Bone", description="The name of the bone")
    frame: FloatProperty(name="Frame", description="The frame to go to. Not set: the current one stays")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        target = active_armature(context.view_layer)
        if target is None or self.bone not in pose_bones(target):
            return report_error(self, f"The active armature has no bone '{self.bone}'.")
        show_pose(context.view_layer, target)
        select_only(target, {self.bone})
        if self.properties.is_property_set("frame"):
            whole = math.floor(self.frame)
            context.scene.frame_set(whole, subframe=self.frame - whole)
        return {"FINISHED"}


CLASSES = (ANIMBRIDGE_OT_check, ANIMBRIDGE_OT_predict_upload, ANIMBRIDGE_OT_mend, ANIMBRIDGE_OT_show_finding)
