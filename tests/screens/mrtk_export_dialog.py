# SPDX-License-Identifier: MIT
"""File > Export > MRTK Recording: the file browser with the export's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The browser, after an import."""
    operators: Any = bpy.ops
    stage.clear()
    with stage.in_view():
        operators.import_anim.mrtk(filepath=str(stage.demo.parent / "mrtk" / "two_hands_v11.bin"))
    yield
    stage.invoke("export_anim.mrtk")
    yield
    yield
