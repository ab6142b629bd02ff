# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export is told, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final

from ..native.abi import Encoder, Facing, Target
from ..native.document import Document, write_whole
from ..native.errors import AnimBridgeError, Status
from .oban_properties import ObanHeader
from .placement import Placement

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
class MotionOptions:
    """Which motion becomes a file, of whatever format.

    `rig_map`: JSON as in docs/rig-maps.md; None: the built-in one.
    """

    method: Method = Method.AUTO
    frame_range: FrameRange = FrameRange.ACTION
    selected_bones: bool = False
    object_motion: bool = False
    rig_map: str | None = None


@dataclass(frozen=True)
class ExportOptions(MotionOptions):
    """How motion becomes a Second Life animation.

    `facing` is for Actions that were not imported. `samples_per_second` None: the scene's rate; the bounds
    (None: every sample stays a key) hold at each sample. `fits`: keys are dropped until the file fits
    into an upload.
    """

    encoder: Encoder = Encoder.UPLOAD
    facing: Facing = Facing.AUTO
    target: Target = Target.SECOND_LIFE
    fits: bool = False
    samples_per_second: float | None = None
    max_position_mm: float | None = 0.5
    max_rotation_degrees: float | None = 0.05

    @property
    def fit_bytes(self) -> int:
        """For the library: 0 is no limit."""
        return LARGEST_UPLOAD_BYTES if self.fits else 0


@dataclass(frozen=True)
class BvhExportOptions(MotionOptions):
    """How motion becomes a BVH.

    `as_imported`: Actions that came from a BVH keep its axes, scale and frame time; what follows is for all
    others. `frames_per_second` None: the scene's. `rotation_order`: the channels' letters in file order, or
    "native" for each bone's own. `positions`: "root", "moving" or "all" joints get position channels.
    """

    as_imported: bool = True
    placement: Placement = field(default_factory=lambda: Placement("auto"))
    frames_per_second: float | None = None
    rotation_order: str = "ZXY"
    positions: str = "moving"


@dataclass(frozen=True)
class ObanExportOptions:
    """How an object's motion becomes an OBAN.

    `axes`: "file" or "blender"; None: as imported, else "file". `header` None: the Action's. `container`:
    "oni", "xml" or "raw"; None: the imported file's, else "oni". `door`: the motion is the opening half, and
    closing is the same backwards. Keys are dropped within the bounds; 0: none are. `is_camera`: whether it is
    for the game's camera; None: as the object is one.
    """

    method: Method = Method.AUTO
    frame_range: FrameRange = FrameRange.ACTION
    axes: str | None = None
    header: ObanHeader | None = None
    container: str | None = None
    door: bool = False
    max_position_mm: float = 1.0
    max_rotation_degrees: float = 0.05
    is_camera: bool | None = None


@dataclass(frozen=True)
class ExportResult:
    """The new document, the library's report on it, and what is worth knowing.

    `frame_start`: the frame of the animation's second 0. `sampled_because`: why the F-curves
    would not do; "" where they did. `source`: the imported file's bytes, where the document says no more and
    no less than that text did.
    """

    document: Document
    report: dict[str, Any]
    warnings: tuple[str, ...]
    frame_start: float
    facing: Facing
    sampled_because: str = ""
    source: bytes | None = None

    def write_file(self, path: Path) -> None:
        """Writes beside `path` and renames: a failure leaves an existing file as it was."""
        if self.source is None:
            self.document.write_file(path)
            return
        try:
            write_whole(path, self.source)
        except OSError as fault:
            raise AnimBridgeError(f"{path} cannot be written: {fault.strerror}", Status.IO) from fault
