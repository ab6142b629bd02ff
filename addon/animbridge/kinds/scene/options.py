# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only imports of scenes have."""

from __future__ import annotations

from dataclasses import dataclass

from ...scene.import_.options import ImportOptions


@dataclass(frozen=True)
class SceneImportOptions(ImportOptions):
    """Which motion of a scene is taken.

    `all_animations`: each becomes an Action. Otherwise the one that the library's options choose, or the one
    that moves most.
    """

    all_animations: bool = True
