# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts one input into rows, one per output. Blender is imported only if a .blend file is involved."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .. import kinds
from ..kinds.kind import NO_ACTION, Animation, Container, Part
from ..package import (
    AnimBridgeError,
    Document,
    Status,
    convert_file,
    file_stem,
    finding_text,
    free_stem,
    write_whole,
)
from .inputs import Input
from .options import Options
from .outputs import Outputs
from .report import OK, SKIPPED, Row
from .temporary import TemporaryFolders

if TYPE_CHECKING:
    from .blend import BlendWriter, Export

#: Targets that hold all animations of a file.
_OF_ALL: Final = ("json", "blend")
_MAY_WORK_LATER: Final = (Status.IO, Status.OUT_OF_MEMORY)
_FINDING_KEYS: Final = ("id", "class", "joint", "joint_count", "key", "byte_offset", "found")
#: Members of the library's report that rows have under names of their own.
_PLAIN_KEYS: Final = frozenset(
    {"input", "output", "input_format", "output_format", "bytes_in", "bytes_out", "tolerated", "refused"}
)


class CannotBecomeError(AnimBridgeError):
    """The input's format cannot become the target, whatever is in the file."""


class Worker:
    """Converts inputs one after another with the same options.

    `is_stopped` is called between two outputs of an input.
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
        """Yields the rows of an input as they are done; a failure is a row, not an exception."""
        container = None if source.fault else _container_of(source.path)
        if source.is_blend and not source.fault:
            yield from self._convert_blend(source)
        elif container is not None:
            yield from self._convert_container(source, container)
        elif len(animations := self._animations_in(source)) > 1:
            yield from self._convert_animations(source, animations)
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

    def _animations_in(self, source: Input) -> Sequence[Animation]:
        """The animations that become files of their own; none where one output holds them all."""
        kind = None if source.fault or self._options.target in _OF_ALL else kinds.kind_of_file(source.path)
        if kind is None or kind.animations is None:
            return ()
        try:
            return kind.animations(Document.read_file(source.path))
        except AnimBridgeError:
            return ()  # the conversion says what is wrong with the file

    def _convert_animations(self, source: Input, animations: Sequence[Animation]) -> Iterator[Row]:
        """Yields a row for each animation of a file; the outputs are named FILE-ANIMATION."""
        taken = set[str]()
        kind = kinds.kind_of_file(source.path)
        keeps_kind = kind is not None and self._options.target in kind.targets
        for one in animations:
            if self._must_stop():
                return
            row = _new_row(source)
            conversion = {**one.conversion, **(one.naming if keeps_kind else {})}
            with _recorded(row):
                stem = free_stem([f"{source.path.stem}-{one.name}"], taken, self._ending)
                target = self._claim(source, stem, row)
                self._convert_file(source.path, target, row, conversion)
                row.bytes_out = target.stat().st_size
            yield row

    def _convert_file(
        self, source: Path, target: Path, row: Row, conversion: Mapping[str, Any] | None = None
    ) -> None:
        try:
            report = convert_file(
                source,
                target,
                as_stored=self._options.as_stored,
                strict=self._options.strict,
                conversion=conversion,
                retarget=self._options.retarget.options,
                onto=self._options.retarget.onto,
            )
        except AnimBridgeError as error:
            if self._has_no_way(source, error):
                raise CannotBecomeError(error.message, error.code) from error
            raise
        row.findings = self._findings(Document.read_file(target))
        conversion = {name: value for name, value in report.items() if name not in _PLAIN_KEYS}
        row.warnings = [finding_text(finding) for finding in report["tolerated"]]
        if conversion:
            row.conversion = conversion
            row.warnings += [str(warning) for warning in conversion.get("warnings", ())]
            row.warnings += [str(warning) for warning in conversion.get("retarget", {}).get("warnings", ())]

    def _has_no_way(self, source: Path, error: AnimBridgeError) -> bool:
        """Whether the error is about the two formats: that code says what a format cannot do."""
        if error.code is not Status.INVALID_ARGUMENT:
            return False
        kind = kinds.kind_for_target(self._options.target)
        return kind is not None and Document.read_file(source).format != kind.id

    def _write_blend(self, source: Path, target: Path, row: Row) -> None:
        document = Document.read_file(source, strict=self._options.strict)
        self._write_scene(document, source.name, target, row)

    def _write_scene(self, document: Document, name: str, target: Path, row: Row) -> None:
        from ..scene.source_files import SourceFile
        from .blend import BlendWriter

        if kinds.kind_of(document.format) is None:
            raise CannotBecomeError(f"{name}: Blender cannot show documents of the format {document.format}.")
        if self._options.as_stored:
            document, _ = document.predict_upload()
        row.findings = self._findings(document)
        self._writer = self._writer or BlendWriter(self._options, self._folders)
        result = self._writer.write(SourceFile(document, name), target)
        row.warnings, row.notes = [*result.warnings, *result.details], list(result.notes)

    def _convert_container(self, source: Input, container: Container) -> Iterator[Row]:
        """Yields a row for each document in a file. The outputs go into a folder with the file's name."""
        first = _new_row(source)
        with _recorded(first):
            parts = container.parts(source.path)
        if first.error is not None:
            yield first
            return
        place = Input(source.path, source.folder / file_stem(source.path.stem, ""))
        taken = set[str]()
        for part in parts:
            if self._must_stop():
                return
            yield self._convert_part(place, part, taken)

    def _convert_part(self, source: Input, part: Part, taken: set[str]) -> Row:
        row = _new_row(source)
        with _recorded(row):
            stem = free_stem([part.name], taken, self._ending)
            target = self._claim(source, stem, row)
            document = part.read()
            if self._options.target == "blend":
                self._write_scene(document, f"{stem}{part.extension}", target, row)
            else:
                # The library converts files, and names animations without a name after their file.
                # Only JSON holds everything, such as an OBAN's name and the bytes after its keys.
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
                raise CannotBecomeError(f"{source.path}: it is a .blend file already.")
            exports = open_blend(source.path, self._options.target)
            if not exports:
                kind = kinds.kind_for_target(self._options.target)
                reason = kind.nothing_to_export if kind else NO_ACTION
                raise AnimBridgeError(f"{source.path}: {reason}.")
        if row.error is not None:
            yield row
            return
        taken: set[str] = set()
        opening_seconds = row.seconds
        for one in exports:
            if self._must_stop():
                return
            row = self._export(source, one, taken)
            row.seconds += opening_seconds
            opening_seconds = 0.0
            yield row

    def _export(self, source: Input, export: Export, taken: set[str]) -> Row:
        from ..scene.export.names import stem_for

        row = _new_row(source)
        with _recorded(row):
            target = self._claim(source, stem_for(export.playing.action, taken, self._ending), row)
            result = export.run(self._options)
            document = result.document
            if self._options.as_stored:
                document, _ = document.predict_upload()
                result = replace(result, document=document, source=None)
            if self._options.target == "json":
                write_whole(target, document.json())
            else:
                result.write_file(target)
            row.findings = self._findings(document)
            row.warnings = list(result.remarks)
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
        found = document.check(self._options.level)["findings"]
        return [{key: row.get(key) for key in _FINDING_KEYS} for row in found]


