# SPDX-License-Identifier: MIT
"""Repairs of what the recorder and the trackers damage (spec 4.3, 5.3), and how exact they are.

Decisions for the lost W, whose size is sqrt(1 - x^2 - y^2 - z^2): the first key keeps the W that is stored.
Then a joint with a child takes the sign whose +Z points nearer at the child. If both point alike, within
CLEAR of a cosine, it takes the sign that is nearer to the rotation before. The palm and the tips take the
sign that is nearer to their source, where X, Y and Z agree with the source's within SAME. All others, and the
camera, only have the rotation before.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import NamedTuple

from . import mrtk_axes as axes
from . import mrtk_check as check
from . import mrtk_curve, mrtk_player
from .mrtk_axes import Vector
from .mrtk_file import (
    HANDS,
    JOINTS,
    POSITION,
    ROTATION,
    Curve,
    Recording,
    bits_of,
    full_key,
    short_key,
)

FULL, CONTINUITY = "full", "continuity"
CLEAR, SAME = 1e-4, 0.02
_FINGERS = ("Index", "Middle", "Ring", "Pinky")
_PARTS = ("Metacarpal", "Knuckle", "MiddleJoint", "DistalJoint", "Tip")
_THUMB = ("ThumbMetacarpalJoint", "ThumbProximalJoint", "ThumbDistalJoint", "ThumbTip")
#: Where the +Z of a joint points (spec 3.1); the wrist has a reference of its own.
CHILD = {
    **{finger + a: finger + b for finger in _FINGERS for a, b in itertools.pairwise(_PARTS)},
    **dict(itertools.pairwise(_THUMB)),
    "Wrist": "MiddleKnuckle",
}
#: The joint whose rotation another one has.
SOURCE = {"Palm": "Wrist", "ThumbTip": "ThumbDistalJoint", **{f"{n}Tip": f"{n}DistalJoint" for n in _FINGERS}}
ORDER = (*CHILD, *SOURCE, "None")  # sources before those that take from them
assert set(ORDER) == set(JOINTS)


def _position(made: Recording, owner: str, time: float) -> Vector | None:
    curves = [made.curves[f"{owner}.{part}"] for part in POSITION]
    if not all(curve.keys for curve in curves):
        return None
    return tuple(mrtk_curve.value(curve, time) for curve in curves)


def _pointing(made: Recording, owner: str, time: float) -> Vector | None:
    """The unit vector to the child, or None where there is none."""
    hand, _, joint = owner.partition(".")
    if joint not in CHILD:
        return None
    here, there = (_position(made, name, time) for name in (owner, f"{hand}.{CHILD[joint]}"))
    if here is None or there is None:
        return None
    bone = [b - a for a, b in zip(here, there, strict=True)]
    size = axes.length(bone)
    return axes.scaled(bone, 1 / size) if size > 0 else None


def _source(made: Recording, owner: str, time: float, xyz: Vector) -> Vector | None:
    """The rotation of the joint that this one takes after, if X, Y and Z are the same."""
    hand, _, joint = owner.partition(".")
    if joint not in SOURCE or not mrtk_player.exists(made, f"{hand}.{SOURCE[joint]}"):
        return None
    other = mrtk_player.meant_rotation(mrtk_player.rotation_curves(made, f"{hand}.{SOURCE[joint]}"), time)
    if other is None:
        return None
    apart = [axes.length([a - s * b for a, b in zip(xyz, other[:3], strict=True)]) for s in (1, -1)]
    return other if min(apart) <= SAME else None


def _chosen(made: Recording, owner: str, time: float, pair: tuple[Vector, Vector], before: Vector) -> Vector:
    """The one of the two rotations that the rules take."""
    bone = _pointing(made, owner, time)
    if bone is not None:
        plus, minus = (axes.dot(axes.rotated(axes.normalised(q), (0, 0, 1)), bone) for q in pair)
        if abs(plus - minus) > CLEAR:
            return pair[0] if plus > minus else pair[1]
    near = before if bone is not None else _source(made, owner, time, pair[0][:3]) or before
    return max(pair, key=lambda q: abs(axes.dot(q, near)))


def _repaired_w(made: Recording, owner: str, rules: str) -> Curve:
    x, y, z, w = mrtk_player.rotation_curves(made, owner)
    before: Vector = ()
    values: list[float] = []
    for time, *xyz in zip(x.times(), x.values(), y.values(), z.values(), strict=True):
        size = math.sqrt(max(0.0, 1 - axes.dot(xyz, xyz)))
        pair = ((*xyz, size), (*xyz, -size))
        if not before:
            found = (*xyz, w.values()[0])
        elif rules == CONTINUITY:
            near = before
            found = max(pair, key=lambda q: abs(axes.dot(q, near)))
        else:
            found = _chosen(made, owner, time, pair, before)
        before = found
        values.append(found[3])
    make = full_key if made.key_words > 2 else short_key
    return replace(w, keys=[make(t, v) for t, v in zip(x.times(), values, strict=True)])


def with_w(made: Recording, rules: str = FULL) -> Recording:
    """The recording with every lost W put back."""
    lost = [owner for owner in _in_order(made) if check.has_lost_w(made, owner)]
    for owner in lost:
        curves = {**made.curves, f"{owner}.rotation.w": _repaired_w(made, owner, rules)}
        made = replace(made, curves=curves)
    return made


def _in_order(made: Recording) -> list[str]:
    there = set(check.owners(made))
    wanted = ["camera", *(f"{hand}.{joint}" for hand in HANDS for joint in ORDER)]
    return [owner for owner in wanted if owner in there]


def with_continuous_signs(made: Recording) -> Recording:
    """The recording with the sign of each rotation that is nearest to the one before (spec 4.3)."""
    curves = dict(made.curves)
    for owner in check.owners(made):
        four = mrtk_player.rotation_curves(made, owner)
        if not mrtk_player.share_times(four) or check.has_lost_w(made, owner):
            continue
        rows = mrtk_player.rotation_rows(four)
        turned = [a is not b for a, b in zip(rows, mrtk_player.continued(rows), strict=True)]
        for part, curve in zip(ROTATION, four, strict=True):
            keys = [_negated(k) if t else k for k, t in zip(curve.keys, turned, strict=True)]
            curves[f"{owner}.{part}"] = replace(curve, keys=keys)
    return replace(made, curves=curves)


def _negated(key: tuple[int, ...]) -> tuple[int, ...]:
    """The value and both tangents with the other sign."""
    return (key[0], *(word ^ 0x80000000 for word in key[1 : min(len(key), 4)]), *key[4:])


def with_identities(made: Recording) -> Recording:
    """The recording with the identity for zero rotations (spec 3.2)."""
    curves = dict(made.curves)
    for owner in check.owners(made):
        four = mrtk_player.rotation_curves(made, owner)
        if mrtk_player.share_times(four):
            sizes = [axes.length(q) for q in zip(*(curve.values() for curve in four), strict=True)]
            w = four[3]
            pairs = zip(w.keys, sizes, strict=True)
            keys = [(key[0], bits_of(1.0), *key[2:]) if size == 0 else key for key, size in pairs]
            curves[f"{owner}.rotation.w"] = replace(w, keys=keys)
    return replace(made, curves=curves)


class Errors(NamedTuple):
    """Degrees between two recordings' rotations."""

    mean: float
    median: float
    percentile_95: float
    largest: float


def errors(truth: Recording, made: Recording, owners: list[str]) -> Errors:
    """Over the key times of the truth; rotations are normalised on both sides."""
    found: list[float] = []
    for owner in owners:
        keyed = made.curves[f"{owner}.rotation.x"].times()
        for time in truth.curves[f"{owner}.rotation.x"].times() if keyed else ():
            expected, shown = (mrtk_player.played_rotation(one, owner, time) for one in (truth, made))
            found.append(axes.degrees_apart(expected, shown))
    found.sort()
    half, most = (found[min(int(p * len(found)), len(found) - 1)] for p in (0.5, 0.95))
    return Errors(math.fsum(found) / len(found), half, most, found[-1])


def joint_owners(made: Recording) -> list[str]:
    """All joints that have rotations."""
    return [o for o in check.owners(made) if o != "camera" and mrtk_player.exists(made, o)]
