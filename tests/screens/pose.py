# SPDX-License-Identifier: MIT
"""A dance on the Second Life skeleton that the import made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """As after File > Import in an empty scene."""
    stage.clear()
    stage.import_demo("dance.anim")
    stage.pose_mode()
    bpy.context.scene.frame_set(40)
    yield
    stage.look()
    yield
