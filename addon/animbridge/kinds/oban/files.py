# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports files with OBANs onto the active object or new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import Path

import bpy

from ...package import (
    LEVEL_FORMAT,
    OBAN_FORMAT,
    TAG,
    AnimBridgeError,
    Document,
    LevelOban,
    counted,
    level_names,
    level_obans,
    listed,
    name_of,
    oban_from_level,
    printable,
    readable,
)
from ...scene.activation import activate
from ...scene.import_.files import (
    FileResult,
    FilesResult,
    SceneRange,
    failure_of,
    rate_set,
    set_range_of,
    wrong_format,
)
from ...scene.import_.options import AnimationResult
from ...scene.names import data_block_name
from ...scene.source_files import SourceFile, read_source
from ...scene.undo import undone_on_failure
from .game import FRAMES_PER_SECOND
from .importer import Oban, import_oban
from .object_motion import carried_by
from .options import ObanImportOptions


class Onto(Enum):
    """What an animation moves."""

    ACTIVE = "the object that is given; a new empty without one, and where there are several animations"
    EMPTY = "a new empty for each"
    CAMERA = "a new camera for each"


@dataclass(frozen=True)
class ObanImport:
    """How files are imported. `target`: for Onto.ACTIVE. `oban`: the name of the wanted one in a level.

    `takes_all`: all of a level. `at_60`: sets the scene to the game's rate, 60 frames a second.
    """

    onto: Onto = Onto.EMPTY
    target: bpy.types.Object | None = None
    oban: str = ""
    takes_all: bool = False
    at_60: bool = False
    options: ObanImportOptions = field(default_factory=ObanImportOptions)
    scene_range: SceneRange = SceneRange.NEW_TARGET


def import_obans(context: bpy.types.Context, paths: list[Path], job: ObanImport) -> FilesResult:
    """Imports one animation after another; a failure does not stop the others.

    If all fail, the scene is as it was.
    """
    outcome = FilesResult()
    found = list(_found(paths, job, outcome))
    target = job.target if job.onto is Onto.ACTIVE and len(found) == 1 else None
    with rate_set(context.scene, FRAMES_PER_SECOND if job.at_60 else None, outcome):
        for path, oban in found:
            try:
                result = _import_one(context, oban, target, job)
                outcome.done.append(FileResult(path, result, was_merged=False))
            except AnimBridgeError as error:
                outcome.failed.append(failure_of(path, error))
    if outcome.done:
        set_range_of(context.scene, job.scene_range, outcome.done, is_new=target is None)
    return outcome


def names_in(path: Path) -> tuple[str, ...]:
    """The names of a level's animations, to choose from; () for any other file and for a faulty one."""
    try:
        state = path.stat()
    except OSError:
        return ()
    return _names_in(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _names_in(path: Path, _changed: int, _size: int) -> tuple[str, ...]:
    """Faulty files are cached too, because a dialog asks whenever it is drawn."""
    try:
        document = Document.read_file(path)
    except AnimBridgeError:
        return ()
    return level_names(document) if document.format == LEVEL_FORMAT else ()


def _found(paths: list[Path], job: ObanImport, outcome: FilesResult) -> Iterator[tuple[Path, Oban]]:
    for path in paths:

        def fail(error: AnimBridgeError, path: Path = path) -> None:
            outcome.failed.append(failure_of(path, error))

        try:
            yield from [(path, oban) for oban in _obans_in(path, job, fail)]
        except AnimBridgeError as error:
            fail(error)


def _obans_in(path: Path, job: ObanImport, fail: Callable[[AnimBridgeError], None]) -> list[Oban]:
    """The animations of a file; of a level, the one that is named, or the only one, or all.

    `fail` is called for each that cannot be read, if all are wanted.
    """
    file = read_source(path)
    document = file.document
    if document.format == OBAN_FORMAT:
        return [Oban(file)]
    if document.format != LEVEL_FORMAT:
        raise wrong_format(path, document, "an animation of Oni")
    obans = level_obans(document)
    if not obans:
        raise AnimBridgeError(f"{path.name} contains no OBAN.")
    if job.takes_all:
        return list(_all_of(document, obans, path, fail))
    chosen = _named(job.oban, obans, path) if job.oban else next(iter(obans))
    if not job.oban and len(obans) > 1:
        raise AnimBridgeError(
            f"{path.name} contains {counted(len(obans), 'OBAN')}. Choose one by its name (OBAN), or import "
            f"them all. They are {_names(obans)}."
        )
    one = oban_from_level(document, chosen.selector)
    return [Oban(SourceFile(one, path.name), name_of(one.info()))]


def _all_of(
    level: Document, obans: Sequence[LevelOban], path: Path, fail: Callable[[AnimBridgeError], None]
) -> Iterator[Oban]:
    for one in obans:
        try:
            document = oban_from_level(level, one.selector)
        except AnimBridgeError as error:
            fail(AnimBridgeError(f"{path.name}: {one.name}: {error.message}", error.code))
        else:
            yield Oban(SourceFile(document, path.name), name_of(document.info()))


def _names(obans: Sequence[LevelOban]) -> str:
    return listed([one.name for one in obans])


def _named(name: str, obans: Sequence[LevelOban], path: Path) -> LevelOban:
    by_name = {one.selector: one for one in obans} | {one.name: one for one in obans}
    for wish in (name, name.removeprefix(TAG)):
        if wish in by_name:
            return by_name[wish]
    raise AnimBridgeError(
        f"{path.name} contains no OBAN '{name}'. It contains {counted(len(obans), 'other')}: {_names(obans)}."
    )


def _import_one(
    context: bpy.types.Context, oban: Oban, target: bpy.types.Object | None, job: ObanImport
) -> AnimationResult:
    if target is not None:
        return import_oban(oban, carried_by(target), context.scene, job.options)
    with _new_object(context, oban, job) as thing:
        return import_oban(oban, thing, context.scene, job.options)


@contextmanager
def _new_object(context: bpy.types.Context, oban: Oban, job: ObanImport) -> Iterator[bpy.types.Object]:
    """A new object, active and selected; none if the body fails."""
    name = data_block_name(readable(oban.name or Path(printable(oban.file.name)).stem))
    with undone_on_failure() as undo:
        data = undo.made(bpy.data.cameras.new(name)) if job.onto is Onto.CAMERA else None
        thing = undo.made(bpy.data.objects.new(name, data))
        if data is None:
            thing.empty_display_type = "ARROWS"
        context.collection.objects.link(thing)
        yield thing
    activate(context.view_layer, thing)
