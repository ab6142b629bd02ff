# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Second Life animation says besides its motion, in the sidebars of the 3D view and the dope sheet."""

from __future__ import annotations

from typing import Any, Final

import bpy

from ...compat import actions
from ...package import counted
from ...scene.armature.reading import active_armature
from ...scene.playing import assigned_channels
from ...scene.previews import is_preview, shown_preview
from ...ui.manual import draw_link
from ...ui.panels import sidebar_panel, split_column, wrapped
from .properties import INDEX, animation_of, outside_of, own_priorities
from .texts import size, verdict

#: Characters of a finding's title between its icon and its button.
_TITLE: Final = 18
_ICONS: Final = {"rejected": "CANCEL", "altered": "INFO", "risky": "ERROR", "advice": "QUESTION"}


def _channels(context: bpy.types.Context) -> actions.Channels | None:
    target = active_armature(context.view_layer)
    return assigned_channels(target) if target else None


def _shown(context: bpy.types.Context) -> Any:
    channels = _channels(context)
    return animation_of(channels.action) if channels else None


class _Section:
    """A part of the panel, for Actions that play."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return _channels(context) is not None


class _Main:
    bl_label = "Second Life Animation"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Hidden from those who work on anything but an armature."""
        return active_armature(context.view_layer) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        row = layout.row(align=True)
        row.operator("import_anim.secondlife", text="Import", icon="IMPORT")
        row.operator("export_anim.secondlife", text="Export", icon="EXPORT").actions = "ACTIVE"
        channels = _channels(context)
        if channels is None:
            layout.label(text="The active armature plays no Action")
            return
        layout.label(text=channels.action.name, icon="ACTION")
        shown = animation_of(channels.action)
        column = split_column(layout)
        column.prop(shown, "base_priority")
        _draw_outside(column, shown, "base_priority")
        _draw_own_priorities(column, shown)
        for name in ("hand_pose", "emote", "ease_in_seconds", "ease_out_seconds"):
            column.prop(shown, name)
            _draw_outside(column, shown, name)


def _draw_own_priorities(layout: Any, shown: Any) -> None:
    """Says that the field above does not count for some joints, and offers to change that."""
    count = len(own_priorities(shown, shown.base_priority))
    if not count:
        return
    column = layout.column(align=True)
    have = "has its" if count == 1 else "have their"
    column.label(text=f"{counted(count, 'joint')} {have} own priority", icon="INFO")
    column.operator("animbridge.set_all_priorities", text=f"Set All to {shown.base_priority}")


def _draw_outside(layout: Any, shown: Any, name: str) -> None:
    """Shows the file's value if the field above cannot hold it."""
    value = outside_of(shown).get(name)
    if value is not None:
        layout.label(text=f"The file keeps {value:g}", icon="INFO")


class _Loop(_Section):
    bl_label = "Loop"

    def draw_header(self, context: bpy.types.Context) -> None:
        self.layout.prop(_shown(context), "loop", text="")  # pyright: ignore[reportAttributeAccessIssue]

    def draw(self, context: bpy.types.Context) -> None:
        shown = _shown(context)
        column = split_column(self.layout)  # pyright: ignore[reportAttributeAccessIssue]
        column.enabled = shown.loop
        column.prop(shown, "use_loop_range")
        part = column.column()
        part.enabled = shown.use_loop_range
        for point, name in (("IN", "loop_in_seconds"), ("OUT", "loop_out_seconds")):
            row = part.row(align=True)
            row.prop(shown, name)
            row.operator("animbridge.set_loop_point", text="", icon="EYEDROPPER").point = point
            _draw_outside(part, shown, name)
        part.operator("animbridge.set_loop_point", text="From Markers").point = "MARKERS"


class _Joints(_Section):
    bl_label = "Joint Priorities"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        shown = _shown(context)
        bone: Any = context.active_pose_bone
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        item = shown.joint_priorities.get(bone.name) if bone else None
        if item is not None:
            split_column(layout).prop(item, "priority", text=bone.name)
            _draw_outside(layout, item, "priority")
        elif bone is not None:
            layout.label(text=f"{bone.name}: as the animation ({shown.base_priority})")
        row = layout.row(align=True)
        row.operator("animbridge.set_joint_priority", text="Set for Selected...")
        row.operator("animbridge.clear_joint_priority")


class _Constraints(_Section):
    bl_label = "Constraints"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        shown = _shown(context)
        return shown is not None and len(shown.constraints) > 0

    def draw(self, context: bpy.types.Context) -> None:
        column = self.layout.column()  # pyright: ignore[reportAttributeAccessIssue]
        for constraint in _shown(context).constraints:
            column.label(text=constraint.name, icon="CONSTRAINT_BONE")


