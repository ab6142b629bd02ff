# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Retarget in the 3D view's sidebar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import bpy
from bpy.props import StringProperty

from ..package import AnimBridgeError, built_in_rigs, counted, rig_files
from ..ui.panels import draw_note, sidebar_panel, split_column, wrapped
from .properties import OF_FRAME, selected_pair, settings_of
from .text import LARGE_ANGLE_DEGREES, UNSURE_ICON, UNSURE_WAYS, WAY_ICONS, WAYS

_MAIN: Final = "ANIMBRIDGE_PT_retarget"
_SPACE: Final = "VIEW_3D"
_SOURCE_MENU: Final = "ANIMBRIDGE_MT_retarget_source_rig"
_TARGET_MENU: Final = "ANIMBRIDGE_MT_retarget_target_rig"
_MENU_COLUMNS: Final = 2


def faults_of(settings: Any) -> list[str]:
    """For each pair why it can't be used; "" if it can, or is switched off."""
    on = [pair for pair in settings.pairs if pair.is_on]
    counts = Counter(pair.source for pair in on), Counter(pair.target for pair in on)
    return [_fault_of(settings, pair, *counts) if pair.is_on else "" for pair in settings.pairs]


def _fault_of(settings: Any, pair: Any, sources: Mapping[str, int], targets: Mapping[str, int]) -> str:
    for thing, bone, name in (
        (settings.source, pair.source, "source"),
        (settings.target, pair.target, "target"),
    ):
        if not bone:
            return f"No {name} bone is chosen"
        if thing is not None and bone not in thing.data.bones:
            return f"'{thing.name}' has no bone '{bone}'"
    if sources[pair.source] > 1:
        return "Another pair has the source bone too"
    return "Another pair has the target bone too" if targets[pair.target] > 1 else ""


class ANIMBRIDGE_UL_retarget_pairs(bpy.types.UIList):
    """The pairs: a mark for what is used, both bones, and how they were found or what needs a look."""

    # Blender filters before it draws the rows, and keeps only properties from one to the other.
    unusable: StringProperty(
        name="Unusable", description="A character for each pair: x if it can't be used", options={"HIDDEN"}
    )

    def draw_item(
        self,
        context: Any,
        layout: Any,
        data: Any,
        item: Any,
        icon: Any,
        active_data: Any,
        active_property: Any,
        index: Any = 0,
        flt_flag: Any = 0,
    ) -> None:
        row = layout.row(align=True)
        row.prop(item, "is_on", text="")
        is_unusable = self.unusable[index : index + 1] == "x"
        row.alert = is_unusable
        names = row.column(align=True)
        names.active = item.is_on
        names.scale_y = 0.6  # side by side, no sidebar is wide enough for both
        names.label(text=_short(item.source))
        names.label(text=f"→ {_short(item.target)}")
        if item.by in UNSURE_WAYS:
            row.label(text="", icon=UNSURE_ICON)
        if is_unusable:
            row.label(text="", icon="CANCEL")
        elif item.angle > LARGE_ANGLE_DEGREES and item.is_on:
            row.label(text=f"{item.angle:.0f}°")
        else:
            row.label(text="", icon=WAY_ICONS.get(item.by, "QUESTION"))

    def filter_items(self, context: Any, data: Any, property: Any) -> Any:  # noqa: A002  (Blender's name)
        """The list's own search looks at both bones and the part of the body."""
        self.unusable = "".join("x" if fault else "-" for fault in faults_of(data))
        text = self.filter_name.lower()
        shown = [
            self.bitflag_filter_item if text in f"{pair.slot} {pair.source} {pair.target}".lower() else 0
            for pair in getattr(data, property)
        ]
        return (shown if text else []), []


def _short(bone: str) -> str:
    """The name without what all bones of the rig begin with: "LeftArm" for "mixamorig:LeftArm"."""
    return bone.rpartition(":")[2] or bone or "(none)"


class _Main:
    bl_label = "Retarget"
    bl_order = 10
    bl_options = {"DEFAULT_CLOSED"}  # it is long, and below what most people look for in this tab

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        settings = settings_of(context.scene)
        column = split_column(layout)
        column.prop(settings, "source")
        _draw_rig(column, settings.source_rig, _SOURCE_MENU)
        column.prop(settings, "target")
        _draw_rig(column, settings.target_rig, _TARGET_MENU)
        layout.use_property_split = False
        selected = selected_pair(context.view_layer, settings)
        if selected:
            draw_note(layout, f"From {selected[0].name}", f"to {selected[1].name} (active)")
        row = layout.row(align=True)
        row.operator("animbridge.retarget_auto", icon="VIEWZOOM")
        row.operator("animbridge.retarget_load", text="", icon="FILE_FOLDER")
        row.operator("animbridge.retarget_save", text="", icon="FILE_TICK")
        row.operator("animbridge.retarget_clear", text="", icon="X")
        _draw_list(layout, settings)
        faults = faults_of(settings)
        if 0 <= settings.index < len(settings.pairs):
            _draw_pair(layout, settings, settings.pairs[settings.index], faults[settings.index])
        _draw_apply(layout, settings, sum(map(bool, faults)))


def _draw_rig(column: Any, rig: str, menu: str) -> None:
    """The rig of an armature, as a menu of all that there are."""
    row = column.split(factor=0.4)
    label = row.row()
    label.alignment = "RIGHT"
    label.label(text="Rig")
    row.menu(menu, text=rig_files.title_of(rig))


