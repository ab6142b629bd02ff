# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures to arrays, and the Second Life skeleton as a new armature."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import bpy
import numpy as np
from mathutils import Vector

from ..compat.armatures import collect_bones
from ..native import abi
from ..native.curves import Armature
from ..native.errors import AnimBridgeError
from ..native.skeleton import Joint, skeleton_joints

#: Height of the pelvis of a standing avatar, in metres: an animation's mPelvis position 0 is this place.
PELVIS_HEIGHT_METRES = 1.067
PELVIS = "mPelvis"
SKELETON_NAME = "SL Skeleton"


def require_armature(name: str) -> bpy.types.Object:
    """The armature object of this name."""
    found = bpy.data.objects.get(name)
    if found is None:
        raise AnimBridgeError(f"There is no object named '{name}'. Give the name of an armature object.")
    if found.type != "ARMATURE":
        raise AnimBridgeError(f"The object '{name}' is a {found.type.lower()}, not an armature.")
    return found


def active_armature(view_layer: bpy.types.ViewLayer) -> bpy.types.Object | None:
    """The active object, if it is an armature."""
    active = view_layer.objects.active
    return active if active is not None and active.type == "ARMATURE" else None


def armature_of(armature_object: bpy.types.Object) -> bpy.types.Armature:
    """The data of an armature object."""
    return cast("bpy.types.Armature", armature_object.data)


def pose_bones(armature_object: bpy.types.Object) -> Any:
    """The pose bones of an armature object, by name."""
    return cast("bpy.types.Pose", armature_object.pose).bones


def read_armature(
    armature_object: bpy.types.Object, facing: abi.Facing, rig_map: str | None = None
) -> Armature:
    """The bones at rest as arrays; armature space, metres."""
    if armature_object.mode == "EDIT":
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is in Edit mode. Leave Edit mode first."
        )
    bones = armature_of(armature_object).bones
    count = len(bones)
    rest = np.empty(16 * count, np.float32)
    bones.foreach_get("matrix_local", rest)
    flags = np.zeros(count, np.uint8)
    for attribute, wanted, flag in (
        ("use_connect", True, abi.BONE_CONNECTED),
        ("use_local_location", False, abi.BONE_NO_LOCAL_LOCATION),
        ("use_inherit_rotation", False, abi.BONE_NO_INHERIT_ROTATION),
    ):
        values = np.empty(count, np.bool_)
        bones.foreach_get(attribute, values)
        flags[values == wanted] |= flag
    index = {bone.name: position for position, bone in enumerate(bones)}
    return Armature(
        names=tuple(index),
        parents=np.array([index[bone.parent.name] if bone.parent else -1 for bone in bones], np.int32),
        rest_matrices=rest.reshape(count, 16),
        flags=flags,
        facing=facing,
        rig_map=rig_map,
    )


def create_sl_skeleton(context: bpy.types.Context, name: str = SKELETON_NAME) -> bpy.types.Object:
    """A new armature object with the 133 bones of the Second Life skeleton, facing +X, active and selected.

    No bone is connected, so that every one can carry position keys.
    """
    with _no_stray_data() as keep:
        armature = bpy.data.armatures.new(name)
        keep.append(armature)
        armature_object = bpy.data.objects.new(name, armature)
        keep.append(armature_object)
        context.collection.objects.link(armature_object)
        _activate(context.view_layer, armature_object)
        bpy.ops.object.mode_set(mode="EDIT")
        try:
            _add_bones(armature, [joint for joint in skeleton_joints() if joint.kind == "bone"])
        finally:
            bpy.ops.object.mode_set(mode="OBJECT")
        collect_bones(armature, name)
    return armature_object


def remove_armature(armature_object: bpy.types.Object) -> None:
    """Removes an armature object and its data, if nothing else uses it."""
    armature = armature_of(armature_object)
    bpy.data.objects.remove(armature_object)
    if armature.users == 0:
        bpy.data.armatures.remove(armature)


@contextmanager
def _no_stray_data() -> Iterator[list[bpy.types.ID]]:
    """Data-blocks put into the list are removed again when the work fails."""
    made: list[bpy.types.ID] = []
    try:
        yield made
    except BaseException:
        bpy.data.batch_remove(made)
        raise


def _activate(view_layer: bpy.types.ViewLayer, armature_object: bpy.types.Object) -> None:
    active = view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for selected in list(view_layer.objects.selected):
        selected.select_set(False)
    view_layer.objects.active = armature_object
    armature_object.select_set(True)


def _add_bones(armature: bpy.types.Armature, joints: list[Joint]) -> None:
    """Adds bones in Edit mode; in the skeleton every parent comes before its children."""
    for joint in joints:
        bone = armature.edit_bones.new(joint.name)
        parent = armature.edit_bones.get(joint.parent) if joint.parent else None
        bone.head = (parent.head if parent else Vector()) + _rest_offset(joint)
        direction = Vector(joint.end or (0.0, 0.0, 0.05))
        bone.tail = bone.head + direction
        bone.align_roll(_roll_axis(direction))
        bone.parent = parent
        bone.use_connect = False


def _rest_offset(joint: Joint) -> Vector:
    return Vector((0.0, 0.0, PELVIS_HEIGHT_METRES) if joint.name == PELVIS else joint.position)


def _roll_axis(direction: Vector) -> Vector:
    """The bone's Z axis looks forward, or upward where the bone itself looks forward."""
    forward = Vector((1.0, 0.0, 0.0))
    return forward if abs(direction.normalized().dot(forward)) < 0.7 else Vector((0.0, 0.0, 1.0))
