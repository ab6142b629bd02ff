# SPDX-License-Identifier: MIT
"""The panel Retarget, with a BVH's armature beside the avatar that moves like it."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import hands


def show(stage: Any) -> Iterator[float | None]:
    """A dance goes out as a BVH, whose own armature then moves an avatar in T-pose."""
    operators: Any = bpy.ops
    stage.clear()
    stage.import_demo("dance.anim", skeleton_mannequin=True)
    avatar: Any = bpy.context.view_layer.objects.active
    with tempfile.TemporaryDirectory() as folder, stage.in_view():
        path = str(Path(folder) / "captured.bvh")
        operators.export_anim.animbridge_bvh(filepath=path)
        operators.import_anim.animbridge_bvh(filepath=path, target="NEW", set_scene_range="ALWAYS")
    source: Any = bpy.context.view_layer.objects.active
    source.location = (0.0, 1.2, 0.0)
    source.rotation_euler = (0.0, 0.0, math.radians(90.0))  # a BVH looks along -Y, the avatar along +X
    settings = bpy.context.scene.animbridge_retarget  # pyright: ignore[reportAttributeAccessIssue]
    settings.source, settings.target = source, avatar
    avatar.animation_data.action = None
    with stage.in_view():
        operators.animbridge.retarget_auto()
        operators.animbridge.retarget_apply()
    settings.index = next(i for i, pair in enumerate(settings.pairs) if pair.slot == "leftUpperArm")
    bpy.context.scene.frame_set(60)
    stage.area.spaces.active.show_region_ui = True
    yield None
    stage.look()
    stage.show_tab("AnimBridge")
    yield None
    # The panels above are folded by a click on the title.
    region = next(region for region in stage.area.regions if region.type == "UI")
    yield from hands.click_at(region.x + 60, stage.window.height - region.y - region.height + 14)
    yield None
