# SPDX-License-Identifier: GPL-3.0-or-later
"""What all import operators share: which files become which Actions on which armature."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, Final

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import OperatorFileListElement
from bpy_extras.io_utils import ImportHelper

from ..compat.interface import ask_for_options, folding_panel
from ..package import AnimBridgeError
from ..scene.armature.makers import ArmatureMaker
from ..scene.armature.reading import active_armature, require_armature
from ..scene.avatar.maker import SlSkeletons
from ..scene.avatar.skeleton import SkeletonOptions
from ..scene.framing import frame_selected, is_bare
from ..scene.import_.files import FileImport, FilesResult, Place, SceneRange, import_files
from ..scene.import_.importer import Importer
from ..scene.import_.text import TEXT_NAME, write_report
from ..scene.retarget_choice import Retarget
from ..scene.timing import HIGHEST_FRAMES_PER_SECOND, LOWEST_FRAMES_PER_SECOND
from .clip_options import ClipToolProperties
from .panels import draw_note
from .reporting import report_done, report_error, report_failed
from .retarget_option import RetargetProperties
from .rig_map_option import RigMapProperty

_PLACE_ITEMS = (
    ("NEW", "New Action", "One new Action per file. The armature plays the last one"),
    (
        "MERGE",
        "Into Active Action",
        "The file's keys replace those of the same bones and frames in the Action that the armature plays. "
        "All other keys stay",
    ),
    ("NLA", "New NLA Track", "One new Action per file, each on a new NLA track"),
)
_RANGE_ITEMS = (
    (
        "NEW_TARGET",
        "Automatic",
        "A new armature or object sets the range. On an existing one, a longer animation moves the end",
    ),
    ("ALWAYS", "Set", "Every import sets the range"),
    ("NEVER", "Keep", "The range stays as it is"),
)
#: The frame rate that an operator's choice of one may offer.
SET_RATE_ITEM: Final = (
    "SET",
    "Set Rate",
    "The scene gets the frame rate below. Its existing keys stay on their frames",
)
ROTATION_ITEMS: Final = (
    ("QUATERNION", "Quaternions", "Bones use quaternions, as the files do"),
    (
        "OWN",
        "Bone's Own",
        "Bones with Euler angles keep their rotation mode. Angles do not jump, and get extra keys where they "
        "would otherwise show another rotation",
    ),
)
#: The targets of imports of files that have skeletons of their own, or none.
_TARGET_ITEMS: Final = (
    (
        "ACTIVE",
        "Automatic",
        "The active armature, or that of the active mesh. If none is active, a person's motion gets a new "
        "Second Life avatar, and any other a new armature with the file's skeleton",
    ),
    ("NAMED", "Named Armature", "The armature object with the name below"),
    ("NEW", "New Armature", "A new armature with the file's skeleton. Files with the same skeleton share it"),
    (
        "AVATAR",
        "New Second Life Avatar",
        "A new Second Life skeleton with a simple body, which moves like the file's body",
    ),
)


def armature_names(_self: Any, _context: bpy.types.Context, text: str) -> list[str]:
    """The armature objects whose names hold the text."""
    return [
        one.name for one in bpy.data.objects if one.type == "ARMATURE" and text.lower() in one.name.lower()
    ]


def chosen_paths(properties: Any) -> list[Path]:
    """The files that an importer's properties name. Callbacks get the properties, not the operator."""
    names = [file.name for file in properties.files if file.name]
    if names:
        return [Path(bpy.path.abspath(properties.directory)) / name for name in names]
    if not properties.filepath:
        raise AnimBridgeError("No file is chosen.")
    return [Path(bpy.path.abspath(properties.filepath))]


