# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Oni Animation (.oni)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ...package import AnimBridgeError, file_stem, free_stem
from ...scene.export.names import suggested_stem
from ...scene.export.options import FrameRange, Method
from ...scene.export.result import ExportResult
from ...ui.export_files import ReportedExport
from ...ui.option_property import option_property
from ...ui.progress import shown_progress
from .exporter import action_above, export_objects
from .import_operator import AXES_ITEMS
from .object_motion import assigned_channels, carried_by
from .options import ObanExportOptions
from .properties import FLAGS, OniHeaderProperties, header_of
from .texts import ObanTexts

_WHAT_ITEMS = (
    ("ACTIVE", "Active", "The active object: one file"),
    ("SELECTED", "Selected", "Every selected object, one file each, named after the objects"),
)
_METHOD_ITEMS = (
    ("AUTO", "Automatic", "F-curves if they are linear and nothing else moves the object, otherwise samples"),
    (
        "CURVES",
        "F-Curves",
        "Keys stay keys, and what you did not edit stays bit for bit. An error if anything else moves the "
        "object",
    ),
    (
        "SAMPLES",
        "Samples",
        "Where Blender shows the object, with parents, constraints and drivers, 60 times per second",
    ),
)
_FORMAT_ITEMS = (
    (
        "AUTO",
        "By the Name",
        "By the extension: .oni and .xml. Any other, such as .oban, gets only the record",
    ),
    ("ONI", "Oni (.oni)", "A file that OniSplit imports into a level as it is"),
    ("XML", "XML (.xml)", "OniSplit's text"),
    ("RAW", "Raw Record (.oban)", "Only the record, as a level has it"),
)
_ROLE_ITEMS = (
    ("AUTO", "By the Object", "Cameras move the game's camera, everything else moves objects"),
    ("OBJECT", "Object", "Moves an object or a door of the level"),
    (
        "CAMERA",
        "Camera",
        "Moves the game's camera, which looks along the object's -Z with Y up, as Blender's cameras do",
    ),
)
_IS_CAMERA: Final = {"AUTO": None, "OBJECT": False, "CAMERA": True}
_EXTENSIONS: Final = {"AUTO": ".oni", "ONI": ".oni", "XML": ".xml", "RAW": ".oban"}
_CONTAINERS: Final = {".oni": "oni", ".xml": "xml"}


def _by_name(thing: bpy.types.Object) -> tuple[str, str]:
    """Objects from other files may have the name of one that is here."""
    return thing.name, thing.library.filepath if thing.library else ""


