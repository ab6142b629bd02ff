# SPDX-License-Identifier: GPL-3.0-or-later
"""How large the file of a part of an Action would be."""

from __future__ import annotations

from typing import Final

import bpy

from ...compat import actions
from ...scene.export.action import export_action
from ...scene.export.options import FrameRange
from .exporter import SlExporter
from .options import OPENSIM, SlExportOptions

#: Without Second Life's limits, which parts are made to keep.
_OPTIONS: Final = SlExportOptions(
    frame_range=FrameRange.SCENE, stop_above_mm=0.0, library={"target": OPENSIM}
)


def size_of(armature_object: bpy.types.Object, channels: actions.Channels, scene: bpy.types.Scene) -> int:
    """Bytes of the scene's frames of what the armature plays."""
    result = export_action(SlExporter(), armature_object, channels, scene, _OPTIONS, alone=True)
    return int(result.report["size_bytes"])
