# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports poses onto armatures."""

from __future__ import annotations

from typing import Any

from ...package import Document
from ...scene.import_.importer import FileCurves, Importer
from .options import PoseImportOptions


class PoseImporter(Importer[PoseImportOptions]):
    """A pose has one key for each number. Difference poses are refused, or converted on the T-pose."""

    format_id = "sl_pose"
    left_joints = "An export keeps their numbers"
    most_findings = 3

    def members(self, document: Document, options: PoseImportOptions) -> dict[str, Any]:
        return {**options.library, "whole": options.whole}

    def retargeting(self, document: Document, options: PoseImportOptions) -> dict[str, Any]:
        # A hand is posed without the arm and the rest of the body.
        return {"document": dict(options.library), "only_keyed": "hand" in options.library}

    def stores(self, file: FileCurves, options: PoseImportOptions) -> bool:
        """One hand of a file isn't the file."""
        return super().stores(file, options) and "hand" not in options.library