class EXPORT_ANIM_OT_oni(OniHeaderProperties, ReportedExport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Export the motion of objects, doors and cameras for the game Oni (OBAN)"""

    bl_idname = "export_anim.oni"
    bl_label = "Export OBAN"
    bl_options = {"REGISTER", "PRESET"}

    texts = ObanTexts()
    filename_ext = ".oni"
    filter_glob: StringProperty(default="*.oni;*.xml;*.oban", options={"HIDDEN"})
    objects: EnumProperty(name="Export", description="What is exported", items=_WHAT_ITEMS, default="ACTIVE")
    container: EnumProperty(
        name="Format", description="What kind of file is written", items=_FORMAT_ITEMS, default="AUTO"
    )
    method: EnumProperty(
        name="Method", description="Where the motion is taken from", items=_METHOD_ITEMS, default="AUTO"
    )
    role: EnumProperty(
        name="Moves",
        description="What the animation moves in the game. The report lists the script lines that play it",
        items=_ROLE_ITEMS,
        default="AUTO",
    )
    axes: option_property(
        "oban",
        "from_samples",
        "axes",
        name="Axes",
        items=(
            (
                "IMPORTED",
                "As Imported",
                "As at the import. The game's axes for objects that were not imported",
            ),
            *AXES_ITEMS,
        ),
        default="IMPORTED",
    )
    door: BoolProperty(
        name="Door",
        description=(
            "The timeline shows a door that opens. The export adds the closing, which is the same motion "
            "backwards, and sets Half Stop Frame to where it begins"
        ),
        default=False,
    )
    max_position_mm: option_property(
        "oban",
        "from_samples",
        "max_position_mm",
        name="Position Tolerance",
        soft_max=20.0,
        precision=3,
    )
    max_rotation_degrees: option_property(
        "oban",
        "from_samples",
        "max_rotation_degrees",
        name="Rotation Tolerance",
        soft_max=5.0,
        precision=4,
    )
    use_action: BoolProperty(
        name="Use the Action's",
        description=(
            "Take flags, half stop frame, frame length, name and origin from the Action (AnimBridge tab). "
            "Off: use the values below for all objects"
        ),
        default=True,
    )

    def suggested_name(self, context: bpy.types.Context) -> str:
        self.filename_ext = _EXTENSIONS[self.container]
        active = context.view_layer.objects.active
        if active is None:
            return ""
        playing = assigned_channels(carried_by(active))
        return suggested_stem(playing.action) if playing else file_stem(carried_by(active).name)

    def usual_range(self, context: bpy.types.Context) -> FrameRange:
        """The scene's range if no Action has one."""
        active = context.view_layer.objects.active
        thing = carried_by(active) if active else None
        has_action = thing is None or assigned_channels(thing) or action_above(thing)
        return FrameRange.ACTION if has_action else FrameRange.SCENE

    def check(self, context: bpy.types.Context) -> bool:
        """Lets the name's extension follow the format."""
        self.filename_ext = _EXTENSIONS[self.container]
        suffix = Path(self.filepath).suffix.lower()
        self.check_extension = None if self.container == "AUTO" and suffix else True
        return ExportHelper.check(self, context)

    def make(self, context: bpy.types.Context, path: Path) -> list[tuple[Path, ExportResult]]:
        targets = self._targets(context, path)
        options = ObanExportOptions(
            method=Method[self.method],
            frame_range=FrameRange[self.frame_range],
            axes=None if self.axes == "IMPORTED" else self.axes.lower(),
            header=None if self.use_action else header_of(self),
            container=self._container(path),
            door=self.door,
            library={
                "max_position_mm": self.max_position_mm,
                "max_rotation_degrees": self.max_rotation_degrees,
            },
            is_camera=_IS_CAMERA[self.role],
            stop_above_mm=self.stop_mm,
        )
        things = [(thing, place.stem) for place, thing in targets]
        with shown_progress(context) as progress:
            results = export_objects(things, context.scene, replace(options, progress=progress))
        return [(place, result) for (place, _), result in zip(targets, results, strict=True)]

    def _container(self, path: Path) -> str:
        if self.container != "AUTO":
            return self.container.lower()
        return _CONTAINERS.get(path.suffix.lower(), "raw")

    def _targets(self, context: bpy.types.Context, path: Path) -> list[tuple[Path, bpy.types.Object]]:
        if self.objects == "ACTIVE":
            active = context.view_layer.objects.active
            if active is None:
                raise AnimBridgeError("No object is active. Select one.")
            return [(path, carried_by(active))]
        found = sorted(set(map(carried_by, context.view_layer.objects.selected)), key=_by_name)
        if not found:
            raise AnimBridgeError("No object is selected. Select some.")
        folder, taken = path if path.is_dir() else path.parent, set[str]()
        suffix = _EXTENSIONS[self.container] if path.is_dir() else path.suffix or _EXTENSIONS[self.container]
        return [(folder / f"{free_stem([thing.name], taken)}{suffix}", thing) for thing in found]

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "objects")
        layout.prop(self, "container")
        self.draw_parts(
            layout,
            ("motion", "Motion", ("frame_range", "method", "role", "axes", "door")),
            ("keys", "Keys", self._draw_keys),
            ("header", "Flags and Origin", self._draw_header),
        )

    def _draw_keys(self, layout: Any) -> None:
        layout.enabled = self.method != "CURVES"
        layout.prop(self, "max_position_mm", text="Within (mm)")
        layout.prop(self, "max_rotation_degrees", text="Within (°)")

    def _draw_header(self, layout: Any) -> None:
        layout.prop(self, "use_action")
        if self.use_action:
            return
        column = layout.column()
        for name in FLAGS:
            column.prop(self, name)
        # The properties' own names are cut off here.
        column.prop(self, "origin_location", text="Origin")
        column.prop(self, "origin_rotation", text="Rotation")
        column.prop(self, "half_stop_frame", text="Half Stop")
        column.prop(self, "frame_length", text="Length")
        column.prop(self, "oban_name")
