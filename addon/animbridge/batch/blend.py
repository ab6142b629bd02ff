# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation files to .blend files and back, one at a time in one Blender."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import bpy

from ..compat.actions import Channels
from ..native.abi import Target
from ..native.document import Document
from ..scene.export_options import ExportOptions, ExportResult
from ..scene.exporting import export_action
from ..scene.importing import ImportOptions, import_document
from ..scene.placing import assign
from ..scene.playing import playing_pairs
from ..scene.skeleton import create_sl_skeleton
from ..scene.timing import set_frame_range, set_frames_per_second
from .options import Options


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
        # Sizes are judged by the findings in the file's row: what was imported must come out again.
        settings = ExportOptions(encoder=options.encoder, facing=options.facing, target=Target.OPENSIM)
        return export_action(self.armature, self.channels, scene, settings, alone=False)


class BlendWriter:
    """Makes one .blend file after another; what one left is removed before the next."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._is_clean = False

    def write(self, document: Document, file_name: str, target: Path) -> list[str]:
        """A new file with a Second Life skeleton that plays the document; gives what is worth knowing."""
        self._clear()
        scene = bpy.context.scene
        if self._options.frames_per_second is not None:
            set_frames_per_second(scene, self._options.frames_per_second)
        skeleton = create_sl_skeleton(bpy.context)
        options = ImportOptions(self._options.frame_start)
        result = import_document(document, file_name, skeleton, scene, options)
        assign(skeleton, result.channels)
        set_frame_range(scene, result.frame_range)
        scene.frame_set(scene.frame_start)
        _save(target)
        return list(result.warnings)

    def _clear(self) -> None:
        if not self._is_clean:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            self._is_clean = True
        bpy.data.batch_remove([*bpy.data.objects, *bpy.data.armatures, *bpy.data.actions])


def open_blend(path: Path) -> list[PlayingAction]:
    """Opens a .blend file, without its windows and scripts, and finds what plays on its armatures."""
    bpy.ops.wm.open_mainfile(filepath=str(path.absolute()), load_ui=False, use_scripts=False)
    return [PlayingAction(armature, channels) for armature, channels in playing_pairs()]


def _save(target: Path) -> None:
    """Saves beside the target, under the target's name in a folder of its own, and renames."""
    target = target.absolute()  # Blender refuses relative paths
    with tempfile.TemporaryDirectory(prefix=".animbridge-", dir=target.parent) as folder:
        partial = Path(folder) / target.name
        bpy.ops.wm.save_as_mainfile(
            filepath=str(partial), check_existing=False, compress=True, copy=True, relative_remap=False
        )
        partial.replace(target)
