# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts an input into outputs, and says what became of each: .blend files into others, or the reverse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from .. import kinds
from ..kinds.kind import NO_ACTION, Container, Part
from ..package import AnimBridgeError, Document, file_stem, free_stem
from ..scene.export.names import stem_for
from ..scene.source_files import SourceFile
from .blend import BlendWriter, Export, open_blend
from .options import Options
from .rows import CannotBecomeError, Row, recorded

_BLEND: Final = ".blend"


class Worker:
    """Converts inputs one after another with the same options.

    `is_stopped` is called before each output.
    """

    def __init__(self, options: Options, is_stopped: Callable[[], bool]) -> None:
        self._options = options
        self._is_stopped = is_stopped
        self._ending = f".{options.target}"
        self._writer = BlendWriter(options)

    def convert(self, source: Path, folder: Path) -> list[Row] | None:
        """The rows of an input whose outputs go into a folder; None if the run was stopped before its end.

        A failure is a row, not an exception.
        """
        outputs: Sequence[Callable[[Row], None]] = ()
        with recorded(source) as opening:
            outputs = self._outputs_of(source, folder)
        if opening.error is not None:
            return [opening]
        rows: list[Row] = []
        for make in outputs:
            if self._is_stopped():
                return None
            with recorded(source) as row:
                make(row)
            rows.append(row)
        rows[0].seconds += opening.seconds
        return rows

    def _outputs_of(self, source: Path, folder: Path) -> Sequence[Callable[[Row], None]]:
        """What makes the outputs of an input, one after another; at least one."""
        taken = set[str]()
        if source.suffix.lower() == _BLEND:
            return [partial(self._export, one, folder, taken) for one in self._exports_in(source)]
        container = _container_of(source)
        if container is None:
            return [partial(self._import_file, source, folder)]
        # A folder with the file's name.
        place = folder / file_stem(source.stem, "")
        return [partial(self._import_part, part, place, taken) for part in container.parts(source)]

    def _exports_in(self, source: Path) -> Sequence[Export]:
        if self._options.target == "blend":
            raise CannotBecomeError(f"{source}: it is a .blend file already.")
        exports = open_blend(source, self._options.target)
        if not exports:
            kind = kinds.kind_for_target(self._options.target)
            raise AnimBridgeError(f"{source}: {kind.nothing_to_export if kind else NO_ACTION}.")
        return exports

    def _import_file(self, source: Path, folder: Path, row: Row) -> None:
        target = self._target(folder, file_stem(source.stem, self._ending), row)
        document = Document.read_file(source, strict=self._options.strict)
        self._write_blend(document, source.name, target, row)

    def _import_part(self, part: Part, folder: Path, taken: set[str], row: Row) -> None:
        stem = free_stem([part.name], taken, self._ending)
        target = self._target(folder, stem, row)
        self._write_blend(part.read(), f"{stem}{part.extension}", target, row)

    def _write_blend(self, document: Document, name: str, target: Path, row: Row) -> None:
        kind = kinds.kind_of(document.format)
        if kind is None:
            raise CannotBecomeError(f"{name}: Blender cannot show documents of the format {document.format}.")
        if self._options.as_stored:
            document, _ = document.predict_upload()
        row.take_findings(document, self._options.level)
        result = self._writer.write(SourceFile(document, name), kind, target)
        row.warnings, row.notes = [*result.warnings, *result.details], list(result.notes)

    def _export(self, export: Export, folder: Path, taken: set[str], row: Row) -> None:
        target = self._target(folder, stem_for(export.playing.action, taken, self._ending), row)
        result = export.run(self._options)
        if self._options.target == "json":
            target.write_bytes(result.document.json())
        else:
            result.write_file(target)
        row.take_findings(result.document, self._options.level)
        row.warnings = list(result.remarks)
        row.max_rotation_error_degrees = result.report["max_rotation_error_degrees"]
        row.max_position_error_mm = result.report["max_position_error_mm"]

    def _target(self, folder: Path, stem: str, row: Row) -> Path:
        target = folder / f"{stem}{self._ending}"
        folder.mkdir(parents=True, exist_ok=True)
        row.output = str(target)
        return target


def _container_of(path: Path) -> Container | None:
    """The kind of container that the file is, whatever its name; None if it is not one."""
    containers = [kind.container for kind in kinds.KINDS if kind.container]
    return next((one for one in containers if one.is_one(path)), None)
