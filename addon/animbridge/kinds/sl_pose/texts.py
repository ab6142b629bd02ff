# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of poses are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...package import counted, printable
from ...scene.export.text import ExportTexts


class PoseTexts(ExportTexts):
    """The program, the joints and errors."""

    def content(self, report: Mapping[str, Any]) -> str:
        kept = ", as imported" if report["changed_joints"] == 0 else ""
        return f"{report['program']} {report['version']}, {counted(report['joints'], 'joint')}{kept}"

    def content_in_full(self, report: Mapping[str, Any]) -> str:
        return (
            f"{report['program']}, version {report['version']}, {report['size_bytes']} bytes, "
            f"{report['joints']} joints"
        )

    def notes(self, report: Mapping[str, Any]) -> Iterator[str]:
        """What changed in the imported file, and what the new one lacks."""
        if report["changed_joints"] is not None:
            yield f"changed in the imported file: {counted(report['changed_joints'], 'joint')}"
        if report["left_out"]:
            yield f"left out: {', '.join(map(printable, report['left_out']))}"
