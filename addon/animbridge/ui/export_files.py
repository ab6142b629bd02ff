# SPDX-License-Identifier: GPL-3.0-or-later
"""What all export operators share: which Actions of which armature are exported, and to which files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ..compat.interface import folding_panel
from ..package import AnimBridgeError, part_of
from ..scene.armature.reading import active_armature, require_armature
from ..scene.export.exporter import Exporter
from ..scene.export.jobs import What, jobs_for
from ..scene.export.names import suggested_stem
from ..scene.export.options import USUAL_STOP_MM, FrameRange, Method, MotionOptions
from ..scene.export.result import ExportResult
from ..scene.export.text import TEXT_NAME, ExportTexts, write_json, write_text
from ..scene.playing import assigned_channels
from .clip_options import ClipToolProperties
from .option_property import chosen_options
from .panels import draw_props
from .progress import shown_progress
from .reporting import report_done, report_error

_WHAT_ITEMS = (
    ("ACTIVE", "Active", "What the armature plays, with its NLA strips, as one file"),
    ("MARKED", "Marked", "Actions that are marked in the AnimBridge tab, one file each"),
    ("ALL", "All", "Every Action of the armature, one file each"),
    ("NLA", "NLA Tracks", "Every NLA track that is not muted, one file each"),
)


METHOD_ITEMS = (
    ("AUTO", "Automatic", "F-curves if nothing else moves the bones, otherwise samples"),
    (
        "CURVES",
        "F-Curves",
        "Keys stay keys, and what you did not edit stays bit for bit. An error if drivers, NLA strips or "
        "curve modifiers move the bones too",
    ),
    (
        "SAMPLES",
        "Samples",
        "The pose of every frame as Blender shows it, with constraints, drivers and control bones",
    ),
)
RANGE_ITEMS = (
    ("ACTION", "Action", "The Action's frame range, or from its first to its last key"),
    ("SCENE", "Scene", "From the scene's start frame to its end frame"),
    ("MARKERS", "Markers", "From the first to the last marker of the timeline"),
)


Draw = Callable[[Any], None]


class ReportedExport(ExportHelper):
    """Where the files go, and the report of what is in them, for operators to inherit.

    An operator has `filter_glob` too. `texts`: how the format describes its exports.
    """

    filename_ext = ""
    texts: ClassVar[ExportTexts]
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    frame_range: EnumProperty(
        name="Frames", description="Which frames are exported", items=RANGE_ITEMS, default="ACTION"
    )
    report_text: BoolProperty(
        name="Report as Text",
        description=f"Write sizes, errors and all findings into the text '{TEXT_NAME}'",
        default=False,
    )
    report_path: StringProperty(
        name="Report File",
        description="JSON file for the report. Empty: none",
        subtype="FILE_PATH",
    )

    stop_above_mm: FloatProperty(
        name="Stop At",
        description=(
            "Write no file if a joint or the object is farther than this, in millimetres, from its place in "
            "the scene, unless the position tolerance is larger. 0: never stop"
        ),
        default=USUAL_STOP_MM,
        min=0.0,
        soft_max=100.0,
        precision=1,
    )
    write_anyway: BoolProperty(
        name="Write Anyway",
        description="Write the file even if it is farther off than Stop At, and report how far",
        default=False,
        options={"SKIP_SAVE"},
    )

    @property
    def stop_mm(self) -> float:
        """How far off an export may be; 0: as far as it is."""
        return 0.0 if self.write_anyway else self.stop_above_mm

    def make(self, context: bpy.types.Context, path: Path) -> list[tuple[Path, ExportResult]]:
        """Makes all documents before anything is written, so that on an error no file is written."""
        raise NotImplementedError

    @staticmethod
    def write_all(done: list[tuple[Path, ExportResult]]) -> None:
        """Writes the documents as they were checked: from here on nothing edits them."""
        for place, result in done:
            result.write_file(place)

    def suggested_name(self, context: bpy.types.Context) -> str:
        """The name, without extension, that the dialog suggests; "" for Blender's own."""
        raise NotImplementedError

    def usual_range(self, context: bpy.types.Context) -> FrameRange:
        """The frames that the dialog suggests for what is in the scene now."""
        return FrameRange.ACTION

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        operator: Any = self
        # Blender fills in the choice of the last export, which may have been of another Action or scene.
        if not operator.properties.is_property_set("frame_range"):
            self.frame_range = self.usual_range(context).name
        name = "" if self.filepath else self.suggested_name(context)
        if name:
            folder = Path(context.blend_data.filepath).parent
            self.filepath = str(folder / f"{name}{self.filename_ext}")
        return ExportHelper.invoke(self, context, event)  # pyright: ignore[reportArgumentType]

    def execute(self, context: bpy.types.Context) -> set[Any]:
        operator: Any = self
        try:
            done = self._export(context)
        except AnimBridgeError as error:
            return report_error(operator, error)
        for path, result in done:
            report_done(
                operator,
                f"{path.name}: {self.texts.summary(result)}",
                warnings=[f"{path.name}: {warning}" for warning in result.warnings],
                details=[
                    *(f"{path.name}: {detail}" for detail in result.details),
                    *self.texts.script_lines(result),
                ],
            )
        return {"FINISHED"}

    def _export(self, context: bpy.types.Context) -> list[tuple[Path, ExportResult]]:
        if not self.filepath:
            raise AnimBridgeError("No file is chosen.")
        done = self.make(context, Path(bpy.path.abspath(self.filepath)))
        self.write_all(done)
        if self.report_text:
            write_text(done, self.texts)
        if self.report_path:
            write_json(Path(bpy.path.abspath(self.report_path)), done)
        return done

    def draw_parts(
        self, layout: Any, *parts: tuple[str, str, Iterable[str] | Draw], is_closed: bool = False
    ) -> None:
        """Draws panels of these ids and titles, with properties or what draws them, and the limit's."""
        for name, title, content in parts:
            body = folding_panel(layout, f"{type(self).__name__}_{name}", title, is_closed=is_closed)
            if body is None:
                continue
            if callable(content):
                content(body.column())
            else:
                draw_props(body.column(), self, *content)
        self.draw_limit_and_report(layout)

    def draw_limit_and_report(self, layout: Any) -> None:
        """Draws when an export stops, and the options of its report, in a panel that begins folded."""
        body = folding_panel(layout, "ANIMBRIDGE_export_report", "Limit and Report", is_closed=True)
        if body is None:
            return
        column = body.column()
        limit = column.column()
        limit.enabled = not self.write_anyway
        limit.prop(self, "stop_above_mm", text="Stop At (mm)")
        draw_props(column, self, "write_anyway", "report_text", "report_path")


