# SPDX-License-Identifier: MIT
"""The tools that edit an `.anim`, a second time: what each makes of a file, as codes or as a played pose.

Written from the definitions of the tools alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from . import quantise as q
from .anim_file import AnimFile, Constraint, Joint, KeyTable, float_of
from .player import joint_at
from .quaternion import Vector, product
from .skeleton import Node, Skeleton
from .upload import key_times, surviving_rows

LAST = 65535
SIGN = 0x80000000
#: The nearest time code, where two are equally near either one.
HALF_A_CODE = 0.51
#: What stands for one side in names, and what stands for the other.
SIDES = (("Left", "Right"), ("LEFT_", "RIGHT_"), ("L_", "R_"), ("L ", "R "))
#: Hand poses 4 to 6 are of the left hand, 7 to 9 of the right one.
LEFT_HAND, RIGHT_HAND = range(4, 7), range(7, 10)

TimeMap = Callable[[float], float]


def swapped_name(name: str, skeleton: Skeleton) -> str | None:
    """The canonical name of a joint's partner on the other side; None where it has none."""
    for pair in SIDES:
        for one, other in (pair, pair[::-1]):
            swapped = name.replace(one, other, 1)
            if swapped != name and swapped in skeleton.nodes:
                return swapped
    return None


def partner(node: Node, skeleton: Skeleton) -> Node:
    """The joint whose place a joint takes in the mirror: its own, in the middle."""
    return skeleton.nodes[swapped_name(node.name, skeleton) or node.name]


def _side_to_side(vector: Vector) -> Vector:
    """A rotation (x, y, z, w) or a position (x, y, z) in the mirror y = 0."""
    return vector * (np.array([-1.0, 1.0, -1.0, 1.0]) if len(vector) == 4 else np.array([1.0, -1.0, 1.0]))


def _conjugate(rotation: Vector) -> Vector:
    return rotation * np.array([-1.0, -1.0, -1.0, 1.0])


def mirrored_rotation(rotation: Vector, node: Node, skeleton: Skeleton) -> Vector:
    """S(q r^-1) r' (guide 4.4), with the partner's rest r'."""
    turn = _side_to_side(product(rotation, _conjugate(node.rotation)))
    return product(turn, partner(node, skeleton).rotation)


def mirrored_position(position: Vector, node: Node, skeleton: Skeleton) -> Vector:
    """The partner's rest and the offset from rest in the mirror, in metres."""
    return partner(node, skeleton).position + _side_to_side(position - node.position)


def turns_at_rest(node: Node, skeleton: Skeleton) -> bool:
    """Its codes do not mirror one by one: the joint or its partner rests turned."""
    return any(abs(one.rotation[3]) < 1 for one in (node, partner(node, skeleton)))


def rests_unlike(node: Node, skeleton: Skeleton) -> bool:
    """Its partner does not rest where the mirror shows it."""
    return bool(np.any(_side_to_side(node.position) != partner(node, skeleton).position))


def mirrored_codes(keys: KeyTable, columns: tuple[int, ...]) -> KeyTable:
    """The keys with 65535 - c in these columns: 0 is the time."""
    made = keys.copy()
    for column in columns:
        made[:, column] = LAST - keys[:, column]
    return made


def mirrored_hand(pose: int) -> int:
    """The same hand pose of the other hand, where there is one."""
    if pose in LEFT_HAND:
        return pose + 3
    return pose - 3 if pose in RIGHT_HAND else pose


def _negated_y(bits: tuple[int, ...]) -> tuple[int, ...]:
    return (bits[0], bits[1] ^ SIGN, bits[2])


def _swapped_volume(name: bytes, skeleton: Skeleton) -> bytes:
    other = swapped_name(name.decode("latin-1"), skeleton)
    return name if other is None else other.encode("latin-1")


def mirrored_constraint(c: Constraint, skeleton: Skeleton) -> Constraint:
    """The constraint of the other side; the bytes behind a name's NUL are not looked at, so they are 0."""
    return replace(
        c,
        source_volume=_swapped_volume(c.source_name(), skeleton).ljust(16, b"\0"),
        target_volume=_swapped_volume(c.target_name(), skeleton).ljust(16, b"\0"),
        source_offset=_negated_y(c.source_offset),
        target_offset=_negated_y(c.target_offset),
        target_dir=_negated_y(c.target_dir),
    )


