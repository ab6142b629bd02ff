# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Second Life Animation (.anim)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import OperatorFileListElement
from bpy_extras.io_utils import ImportHelper

from ..compat.interface import ask_for_options, file_handler, folding_panel
from ..native.abi import Facing
from ..native.errors import AnimBridgeError
from ..native.text import printable
from ..scene.armature import active_armature, require_armature
from ..scene.file_imports import FileImport, FilesResult, Place, SceneRange, import_files
from ..scene.import_text import TEXT_NAME, write_report
from ..scene.importing import ImportOptions
from ..scene.timing import HIGHEST_FRAMES_PER_SECOND, LOWEST_FRAMES_PER_SECOND
from .facing import FACING_ITEMS
from .rig_map_option import RigMapProperty
from .skeleton_options import SkeletonProperties

_IDNAME = "import_anim.secondlife"

_TARGET_ITEMS = (
    ("ACTIVE", "Active Armature", "The active object; a new Second Life skeleton if that is no armature"),
    ("NAMED", "Named Armature", "The armature object of the name given below"),
    ("NEW", "New Skeleton", "A new Second Life skeleton"),
)
_PLACE_ITEMS = (
    ("NEW", "New Action", "One new Action per file; the armature plays the last one"),
    (
        "MERGE",
        "Into Active Action",
        "The file's keys replace those of the same bones and frames in the Action that the armature plays; "
        "all other keys stay. A new Action if it plays none",
    ),
    ("NLA", "New NLA Track", "One new Action per file, each as a strip on a new NLA track of its own"),
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
_RANGE_ITEMS = (
    ("NEW_SKELETON", "Set with New Skeleton", "Set where the import makes a skeleton, else left alone"),
    ("ALWAYS", "Set", "Set by every import"),
    ("NEVER", "Leave", "Stays as it is"),
)
_RATE_ITEMS = (
    ("SCENE", "Scene's Rate", "Keys are placed by the scene's frame rate, which stays as it is"),
    ("SET", "Set Rate", "The scene gets the frame rate given below; frames that it has already stay frames"),
)


def _armature_names(_self: Any, _context: bpy.types.Context, text: str) -> list[str]:
    return [
        one.name for one in bpy.data.objects if one.type == "ARMATURE" and text.lower() in one.name.lower()
    ]


class IMPORT_ANIM_OT_secondlife(SkeletonProperties, RigMapProperty, bpy.types.Operator, ImportHelper):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import Second Life or OpenSim animations, several at once, onto an armature or a new skeleton"""

    bl_idname = _IDNAME
    bl_label = "Import .anim"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".anim"
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.anim;*.animatn", options={"HIDDEN"})
    files: CollectionProperty(type=OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    target: EnumProperty(
        name="Target", description="What gets the animation", items=_TARGET_ITEMS, default="ACTIVE"
    )
    armature: StringProperty(
        name="Armature",
        description="The armature object that gets the animation, its bones named as the avatar's joints",
        search=_armature_names,
    )
    facing: EnumProperty(
        name="Facing",
        description="Where the character looks in the space of the armature that is there already",
        items=FACING_ITEMS,
        default="AUTO",
    )
    frame_start: FloatProperty(
        name="Start Frame",
        description="The frame of the animation's second 0; any frame, with a fraction if you like",
        default=1.0,
    )
    frame_rate: EnumProperty(
        name="Frame Rate",
        description="The files hold seconds. This says how many frames a second has",
        items=_RATE_ITEMS,
        default="SCENE",
    )
    frames_per_second: FloatProperty(
        name="Frames per Second",
        description="The scene's new frame rate in frames per second, such as 24, 29.97 or 45",
        default=30.0,
        min=LOWEST_FRAMES_PER_SECOND,
        max=HIGHEST_FRAMES_PER_SECOND,
        soft_min=1.0,
        soft_max=120.0,
        precision=3,
    )
    set_scene_range: EnumProperty(
        name="Scene Range",
        description="When the scene's start and end frame become those of what plays after the import",
        items=_RANGE_ITEMS,
        default="NEW_SKELETON",
    )
    place: EnumProperty(
        name="Import As", description="What the animation becomes", items=_PLACE_ITEMS, default="NEW"
    )
    action_name: StringProperty(
        name="Action Name",
        description=(
            "Name of new Actions. {file} stands for the file's name without its extension, {armature} for "
            "the armature's"
        ),
        default="{file}",
    )
    fake_user: BoolProperty(
        name="Fake User",
        description="Keep new Actions when the file is saved, even if nothing plays them",
        default=True,
    )
    rotation_mode: EnumProperty(
        name="Rotation",
        description="By which curves bones are turned",
        items=_ROTATION_ITEMS,
        default="QUATERNION",
    )
    report_text: BoolProperty(
        name="Report as Text",
        description=f"Write all findings into the text '{TEXT_NAME}', with every joint that has no bone",
        default=False,
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """A popup with the options when files were dropped, else the file browser."""
        if self.directory and any(file.name for file in self.files):
            return ask_for_options(self, context)
        return ImportHelper.invoke(self, context, event)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        try:
            outcome = import_files(context, self._paths(), self._job(context))
        except AnimBridgeError as error:
            self.report({"ERROR"}, printable(error.message))
            return {"CANCELLED"}
        if not outcome.done:
            self.report({"ERROR"}, "\n".join(outcome.failed))
            return {"CANCELLED"}
        for line in (*(line for one in outcome.done for line in one.warnings), *outcome.failed):
            self.report({"WARNING"}, line)
        if self.report_text:
            write_report(outcome)
        self.report({"INFO"}, _summary(outcome, Place[self.place]))
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name, title, draw in (
            ("target", "Armature", self._draw_target),
            ("time", "Time", self._draw_time),
            ("action", "Action", self._draw_action),
        ):
            body = folding_panel(layout, f"ANIMBRIDGE_import_{name}", title, is_closed=name == "action")
            if body is not None:
                draw(body.column(), context)

    def _draw_target(self, layout: Any, context: bpy.types.Context) -> None:
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

    def _draw_time(self, layout: Any, _context: bpy.types.Context) -> None:
        layout.prop(self, "frame_start")
        layout.prop(self, "frame_rate")
        if self.frame_rate == "SET":
            layout.prop(self, "frames_per_second")
        layout.prop(self, "set_scene_range")

    def _draw_action(self, layout: Any, _context: bpy.types.Context) -> None:
        layout.prop(self, "place")
        layout.prop(self, "rotation_mode")
        layout.prop(self, "action_name")
        layout.prop(self, "fake_user")
        layout.prop(self, "report_text")

    def _paths(self) -> list[Path]:
        names = [file.name for file in self.files if file.name]
        if names:
            return [Path(bpy.path.abspath(self.directory)) / name for name in names]
        if not self.filepath:
            raise AnimBridgeError("No file is given.")
        return [Path(bpy.path.abspath(self.filepath))]

    def _job(self, context: bpy.types.Context) -> FileImport:
        return FileImport(
            target=self._target(context),
            skeleton=self.skeleton_options(),
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

    def _target(self, context: bpy.types.Context) -> bpy.types.Object | None:
        """The armature; None for a new skeleton."""
        # From a script a name alone will do.
        is_named = self.target == "NAMED" or (
            bool(self.armature) and not self.properties.is_property_set("target")
        )
        if is_named:
            if not self.armature:
                raise AnimBridgeError("The target is a named armature, but no name is given.")
            return require_armature(self.armature)
        return None if self.target == "NEW" else active_armature(context.view_layer)


#: Files dropped onto the 3D view and the dope sheet; None where Blender cannot do that.
IO_FH_secondlife = file_handler(
    "IO_FH_animbridge_secondlife",
    "Second Life Animation",
    _IDNAME,
    (".anim", ".animatn"),
    frozenset({"VIEW_3D", "DOPESHEET_EDITOR"}),
)


def _summary(outcome: FilesResult, place: Place) -> str:
    """One line of what happened."""
    last = outcome.done[-1]
    rest = f", {len(outcome.failed)} failed" if outcome.failed else ""
    name = last.result.channels.action.name
    if place is Place.NLA:
        then = "each plays on an NLA track of its own"
    elif last.was_merged:
        then = f"merged into the Action '{name}', which keeps its priorities, loop and eases"
    else:
        then = f"the Action '{name}' plays"
    hidden = f"; hidden, for nothing moves them: {', '.join(outcome.hidden_groups)}"
    return f"{len(outcome.done)} imported{rest}; {then}{hidden if outcome.hidden_groups else ''}"
