# SPDX-License-Identifier: GPL-3.0-or-later
"""The Second Life skeleton as a new armature."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Final

import bpy
from mathutils import Matrix, Quaternion, Vector

from ...compat.armatures import BoneGroup, Colour, ColouredBones, group_bones, hide_groups, show_bones
from ...package import Facing, Joint, skeleton_joints
from ..armature.creation import UP, edit_bones, made_armature, roll_axis
from ..armature.reading import armature_of
from .mannequin import add_mannequin, show_through_body

SKELETON_NAME: Final = "SL Skeleton"
_BODY: Final = "Body"
_SPINE: Final = "Spine"
_VOLUMES: Final = "Collision Volumes"
_ATTACHMENTS: Final = "Attachment Points"
_BEYOND_HUMANS: Final = ("Wings", "Tail", "Hind Limbs")
#: Groups of the new armature in order.
_GROUPS: Final = (_BODY, _SPINE, "Face", "Hands", *_BEYOND_HUMANS, _VOLUMES, _ATTACHMENTS)
#: Hidden as long as nothing moves them; every avatar shows the others.
_HIDEABLE: Final = (*_BEYOND_HUMANS, _VOLUMES, _ATTACHMENTS)
#: By the end of a bone's name; bright enough for Blender's grey. "" are bones in the middle.
_SIDES: Final[dict[str, Colour]] = {
    "": (0.95, 0.78, 0.15),
    "Left": (0.25, 0.6, 1.0),
    "Right": (1.0, 0.35, 0.3),
}
#: Groups of a single colour, to be distinguished from the body around them.
_OF_ONE_COLOUR: Final[dict[str, Colour]] = {
    _SPINE: (0.2, 0.75, 0.6),
    _VOLUMES: (0.7, 0.7, 0.7),
    _ATTACHMENTS: (0.6, 0.85, 0.3),
}
#: From the groups of the skeleton's own file; all others are body.
_GROUP_OF: Final = {
    "Spine": _SPINE,
    "Hand": "Hands",
    "Wing": "Wings",
    "Tail": "Tail",
    "Limb": "Hind Limbs",
    **dict.fromkeys(("Face", "Eyes", "Ears", "Mouth", "Lips", "Nose"), "Face"),
}
_EYES: Final = ("mEyeLeft", "mEyeRight")
#: For attachment points, which have no length.
_POINT_LENGTH_METRES: Final = 0.03
#: The spine's joints lead down from the torso and up again; short bones do not hide pelvis and torso.
_SPINE_LENGTH_SHARE: Final = 0.25
_FORWARD: Final = Vector((1.0, 0.0, 0.0))
#: From the skeleton's own frame, +X forward; exact, so that no position loses a bit.
_TURNS: Final = {
    Facing.X: Matrix.Identity(3),
    Facing.NEGATIVE_Y: Matrix(((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))),
}


@dataclass(frozen=True)
class SkeletonOptions:
    """What a new skeleton gets besides the 133 bones, and where it looks: Facing.X or NEGATIVE_Y."""

    facing: Facing = Facing.X
    volumes: bool = False
    attachments: bool = False
    mannequin: bool = False


def create_sl_skeleton(
    context: bpy.types.Context, options: SkeletonOptions | None = None, name: str = SKELETON_NAME
) -> bpy.types.Object:
    """A new armature object with the Second Life skeleton, in Object mode, active and selected.

    No bone is connected, so that every one can carry position keys. Bones that humans don't have are hidden.
    """
    options = options or SkeletonOptions()
    joints = _chosen_joints(options)
    with made_armature(context, name) as armature_object:
        turn = _TURNS[options.facing]
        edit_bones(armature_object, lambda armature: _add_bones(armature, joints, turn))
        groups = _groups(joints)
        group_bones(armature_object, groups)
        hide_groups(armature_object, groups, _BEYOND_HUMANS)
        if options.mannequin:
            add_mannequin(context, armature_object, turn)
            show_through_body(armature_object)
    return armature_object


def hide_unmoved_groups(
    armature_object: bpy.types.Object, options: SkeletonOptions, moved: Set[str]
) -> list[str]:
    """Hides optional groups, such as wings, if no bone of them is moved, and shows the others.

    Returns the names of those that are hidden.
    The armature is one that create_sl_skeleton made with these options.
    """
    groups = _groups(_chosen_joints(options))
    names = [
        group.name
        for group in groups
        if group.name in _HIDEABLE and not any(moved & set(part.bones) for part in group.parts)
    ]
    hide_groups(armature_object, groups, names)
    return names


def show_moved_groups(armature_object: bpy.types.Object, moved: Set[str]) -> None:
    """Shows what new skeletons hide, such as wings, where a bone of the group is moved."""
    if armature_of(armature_object).library is None:  # what is linked from another file can't be changed
        beyond = {joint.name for joint in skeleton_joints() if _group_of(joint) in _HIDEABLE}
        show_bones(armature_object, moved & beyond)


def _chosen_joints(options: SkeletonOptions) -> list[Joint]:
    kinds = {"bone"}
    if options.volumes:
        kinds.add("collision_volume")
    if options.attachments:
        kinds.add("attachment_point")
    # Points of the screen are not part of the avatar.
    return [joint for joint in skeleton_joints() if joint.kind in kinds and not joint.on_screen]


def _add_bones(armature: bpy.types.Armature, joints: list[Joint], turn: Matrix) -> None:
    """Adds bones in Edit mode; in the skeleton every parent comes before its children."""
    for joint in joints:
        bone = armature.edit_bones.new(joint.name)
        parent = armature.edit_bones.get(joint.parent) if joint.parent else None
        # Only leaves (volumes and attachment points) are turned at rest, so offsets simply add up.
        bone.head = (parent.head if parent else Vector()) + turn @ Vector(joint.position)
        direction = _direction(joint)
        bone.tail = bone.head + turn @ direction
        bone.align_roll(turn @ _roll_axis(joint, direction))
        bone.parent = parent
        bone.use_connect = False
        # The viewer scales a joint, and not those below it.
        bone.inherit_scale = "NONE"
        bone.use_deform = joint.kind != "attachment_point"


def _direction(joint: Joint) -> Vector:
    """From the bone's head to its tail."""
    end = Vector(joint.end or (0.0, 0.0, 0.0))
    if joint.group == "Spine":
        end *= _SPINE_LENGTH_SHARE
    return Quaternion(joint.rotation_wxyz) @ (end if end.length > 0.0 else _POINT_LENGTH_METRES * _FORWARD)