def reversed_rows(keys: KeyTable) -> set[tuple[int, ...]]:
    """The keys that the viewer keeps of a reversed track, as rows (time code, x, y, z)."""
    rows = surviving_rows(keys[:, 0].astype(np.float32))
    return {(LAST - int(keys[row, 0]), *(int(code) for code in keys[row, 1:])) for row in rows}


def kept_rows(keys: KeyTable) -> set[tuple[int, ...]]:
    """The keys that the viewer keeps of a track, as rows (time code, x, y, z)."""
    rows = surviving_rows(keys[:, 0].astype(np.float32))
    return {tuple(int(code) for code in keys[row]) for row in rows}


def moved_rows(keys: KeyTable, duration: float, new_duration: float, to: TimeMap) -> list[tuple[float, ...]]:
    """The keys that the viewer keeps, as rows (new time code 65535 t / D' before it is rounded, x, y, z)."""
    rows = surviving_rows(keys[:, 0].astype(np.float32))
    times = [LAST * to(int(keys[row, 0]) / LAST * duration) / new_duration for row in rows]
    return [(time, *(int(code) for code in keys[row, 1:])) for time, row in zip(times, rows, strict=True)]


def rows_agree(wanted: list[tuple[float, ...]], keys: KeyTable) -> bool:
    """The table holds these rows in this order, each at the nearest code; of rows that meet, the later."""
    found = sorted(kept_rows(keys))
    place = 0
    for time, *values in wanted:
        while place < len(found) and found[place][0] < time - HALF_A_CODE:
            return False
        if (
            place < len(found)
            and list(found[place][1:]) == values
            and abs(found[place][0] - time) < HALF_A_CODE
        ):
            place += 1
    return place == len(found)


def beats_speed(loop_seconds: float, beats_a_minute: float) -> float:
    """The nearest speed at which a loop lasts a whole number of beats, at least one."""
    beats = max(1, math.floor(loop_seconds * beats_a_minute / 60 + 0.5))
    return loop_seconds * beats_a_minute / (60 * beats)


def at_speed(bits: int, speed: float) -> float:
    """Seconds of the header, played that many times as fast."""
    return float(float_of(bits)) / speed


def turn_between(one: Vector, other: Vector) -> float:
    """Degrees from one rotation to another, whatever their signs and lengths."""
    a, b = one / math.sqrt(float(one @ one)), other / math.sqrt(float(other @ other))
    chord, sum_of_both = a - b, a + b
    shorter = sorted([math.sqrt(float(chord @ chord)), math.sqrt(float(sum_of_both @ sum_of_both))])
    return math.degrees(4 * math.atan2(*shorter))


def apart(
    one: Joint, one_anim: AnimFile, one_time: float, other: Joint, anim: AnimFile, time: float
) -> Vector:
    """How unlike two joints play at a time each: degrees and metres; 0 where one has no such keys."""
    a, b = joint_at(one, one_anim.duration, one_time), joint_at(other, anim.duration, time)
    degrees = metres = 0.0
    if a.rotation is not None and b.rotation is not None:
        degrees = turn_between(a.rotation, b.rotation)
    if a.position is not None and b.position is not None:
        metres = float(np.linalg.norm(a.position - b.position))
    return np.array([degrees, metres])


def window(joint: Joint, duration: np.float32, start: float, end: float) -> tuple[float, float]:
    """A part of a rotation track, in seconds, widened to its next keys; infinite where none follow."""
    times = sorted(float(time) for time in key_times(joint.rotation_keys, duration))
    before = [time for time in times if time <= start]
    after = [time for time in times if time >= end]
    return (before[-1] if before else -math.inf, after[0] if after else math.inf)


def keys_outside(keys: KeyTable, duration: np.float32, start: float, end: float) -> list[list[int]]:
    """The key rows before and after a part, in seconds, sorted by time."""
    times = q.decode_time(keys[:, 0], duration)
    rows = keys[(times < start) | (times > end)].astype(int).tolist()
    return sorted(rows)
