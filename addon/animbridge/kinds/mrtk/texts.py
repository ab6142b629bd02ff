# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of recordings are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...package import counted, printable
from ...scene.export.text import ExportTexts


class MrtkTexts(ExportTexts):
    """Version, keys and errors."""

    def content(self, report: Mapping[str, Any]) -> str:
        return (
            f"version {report['version']}, {counted(report['joints'], 'pose')}, "
            f"{counted(report['keys'], 'key')}"
        )

    def content_in_full(self, report: Mapping[str, Any]) -> str:
        return (
            f"version {report['version']}, {report['size_bytes']} bytes, {report['joints']} poses, "
            f"{report['keys']} keys, {report['duration_seconds']:.3f} s"
        )

    def notes(self, report: Mapping[str, Any]) -> Iterator[str]:
        """Which bones of a character are which joints."""
        hands = report.get("hands")
        if hands is None:
            return
        placed = set(hands["placed"])
        bones = hands["bones"].items()
        own = [f"{joint} = {printable(bone)}" for joint, bone in bones if joint not in placed]
        convention = f" as {hands['convention']}" if hands["convention"] else ""
        yield f"hands found{convention}: {', '.join(own)}"
        if placed:
            yield f"placed without a bone of their own: {', '.join(hands['placed'])}"
        if hands["missing"]:
            yield f"missing: {', '.join(hands['missing'])}"
