# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation files onto one armature, in any number and to any place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

import bpy

from ..native.document import Document
from ..native.errors import AnimBridgeError
from ..native.text import printable
from .estimate import keyed_bones
from .importing import ImportOptions, ImportResult, import_document
from .merging import merge_document
from .placing import add_nla_track, animation_of, assign
from .skeleton import SkeletonOptions, create_sl_skeleton, hide_unmoved_groups, remove_armature
from .timing import set_frame_range, set_frames_per_second


class Place(Enum):
    """Where an animation goes."""

    NEW = "a new Action, which the armature plays"
    MERGE = "the Action that the armature plays already; a new one if there is none"
    NLA = "a new Action on an NLA track of its own"


class SceneRange(Enum):
    """When the scene's start and end become those of what plays."""

    NEW_SKELETON = "when the import made a skeleton"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True)
class FileImport:
    """What is to be done. `target` None: a new skeleton; `frames_per_second` None: the scene's own."""

    target: bpy.types.Object | None
    skeleton: SkeletonOptions = field(default_factory=SkeletonOptions)
    options: ImportOptions = field(default_factory=ImportOptions)
    place: Place = Place.NEW
    frames_per_second: float | None = None
    scene_range: SceneRange = SceneRange.NEW_SKELETON


@dataclass(frozen=True)
class FileResult:
    """A file that was imported."""

    path: Path
    result: ImportResult
    was_merged: bool

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is worth knowing, each with the file's name."""
        return tuple(printable(f"{self.path.name}: {warning}") for warning in self.result.warnings)


@dataclass
class FilesResult:
    """What became of the files: those that were imported, and an error for each of the others.

    `hidden_groups`: of the new skeleton, for no file moves them.
    """

    done: list[FileResult] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    hidden_groups: list[str] = field(default_factory=list)


def import_files(context: bpy.types.Context, paths: list[Path], job: FileImport) -> FilesResult:
    """Imports one file after another; what is wrong with one does not stop the others.

    Where all fail, the scene is as it was.
    """
    outcome = FilesResult()
    with _skeleton_on_demand(context, job) as armature, _rate_set(context.scene, job, outcome):
        for path in paths:
            try:
                outcome.done.append(armature.import_one(path))
            except AnimBridgeError as error:
                outcome.failed.append(_failure(path, error))
    if not outcome.done:
        return outcome
    if armature.made is not None:
        moved = set[str]().union(*(keyed_bones(one.result.channels.action) for one in outcome.done))
        outcome.hidden_groups = hide_unmoved_groups(armature.made, job.skeleton, moved)
    if job.scene_range is SceneRange.ALWAYS or (
        job.scene_range is SceneRange.NEW_SKELETON and armature.made is not None
    ):
        shown = outcome.done[-1:] if job.place is Place.NEW else outcome.done
        ranges = [one.result.frame_range for one in shown]
        set_frame_range(context.scene, (min(r[0] for r in ranges), max(r[1] for r in ranges)))
    return outcome


def _failure(path: Path, error: AnimBridgeError) -> str:
    """The error with the file's name, which those of the library have already."""
    text = printable(error.message)
    return text if printable(path.name) in text else f"{printable(path.name)}: {text}"


class _Target:
    """The armature that the files go onto; a new skeleton is made for the first file that can be read."""

    def __init__(self, context: bpy.types.Context, job: FileImport) -> None:
        self._context = context
        self._job = job
        self._armature = job.target
        self.made: bpy.types.Object | None = None
        self.is_used = False

    def import_one(self, path: Path) -> FileResult:
        document = Document.read_file(path)
        options = self._job.options
        if self._job.target is None:
            options = replace(options, facing=self._job.skeleton.facing)
        if self._armature is None:
            self._armature = self.made = create_sl_skeleton(self._context, self._job.skeleton)
        merges = self._job.place is Place.MERGE and animation_of(self._armature).action is not None
        if merges:
            result = merge_document(document, self._armature, self._context.scene, options)
        else:
            result = self._import_new(document, path, self._armature, options)
        self.is_used = True
        return FileResult(path, result, merges)

    def _import_new(
        self, document: Document, path: Path, armature: bpy.types.Object, options: ImportOptions
    ) -> ImportResult:
        result = import_document(document, path.name, armature, self._context.scene, options)
        if not result.matched_joints and self.made is None:
            bpy.data.actions.remove(result.channels.action)
            raise AnimBridgeError(f"{result.warnings[0]}.")
        if self._job.place is Place.NLA:
            add_nla_track(armature, result.channels, result.frame_range)
        else:
            assign(armature, result.channels)
        return result


@contextmanager
def _skeleton_on_demand(context: bpy.types.Context, job: FileImport) -> Iterator[_Target]:
    """A new skeleton that nothing was imported onto is removed again."""
    target = _Target(context, job)
    try:
        yield target
    finally:
        if target.made is not None and not target.is_used:
            remove_armature(target.made)


@contextmanager
def _rate_set(scene: bpy.types.Scene, job: FileImport, outcome: FilesResult) -> Iterator[None]:
    """The scene's rate, set before the keys are placed by it, and put back when nothing was imported."""
    before = (scene.render.fps, scene.render.fps_base)
    if job.frames_per_second is not None:
        set_frames_per_second(scene, job.frames_per_second)
    try:
        yield
    finally:
        if not outcome.done:
            scene.render.fps, scene.render.fps_base = before
