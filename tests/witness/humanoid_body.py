# SPDX-License-Identifier: MIT
"""An ideal human body: where each humanoid slot's joint stands.

Positions are in metres, Z up. The body looks along -Y, so its left is +X; `facing_x` turns it to look along
+X. It stands in T-pose, or in A-pose with the arms 45 degrees below the horizontal. The numbers are round and
by hand: a body of 1.75 m, slightly curved, as real ones are.
"""

from __future__ import annotations

import math
from itertools import pairwise

Vector3 = tuple[float, float, float]

_CENTRE: dict[str, Vector3] = {
    "root": (0.0, 0.0, 0.0),
    "hips": (0.0, 0.0, 0.95),
    "spine": (0.0, 0.01, 1.06),
    "chest": (0.0, 0.015, 1.18),
    "upperChest": (0.0, 0.01, 1.30),
    "neck": (0.0, 0.005, 1.46),
    "head": (0.0, -0.01, 1.56),
    "jaw": (0.0, -0.03, 1.57),
    "headTop": (0.0, -0.01, 1.75),
}
_LEFT: dict[str, Vector3] = {
    "Eye": (0.032, -0.09, 1.62),
    "UpperLeg": (0.09, 0.0, 0.91),
    "LowerLeg": (0.095, -0.01, 0.50),
    "Foot": (0.095, 0.015, 0.08),
    "Toes": (0.10, -0.11, 0.02),
    "ToeTip": (0.10, -0.18, 0.015),
    "Heel": (0.095, 0.06, 0.01),
    "Shoulder": (0.03, 0.0, 1.41),
    "UpperArm": (0.18, 0.005, 1.42),
    "LowerArm": (0.46, 0.01, 1.42),
    "Hand": (0.72, 0.0, 1.42),
    "Palm": (0.775, -0.005, 1.42),
    "ThumbMetacarpal": (0.745, -0.03, 1.41),
    "ThumbProximal": (0.775, -0.055, 1.405),
    "ThumbDistal": (0.80, -0.075, 1.40),
    "ThumbTip": (0.82, -0.09, 1.395),
}
# Per finger: how far in front of the hand, where the knuckle is, and the lengths of the three phalanges.
_FINGERS: dict[str, tuple[float, float, tuple[float, float, float]]] = {
    "Index": (-0.03, 0.815, (0.042, 0.025, 0.02)),
    "Middle": (-0.01, 0.82, (0.046, 0.028, 0.021)),
    "Ring": (0.012, 0.812, (0.042, 0.026, 0.02)),
    "Little": (0.033, 0.80, (0.034, 0.02, 0.018)),
}
SEGMENTS = ("Metacarpal", "Proximal", "Intermediate", "Distal", "Tip")
THUMB_SEGMENTS = ("Metacarpal", "Proximal", "Distal", "Tip")
FINGERS = tuple(_FINGERS)
SIDES = ("left", "right")
A_POSE_DEGREES = 45.0


def _finger(name: str) -> dict[str, Vector3]:
    y, knuckle, lengths = _FINGERS[name]
    xs = [0.745, knuckle]
    for length in lengths:
        xs.append(xs[-1] + length)
    # The metacarpals fan out from the wrist: they begin at half of the knuckles' distance from the middle.
    ys = [y / 2, y, y, y, y]
    return {
        f"{name}{part}": (x, side, 1.42 - 0.004 * i)
        for i, (part, x, side) in enumerate(zip(SEGMENTS, xs, ys, strict=True))
    }


def _lowered(point: Vector3, about: Vector3, degrees: float) -> Vector3:
    """A point of the left arm when the arm goes down by an angle about the shoulder joint."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, z = point[0] - about[0], point[2] - about[2]
    return about[0] + c * x + s * z, point[1], about[2] - s * x + c * z


def is_arm(part: str) -> bool:
    """Whether a part without its side ("LowerArm") moves with the upper arm."""
    return part in ("UpperArm", "LowerArm", "Hand", "Palm") or part.startswith(("Thumb", *FINGERS))


def body(pose: str = "T", facing_x: bool = False) -> dict[str, Vector3]:
    """Slot -> position; "headTop" is the crown, which is no slot. pose is "T" or "A"."""
    left = dict(_LEFT)
    for name in _FINGERS:
        left |= _finger(name)
    if pose == "A":
        shoulder = left["UpperArm"]
        left = {
            part: _lowered(p, shoulder, A_POSE_DEGREES) if is_arm(part) else p for part, p in left.items()
        }
    points = dict(_CENTRE)
    points |= {f"left{part}": p for part, p in left.items()}
    points |= {f"right{part}": (-x, y, z) for part, (x, y, z) in left.items()}
    if facing_x:  # a quarter turn about Z takes -Y to +X
        points = {slot: (-y, x, z) for slot, (x, y, z) in points.items()}
    return points


def _parents() -> dict[str, str]:
    parents = {
        "hips": "root",
        "spine": "hips",
        "chest": "spine",
        "upperChest": "chest",
        "neck": "upperChest",
        "head": "neck",
        "jaw": "head",
    }
    for side in SIDES:
        leg = ("UpperLeg", "LowerLeg", "Foot", "Toes", "ToeTip")
        parents[f"{side}Eye"], parents[f"{side}UpperLeg"] = "head", "hips"
        parents |= {f"{side}{b}": f"{side}{a}" for a, b in pairwise(leg)}
        parents[f"{side}Heel"] = f"{side}Foot"
        parents[f"{side}Shoulder"] = "upperChest"
        arm = ("Shoulder", "UpperArm", "LowerArm", "Hand", "Palm")
        parents |= {f"{side}{b}": f"{side}{a}" for a, b in pairwise(arm)}
        for finger in ("Thumb", *FINGERS):
            parts = THUMB_SEGMENTS if finger == "Thumb" else SEGMENTS
            above = f"{side}Hand"
            for part in parts:
                parents[f"{side}{finger}{part}"] = above
                above = f"{side}{finger}{part}"
    return parents


PARENTS = _parents()
"""Slot -> the slot that carries it, parents before children; root has none. A rig that lacks a slot hangs its
children on the next one up."""
SLOTS = ("root", *PARENTS)


def side_of(slot: str) -> str | None:
    """ "left", "right" or None."""
    return next((side for side in SIDES if slot.startswith(side)), None)


def is_finger(slot: str) -> bool:
    """A finger's or the thumb's slot, metacarpals and tips included."""
    side = side_of(slot)
    return side is not None and slot.removeprefix(side).startswith(("Thumb", *FINGERS))
