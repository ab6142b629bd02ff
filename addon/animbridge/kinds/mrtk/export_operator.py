# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > MRTK Recording (.bin)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ...ui.export_files import FilesExport
from ...ui.option_property import option_property
from ...ui.rig_map_option import read_text_file
from .exporter import MrtkExporter
from .options import MrtkExportOptions
from .texts import MrtkTexts

_VERSION_ITEMS = (
    ("AUTO", "Automatic", "1.0 if curves bend between keys and there is no gaze, otherwise 1.1"),
    ("V1_0", "1.0", "For MRTK 2.0 to 2.8. Keys have tangents; there is no gaze"),
    ("V1_1", "1.1", "For MRTK 2.6 to 2.8. Straight lines between keys; a third of the size"),
)


class EXPORT_ANIM_OT_mrtk(FilesExport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Export an armature's hands, camera and gaze as an MRTK 2 input animation"""

    bl_idname = "export_anim.mrtk"
    bl_label = "Export MRTK"
    bl_options = {"REGISTER", "PRESET"}

    exporter = MrtkExporter()
    texts = MrtkTexts()

    filename_ext = ".bin"
    filter_glob: StringProperty(default="*.bin", options={"HIDDEN"})
    version: EnumProperty(
        name="Version", description="The version of the file", items=_VERSION_ITEMS, default="AUTO"
    )
    markers: BoolProperty(
        name="Markers", description="Write the timeline's markers into the file", default=True
    )
    rig_map: StringProperty(
        name="Rig Map",
        description=(
            "Rig file (JSON) that says which bones are the hands, if they don't have a recording's names. "
            "Empty: found by the bones' names and places"
        ),
        subtype="FILE_PATH",
    )
    max_position_mm: option_property("mrtk", "from_samples", "max_position_mm", name="Within (mm)")
    max_rotation_degrees: option_property("mrtk", "from_samples", "max_rotation_degrees", name="Within (°)")

    def export_options(self) -> MrtkExportOptions:
        shared = self.shared_options("from_samples")
        shared["library"]["version"] = self.version.lower().lstrip("v").replace("_", ".")
        return MrtkExportOptions(
            **shared,
            markers=self.markers,
            rig_file=read_text_file(self.rig_map, "rig file")[1] if self.rig_map else "",
        )

    def draw_export_options(self, layout: Any) -> None:
        self.draw_parts(
            layout,
            ("motion", "Motion", ("frame_range", "rig_map", "selected_bones", "method", "object_motion")),
            ("file", "File", ("version", "markers", "max_position_mm", "max_rotation_degrees")),
        )
