# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts animation files to .blend files and back, one at a time in one Blender."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import bpy

from .. import kinds
from ..kinds.kind import BlendFiles, Kind
from ..package import Document
from ..scene import templates
from ..scene.export.result import ExportResult
from ..scene.import_.options import AnimationResult
from ..scene.playing import Playing, playing_on_armatures
from ..scene.source_files import SourceFile
from ..scene.timing import set_frame_range, set_frames_per_second
from .options import Options

#: Of files that have none, in frames per second.
_USUAL_RATE: Final = 24.0


@dataclass(frozen=True)
class Export:
    """An Action to export. `kind` None: that of the file it was imported from, or else the first kind."""

    playing: Playing
    kind: Kind | None = None

    def run(self, options: Options) -> ExportResult:
        """Makes the document."""
        kind = self.kind or _kind_of_import(self.playing)
        return kind.in_blender().blend_files.export(
            self.playing, options.target, options.flags, options.stop_above_mm
        )


class BlendWriter:
    """Makes one .blend file after another, each in an emptied scene."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._is_clean = False

    def write(self, file: SourceFile, kind: Kind, target: Path) -> AnimationResult:
        """Writes a new file in which a new armature or object plays the document, which is of this kind."""
        self._clear()
        scene, blend_files = bpy.context.scene, kind.in_blender().blend_files
        self._set_rate(scene, blend_files, file.document)
        result = blend_files.import_file(file, scene, self._options.frame_start)
        set_frame_range(scene, result.frame_range)
        scene.frame_set(scene.frame_start)
        # Blender refuses relative paths.
        path = str(target.absolute())
        bpy.ops.wm.save_as_mainfile(
            filepath=path, check_existing=False, compress=True, copy=True, relative_remap=False
        )
        return result

    def _set_rate(self, scene: bpy.types.Scene, blend_files: BlendFiles, document: Document) -> None:
        """Sets the wanted rate, or else the file's own, or else the usual one: that of the last file goes."""
        wanted = self._options.frames_per_second
        rate = blend_files.frame_rate(document) if wanted is None else wanted
        set_frames_per_second(scene, _USUAL_RATE if rate is None else rate)

    def _clear(self) -> None:
        if not self._is_clean:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            self._is_clean = True
        bpy.data.batch_remove([*bpy.data.objects, *bpy.data.armatures, *bpy.data.actions])


def open_blend(path: Path, target: str) -> list[Export]:
    """Opens a .blend file, without its windows and scripts, and finds what can become a `target`.

    If the target is of no kind (JSON), kinds that export something other than Actions on armatures come
    first, and only with what was imported.
    """
    bpy.ops.wm.open_mainfile(filepath=str(path.absolute()), load_ui=False, use_scripts=False)
    wanted = kinds.kind_for_target(target)
    for kind in [wanted] if wanted else kinds.KINDS:
        found = kind.in_blender().blend_files.find_playing(imported=wanted is None)
        if found or (wanted and found is not None):
            return [Export(one, kind) for one in found]
    return [Export(one, wanted) for one in playing_on_armatures()]


def _kind_of_import(playing: Playing) -> Kind:
    """The kind of the file that an armature's Action was imported from; the first one if there is none."""
    template = templates.load(playing.action)
    kind = kinds.kind_of(template.format_id) if template else None
    return kind if kind and kind.exports_armatures else kinds.KINDS[0]
