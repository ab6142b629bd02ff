# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of imports and exports of OBANs."""

from __future__ import annotations

from dataclasses import dataclass

from mathutils import Matrix

from ...scene.export.options import MotionOptions
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
class ObanExportOptions(MotionOptions):
    """How an object's motion becomes an OBAN.

    `axes`: "file" or "blender"; None: as imported, else "file". `header` None: the Action's. `container`:
    "oni", "xml" or "raw"; None: the imported file's, else "oni". `door`: the motion is the opening half, and
    closing is the same backwards. `is_camera`: whether it is for the game's camera; None: as the object is
    one.
    """

    axes: str | None = None
    header: ObanHeader | None = None
    container: str | None = None
    door: bool = False
    is_camera: bool | None = None
