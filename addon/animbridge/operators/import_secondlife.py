# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Second Life Animation (.anim)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import OperatorFileListElement
from bpy_extras.io_utils import ImportHelper

from ..native.abi import Facing
from ..native.document import Document
from ..native.errors import AnimBridgeError
from ..native.text import printable
from ..scene.armature import active_armature, create_sl_skeleton, remove_armature, require_armature
from ..scene.importing import ImportOptions, ImportResult, assign, import_document
from .facing import FACING_ITEMS


class IMPORT_ANIM_OT_secondlife(bpy.types.Operator, ImportHelper):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Import Second Life or OpenSim animations: one Action per file, and the last one plays"""

    bl_idname = "import_anim.secondlife"
    bl_label = "Import Second Life Animation"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".anim"
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.anim;*.animatn", options={"HIDDEN"})
    files: CollectionProperty(type=OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    armature: StringProperty(
        name="Armature",
        description=(
            "The armature object that gets the animation, its bones named as the avatar's joints. "
            "Empty: the active armature, or a new Second Life skeleton if there is none"
        ),
    )
    frame_start: FloatProperty(
        name="Start Frame",
        description="The frame of the animation's second 0. Later keys follow at the scene's frame rate",
        default=1.0,
        soft_min=0.0,
    )
    facing: EnumProperty(
        name="Character Looks",
        description="Where the character looks in the armature's own space",
        items=FACING_ITEMS,
        default="AUTO",
    )
    set_scene_range: BoolProperty(
        name="Set Scene Range",
        description="Set the scene's start and end frame to those of the last animation",
        default=False,
    )

    def execute(self, context: bpy.types.Context) -> set[Any]:
        try:
            paths = self._paths()
            done, failed = self._import_all(context, paths)
        except AnimBridgeError as error:
            self.report({"ERROR"}, printable(error.message))
            return {"CANCELLED"}
        if not done:
            self.report({"ERROR"}, "\n".join(failed))
            return {"CANCELLED"}
        for line in failed:
            self.report({"WARNING"}, line)
        if self.set_scene_range:
            _set_scene_range(context.scene, done[-1].frame_range)
        action = done[-1].channels.action.name
        rest = f", {len(failed)} failed" if failed else ""
        self.report({"INFO"}, f"{len(done)} imported{rest}; the Action '{action}' plays")
        return {"FINISHED"}

    def _paths(self) -> list[Path]:
        names = [file.name for file in self.files if file.name]
        if names:
            return [Path(bpy.path.abspath(self.directory)) / name for name in names]
        if not self.filepath:
            raise AnimBridgeError("No file is given.")
        return [Path(bpy.path.abspath(self.filepath))]

    def _import_all(
        self, context: bpy.types.Context, paths: list[Path]
    ) -> tuple[list[ImportResult], list[str]]:
        target = require_armature(self.armature) if self.armature else active_armature(context.view_layer)
        made = None
        done: list[ImportResult] = []
        failed: list[str] = []
        for path in paths:
            try:
                document = Document.read_file(path)
                target = target or (made := create_sl_skeleton(context))
                result = self._import_one(context, document, path, target, target is made)
                assign(target, result.channels)
            except AnimBridgeError as error:
                failed.append(printable(error.message))
                continue
            done.append(result)
        if made is not None and not done:
            remove_armature(made)
        return done, failed

    def _import_one(
        self,
        context: bpy.types.Context,
        document: Document,
        path: Path,
        target: bpy.types.Object,
        is_new: bool,
    ) -> ImportResult:
        options = ImportOptions(self.frame_start, Facing[self.facing])
        result = import_document(document, path.name, target, context.scene, options)
        if not result.matched_joints and not is_new:
            bpy.data.actions.remove(result.channels.action)
            raise AnimBridgeError(f"{path}: {result.warnings[0]}.")
        for warning in result.warnings:
            self.report({"WARNING"}, printable(f"{path.name}: {warning}"))
        return result


def _set_scene_range(scene: bpy.types.Scene, frame_range: tuple[float, float]) -> None:
    """Whole frames around the animation; a scene has no frames below 0."""
    scene.frame_start = max(math.floor(frame_range[0]), 0)
    scene.frame_end = max(math.ceil(frame_range[1]), 0)