class FilesExport(ClipToolProperties, ReportedExport):
    """The options that exports of armatures share, for operators to inherit."""

    exporter: ClassVar[Exporter[Any]]
    actions: EnumProperty(name="Export", description="What is exported", items=_WHAT_ITEMS, default="ACTIVE")
    armature: StringProperty(
        name="Armature", description="The armature object to export. Empty: the active one"
    )
    method: EnumProperty(
        name="Method", description="Where the motion is taken from", items=METHOD_ITEMS, default="AUTO"
    )
    selected_bones: BoolProperty(
        name="Selected Bones",
        description="Export only the joints of selected bones",
        default=False,
    )
    object_motion: BoolProperty(
        name="Object Motion",
        description=("Add the motion of the armature object, or of its parent, to the root. Needs samples"),
        default=False,
    )

    def export_options(self) -> MotionOptions:
        """The options as `scene` takes them; an AnimBridgeError if they are wrong."""
        raise NotImplementedError

    def shared_options(self, call: str) -> dict[str, Any]:
        """The members of MotionOptions that all formats have; `call`: whose options properties show."""
        return {
            "method": Method[self.method],
            "frame_range": FrameRange[self.frame_range],
            "selected_bones": self.selected_bones,
            "object_motion": self.object_motion,
            "stop_above_mm": self.stop_mm,
            "library": chosen_options(self, self.exporter.format_id, call),
        }

    def draw_export_options(self, layout: Any) -> None:
        """Draws the format's options, and when an export stops."""
        raise NotImplementedError

    def suggested_name(self, context: bpy.types.Context) -> str:
        target = active_armature(context.view_layer)
        playing = assigned_channels(target) if target else None
        return suggested_stem(playing.action) if playing else ""

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "actions")
        self.draw_export_options(layout)
        self.draw_tools_folded(layout)

    def make(self, context: bpy.types.Context, path: Path) -> list[tuple[Path, ExportResult]]:
        target = require_armature(self.armature) if self.armature else active_armature(context.view_layer)
        if target is None:
            raise AnimBridgeError("No armature is active. Select the one to export.")
        is_pose = self.frame_range == FrameRange.POSE.name
        jobs, options = jobs_for(target, What[self.actions], pose=is_pose), self.export_options()
        with shown_progress(context) as progress:
            parts = [part_of(progress, i / len(jobs), (i + 1) / len(jobs)) for i in range(len(jobs))]
            results = [
                self.with_tools(job.run(self.exporter, context.scene, replace(options, progress=part)))
                for job, part in zip(jobs, parts, strict=True)
            ]
        if What[self.actions] is What.ACTIVE:
            return list(zip([path], results, strict=True))
        folder = path if path.is_dir() else path.parent
        paths = [folder / f"{job.stem}{self.filename_ext}" for job in jobs]
        return list(zip(paths, results, strict=True))