def _container_of(path: Path) -> Container | None:
    """The kind of container that the file is, whatever its name; None if it is not one."""
    containers = [kind.container for kind in kinds.KINDS if kind.container]
    return next((one for one in containers if one.is_one(path)), None)


def _new_row(source: Input) -> Row:
    size = 0 if source.fault else source.path.stat().st_size
    return Row(input=str(source.path), bytes_in=size)


@contextmanager
def _recorded(row: Row) -> Iterator[None]:
    """Times the work and turns exceptions into the row's error."""
    start = time.perf_counter()
    try:
        yield
    except CannotBecomeError as fault:
        row.status, row.error, row.output = SKIPPED, fault.message, None
    except (AnimBridgeError, OSError, RuntimeError) as fault:
        row.error = str(fault).strip() or type(fault).__name__
        row.may_work_later = isinstance(fault, OSError) or getattr(fault, "code", None) in _MAY_WORK_LATER
    except UnicodeDecodeError:
        row.error = f"{row.input}: the file holds a name that is not UTF-8"
    except ModuleNotFoundError as fault:
        row.error = f"this needs Blender ({fault})"
    except Exception as fault:
        # A mistake of ours: the other files are converted all the same, and the traceback shows where it is.
        traceback.print_exc(file=sys.stderr)
        row.error = f"internal error: {fault!r}"
    else:
        row.status = OK
    finally:
        row.seconds = time.perf_counter() - start
