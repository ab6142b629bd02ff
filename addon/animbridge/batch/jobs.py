# SPDX-License-Identifier: GPL-3.0-or-later
"""The work on one input: rows, one per output. Blender is imported only where a .blend file is involved."""

from __future__ import annotations

import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..native.convert import convert_file
from ..native.document import Document, write_whole
from ..native.errors import AnimBridgeError
from ..native.oban import OBAN_FORMAT, LevelOban, is_level_file, level_obans, oban_from_level
from ..scene.names import free_stem
from .inputs import Input
from .options import OBJECT_TARGETS, Options
from .outputs import Outputs
from .report import OK, Row

if TYPE_CHECKING:
    from .blend import BlendWriter, PlayingAction, PlayingObject

_FINDING_KEYS: Final = ("id", "class", "joint", "key", "byte_offset", "found")
#: What every file to file report has, and rows have too.
_PLAIN_KEYS: Final = frozenset({"input", "output", "input_format", "output_format", "bytes_in", "bytes_out"})


class Worker:
    """Converts inputs one after another with the same options."""

    def __init__(self, options: Options, outputs: Outputs) -> None:
        self._options = options
        self._outputs = outputs
        self._writer: BlendWriter | None = None

    def convert(self, source: Input) -> list[Row]:
        """All rows of an input; a failure is a row and not an exception."""
        if source.is_blend and not source.fault:
            return self._convert_blend(source)
        if not source.fault and is_level_file(source.path):
            return self._convert_level(source)
        row = _new_row(source)
        with _recorded(row):
            if source.fault:
                raise AnimBridgeError(f"{source.path}: {source.fault}.")
            target = self._claim(source, source.path.stem, row)
            if self._options.target == "blend":
                self._write_blend(source.path, target, row)
            else:
                self._convert_file(source.path, target, row)
            row.bytes_out = target.stat().st_size
        return [row]

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
        self._writer = self._writer or BlendWriter(self._options)
        row.warnings = self._writer.write(document, name, target)

    def _convert_level(self, source: Input) -> list[Row]:
        """A row for each animation of a level, whose files go into a folder with the level's name."""
        first = _new_row(source)
        with _recorded(first):
            level = Document.read_file(source.path)
            obans = level_obans(level)
            if not obans:
                raise AnimBridgeError(f"{source.path}: the level holds no OBAN.")
            taken = set[str]()
            return [self._convert_of_level(source, level, oban, taken) for oban in obans]
        return [first]

    def _convert_of_level(self, source: Input, level: Document, oban: LevelOban, taken: set[str]) -> Row:
        row = _new_row(source)
        with _recorded(row):
            place = Input(source.path, source.folder / source.path.stem)
            stem = free_stem([oban.name], taken)
            target = self._claim(place, stem, row)
            document = oban_from_level(level, oban.selector)
            if self._options.target == "blend":
                self._write_scene(document, f"{stem}.oban", target, row)
            else:
                # By way of a file: the library converts files, and names what has no name after its file.
                # JSON alone holds a record's name, and bytes behind its keys.
                with tempfile.TemporaryDirectory(prefix=".animbridge-", dir=target.parent) as folder:
                    record = Path(folder) / f"{stem}.json"
                    write_whole(record, document.json())
                    self._convert_file(record, target, row)
            row.bytes_out = target.stat().st_size
        return row

    def _convert_blend(self, source: Input) -> list[Row]:
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
            return [row]
        taken: set[str] = set()
        rows = [self._export(source, one, taken) for one in playing]
        rows[0].seconds += row.seconds
        return rows

    def _export(self, source: Input, playing: PlayingAction | PlayingObject, taken: set[str]) -> Row:
        from ..scene.files import stem_for

        row = _new_row(source)
        with _recorded(row):
            target = self._claim(source, stem_for(playing.action, taken), row)
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

    def _claim(self, source: Input, stem: str, row: Row) -> Path:
        target = self._options.out / source.folder / f"{stem}.{self._options.target}"
        self._outputs.claim(target, source.path)
        row.output = str(target)
        return target

    def _findings(self, document: Document) -> list[dict[str, Any]]:
        level = self._options.level
        # Nothing is uploaded to Oni.
        is_whole = document.format == OBAN_FORMAT and level == "upload"
        found = document.check("strict" if is_whole else level)["findings"]
        return [{key: row.get(key) for key in _FINDING_KEYS} for row in found]


def _new_row(source: Input) -> Row:
    size = source.path.stat().st_size if source.path.is_file() else 0
    return Row(input=str(source.path), bytes_in=size)


@contextmanager
def _recorded(row: Row) -> Iterator[None]:
    """Times the work and turns what goes wrong into the row's error."""
    start = time.perf_counter()
    try:
        yield
    except (AnimBridgeError, OSError, RuntimeError) as fault:
        row.error = str(fault).strip() or type(fault).__name__
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
