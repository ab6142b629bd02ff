# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation files to .blend files and back, one at a time in one Blender."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import bpy

from ..compat.actions import Channels
from ..native.abi import Target
from ..native.document import Document
from ..native.oban import OBAN_FORMAT
from ..scene import template
from ..scene.armature_makers import BvhSkeletons, SlSkeletons
from ..scene.bvh_import import frame_time_of, rate_of
from ..scene.export_options import (
    BvhExportOptions,
    ExportOptions,
    ExportResult,
    MotionOptions,
    ObanExportOptions,
)
from ..scene.exporting import export_action
from ..scene.files import stem_for
from ..scene.import_options import AnimationResult, ImportOptions
from ..scene.importing import import_document
from ..scene.names import data_block_name
from ..scene.oban_export import export_objects
from ..scene.oban_import import FRAMES_PER_SECOND, Oban, ObanReading, import_oban
from ..scene.object_motion import moved_objects
from ..scene.placement import Placement
from ..scene.placing import assign
from ..scene.playing import playing_pairs
from ..scene.skeleton import SkeletonOptions
from ..scene.timing import set_frame_range, set_frames_per_second
from .options import OBJECT_TARGETS, Options
from .temporary import TemporaryFolders


@dataclass(frozen=True)
class PlayingAction:
    """An Action of the open file and the armature that it plays on."""

    armature: bpy.types.Object
    channels: Channels

    @property
    def action(self) -> bpy.types.Action:
        """The Action itself."""
        return self.channels.action

    def export(self, options: Options) -> ExportResult:
        """The Action by itself, at the frame rate of the armature's scene."""
        scenes = self.armature.users_scene
        scene = scenes[0] if scenes else bpy.context.scene
        return export_action(self.armature, self.channels, scene, self._settings(options), alone=False)

    def _settings(self, options: Options) -> MotionOptions:
        """For JSON: the format of the file that the Action came from, else Second Life's."""
        kept = template.load(self.action) if options.target == "json" else None
        if options.target == "bvh" or (kept is not None and kept.format_id == "bvh"):
            return BvhExportOptions()
        # Sizes are judged by the findings in the file's row: what was imported must come out again.
        return ExportOptions(encoder=options.encoder, facing=options.facing, target=Target.OPENSIM)


@dataclass(frozen=True)
class PlayingObject:
    """An object of the open file and the Action that moves it."""

    thing: bpy.types.Object
    channels: Channels

    @property
    def action(self) -> bpy.types.Action:
        """The Action itself."""
        return self.channels.action

    def export(self, options: Options) -> ExportResult:
        """What Blender shows of the object; for JSON in the kind of file that it came from."""
        container = options.target if options.target in OBJECT_TARGETS else None
        name = stem_for(self.action, set())
        settings = ObanExportOptions(container=container)
        return export_objects([(self.thing, name)], bpy.context.scene, settings)[0]


class BlendWriter:
    """Makes one .blend file after another; what one left is removed before the next."""

    def __init__(self, options: Options, folders: TemporaryFolders) -> None:
        self._options = options
        self._folders = folders
        self._is_clean = False

    def write(self, document: Document, file_name: str, target: Path) -> list[str]:
        """A new file with a new armature, or empty, that plays the document; gives what is worth knowing."""
        self._clear()
        scene = bpy.context.scene
        self._set_rate(scene, document)
        make = self._object if document.format == OBAN_FORMAT else self._armature
        result = make(document, file_name, scene)
        set_frame_range(scene, result.frame_range)
        scene.frame_set(scene.frame_start)
        self._save(target)
        return list(result.warnings)

    def _armature(self, document: Document, file_name: str, scene: bpy.types.Scene) -> AnimationResult:
        options = ImportOptions(self._options.frame_start)
        maker = BvhSkeletons(Placement()) if document.format == "bvh" else SlSkeletons(SkeletonOptions())
        armature = maker.make(bpy.context, maker.plan(document), Path(file_name).stem)
        result = import_document(document, file_name, armature, scene, maker.options(options))
        assign(armature, result.channels)
        return result

    def _object(self, document: Document, file_name: str, scene: bpy.types.Scene) -> AnimationResult:
        thing = bpy.data.objects.new(data_block_name(Path(file_name).stem), None)
        bpy.context.collection.objects.link(thing)
        reading = ObanReading(frame_start=self._options.frame_start)
        return import_oban(Oban(document, "", file_name), thing, scene, reading)

    def _set_rate(self, scene: bpy.types.Scene, document: Document) -> None:
        """The wanted rate, or else that of a file which has one."""
        rate = self._options.frames_per_second
        if rate is None and document.format == "bvh" and frame_time_of(document) > 0.0:
            rate = rate_of(frame_time_of(document))
        if rate is None and document.format == OBAN_FORMAT:
            rate = FRAMES_PER_SECOND
        if rate is not None:
            set_frames_per_second(scene, rate)

    def _save(self, target: Path) -> None:
        """Saves beside the target, under the target's name in a folder of its own, and renames."""
        place = Path(os.path.realpath(target))  # Blender refuses relative paths
        with self._folders.beside(place) as folder:
            partial = folder / place.name
            bpy.ops.wm.save_as_mainfile(
                filepath=str(partial), check_existing=False, compress=True, copy=True, relative_remap=False
            )
            if place.exists():
                partial.chmod(stat.S_IMODE(place.stat().st_mode))
            partial.replace(place)

    def _clear(self) -> None:
        if not self._is_clean:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            self._is_clean = True
        bpy.data.batch_remove([*bpy.data.objects, *bpy.data.armatures, *bpy.data.actions])


def open_blend(path: Path, target: str) -> list[PlayingAction] | list[PlayingObject]:
    """Opens a .blend file, without its windows and scripts, and finds what can become a `target`.

    JSON is of objects where they play animations that were imported, else of armatures.
    """
    bpy.ops.wm.open_mainfile(filepath=str(path.absolute()), load_ui=False, use_scripts=False)
    objects = [PlayingObject(*pair) for pair in moved_objects(imported=target not in OBJECT_TARGETS)]
    if target in OBJECT_TARGETS or (target == "json" and objects):
        return objects
    return [PlayingAction(armature, channels) for armature, channels in playing_pairs()]
