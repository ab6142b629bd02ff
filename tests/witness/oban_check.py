# SPDX-License-Identifier: MIT
"""Findings of a record and of its container: every rule of spec 2, as (id, class, place).

Classes are those of docs/findings.md. "rejected" is what leaves A(f) undefined or what OniSplit cannot export
and import again; what must hold but still plays is "risky"; what changes nothing that is seen is "advice".

Measures that the specification does not give: the linear part of InitialTransform is held against the largest
number of A(0)'s linear part, the translation against its largest component or 1, whichever is more; a door is
symmetric when poses as far before as behind HalfStopFrame agree within 1 mm (0.01 units) and 0.05 degrees and
both halves last equally long, give or take a frame; far from zero is beyond 100 units (10 m).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from . import oban_player as player
from .oban_container import CHECKSUMS, ONI_VERSION, Container
from .oban_file import BACK_TO_BACK_LOOP, KNOWN_FLAGS, NORMAL_LOOP, Record, float_of, floats_of
from .oban_oni import MAX_NAME

MAX_KEYS = MAX_FRAMES = 32767
INITIAL_TOLERANCE, LENGTH_TOLERANCE = 1e-4, 1e-3  # relative
DOOR_UNITS, DOOR_DEGREES = 0.01, 0.05
FAR_UNITS = 100.0

CLASSES = {
    "keys_none": "rejected",
    "keys_too_many": "rejected",
    "frame_count_too_large": "rejected",
    "key_not_finite": "rejected",
    "base_not_finite": "rejected",
    "rotation_without_direction": "rejected",
    "key_times_not_increasing": "rejected",
    "first_key_not_at_0": "risky",
    "last_key_not_at_end": "risky",
    "rotation_not_unit": "risky",
    "half_stop_beyond_end": "risky",
    "loop_flags_both": "risky",
    "initial_transform_differs": "advice",
    "door_not_symmetric": "advice",
    "local_far_from_origin": "advice",
    "flags_unknown": "advice",
    "bytes_behind_keys": "advice",
    "checksum_unknown": "advice",
    "name_not_writable": "advice",
    "raw_part_outside": "advice",
}


class Finding(NamedTuple):
    """A rule that a file breaks, its class, and the field in which it does (the first, if there are many)."""

    id: str
    severity: str
    place: str


Marks = Iterator[tuple[str, str]]  # id, place


def _length(values: tuple[float, ...]) -> float:
    return math.sqrt(sum(v * v for v in values))


def _counts(record: Record) -> Marks:
    if not record.keys:
        yield "keys_none", "key_count"
    if len(record.keys) > MAX_KEYS:
        yield "keys_too_many", "key_count"
    if record.frame_count > MAX_FRAMES:
        yield "frame_count_too_large", "frame_count"
    if record.half_stop_frame > player.last_frame(record):
        yield "half_stop_beyond_end", "half_stop_frame"
    if record.flags & ~KNOWN_FLAGS:
        yield "flags_unknown", "flags"
    if record.flags & NORMAL_LOOP and record.flags & BACK_TO_BACK_LOOP:
        yield "loop_flags_both", "flags"
    if record.tail:
        yield "bytes_behind_keys", "key_count"
    if not all(math.isfinite(float_of(b)) for b in record.base_bits):
        yield "base_not_finite", "base_transform"


def _times(record: Record) -> Marks:
    times = [key.time for key in record.keys]
    if times and times[0] != 0:
        yield "first_key_not_at_0", "keys[0].time"
    if times and times[-1] != record.frame_count - 1:
        yield "last_key_not_at_end", f"keys[{len(times) - 1}].time"
    for index in range(1, len(times)):
        if times[index] <= times[index - 1]:
            yield "key_times_not_increasing", f"keys[{index}].time"


def _values(record: Record) -> Marks:
    for index, key in enumerate(record.keys):
        rotation, position = floats_of(key.rotation_bits), floats_of(key.position_bits)
        for name, values in (("rotation", rotation), ("position", position)):
            if not all(map(math.isfinite, values)):
                yield "key_not_finite", f"keys[{index}].{name}"
        if all(map(math.isfinite, rotation)):
            if not any(rotation):
                yield "rotation_without_direction", f"keys[{index}].rotation"
            elif abs(_length(rotation) - 1) > LENGTH_TOLERANCE:
                yield "rotation_not_unit", f"keys[{index}].rotation"
        if record.is_local and _length(position) > FAR_UNITS:
            yield "local_far_from_origin", f"keys[{index}].position"


def _initial(record: Record) -> Marks:
    expected, found = player.transform(record, 0), floats_of(record.initial_bits)
    for part, floor in ((slice(0, 9), 0.0), (slice(9, 12), 1.0)):
        scale = max(floor, *(abs(v) for v in expected[part]))
        wrong = [
            not abs(f - e) <= INITIAL_TOLERANCE * scale
            for f, e in zip(found[part], expected[part], strict=True)
        ]
        if any(wrong):
            yield "initial_transform_differs", "initial_transform"
            return


def _degrees_between(a: player.Quaternion, b: player.Quaternion) -> float:
    sign = -1.0 if player.dot(a, b) < 0 else 1.0
    difference = _length(tuple(p - sign * q for p, q in zip(a, b, strict=True)))
    return math.degrees(4 * math.asin(min(difference / 2, 1.0)))


def _door(record: Record) -> Marks:
    middle, last = record.half_stop_frame, player.last_frame(record)
    if middle == 0 or middle > last:
        return
    for distance in range(1, min(middle, last - middle) + 1):
        a, b = player.pose(record, middle - distance), player.pose(record, middle + distance)
        apart = _length(tuple(p - q for p, q in zip(a.position, b.position, strict=True)))
        if apart > DOOR_UNITS or _degrees_between(a.rotation, b.rotation) > DOOR_DEGREES:
            yield "door_not_symmetric", "half_stop_frame"
            return
    if abs(last - 2 * middle) > 1:
        yield "door_not_symmetric", "half_stop_frame"


def _first_of_each(marks: Marks, prefix: str) -> list[Finding]:
    places: dict[str, str] = {}
    for rule, place in marks:
        places.setdefault(rule, place)
    return [Finding(rule, CLASSES[rule], prefix + places[rule]) for rule in CLASSES if rule in places]


def findings(record: Record, prefix: str = "") -> list[Finding]:
    """The findings of a record in the order of CLASSES, each rule once."""
    marks = [*_counts(record), *_times(record), *_values(record)]
    if not any(CLASSES[rule] == "rejected" for rule, _ in marks):
        marks += [
            *_initial(record),
            *_door(record),
        ]  # a record that cannot be played is not held against itself
    return _first_of_each(iter(marks), prefix)


def is_playable(record: Record) -> bool:
    """Whether A(f) is defined: nothing is rejected."""
    return not any(finding.severity == "rejected" for finding in findings(record))


def _container_marks(container: Container) -> Marks:
    header = container.header
    if header.checksum not in CHECKSUMS.values():
        yield "checksum_unknown", "checksum"
    if header.version == ONI_VERSION and header.raw_offset + header.raw_size > len(container.data):
        yield "raw_part_outside", "raw_offset"
    for index in container.obans():
        name = container.name_of(index)
        if name is not None and not (4 < len(name) <= MAX_NAME and all(0x20 <= c <= 0x7E for c in name)):
            yield "name_not_writable", f"instances[{index}].name_offset"


def container_findings(container: Container) -> list[Finding]:
    """The findings of what is around the records."""
    return _first_of_each(_container_marks(container), "")
