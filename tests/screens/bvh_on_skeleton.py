# SPDX-License-Identifier: MIT
"""A BVH on the Second Life skeleton, with its mannequin."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """A dance goes out as BVH, and back onto the skeleton as an Action of its own."""
    operators: Any = bpy.ops
    stage.clear()
    stage.import_demo("dance.anim")
    with tempfile.TemporaryDirectory() as folder, stage.in_view():
        path = str(Path(folder) / "captured.bvh")
        operators.export_anim.animbridge_bvh(filepath=path)
        operators.import_anim.animbridge_bvh(filepath=path, target="ACTIVE", set_scene_range="ALWAYS")
    bpy.context.scene.frame_set(38)
    stage.pose_mode()
    yield
    stage.look()
    yield
