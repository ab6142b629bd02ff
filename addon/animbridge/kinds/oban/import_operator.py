# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Oni Animation (.oni/.dat/.xml/.oban)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from mathutils import Matrix

from ...package import AnimBridgeError, counted
from ...scene.import_.files import FilesResult, SceneRange
from ...ui.import_files import AnimationFiles, chosen_paths, failed_count, glob_of
from ...ui.option_property import option_property
from ...ui.panels import draw_note
from . import KIND
from .files import ObanImport, Onto, import_obans, names_in
from .options import ObanImportOptions

_TARGET_ITEMS = (
    (
        "ACTIVE",
        "Active Object",
        "The active object, of any type. Without one, or for several animations, new empties",
    ),
    ("EMPTY", "New Empty", "A new empty for each animation"),
    (
        "CAMERA",
        "New Camera",
        "A new camera for each animation. The game's cameras look as Blender's do",
    ),
)
AXES_ITEMS = (
    (
        "FILE",
        "File's",
        "The object's vertices are in the game's axes (Y up), as OniSplit writes them. Also for empties",
    ),
    (
        "BLENDER",
        "Blender's",
        "The object's vertices are Z up, or were modelled in Blender. Cameras ignore this",
    ),
)
_RATE_ITEMS = (
    (
        "AUTO",
        "Automatic",
        "A scene without other Actions gets the game's rate, 60 frames per second. Any other keeps its rate",
    ),
    (
        "SCENE",
        "Scene's Rate",
        "The scene keeps its rate. Keys may lie between frames of the scene",
    ),
    ("GAME", "60 (Game's)", "The scene gets the game's rate, 60 frames per second"),
)


def _level_names(properties: Any, _context: bpy.types.Context | None, text: str) -> list[str]:
    """The animations of the chosen level whose names contain the text."""
    try:
        names = [name for path in chosen_paths(properties) for name in names_in(path)]
    except AnimBridgeError:
        return []
    return [name for name in names if text.lower() in name.lower()]


def _object_names(_self: Any, _context: bpy.types.Context, text: str) -> list[str]:
    return [one.name for one in bpy.data.objects if text.lower() in one.name.lower()]


class IMPORT_ANIM_OT_oni(AnimationFiles, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import animations of objects, doors and cameras of the game Oni (OBAN), from files or levels"""

    bl_idname = "import_anim.oni"
    bl_label = "Import OBAN"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".oni"
    filter_glob: StringProperty(default=glob_of(KIND.extensions), options={"HIDDEN"})
    target: EnumProperty(
        name="Target", description="What the animation moves", items=_TARGET_ITEMS, default="ACTIVE"
    )
    oban: StringProperty(
        name="OBAN",
        description="Which animation of a level (.dat) is imported, with or without the tag OBAN",
        search=_level_names,
        options={"SKIP_SAVE"},
    )
    all: BoolProperty(
        name="All of the Level",
        description="Import every animation of a level (.dat), each onto a new object",
        default=False,
        options={"SKIP_SAVE"},
    )
    axes: option_property("oban", "to_curves", "axes", name="Axes", items=AXES_ITEMS)
    origin: StringProperty(
        name="Origin",
        description=(
            "The object that stands where a local animation (flag ZAxisUp) plays in the level. Empty: the "
            "world's origin"
        ),
        search=_object_names,
    )
    frame_rate: EnumProperty(
        name="Frame Rate",
        description="Which frame of the scene each frame of the game (60 per second) becomes",
        items=_RATE_ITEMS,
        default="AUTO",
    )
    action_name: StringProperty(
        name="Action Name",
        description=(
            "Name of new Actions. {name} stands for the animation's name in a level, or else the file's, "
            "{file} for the file's without its extension, {object} for the object's"
        ),
        default="{name}",
    )

    def import_paths(self, context: bpy.types.Context, paths: list[Path]) -> FilesResult:
        job = ObanImport(
            onto=Onto[self.target],
            target=context.view_layer.objects.active,
            oban=self.oban,
            takes_all=self.all,
            at_60=self.frame_rate == "GAME" or (self.frame_rate == "AUTO" and not bpy.data.actions),
            options=ObanImportOptions(
                frame_start=self.frame_start,
                axes=self.axes.lower(),
                origin=self._origin(context),
                action_name=self.action_name,
                fake_user=self.fake_user,
            ),
            scene_range=SceneRange[self.set_scene_range],
        )
        return import_obans(context, paths, job)

    def _origin(self, context: bpy.types.Context) -> Matrix | None:
        if not self.origin:
            return None
        found = bpy.data.objects.get(self.origin)
        if found is None:
            raise AnimBridgeError(f"There is no object named '{self.origin}' for the origin.")
        context.view_layer.update()
        return found.matrix_world

    def summary(self, outcome: FilesResult) -> str:
        name = outcome.done[-1].result.channels.action.name
        imported = f"{counted(len(outcome.done), 'animation')} imported{failed_count(outcome)}"
        return f"{imported}; the Action '{name}' plays"

    def sections(self) -> tuple[tuple[str, str, Any], ...]:
        return (
            ("oni_object", "Object", self._draw_object),
            ("oni_time", "Time", self._draw_time),
            ("action", "Action", self._draw_action),
        )

    def _draw_object(self, layout: Any, context: bpy.types.Context) -> None:
        found = len(_level_names(self, context, ""))
        level = layout.column()
        level.enabled = found > 0
        if found:
            level.label(text=f"{counted(found, 'animation')} in this level", icon="PRESET")
        level.prop(self, "all")
        choice = level.column()
        choice.enabled = not self.all
        choice.prop(self, "oban")
        layout.prop(self, "target")
        if self.target == "ACTIVE" and context.view_layer.objects.active is None:
            draw_note(layout, "No object is active", "Makes a new empty")
        axes = layout.column()
        axes.enabled = self.target != "CAMERA"
        axes.prop(self, "axes")
        layout.prop(self, "origin")

    def _draw_time(self, layout: Any, _context: bpy.types.Context) -> None:
        for name in ("frame_start", "frame_rate", "set_scene_range"):
            layout.prop(self, name)

    def _draw_action(self, layout: Any, _context: bpy.types.Context) -> None:
        for name in ("action_name", "fake_user", "report_text"):
            layout.prop(self, name)
