# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation files onto one armature, in any number and to any place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import bpy

from ..native.document import Document, formats, read_bytes
from ..native.errors import AnimBridgeError
from ..native.text import printable
from .armature_makers import ArmatureMaker
from .bvh_import import frame_time_of, rate_of
from .estimate import keyed_bones
from .import_options import AnimationResult, ImportOptions
from .importing import import_document
from .merging import merge_document
from .new_armature import remove_armature
from .placing import add_nla_track, animation_of, assign
from .timing import set_frame_range, set_frames_per_second


class Place(Enum):
    """Where an animation goes."""

    NEW = "a new Action, which the armature plays"
    MERGE = "the Action that the armature plays already; a new one if there is none"
    NLA = "a new Action on an NLA track of its own"


class SceneRange(Enum):
    """When the scene's start and end become those of what plays."""

    NEW_TARGET = "when the import made the armature or object"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True)
class FileImport:
    """What is to be done with files of one format.

    `target` None: new armatures of `maker`. `frames_per_second`: the scene's new rate; None: its own.
    `file_rate`: the scene gets the rate of the first file that has one. `lenient`: text that contradicts
    itself is read as far as it makes sense.
    """

    format_id: str
    maker: ArmatureMaker
    target: bpy.types.Object | None = None
    options: ImportOptions = field(default_factory=ImportOptions)
    place: Place = Place.NEW
    frames_per_second: float | None = None
    file_rate: bool = False
    scene_range: SceneRange = SceneRange.NEW_TARGET
    lenient: bool = False


@dataclass(frozen=True)
class FileResult:
    """A file that was imported."""

    path: Path
    result: AnimationResult
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
    with (
        _armatures_on_demand(context, job) as armatures,
        rate_set(context.scene, job.frames_per_second, outcome),
    ):
        for path in paths:
            try:
                outcome.done.append(armatures.import_one(path))
            except AnimBridgeError as error:
                outcome.failed.append(failure_of(path, error))
    if not outcome.done:
        return outcome
    outcome.hidden_groups = armatures.tidy()
    if job.scene_range is SceneRange.ALWAYS or (
        job.scene_range is SceneRange.NEW_TARGET and job.target is None
    ):
        shown = armatures.playing if job.place is Place.NEW else outcome.done
        ranges = [one.result.frame_range for one in shown]
        set_frame_range(context.scene, (min(r[0] for r in ranges), max(r[1] for r in ranges)))
    return outcome


def failure_of(path: Path, error: AnimBridgeError) -> str:
    """The error with the file's name, which those of the library have already."""
    text = printable(error.message)
    return text if printable(path.name) in text else f"{printable(path.name)}: {text}"


@dataclass(frozen=True)
class _File:
    """A file that was read; `source`: its bytes, if they are of the document's own format."""

    path: Path
    document: Document
    source: bytes | None


@dataclass
class _Made:
    """A new armature, and the files that were imported onto it."""

    plan: Any
    armature: bpy.types.Object
    files: list[FileResult] = field(default_factory=list)


class _Armatures:
    """What the files go onto; new armatures are made for the first file that needs them and can be read."""

    def __init__(self, context: bpy.types.Context, job: FileImport) -> None:
        self._context = context
        self._job = job
        self._has_rate = False
        self.made: list[_Made] = []
        self.onto_target: list[FileResult] = []

    @property
    def playing(self) -> list[FileResult]:
        """Of each armature the file that it plays, if each is one new Action."""
        return [files[-1] for files in (self.onto_target, *(one.files for one in self.made)) if files]

    def import_one(self, path: Path) -> FileResult:
        file = self._read(path)
        self._set_rate(file.document)
        if self._job.target is not None:
            result = self._import(file, self._job.target, self._job.options)
            self.onto_target.append(result)
            return result
        made = self._made_for(file)
        result = self._import(file, made.armature, self._job.maker.options(self._job.options))
        made.files.append(result)
        return result

    def tidy(self) -> list[str]:
        """Hides groups of the new armatures that nothing moves; their names."""
        hidden: list[str] = []
        for one in self.made:
            moved = set[str]().union(*(keyed_bones(file.result.channels.action) for file in one.files))
            hidden += self._job.maker.tidy(one.armature, moved)
        return hidden

    def _read(self, path: Path) -> _File:
        data = read_bytes(path)
        document = Document.read(data, os.fsdecode(path), lenient=self._job.lenient)
        if document.format != self._job.format_id:
            titles = {row["id"]: row["title"] for row in formats()}
            raise AnimBridgeError(
                f"{path.name} is of the format {titles[document.format]}, not "
                f"{titles[self._job.format_id]}. Import it through its own entry of File > Import."
            )
        # AnimBridge's JSON of a document is not of the document's own format.
        return _File(path, document, None if data.lstrip()[:1] == b"{" else data)

    def _set_rate(self, document: Document) -> None:
        """The scene gets the rate of the first file, for the keys of all are placed by one rate."""
        if not self._job.file_rate or self._has_rate:
            return
        frame_time = frame_time_of(document)
        if frame_time > 0.0:
            set_frames_per_second(self._context.scene, rate_of(frame_time))
            self._has_rate = True

    def _made_for(self, file: _File) -> _Made:
        plan = self._job.maker.plan(file.document)
        for one in self.made:
            if one.plan == plan:
                return one
        self.made.append(_Made(plan, self._job.maker.make(self._context, plan, file.path.stem)))
        return self.made[-1]

    def _import(self, file: _File, armature: bpy.types.Object, options: ImportOptions) -> FileResult:
        scene, path, document = self._context.scene, file.path, file.document
        if self._job.place is Place.MERGE and animation_of(armature).action is not None:
            return FileResult(path, merge_document(document, armature, scene, options), was_merged=True)
        result = import_document(document, path.name, armature, scene, options, file.source)
        if not result.matched_joints and self._job.target is not None:
            bpy.data.actions.remove(result.channels.action)
            raise AnimBridgeError(f"{result.warnings[0]}.")
        if self._job.place is Place.NLA:
            add_nla_track(armature, result.channels, result.frame_range)
        else:
            assign(armature, result.channels)
        return FileResult(path, result, was_merged=False)


@contextmanager
def _armatures_on_demand(context: bpy.types.Context, job: FileImport) -> Iterator[_Armatures]:
    """New armatures that nothing was imported onto are removed again."""
    armatures = _Armatures(context, job)
    try:
        yield armatures
    finally:
        for one in [one for one in armatures.made if not one.files]:
            remove_armature(one.armature)
            armatures.made.remove(one)


@contextmanager
def rate_set(scene: bpy.types.Scene, frames_per_second: float | None, outcome: FilesResult) -> Iterator[None]:
    """The scene's rate, set before the keys are placed by it, and put back when nothing was imported."""
    before = (scene.render.fps, scene.render.fps_base)
    if frames_per_second is not None:
        set_frames_per_second(scene, frames_per_second)
    try:
        yield
    finally:
        if not outcome.done:
            scene.render.fps, scene.render.fps_base = before
