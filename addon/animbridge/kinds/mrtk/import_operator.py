# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > MRTK Recording (.bin)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...scene.armature.reading import active_armature
from ...scene.import_.files import FileImport, Place, SceneRange
from ...scene.retarget_choice import Retarget
from ...ui.import_files import FilesImport, glob_of
from ...ui.panels import draw_note
from ...ui.retarget_option import RetargetProperties
from . import KIND
from .importer import MrtkImporter
from .maker import MrtkArmatures
from .options import MrtkImportOptions, Rest, Rig, Signs

_RIG_ITEMS = (
    (
        "EXACT",
        "Exact",
        "A bone without a parent for each recorded pose. Every key of the file becomes a key, with its "
        "tangents",
    ),
    (
        "HANDS",
        "Hands",
        "Hand skeletons, whose joints hang on each other, for posing and for other rigs. Keys are sampled",
    ),
)
_TARGET_ITEMS = (
    ("NEW", "New Armature", "A new armature for the recording. Recordings with the same poses share it"),
    (
        "ACTIVE",
        "Active Armature",
        "The active armature, or that of the active mesh. A recording's own bones are found by name, and the "
        "hands of a character by its rig. A new armature if none is active",
    ),
    ("NAMED", "Named Armature", "The armature object with the name below"),
)
_REST_ITEMS = (
    (
        "TRACKED",
        "As Tracked",
        "The hands rest as they were when all their joints were tracked for the first time",
    ),
    ("FRAME", "At a Time", "The hands rest as they were at the time below"),
    ("FLAT", "Flat", "The hands rest flat, with straight fingers"),
)
_SIGN_ITEMS = (
    ("CONTINUOUS", "Continuous", "Joints rotate as they were recorded"),
    (
        "RECORDED",
        "As Recorded",
        "Where a recorded quaternion changes its sign, the joint tumbles, as it does in MRTK",
    ),
)
_RATE_ITEMS = (
    ("SCENE", "Scene's Rate", "The scene keeps its rate. Keys of the file may lie between frames"),
    ("SET", "Set Rate", "The scene gets the frame rate below. Its existing keys stay on their frames"),
)
#: A recording has keys and times of its own, so it is not merged into another Action.
_PLACE_ITEMS = (
    ("NEW", "New Action", "One new Action per file. The armature plays the last one"),
    ("NLA", "New NLA Track", "One new Action per file, each on a new NLA track"),
)


class IMPORT_ANIM_OT_mrtk(RetargetProperties, FilesImport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import recorded hands, camera and gaze (MRTK 2 input animation). Takes several files at once"""

    bl_idname = "import_anim.mrtk"
    bl_label = "Import MRTK"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".bin"
    filter_glob: StringProperty(default=glob_of(KIND.extensions), options={"HIDDEN"})
    rig: EnumProperty(
        name="Bones", description="What the recording becomes", items=_RIG_ITEMS, default="EXACT"
    )
    target: EnumProperty(
        name="Target", description="What gets the motion", items=_TARGET_ITEMS, default="NEW"
    )
    rest: EnumProperty(
        name="Rest Pose", description="How the hands rest", items=_REST_ITEMS, default="TRACKED"
    )
    rest_seconds: FloatProperty(
        name="Time", description="Seconds from the start of the recording", default=0.0, unit="TIME_ABSOLUTE"
    )
    signs: EnumProperty(
        name="Rotations",
        description="What happens where a recorded quaternion changes its sign",
        items=_SIGN_ITEMS,
        default="CONTINUOUS",
    )
    frame_rate: EnumProperty(
        name="Frame Rate", description="The scene's frame rate", items=_RATE_ITEMS, default="SCENE"
    )
    place: EnumProperty(
        name="Import As", description="What the animation becomes", items=_PLACE_ITEMS, default="NEW"
    )
    lenient: BoolProperty(
        name="Lenient",
        description=(
            "Read recordings in layouts that MRTK does not write, and report it. Off: such a file is an error"
        ),
        default=True,
    )

    def job(self, context: bpy.types.Context) -> FileImport:
        options = MrtkImportOptions(
            frame_start=self.frame_start,
            action_name=self.action_name,
            fake_user=self.fake_user,
            rig_map=self.read_rig_map(),
            retarget=Retarget[self.retarget],
            import_anyway=self.import_anyway,
            rig=Rig[self.rig],
            rest=Rest.FLAT if self.rest == "FLAT" else Rest.TRACKED,
            rest_seconds=self.rest_seconds if self.rest == "FRAME" else None,
            signs=Signs[self.signs],
        )
        return FileImport(
            importer=MrtkImporter(),
            maker=MrtkArmatures(options),
            target=self.target_armature(context),
            options=options,
            place=Place[self.place],
            frames_per_second=self.frames_per_second if self.frame_rate == "SET" else None,
            scene_range=SceneRange[self.set_scene_range],
            strict=not self.lenient,
        )

    def draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        layout.prop(self, "rig")
        layout.prop(self, "target")
        if self.target == "NAMED":
            layout.prop(self, "armature")
        lacks_armature = self.target == "ACTIVE" and active_armature(context.view_layer) is None
        if lacks_armature:
            draw_note(layout, "No armature is active", "Makes a new armature")
        elif self.target != "NEW":
            self.draw_retarget(layout)
            layout.prop(self, "rig_map")
        if self.rig == "HANDS":
            layout.prop(self, "rest")
            if self.rest == "FRAME":
                layout.prop(self, "rest_seconds")
        else:
            layout.prop(self, "signs")
        layout.prop(self, "lenient")

    def _draw_action(self, layout: Any, _context: bpy.types.Context) -> None:
        for name in ("place", "action_name", "fake_user", "report_text"):
            layout.prop(self, name)
