# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of OBANs are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...package import counted, printable
from ...scene.export.result import ExportResult
from ...scene.export.text import ExportTexts


class ObanTexts(ExportTexts):
    """Keys and errors, and the level's script, without which nothing plays the file."""

    def content(self, report: Mapping[str, Any]) -> str:
        return f"{counted(report['keys'], 'key')}, {counted(report['frames'], 'frame')}"

    def content_in_full(self, report: Mapping[str, Any]) -> str:
        return f"{report['keys']} keys, {report['frames']} frames (60 a second), Base: {report['base']}"

    def errors(self, report: Mapping[str, Any], digits: str) -> list[str]:
        return super().errors(report, digits)[::-1]

    def place_of_errors(self, report: Mapping[str, Any]) -> str:
        return f", at frame {report['worst_frame']} of the file"

    def summary(self, result: ExportResult) -> str:
        return f"{super().summary(result)}, {counted(len(result.report['findings']), 'finding')}"

    def lines(self, result: ExportResult) -> Iterator[str]:
        yield from super().lines(result)
        yield "in the level's script:"
        yield from (f"  {line}" for line in self.script_lines(result))

    def script_lines(self, result: ExportResult) -> Sequence[str]:
        return [printable(str(line)) for line in result.report["script"]]
