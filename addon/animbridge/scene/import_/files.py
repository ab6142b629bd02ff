# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports of any number of files onto armatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

import bpy

from ...package import AnimBridgeError, Document, find_rig, formats, printable
from .. import previews
from ..armature.creation import remove_armature
from ..armature.makers import ArmatureMaker
from ..armature.modes import leave_edit_mode
from ..avatar.skeleton import show_moved_groups
from ..placing import add_nla_track, animation_of, assign
from ..playing import moved_bones
from ..retarget_choice import Retarget
from ..source_files import SourceFile, read_source
from ..timing import set_frame_range, set_frames_per_second
from .action import import_document
from .importer import Importer
from .merging import merge_document
from .options import AnimationResult, ImportOptions, ImportResult


class Place(Enum):
    """Where an animation goes."""

    NEW = "a new Action, which the armature plays"
    MERGE = "the Action that the armature plays already; a new one if there is none"
    NLA = "a new Action on an NLA track of its own"


class SceneRange(Enum):
    """When the scene's start and end become those of what plays."""

    NEW_TARGET = "when the import made the armature or object; otherwise the end moves out to what is longer"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True)
class FileImport:
    """How files of the importer's format are to be imported.

    `target` None: new armatures of `maker`, or of `people` for files that move a person, if it is given.
    `frames_per_second`: the scene's new rate; None: its own.
    `file_rate`: the scene gets the rate of the first file that has one. `strict`: text that contradicts
    itself is an error. `trim`: the part of each file that is imported, as Document.read takes it.
    """

    importer: Importer[Any]
    maker: ArmatureMaker[Any]
    options: ImportOptions
    people: ArmatureMaker[Any] | None = None
    target: bpy.types.Object | None = None
    place: Place = Place.NEW
    frames_per_second: float | None = None
    file_rate: bool = False
    scene_range: SceneRange = SceneRange.NEW_TARGET
    strict: bool = False
    trim: str = ""
    tools: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FileResult:
    """A file that was imported. `done`: what became of it, if that is not the result's Action."""

    path: Path
    result: AnimationResult
    was_merged: bool
    done: str = ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, each with the file's name."""
        return self._named(self.result.warnings)

    @property
    def details(self) -> tuple[str, ...]:
        """The details, each with the file's name."""
        return self._named(self.result.details)

    def _named(self, lines: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(printable(f"{self.path.name}: {line}") for line in lines)


@dataclass
class FilesResult:
    """The files that were imported, and an error for each of the others.

    `hidden_groups`: groups of the new skeleton that no file moves. `made_people`: a file that moves a person
    got the new armature for people.
    """

    done: list[FileResult] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    hidden_groups: list[str] = field(default_factory=list)
    made_people: bool = False


def import_files(context: bpy.types.Context, paths: list[Path], job: FileImport) -> FilesResult:
    """Imports one file after another; a failure does not stop the others.

    If all fail, the scene is as it was.
    """
    outcome = FilesResult()
    with (
        _armatures_on_demand(context, job) as armatures,
        rate_set(context.scene, job.frames_per_second, outcome),
    ):
        for path in paths:
            try:
                parts = armatures.parts_of(path)
            except AnimBridgeError as error:
                outcome.failed.append(failure_of(path, error))
                continue
            for file, options in parts:
                try:
                    outcome.done.append(armatures.import_one(path, file, options))
                except AnimBridgeError as error:
                    outcome.failed.append(failure_of(path, error))
    if not outcome.done:
        return outcome
    outcome.hidden_groups = armatures.tidy()
    outcome.made_people = any(one.maker is job.people for one in armatures.made)
    shown = armatures.playing if job.place is Place.NEW else outcome.done
    set_range_of(context.scene, job.scene_range, shown, is_new=job.target is None)
    return outcome


def set_range_of(
    scene: bpy.types.Scene, wanted: SceneRange, shown: list[FileResult], *, is_new: bool
) -> None:
    """Sets the scene's range to that of the files shown, if wanted. `is_new`: so is what they move."""
    ranges = [one.result.frame_range for one in shown]
    first, last = min(r[0] for r in ranges), max(r[1] for r in ranges)
    if wanted is SceneRange.ALWAYS or (wanted is SceneRange.NEW_TARGET and is_new):
        set_frame_range(scene, (first, last))
    elif wanted is SceneRange.NEW_TARGET and last > scene.frame_end:
        set_frame_range(scene, (scene.frame_start, last))


def failure_of(path: Path, error: AnimBridgeError) -> str:
    """The error with the file's name, which errors of the library have already."""
    text = printable(error.message)
    return text if printable(path.name) in text else f"{printable(path.name)}: {text}"


def wrong_format(path: Path, document: Document, wanted: str) -> AnimBridgeError:
    """The error for a file that is not of the `wanted` kind."""
    titles = {row["id"]: row["title"] for row in formats()}
    return AnimBridgeError(
        f"{path.name} is of the format {titles[document.format]}, not {titles.get(wanted, wanted)}. "
        "Import it through its own entry of File > Import."
    )


@dataclass
class _Made:
    """A new armature, and the files that were imported onto it."""

    maker: ArmatureMaker[Any]
    plan: Any
    armature: bpy.types.Object
    files: list[FileResult] = field(default_factory=list)


class _Armatures:
    """The armatures that files go onto. A new one is made for the first readable file that needs it."""

    def __init__(self, context: bpy.types.Context, job: FileImport) -> None:
        self._context = context
        self._job = job
        self._has_rate = False
        self._maker = job.maker
        self.made: list[_Made] = []
        self.onto_target: list[FileResult] = []

    @property
    def playing(self) -> list[FileResult]:
        """The file that each armature plays, if every file is a new Action."""
        return [files[-1] for files in (self.onto_target, *(one.files for one in self.made)) if files]

    def parts_of(self, path: Path) -> list[tuple[SourceFile, ImportOptions]]:
        file = self._read(path)
        self._set_rate(file.document)
        self._maker = self._maker_for(file.document)
        return self._job.importer.parts(file, self._job.options)

    def import_one(self, path: Path, file: SourceFile, options: ImportOptions) -> FileResult:
        if self._job.target is not None:
            leave_edit_mode(self._job.target)
            previews.end(self._job.target)
            result = self._import(path, file, self._job.target, options)
            self.onto_target.append(result)
            return result
        made = self._made_for(path, file)
        if made.maker.is_own:
            options = replace(options, retarget=Retarget.NEVER, import_anyway=True)
        result = self._import(
            path, file, made.armature, made.maker.options(options), is_own=made.maker.is_own
        )
        made.files.append(result)
        return result

    def tidy(self) -> list[str]:
        """Hides groups of the new armatures that nothing moves, and returns their names.

        On the target, shows those that something moves.
        """
        hidden: list[str] = []
        for one in self.made:
            hidden += one.maker.tidy(one.armature, _moved_by(one.files))
        if self._job.target is not None:
            show_moved_groups(self._job.target, _moved_by(self.onto_target))
        return hidden

    def _read(self, path: Path) -> SourceFile:
        job = self._job
        file = read_source(
            path, job.tools, strict=job.strict, trim=job.trim, keeps_file=job.importer.keeps_file
        )
        if file.document.format != self._job.importer.format_id:
            raise wrong_format(path, file.document, self._job.importer.format_id)
        return file

    def _set_rate(self, document: Document) -> None:
        """Sets the scene to the rate of the first file; the keys of all files are placed by one rate."""
        if not self._job.file_rate or self._has_rate:
            return
        rate = self._job.importer.frame_rate(document)
        if rate is not None:
            set_frames_per_second(self._context.scene, rate)
            self._has_rate = True

    def _maker_for(self, document: Document) -> ArmatureMaker[Any]:
        """What makes the new armature of a file, for all that the file holds."""
        job = self._job
        if job.target is not None or job.people is None:
            return job.maker
        can_retarget = job.importer.retargeting(document, job.options) is not None
        return job.people if can_retarget and find_rig(document).moves_person else job.maker

    def _made_for(self, path: Path, file: SourceFile) -> _Made:
        maker = self._maker
        plan = maker.plan(file.document)
        for one in self.made:
            if one.maker is maker and one.plan == plan:
                return one
        self.made.append(_Made(maker, plan, maker.make(self._context, plan, path.stem)))
        return self.made[-1]

    def _import(
        self,
        path: Path,
        file: SourceFile,
        armature: bpy.types.Object,
        options: ImportOptions,
        *,
        is_own: bool = False,
    ) -> FileResult:
        scene, importer = self._context.scene, self._job.importer
        if self._job.place is Place.MERGE and animation_of(armature).action is not None:
            merged = merge_document(importer, file.document, armature, scene, options)
            return FileResult(path, merged, was_merged=True)
        result = import_document(importer, file, armature, scene, options)
        if not result.matched_joints and not is_own:
            bpy.data.actions.remove(result.channels.action)
            told = next(iter(result.warnings), "Nothing in the file matches a bone")
            raise AnimBridgeError(f"{told.removesuffix('.')}.")
        if self._job.place is Place.NLA:
            add_nla_track(armature, result.channels, result.frame_range)
        else:
            assign(armature, result.channels)
        return FileResult(path, result, was_merged=False)


def _moved_by(files: list[FileResult]) -> set[str]:
    """The bones that these files move."""
    return set[str]().union(*(moved_bones(file.result.channels.action) for file in files))


@contextmanager
def _armatures_on_demand(context: bpy.types.Context, job: FileImport) -> Iterator[_Armatures]:
    """Removes new armatures in the end if nothing was imported onto them."""
    armatures = _Armatures(context, job)
    try:
        yield armatures
    finally:
        for one in [one for one in armatures.made if not one.files]:
            remove_armature(one.armature)
            armatures.made.remove(one)


@contextmanager
def rate_set(scene: bpy.types.Scene, frames_per_second: float | None, outcome: FilesResult) -> Iterator[None]:
    """Sets the scene's rate, by which keys are placed, and restores it if nothing was imported."""
    before = (scene.render.fps, scene.render.fps_base)
    if frames_per_second is not None:
        set_frames_per_second(scene, frames_per_second)
    try:
        yield
    finally:
        if not outcome.done:
            scene.render.fps, scene.render.fps_base = before


def import_onto_new_armature(
    importer: Importer[Any],
    maker: ArmatureMaker[Any],
    file: SourceFile,
    scene: bpy.types.Scene,
    options: ImportOptions,
) -> ImportResult:
    """Makes an armature for one file and lets it play the file, or the first of its animations."""
    armature = maker.make(bpy.context, maker.plan(file.document), Path(file.name).stem)
    results = [
        import_document(importer, part, armature, scene, maker.options(own))
        for part, own in importer.parts(file, options)
    ]
    for result in reversed(results):
        assign(armature, result.channels)
    maker.tidy(armature, moved_bones(results[0].channels.action))
    return results[0]
