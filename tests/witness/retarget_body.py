# SPDX-License-Identifier: MIT
"""Skeletons whose parts are known, their poses, and what a pose says about directions and lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .humanoid_body import SIDES
from .turns import NO_TURN, UP, Turn, Vector, about, add, cross, length, mul, rotate, sub, unit

NO_LENGTH = 1e-9


def _toward() -> dict[str, str]:
    result = {"spine": "chest", "chest": "upperChest", "upperChest": "neck", "neck": "head"}
    for side in SIDES:
        leg = ("UpperLeg", "LowerLeg", "Foot", "Toes", "ToeTip")
        arm = ("Shoulder", "UpperArm", "LowerArm", "Hand", "MiddleProximal")
        lines = [leg, arm, ("ThumbMetacarpal", "ThumbProximal", "ThumbDistal", "ThumbTip")]
        lines += [
            tuple(f"{finger}{bone}" for bone in ("Metacarpal", "Proximal", "Intermediate", "Distal", "Tip"))
            for finger in ("Index", "Middle", "Ring", "Little")
        ]
        for line in lines:
            result |= {f"{side}{a}": f"{side}{b}" for a, b in pairwise(line)}
    return result


TOWARD = _toward()
"""Slot -> the slot that it points at."""


@dataclass(frozen=True)
class Bone:
    """A joint: its parent's index, and its rest in the parent's space."""

    name: str
    parent: int | None
    rotation: Turn = NO_TURN
    translation: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Body:
    """A skeleton and what its joints are: slot -> joint, chain -> joints (top first). Parents come first."""

    bones: tuple[Bone, ...]
    slots: dict[str, int]
    chains: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    reference: dict[int, Turn] = field(
        default_factory=dict[int, Turn]
    )  # local rotations, instead of the rest


@dataclass
class Pose:
    """World rotations and heads of all joints."""

    turns: list[Turn]
    heads: list[Vector]


def world(body: Body, local: Mapping[int, Turn], places: Mapping[int, Vector] | None = None) -> Pose:
    """A pose from local rotations and translations; what isn't given is at rest."""
    pose = Pose([], [])
    for index, bone in enumerate(body.bones):
        turn = local.get(index, bone.rotation)
        place = (places or {}).get(index, bone.translation)
        if bone.parent is not None:
            place = add(pose.heads[bone.parent], rotate(pose.turns[bone.parent], place))
            turn = mul(pose.turns[bone.parent], turn)
        pose.turns.append(turn)
        pose.heads.append(place)
    return pose


def facing(body: Body, pose: Pose) -> Vector | None:
    """The horizontal direction in which a pose looks; None where nothing tells."""
    for part_name in ("UpperLeg", "UpperArm"):
        if f"left{part_name}" in body.slots and f"right{part_name}" in body.slots:
            left, right = (pose.heads[body.slots[f"{side}{part_name}"]] for side in SIDES)
            across = (left[0] - right[0], left[1] - right[1], 0.0)
            if length(across) > NO_LENGTH:
                return unit(cross(across, UP))
    return None


def turn_to_face(source: Vector | None, target: Vector | None) -> Turn:
    """The turn about Z that takes one horizontal direction to another."""
    if source is None or target is None:
        return NO_TURN
    radians = math.atan2(target[1], target[0]) - math.atan2(source[1], source[0])
    return about(UP, radians)


def _below(body: Body, joint: int) -> list[int]:
    inside = {joint}
    for index, bone in enumerate(body.bones):
        if bone.parent in inside:
            inside.add(index)
    return sorted(inside)


def turn_subtree(body: Body, pose: Pose, joint: int, turn: Turn) -> None:
    """Turns a joint in the world, and all that hangs on it."""
    pivot = pose.heads[joint]
    for index in _below(body, joint):
        pose.turns[index] = mul(turn, pose.turns[index])
        pose.heads[index] = add(pivot, rotate(turn, sub(pose.heads[index], pivot)))


def arc(pose: Pose, joints: Sequence[int]) -> list[float]:
    """Where the heads of a chain stand along it: 0 the first, 1 the last; even where it has no length."""
    lengths = [0.0]
    for a, b in pairwise(joints):
        lengths.append(lengths[-1] + length(sub(pose.heads[b], pose.heads[a])))
    if lengths[-1] < NO_LENGTH:
        return [i / max(1, len(joints) - 1) for i in range(len(joints))]
    return [one / lengths[-1] for one in lengths]
