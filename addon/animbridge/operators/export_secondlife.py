# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Second Life Animation (.anim)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ..native.errors import AnimBridgeError
from ..native.text import printable
from ..scene.armature import active_armature, require_armature
from ..scene.export_jobs import ExportJob, What, jobs_for
from ..scene.export_options import ExportResult, FrameRange
from ..scene.export_text import TEXT_NAME, write_json, write_text
from ..scene.files import suggested_stem, summary
from ..scene.playing import assigned_channels
from .export_properties import ExportProperties

_WHAT_ITEMS = (
    ("ACTIVE", "Active", "What the armature plays: its Action, with NLA strips if there are any; one file"),
    ("MARKED", "Marked", "The armature's Actions that are marked in the AnimBridge panel, one file each"),
    ("ALL", "All", "Every Action that plays on the armature, one file each into the file's folder"),
    ("NLA", "NLA Tracks", "Every NLA track that is not muted, by itself, one file each"),
)


class EXPORT_ANIM_OT_secondlife(ExportProperties, bpy.types.Operator, ExportHelper):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Export animation of an armature for Second Life or OpenSim"""

    bl_idname = "export_anim.secondlife"
    bl_label = "Export .anim"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ".anim"
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.anim", options={"HIDDEN"})
    actions: EnumProperty(name="Export", description="What is exported", items=_WHAT_ITEMS, default="ACTIVE")
    armature: StringProperty(
        name="Armature", description="The armature object that is exported. Empty: the active one"
    )
    report_text: BoolProperty(
        name="Report as Text",
        description=f"Write sizes, errors and all findings into the text '{TEXT_NAME}'",
        default=False,
    )
    report_path: StringProperty(
        name="Report File",
        description="A JSON file that gets the report. Empty: none is written",
        subtype="FILE_PATH",
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        target = active_armature(context.view_layer)
        playing = assigned_channels(target) if target else None
        if playing and not self.filepath:
            folder = Path(context.blend_data.filepath).parent
            self.filepath = str(folder / f"{suggested_stem(playing.action)}{self.filename_ext}")
        return ExportHelper.invoke(self, context, event)

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "actions")
        self.draw_export_options(layout)
        layout.prop(self, "report_text")
        layout.prop(self, "report_path")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        try:
            target = require_armature(self.armature) if self.armature else active_armature(context.view_layer)
            if target is None:
                raise AnimBridgeError("No armature is active. Select one, or give the name of one.")
            jobs = jobs_for(target, What[self.actions], pose=self.frame_range == FrameRange.POSE.name)
            done = self._export(context, jobs)
        except AnimBridgeError as error:
            self.report({"ERROR"}, printable(error.message))
            return {"CANCELLED"}
        for path, result in done:
            for warning in result.warnings:
                self.report({"WARNING"}, printable(f"{path.name}: {warning}"))
            self.report({"INFO"}, summary(path.name, result))
        return {"FINISHED"}

    def _export(self, context: bpy.types.Context, jobs: list[ExportJob]) -> list[tuple[Path, ExportResult]]:
        """Everything is made before anything is written, so that an error leaves no half of the files."""
        if not self.filepath:
            raise AnimBridgeError("No file is given.")
        path, options = Path(bpy.path.abspath(self.filepath)), self.export_options()
        results = [job.run(context.scene, options) for job in jobs]
        if What[self.actions] is What.ACTIVE:
            paths = [path]
        else:
            folder = path if path.is_dir() else path.parent
            paths = [folder / f"{job.stem}{self.filename_ext}" for job in jobs]
        done = list(zip(paths, results, strict=True))
        for place, result in done:
            result.document.write_file(place)
        if self.report_text:
            write_text(done)
        if self.report_path:
            write_json(Path(bpy.path.abspath(self.report_path)), done)
        return done
