# SPDX-License-Identifier: MIT
"""File > Import > Motion Capture (BVH, AnimBridge), onto the Second Life skeleton that is active."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The browser with the options for an existing armature."""
    operators: Any = bpy.ops
    stage.clear()
    with stage.in_view():
        operators.armature.secondlife_skeleton_add()
    folder = stage.demo.parent / "bvh" / "dialects"
    stage.invoke("import_anim.animbridge_bvh", filepath=f"{folder}/", target="ACTIVE")
    yield
    yield