def _roll_axis(joint: Joint, direction: Vector) -> Vector:
    """Fingers bend about the bone's X axis too."""
    return UP if joint.group == "Hand" else roll_axis(direction, _FORWARD)


def _groups(joints: list[Joint]) -> list[BoneGroup]:
    members: dict[str, list[str]] = {name: [] for name in _GROUPS}
    for joint in joints:
        members[_group_of(joint)].append(joint.name)
    return [BoneGroup(name, _parts(name, bones)) for name, bones in members.items() if bones]


def _parts(group: str, bones: list[str]) -> tuple[ColouredBones, ...]:
    """The bones of a group by side, or together if the group has a colour of its own."""
    if group in _OF_ONE_COLOUR:
        return (ColouredBones("", _OF_ONE_COLOUR[group], tuple(bones)),)
    sides: dict[str, list[str]] = {side: [] for side in _SIDES}
    for name in bones:
        sides[next((side for side in ("Left", "Right") if name.endswith(side)), "")].append(name)
    return tuple(
        ColouredBones(f" {side}".rstrip(), _SIDES[side], tuple(names))
        for side, names in sides.items()
        if names
    )


def _group_of(joint: Joint) -> str:
    if joint.kind == "collision_volume":
        return _VOLUMES
    if joint.kind == "attachment_point":
        return _ATTACHMENTS
    return "Face" if joint.name in _EYES else _GROUP_OF.get(joint.group, _BODY)
