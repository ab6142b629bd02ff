# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of BVH are described."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...package import counted
from ...scene.export.text import ExportTexts


class BvhTexts(ExportTexts):
    """Joints, frames and errors."""

    def content(self, report: Mapping[str, Any]) -> str:
        return f"{counted(report['joints'], 'joint')}, {counted(report['frames'], 'frame')}"

    def content_in_full(self, report: Mapping[str, Any]) -> str:
        return f"{report['joints']} joints, {report['frames']} frames"