class _RigMenu:
    """All rigs that the library knows; a subclass has a side."""

    bl_label = "Rig"
    side = ""

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        _draw_choice(layout, self.side, "", rig_files.AUTOMATIC)
        layout.separator()
        try:
            rigs = built_in_rigs()
        except AnimBridgeError as error:
            layout.label(text=error.message, icon="ERROR")
            return
        column = layout.column_flow(columns=_MENU_COLUMNS)
        for rig in sorted(rigs.values(), key=lambda rig: rig.title.lower()):
            _draw_choice(column, self.side, rig.identifier, rig.title)


def _rig_menu(name: str, side: str) -> Any:
    return type(name, (_RigMenu, bpy.types.Menu), {"bl_idname": name, "side": side})


def _draw_choice(layout: Any, side: str, rig: str, title: str) -> None:
    choice = layout.operator("animbridge.retarget_rig", text=title)
    choice.side, choice.rig = side, rig


def _draw_list(layout: Any, settings: Any) -> None:
    row = layout.row()
    row.template_list(
        "ANIMBRIDGE_UL_retarget_pairs", "", settings, "pairs", settings, "index", rows=5, maxrows=10
    )
    buttons = row.column(align=True)
    buttons.operator("animbridge.retarget_add", text="", icon="ADD")
    buttons.operator("animbridge.retarget_remove", text="", icon="REMOVE")
    buttons.operator("animbridge.retarget_select", text="", icon="RESTRICT_SELECT_OFF")
    buttons.operator("animbridge.retarget_swap_sides", text="", icon="MOD_MIRROR")


def _draw_pair(layout: Any, settings: Any, pair: Any, fault: str) -> None:
    """The active pair, with search fields for its bones."""
    column = layout.column(align=True)
    column.prop(pair, "slot", text="", icon="OUTLINER_OB_ARMATURE")
    for thing, name in ((settings.source, "source"), (settings.target, "target")):
        row = column.row(align=True)
        row.alert = bool(fault)
        if thing is None:
            row.prop(pair, name, text="")
        else:
            row.prop_search(pair, name, thing.data, "bones", text="")
    row = layout.row(align=True)
    row.prop(pair, "offset")
    notes = layout.column(align=True)
    notes.scale_y = 0.8
    if fault:
        notes.alert = True
        for number, line in enumerate(wrapped(fault)):
            notes.label(text=line, icon="BLANK1" if number else "CANCEL")
        return
    how = f"Found {WAYS.get(pair.by, pair.by)}" if pair.by else "Chosen by you"
    if pair.by in UNSURE_WAYS:
        notes.label(text=f"{how}: look at it", icon=UNSURE_ICON)
    else:
        notes.label(text=how)
    if pair.angle >= 0.0:
        is_large = pair.angle > LARGE_ANGLE_DEGREES
        notes.label(text=f"Aligned by {pair.angle:.1f}°", icon="ERROR" if is_large else "NONE")


def _draw_apply(layout: Any, settings: Any, faults: int) -> None:
    if faults:
        row = layout.row()
        row.alert = True
        row.label(text=f"{counted(faults, 'pair')} can't be used", icon="CANCEL")
    column = layout.column(align=True)
    is_shown = settings.previewed is not None
    column.operator(
        "animbridge.retarget_preview", icon="HIDE_OFF" if is_shown else "HIDE_ON", depress=is_shown
    )
    row = column.row(align=True)
    row.scale_y = 1.4
    row.operator("animbridge.retarget_apply", icon="ARMATURE_DATA")


class _Reference:
    bl_label = "Reference Poses"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        settings = settings_of(context.scene)
        column = split_column(self.layout)  # pyright: ignore[reportAttributeAccessIssue]
        for name in ("source", "target"):
            part = column.column(align=True)
            part.prop(settings, f"{name}_reference")
            if getattr(settings, f"{name}_reference") in OF_FRAME:
                part.prop(settings, f"{name}_frame")
            part.operator("animbridge.retarget_use_pose", icon="ARMATURE_DATA").side = name.upper()
        column.prop(settings, "align")


class _Body:
    bl_label = "Body and Feet"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        settings = settings_of(context.scene)
        column = split_column(self.layout)  # pyright: ignore[reportAttributeAccessIssue]
        column.prop(settings, "scale_by_height")
        part = column.column(align=True)
        part.active = not settings.scale_by_height
        part.prop(settings, "horizontal_scale")
        part.prop(settings, "vertical_scale")
        for name in ("in_place", "from_origin", "on_ground", "plant_feet", "keep_touch"):
            column.prop(settings, name)
        column.operator("animbridge.retarget_plant_feet")


class _Output:
    bl_label = "Frames and Action"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        settings = settings_of(context.scene)
        column = split_column(self.layout)  # pyright: ignore[reportAttributeAccessIssue]
        column.prop(settings, "frame_range")
        if settings.frame_range == "CUSTOM":
            part = column.column(align=True)
            part.prop(settings, "first_frame")
            part.prop(settings, "last_frame")
        for name in ("key_times", "action_name", "keep_euler", "only_selected", "every_action"):
            column.prop(settings, name)


#: In the order of registration: panels after their parents.
CLASSES: Final = (
    ANIMBRIDGE_UL_retarget_pairs,
    _rig_menu(_SOURCE_MENU, "SOURCE"),
    _rig_menu(_TARGET_MENU, "TARGET"),
    sidebar_panel(_MAIN, _Main, _SPACE),
    *(
        sidebar_panel(f"{_MAIN}{part.__name__.lower()}", part, _SPACE, _MAIN)
        for part in (_Reference, _Body, _Output)
    ),
)
