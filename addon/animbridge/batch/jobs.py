# SPDX-License-Identifier: GPL-3.0-or-later
"""The work on one input: rows, one per output. Blender is imported only where a .blend file is involved."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..native.convert import convert_file
from ..native.document import Document, write_whole
from ..native.errors import AnimBridgeError
from ..native.file_name import file_stem, free_stem
from ..native.oban import OBAN_FORMAT, LevelOban, is_level_file, level_obans, oban_from_level
from .inputs import Input
from .options import OBJECT_TARGETS, Options
from .outputs import Outputs
from .report import OK, Row
from .temporary import TemporaryFolders

if TYPE_CHECKING:
    from .blend import BlendWriter, PlayingAction, PlayingObject

_FINDING_KEYS: Final = ("id", "class", "joint", "key", "byte_offset", "found")
#: What every file to file report has, and rows have too.
_PLAIN_KEYS: Final = frozenset({"input", "output", "input_format", "output_format", "bytes_in", "bytes_out"})


class Worker:
    """Converts inputs one after another with the same options.

    `is_stopped` is asked between two outputs of an input.
    """

    def __init__(
        self,
        options: Options,
        outputs: Outputs,
        folders: TemporaryFolders,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._options = options
        self._outputs = outputs
        self._folders = folders
        self._is_stopped = is_stopped
        self._ending = f".{options.target}"
        #: Whether the last input was stopped between two of its outputs.
        self.is_cut_short = False
        self._writer: BlendWriter | None = None

    def convert(self, source: Input) -> Iterator[Row]:
        """All rows of an input, each as it is done; a failure is a row and not an exception."""
        if source.is_blend and not source.fault:
            yield from self._convert_blend(source)
        elif not source.fault and is_level_file(source.path):
            yield from self._convert_level(source)
        else:
            yield self._convert_single(source)

    def _convert_single(self, source: Input) -> Row:
        row = _new_row(source)
        with _recorded(row):
            if source.fault:
                raise AnimBridgeError(f"{source.path}: {source.fault}.")
            target = self._claim(source, file_stem(source.path.stem, self._ending), row)
            if self._options.target == "blend":
                self._write_blend(source.path, target, row)
            else:
                self._convert_file(source.path, target, row)
            row.bytes_out = target.stat().st_size
        return row

    def _convert_file(self, source: Path, target: Path, row: Row) -> None:
        report = convert_file(
            source, target, as_stored=self._options.as_stored, lenient=self._options.lenient
        )
        row.findings = self._findings(Document.read_file(target))
        told = {name: value for name, value in report.items() if name not in _PLAIN_KEYS}
        if told:
            row.conversion = told
            row.warnings = [str(warning) for warning in told.get("warnings", ())]

    def _write_blend(self, source: Path, target: Path, row: Row) -> None:
        document = Document.read_file(source, lenient=self._options.lenient)
        self._write_scene(document, source.name, target, row)

    def _write_scene(self, document: Document, name: str, target: Path, row: Row) -> None:
        from .blend import BlendWriter

        if self._options.as_stored:
            document, _ = document.predict_upload()
        row.findings = self._findings(document)
        self._writer = self._writer or BlendWriter(self._options, self._folders)
        row.warnings = self._writer.write(document, name, target)

    def _convert_level(self, source: Input) -> Iterator[Row]:
        """A row for each animation of a level, whose files go into a folder with the level's name."""
        first = _new_row(source)
        with _recorded(first):
            level = Document.read_file(source.path)
            obans = level_obans(level)
            if not obans:
                raise AnimBridgeError(f"{source.path}: the level holds no OBAN.")
        if first.error is not None:
            yield first
            return
        place = Input(source.path, source.folder / file_stem(source.path.stem, ""))
        taken = set[str]()
        for oban in obans:
            if self._must_stop():
                return
            yield self._convert_of_level(place, level, oban, taken)

    def _convert_of_level(self, source: Input, level: Document, oban: LevelOban, taken: set[str]) -> Row:
        row = _new_row(source)
        with _recorded(row):
            stem = free_stem([oban.name], taken, self._ending)
            target = self._claim(source, stem, row)
            document = oban_from_level(level, oban.selector)
            if self._options.target == "blend":
                self._write_scene(document, f"{stem}.oban", target, row)
            else:
                # By way of a file: the library converts files, and names what has no name after its file.
                # JSON alone holds a record's name, and bytes behind its keys.
                with self._folders.beside(target) as folder:
                    record = folder / f"{stem}.json"
                    write_whole(record, document.json())
                    self._convert_file(record, target, row)
            row.bytes_out = target.stat().st_size
        return row

    def _convert_blend(self, source: Input) -> Iterator[Row]:
        from .blend import open_blend

        row = _new_row(source)
        with _recorded(row):
            if self._options.target == "blend":
                raise AnimBridgeError(f"{source.path}: it is a .blend file already.")
            playing = open_blend(source.path, self._options.target)
            if not playing:
                lacking = (
                    "moves an object" if self._options.target in OBJECT_TARGETS else "plays on an armature"
                )
                raise AnimBridgeError(f"{source.path}: no Action {lacking}.")
        if row.error is not None:
            yield row
            return
        taken: set[str] = set()
        opening_seconds = row.seconds
        for one in playing:
            if self._must_stop():
                return
            row = self._export(source, one, taken)
            row.seconds += opening_seconds
            opening_seconds = 0.0
            yield row

    def _export(self, source: Input, playing: PlayingAction | PlayingObject, taken: set[str]) -> Row:
        from ..scene.files import stem_for

        row = _new_row(source)
        with _recorded(row):
            target = self._claim(source, stem_for(playing.action, taken, self._ending), row)
            result = playing.export(self._options)
            document = result.document
            if self._options.as_stored:
                document, _ = document.predict_upload()
                result = replace(result, document=document, source=None)
            if self._options.target == "json":
                write_whole(target, document.json())
            else:
                result.write_file(target)
            row.findings = self._findings(document)
            row.warnings = list(result.warnings)
            row.max_rotation_error_degrees = result.report["max_rotation_error_degrees"]
            row.max_position_error_mm = result.report["max_position_error_mm"]
            row.bytes_out = target.stat().st_size
        return row

    def _must_stop(self) -> bool:
        self.is_cut_short = self._is_stopped()
        return self.is_cut_short

    def _claim(self, source: Input, stem: str, row: Row) -> Path:
        target = self._options.out / source.folder / f"{stem}{self._ending}"
        self._outputs.claim(target, source.path)
        self._folders.sweep(target.parent)
        row.output = str(target)
        return target

    def _findings(self, document: Document) -> list[dict[str, Any]]:
        level = self._options.level
        # Nothing is uploaded to Oni.
        is_whole = document.format == OBAN_FORMAT and level == "upload"
        found = document.check("strict" if is_whole else level)["findings"]
        return [{key: row.get(key) for key in _FINDING_KEYS} for row in found]


def _new_row(source: Input) -> Row:
    size = 0 if source.fault else source.path.stat().st_size
    return Row(input=str(source.path), bytes_in=size)


@contextmanager
def _recorded(row: Row) -> Iterator[None]:
    """Times the work and turns what goes wrong into the row's error."""
    start = time.perf_counter()
    try:
        yield
    except (AnimBridgeError, OSError, RuntimeError) as fault:
        row.error = str(fault).strip() or type(fault).__name__
    except UnicodeDecodeError:
        row.error = f"{row.input}: the file holds a name that is not UTF-8"
    except ModuleNotFoundError as fault:
        row.error = f"this needs Blender ({fault})"
    except Exception as fault:
        # A mistake of ours: the other files go on all the same, and the traceback tells where it was.
        traceback.print_exc(file=sys.stderr)
        row.error = f"internal error: {fault!r}"
    else:
        row.status = OK
    finally:
        row.seconds = time.perf_counter() - start
