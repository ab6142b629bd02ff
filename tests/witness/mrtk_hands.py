# SPDX-License-Identifier: MIT
"""The joints of a recording on a BVH's hands, from what docs/mrtk-format.md says of a joint's axes.

At rest, a joint's forward axis points to the next joint of its finger, and a hand's forward axis to the
knuckle of the middle finger. Up is out of the back of the hand, which the line of the knuckles gives. In
motion a joint turns as its bone does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .bvh_file import Bvh
from .bvh_pose import pose
from .quaternion import Vector, rotate

#: A recording's joint -> the part of a hand, as rig files call it.
SLOTS = {
    "Wrist": "Hand",
    **{
        f"Thumb{name}": f"Thumb{part}"
        for name, part in (
            ("MetacarpalJoint", "Metacarpal"),
            ("ProximalJoint", "Proximal"),
            ("DistalJoint", "Distal"),
            ("Tip", "Tip"),
        )
    },
    **{
        f"{finger}{name}": f"{slot}{part}"
        for finger, slot in (
            ("Index", "Index"),
            ("Middle", "Middle"),
            ("Ring", "Ring"),
            ("Pinky", "Little"),
        )
        for name, part in (
            ("Metacarpal", "Metacarpal"),
            ("Knuckle", "Proximal"),
            ("MiddleJoint", "Intermediate"),
            ("DistalJoint", "Distal"),
            ("Tip", "Tip"),
        )
    },
    "Palm": "Palm",
}
#: A joint -> the one that its finger goes on to.
NEXT = {
    **{"ThumbMetacarpalJoint": "ThumbProximalJoint", "ThumbProximalJoint": "ThumbDistalJoint"},
    **{f"{finger}Knuckle": f"{finger}MiddleJoint" for finger in ("Index", "Middle", "Ring", "Pinky")},
    **{f"{finger}MiddleJoint": f"{finger}DistalJoint" for finger in ("Index", "Middle", "Ring", "Pinky")},
}


@dataclass(frozen=True)
class Expected:
    """In Unity's axes and metres. `forward`, `up`: None where the rig does not say."""

    position: Vector
    forward: Vector | None = None
    up: Vector | None = None


def unity(vector: Vector) -> Vector:
    """From a BVH's axes (Y up, the character looks along +Z) to Unity's, as a reflection."""
    return np.array([vector[0], vector[1], -vector[2]])


def _unit(vector: Vector) -> Vector:
    return vector / np.linalg.norm(vector)


def hand(bvh: Bvh, truth: Mapping[str, str], side: str, frame: int) -> dict[str, Expected]:
    """The joints that have a joint of their own in the file, by their names in recordings."""
    names = [joint.name for joint in bvh.joints]
    index = {joint: names.index(truth[side + slot]) for joint, slot in SLOTS.items() if side + slot in truth}
    rest: list[Vector] = []
    for joint in bvh.joints:
        above = rest[joint.parent] if joint.parent is not None else np.zeros(3)
        rest.append(above + np.array(joint.offset))
    at = {joint: rest[place] for joint, place in index.items()}
    posed = pose(bvh, frame)
    forward = {joint: _unit(at[below] - at[joint]) for joint, below in NEXT.items()}
    forward["Wrist"] = _unit(at["MiddleKnuckle"] - at["Wrist"])
    # Palm down and fingers ahead, the left hand's thumb is to the right, and the right hand's to the left.
    line = at["IndexKnuckle"] - at["PinkyKnuckle"]
    right = line if side == "left" else -line
    up = {"Wrist": _unit(np.cross(right, forward["Wrist"]))}
    expected: dict[str, Expected] = {}
    for joint, place in index.items():
        turn = posed.rotations[place]
        expected[joint] = Expected(
            unity(posed.positions[place]),
            unity(rotate(turn, forward[joint])) if joint in forward else None,
            unity(rotate(turn, up[joint])) if joint in up else None,
        )
    return expected
