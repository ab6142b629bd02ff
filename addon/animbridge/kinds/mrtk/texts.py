# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of recordings are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...package import counted, finding_text, printable
from ...scene.export.result import ExportResult
from ...scene.export.text import ExportTexts


def _hand_lines(hands: Mapping[str, Any] | None) -> Iterator[str]:
    """Which bones of a character are which joints."""
    if hands is None:
        return
    placed = set(hands["placed"])
    own = [f"{joint} = {printable(bone)}" for joint, bone in hands["bones"].items() if joint not in placed]
    convention = f" as {hands['convention']}" if hands["convention"] else ""
    yield f"hands found{convention}: {', '.join(own)}"
    if placed:
        yield f"placed without a bone of their own: {', '.join(hands['placed'])}"
    if hands["missing"]:
        yield f"missing: {', '.join(hands['missing'])}"


class MrtkTexts(ExportTexts):
    """Version, keys and errors."""

    def summary(self, result: ExportResult) -> str:
        report = result.report
        sampled = ", sampled" if result.sampled_because else ""
        return (
            f"version {report['version']}, {counted(report['joints'], 'pose')}, "
            f"{counted(report['keys'], 'key')}{sampled} "
            f"(at most {report['max_rotation_error_degrees']:.3g} degrees and "
            f"{report['max_position_error_mm']:.3g} mm off)"
        )

    def lines(self, result: ExportResult) -> Iterator[str]:
        report = result.report
        yield (
            f"version {report['version']}, {report['size_bytes']} bytes, {report['joints']} poses, "
            f"{report['keys']} keys, {report['duration_seconds']:.3f} s"
        )
        if result.sampled_because:
            yield f"sampled: {printable(result.sampled_because)}"
        yield (
            f"largest error: {report['max_rotation_error_degrees']:.6f} degrees, "
            f"{report['max_position_error_mm']:.6f} mm"
        )
        yield from _hand_lines(report.get("hands"))
        yield from map(printable, result.remarks)
        yield from map(finding_text, report["findings"])
