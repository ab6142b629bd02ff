# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only poses have."""

from __future__ import annotations

from dataclasses import dataclass

from ...scene.export.options import AvatarOptions
from ...scene.import_.options import ImportOptions


@dataclass(frozen=True)
class PoseImportOptions(ImportOptions):
    """How a file becomes a pose. `whole`: bones get every number that the pose holds, also those at rest."""

    whole: bool = False


@dataclass(frozen=True)
class PoseExportOptions(AvatarOptions):
    """How a pose is exported. `kept`: the imported file that is looked for first, by name; "": the last."""

    kept: str = ""