class AnimationFiles(ImportHelper):
    """The files and the options of every import, for operators to inherit."""

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    files: CollectionProperty(type=OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    frame_start: FloatProperty(
        name="Start Frame",
        description="The frame where the animation starts",
        default=1.0,
    )
    set_scene_range: EnumProperty(
        name="Scene Range",
        description="Whether the import sets the scene's start and end frame",
        items=_RANGE_ITEMS,
        default="NEW_TARGET",
    )
    fake_user: BoolProperty(
        name="Fake User",
        description="Save new Actions with the .blend file even if nothing uses them",
        default=True,
    )
    report_text: BoolProperty(
        name="Report as Text",
        description=f"Write all findings and every unmatched joint into the text '{TEXT_NAME}'",
        default=False,
    )

    def import_paths(self, context: bpy.types.Context, paths: list[Path]) -> FilesResult:
        """Imports the files by the operator's options."""
        raise NotImplementedError

    def summary(self, outcome: FilesResult) -> str:
        """One line of what happened."""
        raise NotImplementedError

    def sections(self) -> tuple[tuple[str, str, Any], ...]:
        """The parts of the dialog: an id, a title, and what draws it; "action" begins folded."""
        raise NotImplementedError

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """A popup with the options when files were dropped, else the file browser."""
        if self.directory and any(file.name for file in self.files):
            return ask_for_options(self, context)
        return ImportHelper.invoke(self, context, event)  # pyright: ignore[reportArgumentType]

    def execute(self, context: bpy.types.Context) -> set[Any]:
        operator: Any = self
        was_bare = is_bare(context.view_layer)
        try:
            outcome = self.import_paths(context, self.paths())
        except AnimBridgeError as error:
            return report_error(operator, error)
        if not outcome.done:
            return report_failed(operator, outcome.failed)
        if was_bare:
            frame_selected(context)
        if self.report_text:
            write_report(outcome)
        # What is wrong with a file is said once, however many Actions it becomes.
        warnings = [line for one in outcome.done for line in one.warnings]
        details = [line for one in outcome.done for line in one.details]
        if outcome.hidden_groups:
            details.append(f"hidden (not animated): {', '.join(outcome.hidden_groups)}")
        return report_done(
            operator, self.summary(outcome), warnings=[*warnings, *outcome.failed], details=details
        )

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name, title, draw in self.sections():
            body = folding_panel(
                layout, f"ANIMBRIDGE_import_{name}", title, is_closed=name in ("action", "clip")
            )
            if body is not None:
                draw(body.column(), context)

    def paths(self) -> list[Path]:
        """The files that were chosen."""
        return chosen_paths(self)


class TargetArmature:
    """Which armature gets the motion, for operators to inherit.

    An operator has `target` (ACTIVE, NAMED or NEW). `no_active`: what the dialog says if no armature is
    active.
    """

    no_active: ClassVar[tuple[str, ...]]
    armature: StringProperty(
        name="Armature",
        description="The armature object that gets the animation",
        search=armature_names,
    )

    def draw_choice(self, layout: Any, context: bpy.types.Context) -> bool:
        """Draws which armature gets the motion; whether it would be the active one, but none is active."""
        operator: Any = self
        layout.prop(self, "target")
        if operator.target == "NAMED":
            layout.prop(self, "armature")
        lacks_armature = operator.target == "ACTIVE" and active_armature(context.view_layer) is None
        if lacks_armature:
            draw_note(layout, *self.no_active)
        return lacks_armature

    def target_armature(self, context: bpy.types.Context) -> bpy.types.Object | None:
        """The armature; None for a new one."""
        operator: Any = self
        # In a script, a name alone is enough.
        is_named = operator.target == "NAMED" or (
            bool(self.armature) and not operator.properties.is_property_set("target")
        )
        if is_named:
            if not self.armature:
                raise AnimBridgeError("No armature is named. Give its name, or choose another target.")
            return require_armature(self.armature)
        return active_armature(context.view_layer) if operator.target == "ACTIVE" else None


class FilesImport(TargetArmature, ClipToolProperties, RetargetProperties, RigMapProperty, AnimationFiles):
    """The options that imports onto armatures share, for operators to inherit.

    An operator has `frame_rate` and `filter_glob` too.
    """

    importer: ClassVar[Importer[Any]]
    frames_per_second: FloatProperty(
        name="Frames per Second",
        description="The scene's new frame rate, such as 24, 29.97 or 45",
        default=30.0,
        min=LOWEST_FRAMES_PER_SECOND,
        max=HIGHEST_FRAMES_PER_SECOND,
        soft_min=1.0,
        soft_max=120.0,
        precision=3,
    )
    trim: StringProperty(
        name="Trim",
        description=(
            "The part of the file to import: seconds (2:14.5), frames of the file (60f:435f) or percent "
            "(10%:90%). Empty: all of it"
        ),
    )
    place: EnumProperty(
        name="Import As", description="What the animation becomes", items=_PLACE_ITEMS, default="NEW"
    )
    action_name: StringProperty(
        name="Action Name",
        description=(
            "Name of new Actions. {file} is the name of the file without its extension, {armature} that of "
            "the armature"
        ),
        default="{file}",
    )

    def job(self, target: bpy.types.Object | None) -> dict[str, Any]:
        """The members of FileImport that the format says: options, maker and what else it has."""
        raise NotImplementedError

    def shared_options(self) -> dict[str, Any]:
        """The members of ImportOptions that all formats have."""
        return {
            "frame_start": self.frame_start,
            "action_name": self.action_name,
            "fake_user": self.fake_user,
            "rig_map": self.read_rig_map(),
            "retarget": Retarget[self.retarget],
            "import_anyway": self.import_anyway,
        }

    def draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        """Draws the choice of the armature."""
        raise NotImplementedError

    def draw_fitting(self, layout: Any) -> None:
        """Draws how motion fits an armature that isn't made for it."""
        self.draw_retarget(layout)
        layout.prop(self, "rig_map")

    def import_paths(self, context: bpy.types.Context, paths: list[Path]) -> FilesResult:
        operator: Any = self
        target = self.target_armature(context)
        job = FileImport(
            importer=self.importer,
            target=target,
            place=Place[self.place],
            frames_per_second=self.frames_per_second if operator.frame_rate == "SET" else None,
            scene_range=SceneRange[self.set_scene_range],
            trim=self.trim.strip(),
            tools=self.chosen_tools(),
            **self.job(target),
        )
        return import_files(context, paths, job)

    def summary(self, outcome: FilesResult) -> str:
        return import_summary(outcome, Place[self.place])

    def sections(self) -> tuple[tuple[str, str, Any], ...]:
        return (
            ("target", "Armature", self.draw_target),
            ("time", "Time", self._draw_time),
            ("action", "Action", self._draw_action),
            ("clip", "Clip", self.draw_tools),
        )

    def _draw_time(self, layout: Any, _context: bpy.types.Context) -> None:
        layout.prop(self, "trim")
        layout.prop(self, "frame_start")
        layout.prop(self, "frame_rate")
        if self.frame_rate == "SET":  # pyright: ignore[reportAttributeAccessIssue]
            layout.prop(self, "frames_per_second")
        layout.prop(self, "set_scene_range")

    def _draw_action(self, layout: Any, _context: bpy.types.Context) -> None:
        for name in ("place", "rotation_mode", "action_name", "fake_user", "report_text"):
            if hasattr(self, name):
                layout.prop(self, name)


def bone_axes_property(as_in_file: str) -> Any:
    """The choice of BoneAxes; `as_in_file`: what the files' own axes are."""
    return EnumProperty(
        name="Bone Axes",
        description="Where the bones of a new armature point at rest",
        items=(
            ("LIMBS", "Along Limbs", "Bones point to their children. Elbows and knees bend about X"),
            ("FILE", "As in the File", as_in_file),
        ),
        default="LIMBS",
    )


class SkeletonFilesImport(FilesImport):
    """Imports of files that have skeletons of their own, and may move a person instead."""

    no_active = ("No armature is active:", "a person's motion gets", "a new avatar")
    target: EnumProperty(
        name="Target", description="What gets the motion", items=_TARGET_ITEMS, default="ACTIVE"
    )

    def makers(self, own: ArmatureMaker[Any]) -> dict[str, Any]:
        """The members of FileImport that say which armatures are made; `own`: of the files' skeletons."""
        operator: Any = self
        avatars = SlSkeletons(SkeletonOptions(mannequin=True), is_own=False)
        return {
            "maker": avatars if self.target == "AVATAR" else own,
            "people": avatars if self.target == "ACTIVE" and self.retarget != "NEVER" else None,
            "file_rate": operator.frame_rate == "FILE",
        }


def import_summary(outcome: FilesResult, place: Place, *, keeps: str = "") -> str:
    """How many files were imported, and what plays; `keeps`: what a merge leaves as it was."""
    last = outcome.done[-1]
    name = last.result.channels.action.name
    if place is Place.NLA:
        effect = f"{'it' if len(outcome.done) == 1 else 'each'} plays on an NLA track of its own"
    elif last.was_merged:
        effect = f"merged into the Action '{name}'{keeps}"
    else:
        effect = f"the Action '{name}' plays"
    if outcome.made_people:
        effect += " on a new Second Life avatar (Target > New Armature: on the file's own skeleton)"
    notes = "".join(f"; {note}" for note in last.result.notes)
    return f"{len(outcome.done)} imported{failed_count(outcome)}; {effect}{notes}"


def failed_count(outcome: FilesResult) -> str:
    """The part of a summary that counts failures; "" if there are none."""
    return f", {len(outcome.failed)} failed" if outcome.failed else ""


def glob_of(extensions: Iterable[str]) -> str:
    """The pattern by which a file browser shows files with these extensions."""
    return ";".join(f"*{extension}" for extension in extensions)
