# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding armatures, and reading them as arrays."""

from __future__ import annotations

from typing import Any, cast

import bpy
import numpy as np

from ...package import AnimBridgeError, Armature, Stance, abi, stance_of_axes


def require_armature(name: str) -> bpy.types.Object:
    """The armature object of this name."""
    found = bpy.data.objects.get(name)
    if found is None:
        raise AnimBridgeError(f"There is no object named '{name}'. Give the name of an armature object.")
    if found.type != "ARMATURE":
        raise AnimBridgeError(f"The object '{name}' is a {found.type.lower()}, not an armature.")
    return found


def active_armature(view_layer: bpy.types.ViewLayer) -> bpy.types.Object | None:
    """The active object if it is an armature, or else the one that deforms or carries it; None: neither."""
    active = view_layer.objects.active
    if active is None or active.type == "ARMATURE":
        return active
    found = active.find_armature() or active.parent
    while found is not None and found.type != "ARMATURE":
        found = found.parent
    return found


def armature_of(armature_object: bpy.types.Object) -> bpy.types.Armature:
    """The data of an armature object."""
    return cast("bpy.types.Armature", armature_object.data)


def pose_bones(armature_object: bpy.types.Object) -> Any:
    """The pose bones of an armature object, by name."""
    return cast("bpy.types.Pose", armature_object.pose).bones


def read_tails(armature_object: bpy.types.Object) -> list[list[float]]:
    """Where each bone's tail is at rest, in armature space."""
    bones = armature_of(armature_object).bones
    tails = np.empty(3 * len(bones), np.float32)
    bones.foreach_get("tail_local", tails)
    rows: list[list[float]] = tails.reshape(-1, 3).tolist()
    return rows


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


def stance_of(armature_object: bpy.types.Object) -> Stance:
    """How the object stands; an error if it is mirrored or unevenly scaled."""
    return stance_of_axes(np.array(armature_object.matrix_world, np.float64)[:3, :3], armature_object.name)
