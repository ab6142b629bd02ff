# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of scenes are described."""

from __future__ import annotations

from collections.abc import Iterator

from ...package import counted, printable
from ...scene.export.result import ExportResult
from ...scene.export.text import ExportTexts


class SceneTexts(ExportTexts):
    """Joints, length and errors."""

    def summary(self, result: ExportResult) -> str:
        report = result.report
        sampled = ", sampled" if result.sampled_because else ""
        return (
            f"{counted(report['joints'], 'joint')}, {report['duration_seconds']:.3g} s{sampled} "
            f"(at most {report['max_rotation_error_degrees']:.3g} degrees and "
            f"{report['max_position_error_mm']:.3g} mm off)"
        )

    def lines(self, result: ExportResult) -> Iterator[str]:
        report = result.report
        yield (
            f"{counted(report['joints'], 'joint')}, {counted(report['keys'], 'key')}, "
            f"{report['duration_seconds']:g} s, {report['bytes']} bytes"
        )
        if result.sampled_because:
            yield f"sampled: {printable(result.sampled_because)}"
        yield (
            f"largest error: {report['max_rotation_error_degrees']:.6f} degrees, "
            f"{report['max_position_error_mm']:.6f} mm, as {printable(report['verified_by'])} reads the file"
        )
        yield from map(printable, result.remarks)