class _Upload(_Section):
    bl_label = "Upload"

    def draw(self, context: bpy.types.Context) -> None:
        channels = _channels(context)
        if channels is None:
            return
        shown = animation_of(channels.action)
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        buttons = layout.column(align=True)
        buttons.operator("animbridge.check", text="Check", icon="CHECKMARK")
        _draw_preview(buttons, context)
        if shown.checked_bytes:
            checked = layout.column(align=True)
            found = len(shown.findings)
            checked.label(text=verdict(found), icon="ERROR" if found else "CHECKMARK")
            checked.label(text=size(shown.checked_bytes), icon="BLANK1")
            if found:
                error = f"Error: {shown.checked_mm:.2f} mm, {shown.checked_degrees:.3f}°"
                checked.label(text=error, icon="BLANK1")
        if sum(finding.can_mend for finding in shown.findings) > 1:
            layout.operator("animbridge.mend", text="Fix All", icon="MODIFIER").rule = ""
        for finding in shown.findings:
            _draw_finding(layout.box(), finding)


def _draw_preview(layout: Any, context: bpy.types.Context) -> None:
    """The button that shows and ends the preview, and what is shown."""
    target = active_armature(context.view_layer)
    preview = shown_preview(target) if target else None
    layout.operator(
        "animbridge.predict_upload",
        text="Show as Uploaded",
        icon="HIDE_OFF" if preview else "HIDE_ON",
        depress=preview is not None,
    )
    if preview is None:
        layout.label(text="Shown: your Action")
        return
    compared = animation_of(preview)
    layout.label(text="Shown: as after an upload", icon="INFO")
    layout.label(text=f"Change: {compared.checked_mm:.2f} mm, {compared.checked_degrees:.3f}°")


def _draw_finding(box: Any, finding: Any) -> None:
    row = box.row()
    titles = row.column(align=True)
    for number, line in enumerate(wrapped(finding.name.replace("_", " ").capitalize(), _TITLE)):
        titles.label(text=line, icon="BLANK1" if number else _ICONS[finding.finding_class])
    draw_link(row, finding.name)
    if finding.can_mend:
        row.operator("animbridge.mend", text="", icon="MODIFIER").rule = finding.name
    if finding.bone:
        button = row.operator("animbridge.show_finding", text="", icon="RESTRICT_SELECT_OFF")
        button.bone = finding.bone
        if finding.has_frame:
            button.frame = finding.frame
    column = box.column(align=True)
    column.scale_y = 0.7
    found = f"{finding.joint}: {finding.found}" if finding.joint else finding.found
    for text in (found, finding.effect, finding.advice):
        for line in wrapped(text):
            column.label(text=line)


class ANIMBRIDGE_UL_actions(bpy.types.UIList):
    """The Actions, each with its mark for export."""

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
        row = layout.row()
        row.prop(animation_of(item), "is_marked", text="")
        row.label(text=item.name)

    def filter_items(self, context: Any, data: Any, property: Any) -> Any:  # noqa: A002  (Blender's name)
        """Hides previews, and what the list's own search leaves out."""
        items = getattr(data, property)
        found = bpy.types.UI_UL_list.filter_items_by_name(self.filter_name, self.bitflag_filter_item, items)
        flags = found or [self.bitflag_filter_item] * len(items)
        shown = [0 if is_preview(item) else flag for item, flag in zip(items, flags, strict=True)]
        order = bpy.types.UI_UL_list.sort_items_by_name(items) if self.use_filter_sort_alpha else []
        return shown, order


class _Actions(_Section):
    bl_label = "Actions to Export"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        layout.template_list(
            "ANIMBRIDGE_UL_actions", "", bpy.data, "actions", context.window_manager, INDEX, rows=4
        )
        layout.operator("export_anim.secondlife", text="Export Marked", icon="EXPORT").actions = "MARKED"


def _panels(space: str) -> list[Any]:
    """The panels for the sidebar of one kind of editor."""
    main = f"ANIMBRIDGE_PT_{space.lower()}"
    parts = (_Loop, _Joints, _Constraints, _Upload, _Actions)
    return [
        sidebar_panel(main, _Main, space),
        *(sidebar_panel(f"{main}{part.__name__.lower()}", part, space, main) for part in parts),
    ]


#: In the order of registration: panels after their parents.
CLASSES: Final = (ANIMBRIDGE_UL_actions, *_panels("VIEW_3D"), *_panels("DOPESHEET_EDITOR"))
