# SPDX-License-Identifier: GPL-3.0-or-later
"""Files with OBANs onto objects: the active one, or new ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import Path

import bpy

from ..native.document import Document, formats, read_bytes
from ..native.errors import AnimBridgeError
from ..native.oban import (
    LEVEL_FORMAT,
    OBAN_FORMAT,
    TAG,
    LevelOban,
    level_names,
    level_obans,
    name_of,
    oban_from_level,
)
from ..native.text import counted, listed, printable, readable
from .file_imports import FileResult, FilesResult, SceneRange, failure_of, rate_set
from .import_options import AnimationResult
from .names import data_block_name
from .new_armature import activate
from .oban_import import FRAMES_PER_SECOND, Oban, ObanReading, import_oban
from .object_motion import carried_by
from .timing import set_frame_range


class Onto(Enum):
    """What an animation moves."""

    ACTIVE = "the object that is given; a new empty without one, and where there are several animations"
    EMPTY = "a new empty for each"
    CAMERA = "a new camera for each"


@dataclass(frozen=True)
class ObanImport:
    """What is to be done. `target`: of Onto.ACTIVE. `oban`: of a level the one that is meant, by its name.

    `takes_all`: all of a level. `at_60`: the scene gets the game's rate, 60 frames a second.
    """

    onto: Onto = Onto.EMPTY
    target: bpy.types.Object | None = None
    oban: str = ""
    takes_all: bool = False
    at_60: bool = False
    reading: ObanReading = field(default_factory=ObanReading)
    scene_range: SceneRange = SceneRange.NEW_TARGET


def import_obans(context: bpy.types.Context, paths: list[Path], job: ObanImport) -> FilesResult:
    """Imports one animation after another; what is wrong with one does not stop the others.

    Where all fail, the scene is as it was.
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
    is_wanted = job.scene_range is SceneRange.ALWAYS or (
        job.scene_range is SceneRange.NEW_TARGET and target is None
    )
    if outcome.done and is_wanted:
        ranges = [one.result.frame_range for one in outcome.done]
        set_frame_range(context.scene, (min(r[0] for r in ranges), max(r[1] for r in ranges)))
    return outcome


def names_in(path: Path) -> tuple[str, ...]:
    """The animations of a level, for a list to choose from; () for any other file and for one with faults."""
    try:
        state = path.stat()
    except OSError:
        return ()
    return _names_in(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _names_in(path: Path, _changed: int, _size: int) -> tuple[str, ...]:
    """Files with faults are remembered too, for a dialog asks whenever it is drawn."""
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
    """The animations of a file; of a level that of the name, or its only one, or all.

    `fail` is told what is wrong with one of all.
    """
    data = read_bytes(path)
    document = Document.read(data, os.fsdecode(path))
    if document.format == OBAN_FORMAT:
        # AnimBridge's JSON of a document is not of the document's own format.
        source = None if data.lstrip()[:1] == b"{" else data
        return [Oban(document, "", path.name, source)]
    if document.format != LEVEL_FORMAT:
        titles = {row["id"]: row["title"] for row in formats()}
        raise AnimBridgeError(
            f"{path.name} is of the format {titles[document.format]}, not an animation of Oni. Import it "
            "through its own entry of File > Import."
        )
    known = level_obans(document)
    if not known:
        raise AnimBridgeError(f"{path.name} holds no OBAN.")
    if job.takes_all:
        return list(_all_of(document, known, path, fail))
    chosen = _named(job.oban, known, path) if job.oban else next(iter(known))
    if not job.oban and len(known) > 1:
        raise AnimBridgeError(
            f"{path.name} holds {counted(len(known), 'OBAN')}. Choose one by its name (OBAN), or import them "
            f"all. They are {_names(known)}."
        )
    one = oban_from_level(document, chosen.selector)
    return [Oban(one, name_of(one.info()), path.name)]


def _all_of(
    level: Document, known: Sequence[LevelOban], path: Path, fail: Callable[[AnimBridgeError], None]
) -> Iterator[Oban]:
    for one in known:
        try:
            document = oban_from_level(level, one.selector)
        except AnimBridgeError as error:
            fail(AnimBridgeError(f"{path.name}: {one.name}: {error.message}", error.code))
        else:
            yield Oban(document, name_of(document.info()), path.name)


def _names(known: Sequence[LevelOban]) -> str:
    return listed([one.name for one in known])


def _named(name: str, known: Sequence[LevelOban], path: Path) -> LevelOban:
    by_name = {one.selector: one for one in known} | {one.name: one for one in known}
    for wish in (name, name.removeprefix(TAG)):
        if wish in by_name:
            return by_name[wish]
    raise AnimBridgeError(
        f"{path.name} holds no OBAN '{name}'. It holds {counted(len(known), 'other')}: {_names(known)}."
    )


def _import_one(
    context: bpy.types.Context, oban: Oban, target: bpy.types.Object | None, job: ObanImport
) -> AnimationResult:
    if target is not None:
        return import_oban(oban, carried_by(target), context.scene, job.reading)
    with _new_object(context, oban, job) as thing:
        return import_oban(oban, thing, context.scene, job.reading)


@contextmanager
def _new_object(context: bpy.types.Context, oban: Oban, job: ObanImport) -> Iterator[bpy.types.Object]:
    """A new object, active and selected; none if the body fails."""
    name = data_block_name(readable(oban.name or Path(printable(oban.file_name)).stem))
    made: list[bpy.types.ID] = []
    try:
        data = bpy.data.cameras.new(name) if job.onto is Onto.CAMERA else None
        made += [data] if data is not None else []
        thing = bpy.data.objects.new(name, data)
        made.append(thing)
        if data is None:
            thing.empty_display_type = "ARROWS"
        context.collection.objects.link(thing)
        yield thing
    except BaseException:
        bpy.data.batch_remove(made)
        raise
    activate(context.view_layer, thing)
