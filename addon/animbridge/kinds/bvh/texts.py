# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of BVH are described."""

from __future__ import annotations

from collections.abc import Iterator

from ...package import counted, printable
from ...scene.export.result import ExportResult
from ...scene.export.text import ExportTexts


class BvhTexts(ExportTexts):
    """Joints, frames and errors."""

    def summary(self, result: ExportResult) -> str:
        report = result.report
        sampled = ", sampled" if result.sampled_because else ""
        return (
            f"{counted(report['joints'], 'joint')}, {counted(report['frames'], 'frame')}{sampled} "
            f"(at most {report['max_rotation_error_degrees']:.3g} degrees and "
            f"{report['max_position_error_mm']:.3g} mm off)"
        )

    def lines(self, result: ExportResult) -> Iterator[str]:
        report = result.report
        yield f"{report['joints']} joints, {report['frames']} frames"
        if result.sampled_because:
            yield f"sampled: {printable(result.sampled_because)}"
        yield (
            f"largest error: {report['max_rotation_error_degrees']:.6f} degrees, "
            f"{report['max_position_error_mm']:.6f} mm"
        )
        yield from map(printable, result.remarks)
