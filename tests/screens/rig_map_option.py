# SPDX-License-Identifier: MIT
"""A rig whose bones have names of its own, and the importer's option Rig Map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import bpy

#: What the bones are called that stay: short, so that no name covers another.
_NAMES: Final = {
    "mPelvis": "Root",
    "mTorso": "Belly",
    "mChest": "Ribs",
    "mHead": "Snout",
    "mShoulder": "Arm1",
    "mElbow": "Arm2",
    "mWrist": "Paw",
    "mHip": "Leg1",
    "mKnee": "Leg2",
}
_SIDES: Final = {"Left": ".L", "Right": ".R"}


def show(stage: Any) -> Iterator[None]:
    """The popup of dropped files over the rig: there the rig can be seen beside the options."""
    if not hasattr(bpy.types, "FileHandler"):
        raise stage.NotHere("dropped files need Blender 4.1")
    operators: Any = bpy.ops
    stage.clear()
    with stage.in_view():
        operators.armature.secondlife_skeleton_add()
        _rename(bpy.context.view_layer.objects.active)
    yield
    with stage.in_view():
        bpy.ops.view3d.view_axis(type="RIGHT")
        bpy.ops.view3d.view_all()
    yield
    stage.window.cursor_warp(stage.area.x + stage.area.width - 20, stage.area.y + stage.area.height // 4)
    yield
    with stage.in_view():
        operators.import_anim.secondlife(
            "INVOKE_DEFAULT",
            filepath="dance.anim",
            directory=str(stage.demo),
            files=[{"name": "dance.anim"}],
        )
    yield


def _rename(rig: Any) -> None:
    """Leaves the named bones alone, under their new names, and shows these."""
    names = dict(_NAMES)
    for side, ending in _SIDES.items():
        names |= {f"{name}{side}": f"{new}{ending}" for name, new in _NAMES.items()}
    rig.data.show_names = True
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for bone in [bone for bone in bones if bone.name not in names]:
        bones.remove(bone)
    for bone in bones:
        bone.name = names[bone.name]
    bpy.ops.object.mode_set(mode="OBJECT")
