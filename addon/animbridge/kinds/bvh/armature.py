# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a new armature of a BVH's skeleton."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

import bpy
from mathutils import Quaternion, Vector

from ...scene.armature.creation import FRONT, UP, edit_bones, made_armature, roll_axis
from ...scene.armature.reading import pose_bones

#: Blender drops shorter bones when Edit mode is left.
_SHORTEST_BONE: Final = 1e-4
#: As a share of the skeleton's size: points that are closer together count as one.
_SAME_PLACE: Final = 1e-6


class BoneAxes(Enum):
    """Where the bones' own axes point."""

    LIMBS = "each bone's Y axis along its limb"
    FILE = "every bone's axes along the file's, at rest"


def create_bvh_armature(
    context: bpy.types.Context, name: str, skeleton: Mapping[str, Any], axes: BoneAxes, *, is_euler: bool
) -> bpy.types.Object:
    """A new armature of what native.bvh.bvh_skeleton returns, in Object mode, active and selected.

    `is_euler`: bones turn in the order of the file's channels, else by quaternions.
    """
    joints = skeleton["joints"]
    with made_armature(context, name) as armature_object:
        turn = Quaternion(skeleton["axes_wxyz"]) if axes is BoneAxes.FILE else None
        names: list[str] = []
        edit_bones(armature_object, lambda armature: names.extend(_add_bones(armature, joints, turn)))
        bones = pose_bones(armature_object)
        for bone_name, joint in zip(names, joints, strict=True):
            order = joint["euler_order"] if is_euler else None
            bones[bone_name].rotation_mode = order or "QUATERNION"
    return armature_object


def _add_bones(
    armature: bpy.types.Armature, joints: list[Mapping[str, Any]], turn: Quaternion | None
) -> list[str]:
    """Adds bones in Edit mode, parents first; their names."""
    made: list[Any] = []
    near = _SAME_PLACE * _size(joints)
    for joint in joints:
        bone: Any = armature.edit_bones.new(joint["name"])
        head, tail = Vector(joint["head"]), Vector(joint["tail"])
        length = max((tail - head).length, _SHORTEST_BONE)
        if turn is None:
            direction = (tail - head).normalized() if tail != head else UP
            roll_to = roll_axis(direction, FRONT)
        else:
            direction, roll_to = turn @ Vector((0.0, 1.0, 0.0)), turn @ Vector((0.0, 0.0, 1.0))
        bone.head, bone.tail = head, head + length * direction
        bone.align_roll(roll_to)
        if joint["parent"] >= 0:
            bone.parent = made[joint["parent"]]
            # A connected bone ignores its position keys.
            bone.use_connect = not joint["has_positions"] and (bone.parent.tail - head).length <= near
        made.append(bone)
    return [bone.name for bone in made]


def _size(joints: list[Mapping[str, Any]]) -> float:
    """The largest distance from the origin to a joint."""
    return max((Vector(joint["head"]).length for joint in joints), default=0.0)
