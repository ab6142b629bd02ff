# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of imports and exports of OBANs."""

from __future__ import annotations

from dataclasses import dataclass

from mathutils import Matrix

from ...package import Progress
from ...scene.export.options import USUAL_STOP_MM, FrameRange, Method
from .properties import ObanHeader


@dataclass(frozen=True)
class ObanImportOptions:
    """How an OBAN becomes an Action.

    `axes`: "file" or "blender", those of the object's own vertices; cameras always have the file's.
    `origin`: where the object stands to which a local animation belongs. {name} in `action_name` is the
    animation's name, {file} the file's, {object} the object's.
    """

    frame_start: float = 1.0
    axes: str = "file"
    origin: Matrix | None = None
    action_name: str = "{name}"
    fake_user: bool = True


@dataclass(frozen=True)
class ObanExportOptions:
    """How an object's motion becomes an OBAN.

    `axes`: "file" or "blender"; None: as imported, else "file". `header` None: the Action's. `container`:
    "oni", "xml" or "raw"; None: the imported file's, else "oni". `door`: the motion is the opening half, and
    closing is the same backwards. Keys are dropped within the bounds; 0: none are. `is_camera`: whether it is
    for the game's camera; None: as the object is one. `stop_above_mm` and `progress` as in
    MotionOptions.
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
    stop_above_mm: float = USUAL_STOP_MM
    progress: Progress | None = None
