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

#: The bones that stay, by the names of another program.
NAMES = {
    **{"mPelvis": "Hips", "mTorso": "Spine", "mChest": "Spine1", "mNeck": "Neck", "mHead": "Head"},
    **{"mCollar": "Shoulder", "mShoulder": "Arm", "mElbow": "ForeArm", "mWrist": "Hand"},
    **{"mHip": "UpLeg", "mKnee": "Leg", "mAnkle": "Foot", "mFoot": "ToeBase"},
}


def rename(armature: Any) -> None:
    """Names the bones as Mixamo does, and removes those that it doesn't have."""
    sides = ("Left", "Right")
    names = {name: new for name, new in NAMES.items() if name + "Left" not in armature.bones}
    names |= {name + side: side + new for name, new in NAMES.items() for side in sides if name not in names}
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in list(armature.edit_bones):
        if bone.name in names:
            bone.name = f"mixamorig:{names[bone.name]}"
        else:
            armature.edit_bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")


def show(stage: Any) -> Iterator[float | None]:
    """A dance goes out as a BVH, whose own armature then moves an avatar in T-pose."""
    operators: Any = bpy.ops
    stage.clear()
    stage.import_demo("dance.anim")
    avatar: Any = bpy.context.view_layer.objects.active
    with tempfile.TemporaryDirectory() as folder, stage.in_view():
        path = str(Path(folder) / "captured.bvh")
        operators.export_anim.animbridge_bvh(filepath=path)
        operators.import_anim.animbridge_bvh(filepath=path, target="NEW", set_scene_range="ALWAYS")
    source: Any = bpy.context.view_layer.objects.active
    with stage.in_view():
        rename(source.data)
    source.location = (0.0, 1.2, 0.0)
    source.rotation_euler = (0.0, 0.0, math.radians(90.0))  # a BVH looks along -Y, the avatar along +X
    settings = bpy.context.scene.animbridge_retarget  # pyright: ignore[reportAttributeAccessIssue]
    settings.source, settings.target = source, avatar
    avatar.animation_data.action = None
    with stage.in_view():
        operators.animbridge.retarget_auto()
        operators.animbridge.retarget_apply()
    settings.index = next(i for i, pair in enumerate(settings.pairs) if pair.slot == "leftUpperArm")
    bpy.context.scene.frame_set(38)
    stage.area.spaces.active.show_region_ui = True
    yield None
    stage.look()
    stage.show_tab("AnimBridge")
    yield None
    # A click on the title folds the panel above; the next title is then below it.
    region = next(region for region in stage.area.regions if region.type == "UI")
    x, y = region.x + 60, stage.window.height - region.y - region.height + 14
    yield from hands.click_at(x, y)
    yield from hands.click_at(x, y + 28)
