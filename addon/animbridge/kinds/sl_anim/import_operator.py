# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Second Life Animation (.anim)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...package import Facing
from ...scene.armature.reading import active_armature
from ...scene.avatar.maker import SlSkeletons
from ...scene.import_.files import FileImport, FilesResult, Place, SceneRange
from ...scene.import_.options import ImportOptions
from ...scene.retarget_choice import Retarget
from ...ui.import_files import FilesImport, glob_of, import_summary
from ...ui.panels import draw_note
from ...ui.retarget_option import RetargetProperties
from . import KIND
from .facing import FACING_ITEMS
from .importer import SlImporter
from .skeleton_properties import SkeletonProperties

_TARGET_ITEMS = (
    (
        "ACTIVE",
        "Active Armature",
        "The active armature, or that of the active mesh. Without one, a new Second Life skeleton",
    ),
    ("NAMED", "Named Armature", "The armature object with the name below"),
    ("NEW", "New Skeleton", "A new Second Life skeleton"),
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
_RATE_ITEMS = (
    (
        "AUTO",
        "Automatic",
        "With a new skeleton, a scene without other Actions gets the rate of the file's keys, if they are on "
        "frames of one. Otherwise the scene keeps its rate",
    ),
    ("SCENE", "Scene's Rate", "The scene keeps its frame rate, and keys are placed by it"),
    ("SET", "Set Rate", "The scene gets the frame rate below. Its existing keys stay on their frames"),
)


class IMPORT_ANIM_OT_secondlife(SkeletonProperties, RetargetProperties, FilesImport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import Second Life or OpenSim animations, several at once, onto an armature or a new skeleton"""

    bl_idname = "import_anim.secondlife"
    bl_label = "Import .anim"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".anim"
    filter_glob: StringProperty(default=glob_of(KIND.extensions), options={"HIDDEN"})
    target: EnumProperty(
        name="Target", description="What gets the animation", items=_TARGET_ITEMS, default="ACTIVE"
    )
    facing: EnumProperty(
        name="Facing",
        description="Where the character of the existing armature looks",
        items=FACING_ITEMS,
        default="AUTO",
    )
    frame_rate: EnumProperty(
        name="Frame Rate",
        description="How the seconds of the files become frames",
        items=_RATE_ITEMS,
        default="AUTO",
    )
    rotation_mode: EnumProperty(
        name="Rotation",
        description="The rotation mode of the bones",
        items=_ROTATION_ITEMS,
        default="QUATERNION",
    )

    def job(self, context: bpy.types.Context) -> FileImport:
        target = self.target_armature(context)
        return FileImport(
            importer=SlImporter(),
            maker=SlSkeletons(self.skeleton_options()),
            target=target,
            options=ImportOptions(
                frame_start=self.frame_start,
                facing=Facing[self.facing],
                action_name=self.action_name,
                fake_user=self.fake_user,
                keep_euler=self.rotation_mode == "OWN",
                rig_map=self.read_rig_map(),
                retarget=Retarget[self.retarget],
                import_anyway=self.import_anyway,
            ),
            place=Place[self.place],
            frames_per_second=self.frames_per_second if self.frame_rate == "SET" else None,
            file_rate=self.frame_rate == "AUTO" and target is None and not bpy.data.actions,
            scene_range=SceneRange[self.set_scene_range],
        )

    def summary(self, outcome: FilesResult) -> str:
        keeps = ", which keeps its priorities, loop and ease times"
        return import_summary(outcome, Place[self.place], keeps=keeps)

    def draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        layout.prop(self, "target")
        lacks_armature = self.target == "ACTIVE" and active_armature(context.view_layer) is None
        if self.target == "NAMED":
            layout.prop(self, "armature")
        if lacks_armature:
            draw_note(layout, "No armature is active", "Makes a new skeleton")
        if lacks_armature or self.target == "NEW":
            self.draw_skeleton_options(layout)
        else:
            layout.prop(self, "facing")
            self.draw_retarget(layout)
            layout.prop(self, "rig_map")
