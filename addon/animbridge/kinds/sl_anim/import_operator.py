# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Second Life Animation (.anim)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...native.abi import Facing
from ...scene.armature.reading import active_armature
from ...scene.import_.files import FileImport, FilesResult, Place, SceneRange
from ...scene.import_.options import ImportOptions
from ...ui.import_files import FilesImport, glob_of, import_summary
from . import KIND
from .facing import FACING_ITEMS
from .importer import SlImporter
from .maker import SlSkeletons
from .skeleton_properties import SkeletonProperties

_TARGET_ITEMS = (
    ("ACTIVE", "Active Armature", "The active object; a new Second Life skeleton if that is no armature"),
    ("NAMED", "Named Armature", "The armature object of the name given below"),
    ("NEW", "New Skeleton", "A new Second Life skeleton"),
)
_ROTATION_ITEMS = (
    ("QUATERNION", "Quaternions", "Bones are set to quaternions, as the files have them"),
    (
        "OWN",
        "Bone's Own",
        "Bones that turn by Euler angles keep their order; the angles go on without jumps, with further keys "
        "where angles between keys would show another turn",
    ),
)
_RATE_ITEMS = (
    ("SCENE", "Scene's Rate", "Keys are placed by the scene's frame rate, which stays as it is"),
    ("SET", "Set Rate", "The scene gets the frame rate given below; frames that it has already stay frames"),
)


class IMPORT_ANIM_OT_secondlife(SkeletonProperties, FilesImport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
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
        description="Where the character looks in the space of the armature that is there already",
        items=FACING_ITEMS,
        default="AUTO",
    )
    frame_rate: EnumProperty(
        name="Frame Rate",
        description="The files hold seconds. This says how many frames a second has",
        items=_RATE_ITEMS,
        default="SCENE",
    )
    rotation_mode: EnumProperty(
        name="Rotation",
        description="By which curves bones are turned",
        items=_ROTATION_ITEMS,
        default="QUATERNION",
    )

    def job(self, context: bpy.types.Context) -> FileImport:
        return FileImport(
            importer=SlImporter(),
            maker=SlSkeletons(self.skeleton_options()),
            target=self.target_armature(context),
            options=ImportOptions(
                frame_start=self.frame_start,
                facing=Facing[self.facing],
                action_name=self.action_name,
                fake_user=self.fake_user,
                keep_euler=self.rotation_mode == "OWN",
                rig_map=self.read_rig_map(),
            ),
            place=Place[self.place],
            frames_per_second=self.frames_per_second if self.frame_rate == "SET" else None,
            scene_range=SceneRange[self.set_scene_range],
        )

    def summary(self, outcome: FilesResult) -> str:
        keeps = ", which keeps its priorities, loop and eases"
        text = import_summary(outcome, Place[self.place], keeps=keeps)
        hidden = f"; hidden, for nothing moves them: {', '.join(outcome.hidden_groups)}"
        return f"{text}{hidden if outcome.hidden_groups else ''}"

    def draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        layout.prop(self, "target")
        lacks_armature = self.target == "ACTIVE" and active_armature(context.view_layer) is None
        if self.target == "NAMED":
            layout.prop(self, "armature")
        if lacks_armature:
            layout.label(text="New skeleton (no armature is active)", icon="INFO")
        if lacks_armature or self.target == "NEW":
            self.draw_skeleton_options(layout)
        else:
            layout.prop(self, "facing")
            layout.prop(self, "rig_map")
