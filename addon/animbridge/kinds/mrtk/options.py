# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only imports and exports of recordings have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from ...scene.export.options import MotionOptions
from ...scene.import_.options import ImportOptions


class Rig(Enum):
    """What a recording becomes; the values are the library's."""

    EXACT = "exact"
    HANDS = "hands"


class Rest(Enum):
    """How the hands of a new rig rest; the values are the library's."""

    TRACKED = "tracked"
    FLAT = "flat"


class Signs(Enum):
    """What becomes of a quaternion that changes its sign; the values are the library's."""

    CONTINUOUS = "continuous"
    RECORDED = "recorded"


class Version(Enum):
    """The version of a new file; the values are the library's."""

    AUTO = "auto"
    V1_0 = "1.0"
    V1_1 = "1.1"


@dataclass(frozen=True)
class MrtkImportOptions(ImportOptions):
    """How a recording becomes bones. `rest_seconds` None: the first time at which a hand is tracked."""

    rig: Rig = Rig.EXACT
    rest: Rest = Rest.TRACKED
    rest_seconds: float | None = None
    signs: Signs = Signs.CONTINUOUS

    def members(self) -> dict[str, Any]:
        """The options as the library has them."""
        return {
            "rig": self.rig.value,
            "rest": self.rest.value,
            "rest_seconds": self.rest_seconds,
            "signs": self.signs.value,
        }


@dataclass(frozen=True)
class MrtkExportOptions(MotionOptions):
    """How motion becomes a recording. `markers`: those of the timeline in the exported frames.

    `rig_file`: the text of a rig file that says which bones are the hands; "": they are found.
    """

    version: Version = Version.AUTO
    rig_file: str = ""
    markers: bool = True
    max_position_mm: float = 0.1
    max_rotation_degrees: float = 0.02
