# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Second Life Animation (.anim)."""

from __future__ import annotations

import bpy
from bpy.props import StringProperty

from ...scene.armature.reading import active_armature
from ...scene.export.jobs import plays_anything
from ...scene.export.options import FrameRange
from ...ui.export_files import FilesExport
from .export_properties import ExportProperties
from .exporter import SlExporter
from .texts import SlTexts


class EXPORT_ANIM_OT_secondlife(ExportProperties, FilesExport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Export animation of an armature for Second Life or OpenSim"""

    bl_idname = "export_anim.secondlife"
    bl_label = "Export .anim"
    bl_options = {"REGISTER", "PRESET"}

    exporter = SlExporter()
    texts = SlTexts()
    filename_ext = ".anim"
    filter_glob: StringProperty(default="*.anim", options={"HIDDEN"})

    def usual_range(self, context: bpy.types.Context) -> FrameRange:
        """The pose of an armature that plays nothing: it is all that can be exported."""
        target = active_armature(context.view_layer)
        return FrameRange.ACTION if target is None or plays_anything(target) else FrameRange.POSE
