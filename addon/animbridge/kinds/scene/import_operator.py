# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > FBX, glTF, VRM Motion (AnimBridge)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...scene.armature.joints import BoneAxes
from ...ui.import_files import ROTATION_ITEMS, SET_RATE_ITEM, SkeletonFilesImport, bone_axes_property, glob_of
from ...ui.option_property import AXES, option_property
from ...ui.panels import draw_note
from . import KIND
from .importer import SceneImporter, skeleton_maker
from .options import SceneImportOptions

_ANIMATIONS_ITEMS = (
    ("ALL", "All", "Each animation of the file becomes an Action. The armature plays the last one"),
    ("MAIN", "Main", "The animation that moves most joints; of several such, the longest"),
    ("NAMED", "Named", "The animation with the name or number below"),
)
_KEYS_ITEMS = (
    (
        "FRAMES",
        "Frames",
        "At most one key for each frame of the file. Curves with fewer keys stay as they are",
    ),
    ("EXACT", "Exact", "As many keys as the file's curves need: often dozens for each frame"),
)
_RATE_ITEMS = (
    (
        "SCENE",
        "Scene's Rate",
        "The scene keeps its rate. Keys of the file may lie between frames of the scene",
    ),
    ("FILE", "File's Rate", "The scene gets the rate of the first file that has one"),
    SET_RATE_ITEM,
)
_AXIS_ITEMS = (("AUTO", "Automatic", "As the file says"), *AXES)


class IMPORT_ANIM_OT_animbridge_scene(SkeletonFilesImport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import motion from scenes (FBX, glTF, COLLADA, VRM and others), onto an armature or as a new one"""

    bl_idname = "import_anim.animbridge_scene"
    bl_label = "Import Motion"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    importer = SceneImporter()
    filename_ext = ".glb"
    filter_glob: StringProperty(default=glob_of(KIND.extensions), options={"HIDDEN"})
    animations: EnumProperty(
        name="Animations",
        description="Which animations of the file are imported",
        items=_ANIMATIONS_ITEMS,
        default="ALL",
    )
    animation: StringProperty(name="Animation", description="The name of the animation, or its number from 1")
    # Under the names axis_up and axis_forward, Blender's ImportHelper takes them for axes alone.
    up_axis: option_property("scene", "to_curves", "up", name="Up", items=_AXIS_ITEMS, default="AUTO")
    forward_axis: option_property(
        "scene", "to_curves", "forward", name="Forward", items=_AXIS_ITEMS, default="AUTO"
    )
    keys: option_property("scene", "to_curves", "keys", name="Keys", items=_KEYS_ITEMS, default="FRAMES")
    frame_rate: EnumProperty(
        name="Frame Rate",
        description="How the seconds of the files become frames",
        items=_RATE_ITEMS,
        default="SCENE",
    )
    rotation_mode: EnumProperty(
        name="Rotation",
        description="The rotation mode of the bones",
        items=ROTATION_ITEMS,
        default="QUATERNION",
    )
    bone_axes: bone_axes_property("Bones have the axes of the file's joints")

    def job(self, target: bpy.types.Object | None) -> dict[str, Any]:
        wanted = self._wanted()
        library = {"keys": self.keys.lower()}
        for name, axis in (("up", self.up_axis), ("forward", self.forward_axis)):
            if axis != "AUTO":
                library[name] = axis
        if wanted == "NAMED" and self.animation:
            library["animation"] = self.animation
        options = SceneImportOptions(
            **self.shared_options(),
            keep_euler=self.rotation_mode == "OWN",
            all_animations=wanted == "ALL",
            library=library,
        )
        return {"options": options, **self.makers(skeleton_maker(options, BoneAxes[self.bone_axes]))}

    def _wanted(self) -> str:
        # In a script, a name alone is enough.
        given: Any = self.properties
        is_named = bool(self.animation) and not given.is_property_set("animations")
        return "NAMED" if is_named else self.animations

    def draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        draw_note(
            layout,
            "Motion only. For meshes",
            "and materials, use",
            "Blender's own glTF and",
            "FBX importers",
        )
        lacks_armature = self.draw_choice(layout, context)
        layout.prop(self, "animations")
        if self.animations == "NAMED":
            layout.prop(self, "animation")
        layout.prop(self, "keys")
        layout.prop(self, "forward_axis")
        layout.prop(self, "up_axis")
        if self.target == "NEW":
            layout.prop(self, "bone_axes")
        elif not lacks_armature:
            self.draw_fitting(layout)
