# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Second Life Animation (.anim)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...package import Facing
from ...scene.avatar.maker import SlSkeletons
from ...scene.import_.files import FilesResult, Place
from ...scene.import_.options import ImportOptions
from ...ui.import_files import ROTATION_ITEMS, SET_RATE_ITEM, FilesImport, glob_of, import_summary
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
_RATE_ITEMS = (
    (
        "AUTO",
        "Automatic",
        "With a new skeleton, a scene without other Actions gets the rate of the file's keys, if they are on "
        "frames of one. Otherwise the scene keeps its rate",
    ),
    ("SCENE", "Scene's Rate", "The scene keeps its frame rate, and keys are placed by it"),
    SET_RATE_ITEM,
)


class IMPORT_ANIM_OT_secondlife(SkeletonProperties, FilesImport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import Second Life or OpenSim animations, several at once, onto an armature or a new skeleton"""

    bl_idname = "import_anim.secondlife"
    bl_label = "Import .anim"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    importer = SlImporter()
    no_active = ("No armature is active", "Makes a new skeleton")
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
        items=ROTATION_ITEMS,
        default="QUATERNION",
    )

    def job(self, target: bpy.types.Object | None) -> dict[str, Any]:
        return {
            "maker": SlSkeletons(self.skeleton_options()),
            "options": ImportOptions(
                **self.shared_options(),
                facing=Facing[self.facing],
                keep_euler=self.rotation_mode == "OWN",
            ),
            "file_rate": self.frame_rate == "AUTO" and target is None and not bpy.data.actions,
        }

    def summary(self, outcome: FilesResult) -> str:
        keeps = ", which keeps its priorities, loop and ease times"
        return import_summary(outcome, Place[self.place], keeps=keeps)

    def draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        lacks_armature = self.draw_choice(layout, context)
        if lacks_armature or self.target == "NEW":
            self.draw_skeleton_options(layout)
        else:
            layout.prop(self, "facing")
            self.draw_fitting(layout)
