# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of an export as a line, as a text in Blender and as JSON."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import bpy

from ...package import AnimBridgeError, printable
from .result import ExportResult

TEXT_NAME: Final = "AnimBridge Export"

Exported = list[tuple[Path, ExportResult]]


class ExportTexts(ABC):
    """How the exports of one format are described to the user."""

    @abstractmethod
    def summary(self, result: ExportResult) -> str:
        """What is in the file and how exact it is, in one line."""

    @abstractmethod
    def lines(self, result: ExportResult) -> Iterator[str]:
        """The same in full, with every warning and finding."""

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
