# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Motion Capture (BVH, AnimBridge)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...compat.interface import folding_panel
from ...scene.export.options import FrameRange, Method
from ...scene.timing import typed_frames_per_second
from ...ui.export_files import RANGE_ITEMS, FilesExport
from ...ui.option_property import option_property
from .exporter import BvhExporter
from .options import BvhExportOptions
from .placement_properties import AXES, PlacementProperties
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
        "The order of each bone's rotation mode; ZXY for bones that turn by quaternions or about an axis",
    ),
)
_POSITION_ITEMS = (
    ("MOVING", "Moving", "The root, and joints that leave their rest place at any frame"),
    ("ROOT", "Root", "The root alone, as most programs expect; other joints keep their rest place"),
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
                "The character looks along the file's +Z (its -Y where Z is up), as most programs expect: "
                "the bones' names and places tell where it looks in Blender, -Y where they do not",
            ),
            *AXES,
        ),
        default="auto",
    )

    filename_ext = ".bvh"
    filter_glob: StringProperty(default="*.bvh", options={"HIDDEN"})
    frame_range: EnumProperty(
        name="Frames", description="Which frames are exported", items=RANGE_ITEMS, default="ACTION"
    )
    as_imported: BoolProperty(
        name="As Imported",
        description=(
            "Actions that came from a BVH keep its joints, channels, axes, scale and frame time, and what is "
            "untouched keeps the file's own numbers. The options below are for all others"
        ),
        default=True,
    )
    frames_per_second: FloatProperty(
        name="Rate",
        description="Frames per second of the file. 0: the scene's rate, one frame of the file for each",
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
            method=Method[self.method],
            frame_range=FrameRange[self.frame_range],
            selected_bones=self.selected_bones,
            object_motion=self.object_motion,
            as_imported=self.as_imported,
            placement=self.read_placement(),
            frames_per_second=typed_frames_per_second(self.frames_per_second)
            if self.frames_per_second
            else None,
            rotation_order="native" if self.rotation_order == "NATIVE" else self.rotation_order,
            positions=self.positions.lower(),
        )

    def draw_export_options(self, layout: Any) -> None:
        for name, title, draw in (
            ("motion", "Motion", self._draw_motion),
            ("file", "File", self._draw_file),
        ):
            body = folding_panel(layout, f"ANIMBRIDGE_export_bvh_{name}", title)
            if body is not None:
                draw(body.column())

    def _draw_motion(self, layout: Any) -> None:
        for name in ("frame_range", "selected_bones", "method", "object_motion"):
            layout.prop(self, name)

    def _draw_file(self, layout: Any) -> None:
        layout.prop(self, "as_imported")
        layout.prop(self, "frames_per_second", text="Rate (0: scene)")
        self.draw_placement(layout)
        for name in ("rotation_order", "positions"):
            layout.prop(self, name)
