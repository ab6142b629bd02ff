# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Second Life Animation (.anim)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...package import Facing
from ...scene.armature.reading import active_armature
from ...scene.export.jobs import plays_anything
from ...scene.export.options import FrameRange
from ...scene.playing import assigned_channels
from ...scene.retarget_choice import Retarget
from ...ui.export_files import RANGE_ITEMS, FilesExport
from ...ui.option_property import option_property
from ...ui.retarget_option import ExportRetargetProperty
from ...ui.rig_map_option import RigMapProperty
from .exporter import SlExporter
from .facing import FACING_ITEMS
from .options import LARGEST_UPLOAD_BYTES, SlExportOptions
from .properties import animation_of
from .texts import SlTexts, cost_of_size

_TARGET_ITEMS = (
    (
        "SECOND_LIFE",
        "Second Life",
        "At most 60 seconds. Above 250,000 bytes, keys are dropped until the file fits, with the smallest "
        "possible error",
    ),
    ("OPENSIM", "OpenSim", "Grids have their own limits: only reports what is beyond Second Life's"),
)
_RANGE_ITEMS = (
    *RANGE_ITEMS,
    (
        "POSE",
        "Current Pose",
        "Only the current frame, as a pose that holds: one frame long and looped, for stands and hand poses",
    ),
)
_ENCODER_ITEMS = (
    ("UPLOAD", "For Upload", "Most exact after an upload, in which the viewer encodes the file again"),
    ("NEAREST", "Nearest", "Most exact as the file is. For OpenSim, and for files that you do not upload"),
    ("VIEWER", "Like the Viewer", "The same codes that the viewer itself writes"),
)


class EXPORT_ANIM_OT_secondlife(RigMapProperty, ExportRetargetProperty, FilesExport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Export animation of an armature for Second Life or OpenSim"""

    bl_idname = "export_anim.secondlife"
    bl_label = "Export .anim"
    bl_options = {"REGISTER", "PRESET"}

    exporter = SlExporter()
    texts = SlTexts()
    filename_ext = ".anim"
    filter_glob: StringProperty(default="*.anim", options={"HIDDEN"})
    target: option_property("sl_anim", "from_samples", "target", name="For", items=_TARGET_ITEMS)
    frame_range: EnumProperty(
        name="Frames", description="Which frames are exported", items=_RANGE_ITEMS, default="ACTION"
    )
    sample_rate: FloatProperty(
        name="Sample Rate",
        description="Samples per second. 0: every frame of the scene",
        default=0.0,
        min=0.0,
        max=1000.0,
        soft_max=120.0,
        precision=3,
    )
    reduce_keys: BoolProperty(
        name="Drop Keys",
        description=(
            "Drop samples, and keys of Actions that were not imported, that the viewer does not need to stay "
            "within the tolerances below"
        ),
        default=True,
    )
    max_position_mm: option_property(
        "sl_anim",
        "from_samples",
        "max_position_mm",
        name="Position Tolerance",
        min=0.001,
        soft_max=20.0,
        precision=3,
    )
    max_rotation_degrees: option_property(
        "sl_anim",
        "from_samples",
        "max_rotation_degrees",
        name="Rotation Tolerance",
        min=0.0001,
        soft_max=5.0,
        precision=4,
    )
    fit_kilobytes: FloatProperty(
        name="Size",
        description=(
            "Drop keys, with the smallest possible error, until the file has at most this many kilobytes. "
            "At 250, Second Life's limit, files for OpenSim can have any size"
        ),
        default=LARGEST_UPLOAD_BYTES / 1000,
        min=0.1,
        max=LARGEST_UPLOAD_BYTES / 1000,
        precision=1,
        step=10,
    )
    encoder: option_property("sl_anim", "from_samples", "encoder", name="Encoder", items=_ENCODER_ITEMS)
    facing: EnumProperty(
        name="Facing",
        description=(
            "Where the character looks in the armature's own space. Imported .anim Actions keep the facing "
            "of their import"
        ),
        items=FACING_ITEMS,
        default="AUTO",
    )

    def usual_range(self, context: bpy.types.Context) -> FrameRange:
        """The pose of an armature that plays nothing: it is all that can be exported."""
        target = active_armature(context.view_layer)
        return FrameRange.ACTION if target is None or plays_anything(target) else FrameRange.POSE

    def export_options(self) -> SlExportOptions:
        shared = self.shared_options("from_samples")
        if not self.reduce_keys:
            shared["library"] |= {"max_position_mm": 0.0, "max_rotation_degrees": 0.0}
        return SlExportOptions(
            **shared,
            facing=Facing[self.facing],
            samples_per_second=self.sample_rate or None,
            fit_kilobytes=self.fit_kilobytes,
            rig_map=self.read_rig_map(),
            retarget=Retarget[self.retarget],
        )

    def draw_export_options(self, layout: Any) -> None:
        """Draws which frames, and the rest in panels that begin folded."""
        layout.prop(self, "frame_range")
        self.draw_parts(
            layout,
            ("motion", "Motion", ("selected_bones", "method")),
            ("samples", "Samples", self._draw_samples),
            ("keys", "Keys", self._draw_keys),
            ("armature", "Armature", ("retarget", "rig_map", "facing")),
            ("file", "File", ("target", "encoder")),
            is_closed=True,
        )

    def _draw_samples(self, layout: Any) -> None:
        layout.enabled = self.method != "CURVES" or self.frame_range == "POSE"
        layout.prop(self, "object_motion")
        layout.prop(self, "sample_rate", text="Rate (0: scene)")

    def _draw_keys(self, layout: Any) -> None:
        layout.prop(self, "reduce_keys")
        bounds = layout.column()
        bounds.enabled = self.reduce_keys
        bounds.prop(self, "max_position_mm", text="Within (mm)")
        bounds.prop(self, "max_rotation_degrees", text="Within (°)")
        layout.prop(self, "fit_kilobytes", text="Fit (kB)")
        target = active_armature(bpy.context.view_layer)
        playing = assigned_channels(target) if target else None
        sizes = animation_of(playing.action).checked_sizes if playing else ()
        layout.label(text=cost_of_size(int(1000 * self.fit_kilobytes), sizes), icon="INFO")
