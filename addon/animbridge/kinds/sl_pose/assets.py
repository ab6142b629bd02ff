# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions as pose assets: they are in the asset browser, and a click poses the armature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import bpy
from mathutils import Vector

from ...scene.armature.reading import armature_of

_TAG: Final = "Second Life pose"
_CAMERA: Final = "Pose Camera"
#: By what of its height a camera with Blender's usual lens is away from somebody that it shows whole.
_HEIGHTS_AWAY: Final = 1.7


def mark_as_assets(armature_object: bpy.types.Object, found: Iterable[bpy.types.Action]) -> None:
    """Marks Actions of the armature as pose assets; with pictures of it if Blender has a screen.

    Blender takes them with the scene's camera. A scene without one gets one in front of the armature.
    """
    if not bpy.app.background:
        _require_camera(armature_object)
    for action in found:
        action.asset_mark()
        data: Any = action.asset_data
        data.tags.new(_TAG, skip_if_exists=True)
        if not bpy.app.background:
            action.asset_generate_preview()


def pose_assets() -> list[bpy.types.Action]:
    """The pose assets of this .blend file, in the order of their names."""
    return [one for one in bpy.data.actions if one.asset_data is not None and one.library is None]


def _require_camera(armature_object: bpy.types.Object) -> None:
    scene = bpy.context.scene
    if scene.camera is not None:
        return
    corners = [armature_object.matrix_world @ Vector(corner) for corner in armature_object.bound_box]
    low, high = (Vector([limit(axis) for axis in zip(*corners, strict=True)]) for limit in (min, max))
    forward = armature_object.matrix_world.to_3x3() @ _forward_of(armature_object)
    camera: Any = bpy.data.objects.new(_CAMERA, bpy.data.cameras.new(_CAMERA))
    camera.location = (low + high) / 2.0 + forward.normalized() * _HEIGHTS_AWAY * (high.z - low.z)
    camera.rotation_euler = (-forward).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera


def _forward_of(armature_object: bpy.types.Object) -> Vector:
    """Where the avatar looks; other armatures look towards Blender's front view."""
    bones = armature_of(armature_object).bones
    left, right = (bones.get(f"mHip{side}") for side in ("Left", "Right"))
    if left is None or right is None:
        return Vector((0.0, -1.0, 0.0))
    across: Any = left.head_local - right.head_local
    return across.cross(Vector((0.0, 0.0, 1.0)))
