# SPDX-License-Identifier: MIT
"""A made-up recording of two hands, a head and a gaze: what the MRTK fixtures show.

The left hand pinches twice, the right one waves, the head turns to look from one to the other. A hand is as
spec 3.2 describes it: the bone along local +Z, the back of the hand along +Y, the thumb at +X of the left and
-X of the right one, each joint where its parent's +Z points, tips turned as the joints before them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from .. import mrtk_axes as axes
from ..mrtk_axes import Vector
from ..mrtk_recorder import Sample, Take

FINGERS = ("Index", "Middle", "Ring", "Pinky")
# Of the left hand in metres: where a metacarpal begins, its turn to the side, the lengths of the bones.
_FINGER_ROOTS = {
    "Index": ((0.020, 0.004, 0.012), 6.0, (0.066, 0.040, 0.025, 0.022)),
    "Middle": ((0.003, 0.002, 0.010), -1.0, (0.065, 0.044, 0.029, 0.023)),
    "Ring": ((-0.011, 0.004, 0.011), -7.0, (0.060, 0.041, 0.027, 0.022)),
    "Pinky": ((-0.024, 0.001, 0.013), -14.0, (0.055, 0.032, 0.019, 0.020)),
}
_PARTS = ("Metacarpal", "Knuckle", "MiddleJoint", "DistalJoint", "Tip")
_THUMB = ("ThumbMetacarpalJoint", "ThumbProximalJoint", "ThumbDistalJoint", "ThumbTip")
_CURL_SHARES = (0.0, 0.9, 1.1, 0.6)  # of a metacarpal, knuckle, middle and distal joint
_THUMB_ROOT, _THUMB_LENGTHS = (0.028, -0.010, 0.018), (0.046, 0.034, 0.027)
SAMPLES = 110  # 1.8 s at 60 frames per second
LENGTH_NOISE = (0.9997, 1.0008)  # of quaternions in a real recording (spec 3.2)
Joint = tuple[Vector, Vector]  # position, rotation


def _smooth(x: float) -> float:
    x = min(max(x, 0.0), 1.0)
    return x * x * (3 - 2 * x)


def pinch_at(time: float) -> float:
    """How far the left hand is closed: 0 to 1, twice."""
    phase = time % 0.9
    return _smooth((phase - 0.15) / 0.2) * (1 - _smooth((phase - 0.55) / 0.2))


def _chain(root: Joint, bends: list[float], lengths: list[float]) -> list[Joint]:
    """A finger: each joint where the one before it points, then bent about its X; the tip is not bent."""
    made = [root]
    for bend, size in zip([*bends[1:], 0.0], lengths, strict=True):
        place, rotation = made[-1]
        there = axes.added(place, axes.rotated(rotation, (0.0, 0.0, size)))
        made.append((there, axes.product(rotation, axes.turn(0, bend))))
    return made


def hand(wrist: Joint, mirror: float, curls: dict[str, float], grow: float) -> dict[str, Joint]:
    """All 26 joints; mirror is 1 for the left hand, -1 for the right; curls are degrees by finger."""
    place, rotation = wrist

    def rooted(offset: Vector, turned: Vector) -> Joint:
        there = axes.rotated(rotation, (mirror * offset[0], offset[1], offset[2]))
        return axes.added(place, there), axes.product(rotation, turned)

    joints = {"Wrist": wrist, "Palm": (rooted((0.003, 0.0, 0.055), axes.IDENTITY)[0], rotation)}
    side = axes.product(axes.turn(1, mirror * 38.0), axes.turn(2, mirror * -50.0))
    bends = [0.0, 0.3 * curls["Thumb"], 0.5 * curls["Thumb"]]
    thumb = _chain(rooted(_THUMB_ROOT, side), bends, [grow * n for n in _THUMB_LENGTHS])
    joints |= dict(zip(_THUMB, thumb, strict=True))
    for finger, (offset, yaw, lengths) in _FINGER_ROOTS.items():
        bends = [share * curls[finger] for share in _CURL_SHARES]
        made = _chain(rooted(offset, axes.turn(1, mirror * yaw)), bends, [grow * n for n in lengths])
        joints |= {finger + part: joint for part, joint in zip(_PARTS, made, strict=True)}
    return joints


def left_hand(time: float) -> dict[str, Joint]:
    """Reaches forward slowly and pinches."""
    closed = pinch_at(time)
    place = (-0.18 + 0.02 * math.sin(1.3 * time), 1.22 + 0.03 * time, 0.42 + 0.05 * math.sin(0.9 * time))
    rotation = axes.product(axes.turn(1, 12 + 6 * math.sin(1.1 * time)), axes.turn(0, -20 + 4 * closed))
    curls = {"Thumb": 20 + 45 * closed, "Index": 12 + 46 * closed, "Middle": 15 + 8 * closed}
    curls |= {"Ring": 20 + 6 * closed, "Pinky": 24 + 5 * closed}
    return hand((place, rotation), 1.0, curls, 1 + 0.04 * math.sin(2.1 * time))


def right_hand(time: float) -> dict[str, Joint]:
    """Held up and waved."""
    sway = math.sin(2 * math.pi * 1.2 * time)
    place = (0.26 + 0.05 * sway, 1.45 + 0.01 * math.cos(5 * time), 0.36)
    upright = axes.product(axes.turn(1, 25.0), axes.turn(0, -78.0))
    rotation = axes.product(axes.turn(2, -32 * sway), upright)
    curls = {"Thumb": 10.0, "Index": 6 + 3 * sway, "Middle": 5 + 3 * sway, "Ring": 7.0, "Pinky": 9 - 3 * sway}
    return hand((place, rotation), -1.0, curls, 1.0)


def camera(time: float) -> Joint:
    """The head: a little sway, a look from the left hand to the right one and back."""
    look = 14 * math.sin(1.7 * time) + 3
    rotation = axes.product(axes.turn(1, look), axes.turn(0, 9 + 2 * math.sin(2.3 * time)))
    return (0.012 * math.sin(1.9 * time), 1.62 + 0.008 * math.sin(2.7 * time), 0.03 * time), rotation


def times(count: int = SAMPLES, seed: int = 7) -> list[float]:
    """Frame times of about 60 per second, uneven as measured ones are."""
    rng, made = random.Random(seed), [0.0]
    while len(made) < count:
        made.append(made[-1] + 1 / 60 + (rng.random() - 0.5) * 0.004)
    return made


def _noisy(rng: random.Random, rotation: Vector) -> Vector:
    low, high = LENGTH_NOISE
    return axes.scaled(rotation, low + (high - low) * rng.random())


def _faced(joint: Joint, degrees: float) -> Joint:
    if degrees == 0:
        return joint
    whole = axes.turn(1, degrees)
    return axes.rotated(whole, joint[0]), axes.product(whole, joint[1])


def _switched(flags: list[tuple[float, bool]]) -> list[tuple[float, bool]]:
    """A key at the first frame and at each change."""
    return [f for i, f in enumerate(flags) if i == 0 or f[1] != flags[i - 1][1]]


def take(
    count: int = SAMPLES,
    spans: dict[str, tuple[int, int]] | None = None,
    every: int = 1,
    facing: float = 0.0,
) -> Take:
    """The samples of the recording; spans say from and up to which frame a hand is tracked.

    Where the person faces, in degrees about Y: at some 180, the W of many rotations passes 0.
    """
    made, rng = Take(), random.Random(11)
    moments = times(count)[::every]
    spans = spans or {}
    seen: dict[str, list[tuple[float, bool]]] = {"left.pinch": [], "right.pinch": []}

    def add(group: str, sample: Sample) -> None:
        made.groups.setdefault(group, []).append(sample)

    for index, time in enumerate(moments):
        place, rotation = _faced(camera(time), facing)
        add("camera.position", (time, place))
        add("camera.rotation", (time, _noisy(rng, rotation)))
        add("gaze.origin", (time, place))
        add("gaze.direction", (time, axes.rotated(rotation, (0.0, -0.05, math.sqrt(1 - 0.05**2)))))
        for name, joints in _hands(time):
            first, end = spans.get(name, (0, count))
            tracked = first <= index * every < end
            seen.setdefault(f"{name}.tracked", []).append((time, tracked))
            seen[f"{name}.pinch"].append((time, tracked and name == "left" and pinch_at(time) > 0.8))
            for joint, unturned in joints.items() if tracked else ():
                where, turned = _faced(unturned, facing)
                add(f"{name}.{joint}.position", (time, where))
                add(f"{name}.{joint}.rotation", (time, _noisy(rng, turned)))
    made.switches = {name: _switched(flags) for name, flags in seen.items()}
    return made


def _hands(time: float) -> Iterator[tuple[str, dict[str, Joint]]]:
    yield "left", left_hand(time)
    yield "right", right_hand(time)
