# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs from files, and into files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ..package import (
    AnimBridgeError,
    Loaded,
    Rig,
    Status,
    bone_maps,
    counted,
    loaded_pairs,
    rig_files,
    write_whole,
)
from ..ui.reporting import run_reported
from .preview import end
from .properties import pairs_of, set_pairs, settings_of
from .setup import sides_of


class ANIMBRIDGE_OT_retarget_load(ImportHelper, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Read pairs of bones from a file: AnimBridge's own, or a bone map of Rokoko, KeeMap, the VRM add-on \
or Onigiri"""

    bl_idname = "animbridge.retarget_load"
    bl_label = "Load Pairs"
    bl_options = {"REGISTER", "UNDO"}

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.json;*.onim", options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._work(context))

    def _work(self, context: bpy.types.Context) -> str:
        settings = settings_of(context.scene)
        path = Path(bpy.path.abspath(self.filepath))
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise AnimBridgeError(f"The map {path} cannot be read: {fault}", Status.IO) from fault
        one, other = sides_of(settings)
        source = Rig(one.thing.name, one.standing, settings.source_rig)
        target = Rig(other.thing.name, other.standing, settings.target_rig)
        loaded = loaded_pairs(source, target, bone_maps.read_map(text, path.name), path.name)
        end(settings)
        _take_rigs(settings, loaded)
        set_pairs(settings, loaded.pairs)
        return f"{counted(len(loaded.pairs), 'pair')} from {path.name}{loaded.note}"


class ANIMBRIDGE_OT_retarget_save(ExportHelper, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Write the list of pairs and the chosen rigs to a file"""

    bl_idname = "animbridge.retarget_save"
    bl_label = "Save Pairs"
    bl_options = {"REGISTER"}

    filename_ext = ".json"
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return len(settings_of(context.scene).pairs) > 0

    def execute(self, context: bpy.types.Context) -> set[Any]:
        return run_reported(self, lambda: self._work(context))

    def _work(self, context: bpy.types.Context) -> str:
        settings = settings_of(context.scene)
        pairs = pairs_of(settings)
        file = bone_maps.BonePairs(tuple(pairs), settings.source_rig, settings.target_rig)
        path = Path(bpy.path.abspath(self.filepath))
        try:
            write_whole(path, bone_maps.write_pairs(file).encode("utf-8", "surrogateescape"))
        except OSError as fault:
            raise AnimBridgeError(
                f"The file {path} cannot be written: {fault.strerror}", Status.IO
            ) from fault
        return f"{counted(len(pairs), 'pair')} written to {path.name}"


def _take_rigs(settings: Any, loaded: Loaded) -> None:
    """Makes the rig files those of the settings; a pose that one stores becomes the reference pose."""
    for side, rig in (("source", loaded.source_rig), ("target", loaded.target_rig)):
        if rig is None:
            continue
        setattr(settings, f"{side}_rig", rig)
        if rig_files.reference_of(rig):
            setattr(settings, f"{side}_reference", "STORED")


CLASSES = (ANIMBRIDGE_OT_retarget_load, ANIMBRIDGE_OT_retarget_save)
