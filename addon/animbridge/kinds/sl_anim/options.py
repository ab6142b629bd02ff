# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only exports of Second Life animations have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...package import Encoder, Facing, Target
from ...scene.export.options import MotionOptions
from ...scene.retarget_choice import Retarget, rig_file_of

#: Second Life's limit (docs/second-life-format.md).
LARGEST_UPLOAD_BYTES: Final = 250_000


@dataclass(frozen=True)
class SlExportOptions(MotionOptions):
    """How motion becomes a Second Life animation.

    `facing` is for Actions that were not imported. `samples_per_second` None: the scene's rate. Within the
    bounds, samples and keys of Actions that were not imported are dropped; None: all stay. `target`: for
    Second Life, keys are dropped until the file fits into an upload. `rig_map` may be a rig file, too.
    """

    encoder: Encoder = Encoder.UPLOAD
    facing: Facing = Facing.AUTO
    target: Target = Target.SECOND_LIFE
    samples_per_second: float | None = None
    max_position_mm: float | None = 0.5
    max_rotation_degrees: float | None = 0.05
    retarget: Retarget = Retarget.AUTO

    @property
    def rig_file(self) -> str | None:
        """The rig map's text if it is a rig file."""
        return rig_file_of(self.rig_map)

    @property
    def fit_bytes(self) -> int:
        """For the library: 0 is no limit."""
        return LARGEST_UPLOAD_BYTES if self.target is Target.SECOND_LIFE else 0
