# SPDX-License-Identifier: GPL-3.0-or-later
"""The buttons of the list of pairs."""

from __future__ import annotations

from typing import Any

import bpy

from ..package import AnimBridgeError, Pair, bone_pairs
from ..scene.armature.reading import armature_of
from ..ui.reporting import run_reported
from . import preview
from .properties import add_pair, go_to, pairs_of, select_pair, set_pairs, settings_of


class _OnPair(bpy.types.Operator):
    """For operators on the active pair."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        settings = settings_of(context.scene)
        return 0 <= settings.index < len(settings.pairs)


class ANIMBRIDGE_OT_retarget_add(bpy.types.Operator):
    """Add a pair: the active bones of source and target, as far as they have no pair yet"""

    bl_idname = "animbridge.retarget_add"
    bl_label = "Add Pair"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        settings = settings_of(context.scene)
        taken = [{item.source for item in settings.pairs}, {item.target for item in settings.pairs}]
        source = _active_bone(settings.source, taken[0])
        target = _active_bone(settings.target, taken[1])
        add_pair(settings, Pair("", source, target))
        go_to(settings, len(settings.pairs) - 1)
        return {"FINISHED"}


class ANIMBRIDGE_OT_retarget_remove(_OnPair):
    """Remove the active pair from the list"""

    bl_idname = "animbridge.retarget_remove"
    bl_label = "Remove Pair"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        settings = settings_of(context.scene)
        settings.pairs.remove(settings.index)
        go_to(settings, max(min(settings.index, len(settings.pairs) - 1), 0))
        return {"FINISHED"}


class ANIMBRIDGE_OT_retarget_clear(bpy.types.Operator):
    """Remove all pairs from the list"""

    bl_idname = "animbridge.retarget_clear"
    bl_label = "Clear"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        settings = settings_of(context.scene)
        preview.end(settings)
        set_pairs(settings, ())
        return {"FINISHED"}


class ANIMBRIDGE_OT_retarget_select(_OnPair):
    """Select the two bones of the active pair, with both armatures in Pose mode"""

    bl_idname = "animbridge.retarget_select"
    bl_label = "Select Bones"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._work(context))

    def _work(self, context: bpy.types.Context) -> str | None:
        settings = settings_of(context.scene)
        pair = settings.pairs[settings.index]
        things = [thing for thing in (settings.source, settings.target) if thing is not None]
        hidden = [thing.name for thing in things if not thing.visible_get()]
        if len(things) < 2 or hidden:
            missing = f"'{hidden[0]}' is hidden" if hidden else "source or target isn't chosen"
            raise AnimBridgeError(f"The bones can't be selected: {missing}.")
        _into_pose_mode(context.view_layer, things)
        select_pair(settings, pair)
        return None


class ANIMBRIDGE_OT_retarget_swap_sides(_OnPair):
    """Exchange the left and the right bones of the source, where its sides were found the wrong way round"""

    bl_idname = "animbridge.retarget_swap_sides"
    bl_label = "Swap Sides"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._work(context))

    def _work(self, context: bpy.types.Context) -> str | None:
        settings = settings_of(context.scene)
        preview.end(settings)
        pairs = pairs_of(settings)
        swapped = bone_pairs.with_swapped_sides(pairs)
        if swapped == pairs:
            raise AnimBridgeError("No pair has a side, so there is nothing to swap. Choose the pairs' parts.")
        index = settings.index
        set_pairs(settings, swapped)
        go_to(settings, index)
        return "The source's left and right bones are swapped."


def _into_pose_mode(view_layer: bpy.types.ViewLayer, things: list[bpy.types.Object]) -> None:
    """Both armatures at once; the last one is active."""
    if all(thing.mode == "POSE" for thing in things):
        view_layer.objects.active = things[-1]
        return
    mode_set: Any = bpy.ops.object.mode_set
    if view_layer.objects.active is not None and mode_set.poll():
        mode_set(mode="OBJECT")
    for selected in list(view_layer.objects.selected):
        selected.select_set(False)
    for thing in things:
        thing.select_set(True)
        view_layer.objects.active = thing
    mode_set(mode="POSE")


def _active_bone(thing: bpy.types.Object | None, taken: set[str]) -> str:
    """The armature's active bone; "" if there is none, or if it has a pair."""
    bone = armature_of(thing).bones.active if thing is not None else None
    return bone.name if bone is not None and bone.name not in taken else ""


CLASSES = (
    ANIMBRIDGE_OT_retarget_add,
    ANIMBRIDGE_OT_retarget_remove,
    ANIMBRIDGE_OT_retarget_clear,
    ANIMBRIDGE_OT_retarget_select,
    ANIMBRIDGE_OT_retarget_swap_sides,
)
