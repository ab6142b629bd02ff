# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of Blender's built-in shaders, which changed in 4.0."""

from __future__ import annotations

from typing import Final

import bpy

#: Lines of one colour and any width.
LINES_SHADER: Final = (
    "POLYLINE_UNIFORM_COLOR" if bpy.app.version >= (4, 0, 0) else "3D_POLYLINE_UNIFORM_COLOR"
)
