# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of every export of armatures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from ...package import Progress
from ..retarget_choice import Retarget, rig_file_of

#: The library's default.
USUAL_STOP_MM: Final = 20.0


class Method(Enum):
    """Where the motion is taken from."""

    AUTO = "curves if they describe the whole motion, else samples"
    CURVES = "the F-curves of the bones; an error where something else moves the rig as well"
    SAMPLES = "the pose that Blender shows, sample by sample"


class FrameRange(Enum):
    """Which frames are exported."""

    ACTION = "the Action's own range, or that of its keys"
    SCENE = "the scene's start to its end"
    MARKERS = "the first to the last marker of the scene"
    POSE = "the current frame alone, as a pose that holds: one frame long, looped"


@dataclass(frozen=True)
class MotionOptions:
    """Which motion becomes a file, of whatever format.

    `rig_map`: JSON as in docs/rig-maps.md; None: the built-in one. `progress` gets the share that is done.
    `stop_above_mm`: an export that is farther off makes no document; 0: every export makes one. `library`:
    what else the user chose for the library, by the names of its options (docs/options.md).
    """

    method: Method = Method.AUTO
    frame_range: FrameRange = FrameRange.ACTION
    selected_bones: bool = False
    object_motion: bool = False
    rig_map: str | None = None
    progress: Progress | None = None
    stop_above_mm: float = USUAL_STOP_MM
    library: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AvatarOptions(MotionOptions):
    """Which motion the avatar of Second Life gets. `rig_map` may be a rig file, too."""

    retarget: Retarget = Retarget.AUTO

    @property
    def rig_file(self) -> str | None:
        """The rig map's text if it is a rig file."""
        return rig_file_of(self.rig_map)
