# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of scenes are described."""

from __future__ import annotations

from collections.abc import Mapping
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

    def place_of_errors(self, report: Mapping[str, Any]) -> str:
        return f", as {printable(report['verified_by'])} reads the file"
