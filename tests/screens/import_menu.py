# SPDX-License-Identifier: MIT
"""File > Import, with the entries of AnimBridge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands


def show(stage: Any) -> Iterator[float | None]:
    """The menu, as it opens from File."""
    hands.move(220, 200)
    yield
    with stage.in_view():
        bpy.ops.wm.call_menu(name="TOPBAR_MT_file_import")
    yield
    hands.move(640, 650)
    yield 4.0
