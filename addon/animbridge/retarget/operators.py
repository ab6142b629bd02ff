# SPDX-License-Identifier: GPL-3.0-or-later
"""The buttons that find pairs, show their alignment, and make the Actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ..package import AnimBridgeError, RigUse, rig_files
from ..scene.activation import activate
from ..scene.retarget_text import details, warnings
from ..ui.progress import shown_progress
from ..ui.reporting import report_done, report_error, run_reported, show_popup
from . import preview
from .apply import Made, apply
from .feet import plant_feet
from .filling import fill
from .poses import packed_pose
from .properties import selected_pair, settings_of, settings_with_both
from .setup import found_rig, side_of
from .text import planted_summary, summary, switch_notes

_SIDES = (
    ("SOURCE", "Source", "The armature that moves"),
    ("TARGET", "Target", "The armature that gets the motion"),
)


class _OnBoth(bpy.types.Operator):
    """For operators that need a source and a target, which two selected armatures are if none are chosen."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        settings = settings_of(context.scene)
        are_chosen = settings.source is not None and settings.target is not None
        return are_chosen or selected_pair(context.view_layer, settings) is not None


class ANIMBRIDGE_OT_retarget_auto(_OnBoth):
    """Find out which bone is which in both armatures, and pair those that are the same part of the body"""

    bl_idname = "animbridge.retarget_auto"
    bl_label = "Auto"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        settings = settings_with_both(context)
        try:
            filled = fill(context.scene, settings)
        except AnimBridgeError as error:
            return report_error(self, error)
        return report_done(self, filled.text, details=filled.problems)


class ANIMBRIDGE_OT_retarget_rig(bpy.types.Operator):
    """Choose the names by which the bones of this armature are found, and pair the bones again"""

    bl_idname = "animbridge.retarget_rig"
    bl_label = "Choose Rig"
    bl_options = {"REGISTER", "UNDO"}

    side: EnumProperty(name="Side", description="Whose bones are found", items=_SIDES)
    rig: StringProperty(
        name="Rig", description="The rig's id, such as mixamo. Empty: the rig whose names fit best"
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        settings = settings_of(context.scene)
        try:
            self._choose(settings)
        except AnimBridgeError as error:
            return report_error(self, error)
        if settings.source is None or settings.target is None:
            return {"FINISHED"}
        try:
            filled = fill(context.scene, settings)
        except AnimBridgeError as error:
            # The other armature's rig may be the next choice.
            self.report({"WARNING"}, error.message)
            return {"FINISHED"}
        return report_done(self, filled.text, details=filled.problems)

    def _choose(self, settings: Any) -> None:
        """An error, and no change, if the armature has none of the rig's names."""
        name = self.side.lower()
        rig = rig_files.built_in_rig(self.rig)
        thing = getattr(settings, name)
        if thing is not None and rig:
            use = RigUse.SOURCE if name == "source" else RigUse.TARGET
            found_rig(side_of(thing).standing, use, rig, thing.name)
        setattr(settings, f"{name}_rig", rig)


class ANIMBRIDGE_OT_retarget_apply(_OnBoth):
    """Make an Action on the target that moves it as the source moves. The source isn't changed. Without \
pairs, Auto finds them first"""

    bl_idname = "animbridge.retarget_apply"
    bl_label = "Retarget"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        settings = settings_with_both(context)
        try:
            preview.end(settings)
            known = [] if len(settings.pairs) else fill(context.scene, settings).problems
            with shown_progress(context) as progress:
                made = apply(context.scene, settings, progress)
        except AnimBridgeError as error:
            return report_error(self, error)
        preview.show_angles(settings, made[-1].report)
        layer, target = context.view_layer, settings.target
        if layer.objects.active != target and target.name in layer.objects:
            activate(layer, target)
        return self._report(context, made, known)

    def _report(self, context: bpy.types.Context, made: list[Made], known: Sequence[str]) -> set[Any]:
        lines = [summary(one.channels.action.name, one.report) for one in made]
        problems = list(dict.fromkeys(text for one in made for text in warnings(one.report)))
        facts = [*known, *(text for one in made for text in details(one.report, one.switched))]
        facts += switch_notes(made[-1].switches)
        show_popup(context, self.bl_label, problems)
        return report_done(self, lines[-1], warnings=problems, details=[*facts, *lines[:-1]])


class ANIMBRIDGE_OT_retarget_plant_feet(bpy.types.Operator):
    """Make a copy of the Action that the target plays in which its feet stand still, and play it. Without a \
target: of the active armature"""

    bl_idname = "animbridge.retarget_plant_feet"
    bl_label = "Plant Feet of Action"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        thing = planted_thing(context)
        return thing is not None and thing.animation_data is not None and bool(thing.animation_data.action)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        settings, thing = settings_of(context.scene), planted_thing(context)
        assert thing is not None
        try:
            preview.end(settings)
            rig = settings.target_rig if thing == settings.target else ""
            with shown_progress(context) as progress:
                made = plant_feet(context.scene, thing, rig, progress)
        except AnimBridgeError as error:
            return report_error(self, error)
        planted = made.report["planted"]
        show_popup(context, self.bl_label, planted["warnings"])
        text = planted_summary(made.channels.action.name, planted)
        return report_done(self, text, warnings=planted["warnings"])


def planted_thing(context: bpy.types.Context) -> bpy.types.Object | None:
    """The armature whose Action Plant Feet copies."""
    active = context.view_layer.objects.active
    shown = active if active is not None and active.type == "ARMATURE" else None
    return settings_of(context.scene).target or shown


class ANIMBRIDGE_OT_retarget_preview(_OnBoth):
    """Show the target in its aligned reference pose: it should stand as the source does. Click again to \
put its pose back"""

    bl_idname = "animbridge.retarget_preview"
    bl_label = "Preview Alignment"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._work(context))

    def _work(self, context: bpy.types.Context) -> str:
        settings = settings_with_both(context)
        if preview.end(settings):
            return "The target has its own pose again"
        angle = preview.begin(context.scene, settings)
        return f"The target is aligned by up to {angle:.1f} degrees. Click again to put its pose back"


class ANIMBRIDGE_OT_retarget_use_pose(bpy.types.Operator):
    """Take the pose that the armature shows now as its reference pose"""

    bl_idname = "animbridge.retarget_use_pose"
    bl_label = "Use Current Pose"
    bl_options = {"REGISTER", "UNDO"}

    side: EnumProperty(name="Side", description="Whose pose is taken", items=_SIDES)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._work(context))

    def _work(self, context: bpy.types.Context) -> str:
        settings = settings_of(context.scene)
        side = self.side.lower()
        thing = getattr(settings, side)
        if thing is None:
            raise AnimBridgeError(f"No {side} is chosen. Choose an armature in the field {side.title()}.")
        setattr(settings, f"{side}_pose", packed_pose(context.scene, thing))
        setattr(settings, f"{side}_reference", "POSE")
        return f"The current pose of '{thing.name}' is now its reference pose"


CLASSES = (
    ANIMBRIDGE_OT_retarget_auto,
    ANIMBRIDGE_OT_retarget_rig,
    ANIMBRIDGE_OT_retarget_apply,
    ANIMBRIDGE_OT_retarget_plant_feet,
    ANIMBRIDGE_OT_retarget_preview,
    ANIMBRIDGE_OT_retarget_use_pose,
)
