# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Motion Capture (BVH, AnimBridge)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ...scene.armature.joints import BoneAxes
from ...scene.placement import Placement
from ...ui.import_files import SET_RATE_ITEM, SkeletonFilesImport, bone_axes_property, glob_of
from ...ui.option_property import AXES, option_property
from . import KIND
from .importer import BvhImporter, skeleton_maker
from .options import BvhImportOptions
from .placement_properties import PlacementProperties

_AXIS_ITEMS = (
    ("AUTO", "Automatic", "+Y is up and -Z forward, unless the file's body stands along another axis"),
    *AXES,
)
_SCALING_ITEMS = (
    (
        "AUTO",
        "Automatic",
        "A figure of human size in metres, centimetres or inches keeps its size. Others become 1.75 m tall",
    ),
    ("SET", "Set Scale", "Every unit of the file has the length given below"),
)
_ROTATION_ITEMS = (
    ("QUATERNION", "Quaternions", "Bones use quaternions: no gimbal lock, and no jumps between keys"),
    (
        "EULER",
        "Euler, as in the File",
        "A new armature gets the file's axes and rotation orders, so that each key has the file's own angle. "
        "On an existing armature, bones with Euler angles keep their rotation mode",
    ),
)
_RATE_ITEMS = (
    (
        "SCENE",
        "Scene's Rate",
        "The scene keeps its rate. Frames of the file may lie between frames of the scene",
    ),
    ("FILE", "File's Rate", "The scene gets the rate of the first file"),
    (
        "FRAMES",
        "Frame by Frame",
        "One frame of the scene for each frame of the file. The motion may play faster or slower",
    ),
    SET_RATE_ITEM,
)


class IMPORT_ANIM_OT_animbridge_bvh(PlacementProperties, SkeletonFilesImport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import motion capture (BVH) as a new armature or onto an existing one. Takes several files at once"""

    #: Blender's own importer is import_anim.bvh.
    bl_idname = "import_anim.animbridge_bvh"
    bl_label = "Import BVH"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    importer = BvhImporter()
    filename_ext = ".bvh"
    filter_glob: StringProperty(default=glob_of(KIND.extensions), options={"HIDDEN"})
    axis_forward: option_property(
        "bvh", "to_curves", "forward", name="Forward", items=_AXIS_ITEMS, default="AUTO"
    )
    axis_up: option_property("bvh", "to_curves", "up", name="Up", items=_AXIS_ITEMS, default="AUTO")
    scaling: EnumProperty(
        name="Scale",
        description="How large the file's figure becomes. A BVH does not say its unit",
        items=_SCALING_ITEMS,
        default="AUTO",
    )
    fit_height: BoolProperty(
        name="Fit Height",
        description=(
            "Scale the motion of the root by the heights of the hips in the armature and in the file, so "
            "that feet stay on the ground. Off: use Scale"
        ),
        default=True,
    )
    frame_rate: EnumProperty(
        name="Frame Rate",
        description="Which frame of the scene each frame of the file becomes",
        items=_RATE_ITEMS,
        default="SCENE",
    )
    rotation_mode: EnumProperty(
        name="Rotation",
        description="The rotation mode of the bones",
        items=_ROTATION_ITEMS,
        default="QUATERNION",
    )
    bone_axes: bone_axes_property("Bones have the file's axes: all point along its Y axis")
    lenient: BoolProperty(
        name="Lenient",
        description=(
            "Read faulty files, such as ones with fewer frames than they announce, and report the faults. "
            "Off: such a file is an error"
        ),
        default=True,
    )

    def job(self, target: bpy.types.Object | None) -> dict[str, Any]:
        is_euler = self.rotation_mode == "EULER"
        options = BvhImportOptions(
            **self.shared_options(),
            keep_euler=is_euler,
            placement=self.read_placement(),
            finds_axes=self.axis_forward == self.axis_up == "AUTO",
            human_scale=self._is_scaled_to_human(),
            fit_height=self.fit_height,
            whole_frames=self.frame_rate == "FRAMES",
        )
        own = skeleton_maker(options, BoneAxes[self.bone_axes], is_euler=is_euler)
        return {"options": options, "strict": not self.lenient, **self.makers(own)}

    def check(self, context: bpy.types.Context) -> bool:
        # Blender's own takes two automatic axes for parallel ones, and fails.
        return self.axis_forward != "AUTO" and super().check(context)

    def read_placement(self) -> Placement:
        """The placement; an automatic axis is the usual one, or another if that is parallel to the given."""
        forward, up = self.axis_forward, self.axis_up
        if up == "AUTO":
            up = "Z" if forward.endswith("Y") else "Y"
        if forward == "AUTO":
            forward = "Y" if up.endswith("Z") else "-Z"
        placement = Placement(forward, up, self.global_scale)
        placement.members()
        return placement

    def _is_scaled_to_human(self) -> bool:
        # In a script, a scale alone is enough.
        given: Any = self.properties
        is_typed = given.is_property_set("global_scale") and not given.is_property_set("scaling")
        return self.scaling == "AUTO" and not is_typed

    def draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        lacks_armature = self.draw_choice(layout, context)
        makes_own = lacks_armature or self.target == "NEW"
        self._draw_axes(layout, is_scaled=makes_own or not self.fit_height)
        if self.target == "NEW":
            axes = layout.column()
            axes.enabled = self.rotation_mode == "QUATERNION"
            axes.prop(self, "bone_axes")
        elif not lacks_armature:
            layout.prop(self, "fit_height")
            self.draw_fitting(layout)
        layout.prop(self, "lenient")

    def _draw_axes(self, layout: Any, *, is_scaled: bool) -> None:
        """Draws axes and scale. Fit Height takes the place of the scale."""
        for name in ("axis_forward", "axis_up"):
            layout.prop(self, name)
        scale = layout.column()
        scale.enabled = is_scaled
        scale.prop(self, "scaling")
        if self.scaling == "SET":
            scale.prop(self, "global_scale", text="Metres per Unit")
