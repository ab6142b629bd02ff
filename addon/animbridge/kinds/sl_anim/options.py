# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only exports of Second Life animations have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...package import Facing
from ...scene.export.options import AvatarOptions

#: Second Life's limit (docs/second-life-format.md).
LARGEST_UPLOAD_BYTES: Final = 250_000
#: The library's target that has no such limit.
OPENSIM: Final = "opensim"


@dataclass(frozen=True)
class SlExportOptions(AvatarOptions):
    """How motion becomes a Second Life animation.

    `facing` is for Actions that were not imported. `fit_kilobytes`: how large the file may be; at Second
    Life's limit, OpenSim has none. `samples_per_second` None: the scene's rate. Within the library's bounds,
    samples and keys of Actions that were not imported are dropped; for Second Life, more are until the file
    fits into an upload.
    """

    facing: Facing = Facing.AUTO
    fit_kilobytes: float = LARGEST_UPLOAD_BYTES / 1000
    samples_per_second: float | None = None

    @property
    def fit_bytes(self) -> int:
        """For the library: 0 is no limit."""
        wanted = int(1000 * self.fit_kilobytes)
        is_free = self.library.get("target") == OPENSIM and wanted >= LARGEST_UPLOAD_BYTES
        return 0 if is_free else wanted
