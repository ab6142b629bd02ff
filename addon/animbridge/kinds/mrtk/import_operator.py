# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > MRTK Recording (.bin)."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...scene.import_.options import ImportOptions
from ...ui.import_files import SET_RATE_ITEM, FilesImport, glob_of
from . import KIND
from .importer import MrtkImporter
from .maker import MrtkArmatures

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
    SET_RATE_ITEM,
)
#: A recording has keys and times of its own, so it is not merged into another Action.
_PLACE_ITEMS = (
    ("NEW", "New Action", "One new Action per file. The armature plays the last one"),
    ("NLA", "New NLA Track", "One new Action per file, each on a new NLA track"),
)


class IMPORT_ANIM_OT_mrtk(FilesImport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import recorded hands, camera and gaze (MRTK 2 input animation). Takes several files at once"""

    bl_idname = "import_anim.mrtk"
    bl_label = "Import MRTK"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    importer = MrtkImporter()
    no_active = ("No armature is active", "Makes a new armature")
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

    def job(self, target: bpy.types.Object | None) -> dict[str, Any]:
        library = {
            "rig": self.rig.lower(),
            "rest": "flat" if self.rest == "FLAT" else "tracked",
            "rest_seconds": self.rest_seconds if self.rest == "FRAME" else None,
            "signs": self.signs.lower(),
        }
        return {
            "maker": MrtkArmatures(library),
            "options": ImportOptions(**self.shared_options(), library=library),
            "strict": not self.lenient,
        }

    def draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        layout.prop(self, "rig")
        lacks_armature = self.draw_choice(layout, context)
        if not lacks_armature and self.target != "NEW":
            self.draw_fitting(layout)
        if self.rig == "HANDS":
            layout.prop(self, "rest")
            if self.rest == "FRAME":
                layout.prop(self, "rest_seconds")
        else:
            layout.prop(self, "signs")
        layout.prop(self, "lenient")
