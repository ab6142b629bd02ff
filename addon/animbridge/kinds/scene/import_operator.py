# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > FBX, glTF, VRM Motion (AnimBridge)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...scene.armature.joints import BoneAxes
from ...scene.armature.reading import active_armature
from ...scene.import_.files import FileImport, Place, SceneRange
from ...scene.retarget_choice import Retarget
from ...ui.import_files import TARGET_ITEMS, FilesImport, glob_of, new_avatars
from ...ui.option_property import option_property
from ...ui.panels import draw_note
from ...ui.retarget_option import RetargetProperties
from . import KIND
from .importer import SceneImporter
from .maker import SceneSkeletons
from .options import SceneImportOptions

_ANIMATIONS_ITEMS = (
    ("ALL", "All", "Each animation of the file becomes an Action. The armature plays the last one"),
    ("MAIN", "Main", "The animation that moves most joints; of several such, the longest"),
    ("NAMED", "Named", "The animation with the name or number below"),
)
_ROTATION_ITEMS = (
    ("QUATERNION", "Quaternions", "Bones use quaternions, as the files do"),
    (
        "OWN",
        "Bone's Own",
        "Bones with Euler angles keep their rotation mode. Angles do not jump, and get extra keys where they "
        "would otherwise show another rotation",
    ),
)
_BONE_AXES_ITEMS = (
    ("LIMBS", "Along Limbs", "Bones point to their children. Elbows and knees bend about X"),
    ("FILE", "As in the File", "Bones have the axes of the file's joints"),
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
    ("SET", "Set Rate", "The scene gets the frame rate below. Its existing keys stay on their frames"),
)
_AXES = tuple(
    (name, name if name.startswith("-") else f"+{name}", f"The file's {name} axis")
    for name in ("X", "Y", "Z", "-X", "-Y", "-Z")
)
_AXIS_ITEMS = (("AUTO", "Automatic", "As the file says"), *_AXES)


class IMPORT_ANIM_OT_animbridge_scene(RetargetProperties, FilesImport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import motion from scenes (FBX, glTF, COLLADA, VRM and others), onto an armature or as a new one"""

    bl_idname = "import_anim.animbridge_scene"
    bl_label = "Import Motion"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".glb"
    filter_glob: StringProperty(default=glob_of(KIND.extensions), options={"HIDDEN"})
    target: EnumProperty(
        name="Target", description="What gets the motion", items=TARGET_ITEMS, default="ACTIVE"
    )
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
        items=_ROTATION_ITEMS,
        default="QUATERNION",
    )
    bone_axes: EnumProperty(
        name="Bone Axes",
        description="Where the bones of a new armature point at rest",
        items=_BONE_AXES_ITEMS,
        default="LIMBS",
    )

    def job(self, context: bpy.types.Context) -> FileImport:
        wanted = self._wanted()
        options = SceneImportOptions(
            frame_start=self.frame_start,
            action_name=self.action_name,
            fake_user=self.fake_user,
            keep_euler=self.rotation_mode == "OWN",
            rig_map=self.read_rig_map(),
            retarget=Retarget[self.retarget],
            import_anyway=self.import_anyway,
            all_animations=wanted == "ALL",
            animation=self.animation or None if wanted == "NAMED" else None,
            up=_axis_of(self.up_axis),
            forward=_axis_of(self.forward_axis),
            keys=self.keys.lower(),
        )
        own = SceneSkeletons(options, BoneAxes[self.bone_axes])
        avatars = new_avatars()
        return FileImport(
            importer=SceneImporter(),
            maker=avatars if self.target == "AVATAR" else own,
            people=avatars if self.target == "ACTIVE" and self.retarget != "NEVER" else None,
            target=self.target_armature(context),
            options=options,
            place=Place[self.place],
            frames_per_second=self.frames_per_second if self.frame_rate == "SET" else None,
            file_rate=self.frame_rate == "FILE",
            scene_range=SceneRange[self.set_scene_range],
        )

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
        layout.prop(self, "target")
        lacks_armature = self.target == "ACTIVE" and active_armature(context.view_layer) is None
        if self.target == "NAMED":
            layout.prop(self, "armature")
        if lacks_armature:
            draw_note(layout, "No armature is active:", "a person's motion gets", "a new avatar")
        layout.prop(self, "animations")
        if self.animations == "NAMED":
            layout.prop(self, "animation")
        layout.prop(self, "keys")
        layout.prop(self, "forward_axis")
        layout.prop(self, "up_axis")
        if self.target == "NEW":
            layout.prop(self, "bone_axes")
        elif not lacks_armature:
            self.draw_retarget(layout)
            layout.prop(self, "rig_map")


def _axis_of(item: str) -> str | None:
    """The axis of an item; None: as the file says."""
    return None if item == "AUTO" else item
