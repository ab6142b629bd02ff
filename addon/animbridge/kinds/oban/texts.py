# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of OBANs are described."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...package import counted, finding_text, printable
from ...scene.export.result import ExportResult
from ...scene.export.text import ExportTexts


class ObanTexts(ExportTexts):
    """Keys and errors, and the level's script, without which nothing plays the file."""

    def summary(self, result: ExportResult) -> str:
        report = result.report
        sampled = ", sampled" if result.sampled_because else ""
        return (
            f"{counted(report['keys'], 'key')}, {counted(report['frames'], 'frame')}{sampled} "
            f"(at most {report['max_position_error_mm']:.3g} mm and "
            f"{report['max_rotation_error_degrees']:.3g} degrees off), "
            f"{counted(len(report['findings']), 'finding')}"
        )

    def lines(self, result: ExportResult) -> Iterator[str]:
        report = result.report
        yield f"{report['keys']} keys, {report['frames']} frames (60 a second), Base: {report['base']}"
        if result.sampled_because:
            yield f"sampled: {printable(result.sampled_because)}"
        yield (
            f"largest error: {report['max_position_error_mm']:.6f} mm, "
            f"{report['max_rotation_error_degrees']:.6f} degrees, "
            f"at frame {report['worst_frame']} of the file"
        )
        yield from map(printable, result.remarks)
        yield from map(finding_text, report["findings"])
        yield "in the level's script:"
        yield from (f"  {line}" for line in self.script_lines(result))

    def script_lines(self, result: ExportResult) -> Sequence[str]:
        return [printable(str(line)) for line in result.report["script"]]
