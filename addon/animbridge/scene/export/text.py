# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of an export as a line, as a text in Blender and as JSON."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import bpy

from ...package import AnimBridgeError, finding_text, printable
from .result import ExportResult

TEXT_NAME: Final = "AnimBridge Export"

Exported = list[tuple[Path, ExportResult]]


class ExportTexts(ABC):
    """How the exports of one format are described to the user."""

    @abstractmethod
    def content(self, report: Mapping[str, Any]) -> str:
        """What is in the file, in a few words."""

    @abstractmethod
    def content_in_full(self, report: Mapping[str, Any]) -> str:
        """The same with all numbers."""

    def errors(self, report: Mapping[str, Any], digits: str) -> list[str]:
        """How far the file is off; `digits` is a format of numbers."""
        return [
            f"{report['max_rotation_error_degrees']:{digits}} degrees",
            f"{report['max_position_error_mm']:{digits}} mm",
        ]

    def place_of_errors(self, report: Mapping[str, Any]) -> str:
        """Where the largest errors are, or who measured them, as the end of a line."""
        return ""

    def notes(self, report: Mapping[str, Any]) -> Iterator[str]:
        """What a report in full says besides."""
        yield from ()

    def summary(self, result: ExportResult) -> str:
        """What is in the file and how exact it is, in one line."""
        sampled = ", sampled" if result.sampled_because else ""
        errors = " and ".join(self.errors(result.report, ".3g"))
        return f"{self.content(result.report)}{sampled} (at most {errors} off)"

    def lines(self, result: ExportResult) -> Iterator[str]:
        """The same in full, with every warning and finding."""
        report = result.report
        yield self.content_in_full(report)
        if result.sampled_because:
            yield f"sampled: {printable(result.sampled_because)}"
        yield f"largest error: {', '.join(self.errors(report, '.6f'))}{self.place_of_errors(report)}"
        yield from self.notes(report)
        yield from map(printable, result.remarks)
        yield from map(finding_text, report.get("findings", ()))

    def script_lines(self, result: ExportResult) -> Sequence[str]:
        """The lines by which scripts of the target program play the file, if it has any."""
        return ()


def write_text(done: Exported, texts: ExportTexts) -> None:
    """Writes the text, over that of an earlier export."""
    text = bpy.data.texts.get(TEXT_NAME) or bpy.data.texts.new(TEXT_NAME)
    text.clear()
    text.write("\n".join(line for path, result in done for line in _lines(path, result, texts)) + "\n")


def _lines(path: Path, result: ExportResult, texts: ExportTexts) -> Iterator[str]:
    yield printable(str(path))
    yield from (f"  {line}" for line in texts.lines(result))
    yield ""


def write_json(target: Path, done: Exported) -> None:
    """Writes a row per file: its path, and the reports of the library and the add-on."""
    rows = [
        {
            "file": printable(str(path)),
            "sampled_because": printable(result.sampled_because),
            "warnings": [*map(printable, result.remarks)],
            **{name: value for name, value in result.report.items() if name not in {"warnings", "details"}},
        }
        for path, result in done
    ]
    try:
        target.write_text(json.dumps({"files": rows}, indent=2) + "\n", encoding="utf-8")
    except OSError as fault:
        raise AnimBridgeError(f"The files are written, but not the report {target}: {fault}") from fault
