# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export is told, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from ..native.abi import Encoder, Facing, Target
from ..native.document import Document

#: What Second Life takes (docs/second-life-format.md).
LARGEST_UPLOAD_BYTES: Final = 250_000


class Method(Enum):
    """Where the motion is taken from."""

    AUTO = "curves where they tell everything, else samples"
    CURVES = "the F-curves of the bones; an error where something else moves the rig as well"
    SAMPLES = "the pose that Blender shows, sample by sample"


class FrameRange(Enum):
    """Which frames are exported."""

    ACTION = "the Action's own range, or that of its keys"
    SCENE = "the scene's start to its end"
    MARKERS = "the first to the last marker of the scene"
    POSE = "the current frame alone, as a pose that holds: one frame long, looped"


@dataclass(frozen=True)
class ExportOptions:
    """How motion becomes a file.

    `facing` is for Actions that were not imported. `samples_per_second` None: the scene's rate; the bounds
    (None: every sample stays a key) hold at each sample. `fits`: keys are dropped until the file fits
    into an upload.
    `rig_map`: JSON as in docs/rig-maps.md; None: the built-in one.
    """

    encoder: Encoder = Encoder.UPLOAD
    facing: Facing = Facing.AUTO
    target: Target = Target.SECOND_LIFE
    fits: bool = False
    method: Method = Method.AUTO
    frame_range: FrameRange = FrameRange.ACTION
    selected_bones: bool = False
    object_motion: bool = False
    samples_per_second: float | None = None
    max_position_mm: float | None = 0.5
    max_rotation_degrees: float | None = 0.05
    rig_map: str | None = None

    @property
    def fit_bytes(self) -> int:
        """For the library: 0 is no limit."""
        return LARGEST_UPLOAD_BYTES if self.fits else 0


@dataclass(frozen=True)
class ExportResult:
    """The new document, the library's report on it, and what is worth knowing.

    `frame_start`: the frame of the animation's second 0. `sampled_because`: why the F-curves
    would not do; "" where they did.
    """

    document: Document
    report: dict[str, Any]
    warnings: tuple[str, ...]
    frame_start: float
    facing: Facing
    sampled_because: str = ""
