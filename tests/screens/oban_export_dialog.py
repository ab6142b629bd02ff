# SPDX-License-Identifier: MIT
"""File > Export > Oni Animation (.oni): the file browser with the exporter's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The browser for an imported camera."""
    operators: Any = bpy.ops
    with stage.in_view():
        path = stage.demo.parent / "oban" / "camera_steep.oban"
        operators.import_anim.oni(filepath=str(path), target="CAMERA")
    stage.invoke("export_anim.oni")
    yield
    yield
