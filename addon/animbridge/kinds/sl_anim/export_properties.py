# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only the export of Second Life animations has."""

from __future__ import annotations

from typing import Any

from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ...compat.interface import folding_panel
from ...package import Encoder, Facing, Target
from ...scene.export.options import FrameRange, Method
from ...scene.retarget_choice import Retarget
from ...ui.export_files import RANGE_ITEMS
from ...ui.option_property import option_property
from ...ui.retarget_option import ExportRetargetProperty
from ...ui.rig_map_option import RigMapProperty
from .facing import FACING_ITEMS
from .options import SlExportOptions

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


class ExportProperties(RigMapProperty, ExportRetargetProperty):
    """The options, for the operator to inherit beside those of FilesExport."""

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

    def export_options(self) -> SlExportOptions:
        """The options as `scene` takes them; an error if the rig map cannot be read."""
        shared: Any = self
        return SlExportOptions(
            encoder=Encoder[self.encoder],
            facing=Facing[self.facing],
            target=Target[self.target],
            method=Method[shared.method],
            frame_range=FrameRange[self.frame_range],
            selected_bones=shared.selected_bones,
            object_motion=shared.object_motion,
            samples_per_second=self.sample_rate or None,
            max_position_mm=self.max_position_mm if self.reduce_keys else None,
            max_rotation_degrees=self.max_rotation_degrees if self.reduce_keys else None,
            rig_map=self.read_rig_map(),
            retarget=Retarget[self.retarget],
        )

    def draw_export_options(self, layout: Any) -> None:
        """Draws which frames, and the rest in panels that begin folded."""
        layout.prop(self, "frame_range")
        for name, title, draw in (
            ("motion", "Motion", self._draw_motion),
            ("samples", "Samples", self._draw_samples),
            ("keys", "Keys", self._draw_keys),
            ("armature", "Armature", self._draw_armature),
            ("file", "File", self._draw_file),
        ):
            body = folding_panel(layout, f"ANIMBRIDGE_export_{name}", title, is_closed=True)
            if body is not None:
                draw(body.column())

    def _draw_motion(self, layout: Any) -> None:
        for name in ("selected_bones", "method"):
            layout.prop(self, name)

    def _draw_samples(self, layout: Any) -> None:
        shared: Any = self
        layout.enabled = shared.method != "CURVES" or self.frame_range == "POSE"
        layout.prop(self, "object_motion")
        layout.prop(self, "sample_rate", text="Rate (0: scene)")

    def _draw_keys(self, layout: Any) -> None:
        layout.prop(self, "reduce_keys")
        bounds = layout.column()
        bounds.enabled = self.reduce_keys
        bounds.prop(self, "max_position_mm", text="Within (mm)")
        bounds.prop(self, "max_rotation_degrees", text="Within (°)")

    def _draw_armature(self, layout: Any) -> None:
        for name in ("retarget", "rig_map", "facing"):
            layout.prop(self, name)

    def _draw_file(self, layout: Any) -> None:
        for name in ("target", "encoder"):
            layout.prop(self, name)
