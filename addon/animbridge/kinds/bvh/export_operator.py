# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Motion Capture (BVH, AnimBridge)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty

from ...scene.timing import typed_frames_per_second
from ...ui.export_files import FilesExport
from ...ui.option_property import AXES, option_property
from ...ui.panels import draw_props
from .exporter import BvhExporter
from .options import BvhExportOptions
from .placement_properties import PlacementProperties
from .texts import BvhTexts

_ORDERS = ("ZXY", "ZYX", "XYZ", "XZY", "YXZ", "YZX")
_ORDER_ITEMS = (
    *(
        (order, order, f"Channels {order[0]}rotation {order[1]}rotation {order[2]}rotation")
        for order in _ORDERS
    ),
    (
        "NATIVE",
        "Bones' Own",
        "The order of each bone's rotation mode. ZXY for quaternions and axis angles",
    ),
)
_POSITION_ITEMS = (
    ("MOVING", "Moving", "The root, and joints that leave their rest position"),
    ("ROOT", "Root", "Only the root, as most programs expect"),
    ("ALL", "All", "Every joint"),
)


class EXPORT_ANIM_OT_animbridge_bvh(PlacementProperties, FilesExport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Export animation of an armature as motion capture (BVH)"""

    bl_idname = "export_anim.animbridge_bvh"
    bl_label = "Export BVH"
    bl_options = {"REGISTER", "PRESET"}

    exporter = BvhExporter()
    texts = BvhTexts()

    axis_forward: option_property(
        "bvh",
        "from_curves",
        "forward",
        name="Forward",
        items=(
            (
                "auto",
                "Automatic",
                "The character looks along the file's +Z (-Y if Z is up), as most programs expect. Where it "
                "looks in Blender is found from its bones",
            ),
            *AXES,
        ),
        default="auto",
    )

    filename_ext = ".bvh"
    filter_glob: StringProperty(default="*.bvh", options={"HIDDEN"})
    as_imported: BoolProperty(
        name="As Imported",
        description=(
            "Imported Actions keep the file's joints, channels, axes, scale and frame time. What you did not "
            "edit keeps the file's numbers. The options below are for all others"
        ),
        default=True,
    )
    frames_per_second: FloatProperty(
        name="Rate",
        description="Frames per second of the file. 0: the scene's rate",
        default=0.0,
        min=0.0,
        max=32767.0,
        soft_max=240.0,
        precision=3,
    )
    rotation_order: option_property(
        "bvh", "from_curves", "rotation_order", name="Rotation Order", items=_ORDER_ITEMS
    )
    positions: option_property("bvh", "from_curves", "positions", name="Positions", items=_POSITION_ITEMS)

    def export_options(self) -> BvhExportOptions:
        return BvhExportOptions(
            **self.shared_options("from_curves"),
            as_imported=self.as_imported,
            placement=self.read_placement(),
            frames_per_second=typed_frames_per_second(self.frames_per_second)
            if self.frames_per_second
            else None,
        )

    def draw_export_options(self, layout: Any) -> None:
        self.draw_parts(
            layout,
            ("motion", "Motion", ("frame_range", "selected_bones", "method", "object_motion")),
            ("file", "File", self._draw_file),
        )

    def _draw_file(self, layout: Any) -> None:
        layout.prop(self, "as_imported")
        layout.prop(self, "frames_per_second", text="Rate (0: scene)")
        self.draw_placement(layout)
        draw_props(layout, self, "rotation_order", "positions")
