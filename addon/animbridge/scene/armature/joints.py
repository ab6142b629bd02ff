# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes new armatures of files' own joints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

import bpy
from mathutils import Quaternion, Vector

from ...package import AnimBridgeError, Document
from ..import_.options import ImportOptions
from ..names import data_block_name
from .creation import FRONT, UP, edit_bones, made_armature, roll_axis
from .makers import ArmatureMaker
from .reading import pose_bones

#: Blender drops shorter bones when Edit mode is left.
_SHORTEST_BONE: Final = 1e-4
#: As a share of the skeleton's size: points that are closer together count as one.
_SAME_PLACE: Final = 1e-6


class BoneAxes(Enum):
    """Where the bones' own axes point."""

    LIMBS = "each bone's Y axis along its limb"
    FILE = "every bone's axes along the file's, at rest"


@dataclass(frozen=True)
class FileSkeletons(ArmatureMaker[ImportOptions]):
    """The skeleton of the file, one for all files that have the same; named after the first.

    `skeleton`: as the library has it. `is_euler`: bones turn by the file's own angles, which they have only
    along the file's axes.
    """

    skeleton: Callable[[Document], Mapping[str, Any]]
    axes: BoneAxes = BoneAxes.LIMBS
    is_euler: bool = False

    def plan(self, document: Document) -> Any:
        skeleton = self.skeleton(document)
        if not skeleton["joints"]:
            raise AnimBridgeError("The file has no joints: nothing in it moves or is a bone")
        return {name: skeleton.get(name) for name in ("joints", "axes_wxyz")}

    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        joints, axes = plan["joints"], plan["axes_wxyz"]
        turns = None
        if self.is_euler or self.axes is BoneAxes.FILE:
            turns = [Quaternion(axes or joint["rotation_wxyz"]) for joint in joints]
        modes = [(self.is_euler and joint["euler_order"]) or "QUATERNION" for joint in joints]
        return create_joint_armature(context, data_block_name(file_stem), joints, turns, modes)

    def options(self, options: ImportOptions) -> ImportOptions:
        return replace(options, is_own=True)


def create_joint_armature(
    context: bpy.types.Context,
    name: str,
    joints: Sequence[Mapping[str, Any]],
    turns: Sequence[Quaternion] | None,
    modes: Sequence[str],
) -> bpy.types.Object:
    """A new armature with a bone for each joint, in Object mode, active and selected.

    A joint has name, parent (index, or -1), head, tail and has_positions, as the library's skeletons have
    them. `turns`: the bones' axes; None: along the limbs. `modes`: how the bones turn.
    """
    with made_armature(context, name) as armature_object:
        names: list[str] = []
        edit_bones(armature_object, lambda armature: names.extend(_add_bones(armature, joints, turns)))
        bones = pose_bones(armature_object)
        for bone_name, mode in zip(names, modes, strict=True):
            bones[bone_name].rotation_mode = mode
    return armature_object


def _add_bones(
    armature: bpy.types.Armature, joints: Sequence[Mapping[str, Any]], turns: Sequence[Quaternion] | None
) -> list[str]:
    """Adds bones in Edit mode, parents first; their names."""
    made: list[Any] = []
    near = _SAME_PLACE * _size(joints)
    for index, joint in enumerate(joints):
        bone: Any = armature.edit_bones.new(joint["name"])
        head, tail = Vector(joint["head"]), Vector(joint["tail"])
        length = max((tail - head).length, _SHORTEST_BONE)
        if turns is None:
            direction = (tail - head).normalized() if tail != head else UP
            roll_to = roll_axis(direction, FRONT)
        else:
            turn = turns[index]
            direction, roll_to = turn @ Vector((0.0, 1.0, 0.0)), turn @ Vector((0.0, 0.0, 1.0))
        bone.head, bone.tail = head, head + length * direction
        bone.align_roll(roll_to)
        if joint["parent"] >= 0:
            bone.parent = made[joint["parent"]]
            # A connected bone ignores its position keys.
            bone.use_connect = not joint["has_positions"] and (bone.parent.tail - head).length <= near
        made.append(bone)
    return [bone.name for bone in made]


def _size(joints: Sequence[Mapping[str, Any]]) -> float:
    """The largest distance from the origin to a joint."""
    return max((Vector(joint["head"]).length for joint in joints), default=0.0)
