# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of scenes are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...package import counted, printable
from ...scene.export.text import ExportTexts


class SceneTexts(ExportTexts):
    """Joints, length and errors."""

    def content(self, report: Mapping[str, Any]) -> str:
        return f"{counted(report['joints'], 'joint')}, {report['duration_seconds']:.3g} s"

    def content_in_full(self, report: Mapping[str, Any]) -> str:
        return (
            f"{counted(report['joints'], 'joint')}, {counted(report['keys'], 'key')}, "
            f"{report['duration_seconds']:g} s, {report['bytes']} bytes"
        )

    def notes(self, report: Mapping[str, Any]) -> Iterator[str]:
        if "dropped_keys" in report:
            dropped = report["dropped_keys"]
            bound = dropped["bound"]
            yield (
                f"keys: {dropped['after']} of {dropped['before']}, chosen to stay within "
                f"{bound['max_position_mm']:g} mm and {bound['max_rotation_degrees']:g} degrees"
            )

    def place_of_errors(self, report: Mapping[str, Any]) -> str:
        return f", as {printable(report['verified_by'])} reads the file"
