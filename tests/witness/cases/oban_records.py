# SPDX-License-Identifier: MIT
"""Raw OBAN records: cameras, doors and objects as users have them, and every rule of spec 2 broken once."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ..oban_file import IDENTITY, Key, Record, bits_of, bits_of_all, float_of, write
from .oban_build import ObanCase, good, key, record, swing, turn, turn_after

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
NAN_WITH_PAYLOAD, SIGNALLING_NAN, MINUS_ZERO = 0xFFC12345, 0x7F800001, 0x80000000
SHEARED_MIRROR = bits_of_all([-1.5, 0.25, 0, 0.5, 2, 0, 0, -0.75, 0.5, 3, -4, 5])


def raw(file: str, about: str, made: Record, *expect: str, **parts: Any) -> ObanCase:
    """A raw record as a case."""
    return good(f"{file}.oban", about, write(made), *expect, **parts)


def with_base(values: list[float], **parts: Any) -> Record:
    """The swing on top of a Base."""
    return swing(base_bits=bits_of_all(values), **parts)


def camera_in_base(**parts: Any) -> Record:
    """One identity key; the Base holds the whole pose: 30 degrees down, then 120 to the side."""
    q = turn_after(turn(Y, 120), turn(X, -30))
    pose = record(key(0, q, (1968.0, -5.61, -879.18)))
    return record(key(0), base_bits=pose.initial_bits, **parts)


def steep_camera() -> Record:
    """Looks up at 86 to 89 degrees while it turns: where Euler angles go wrong."""
    return record(
        *(
            key(20 * i, turn_after(turn(Y, 15.0 * i), turn(X, 86.0 + i)), (100.0 + i, 50.0, -20.0 * i))
            for i in range(4)
        )
    )


def full_turn(flip: bool) -> Record:
    """A turn about Y in five keys of a quarter; with `flip`, every other key has the other sign."""
    keys = [key(15 * i, turn(Y, 90.0 * i), (float(i), 0, 0)) for i in range(5)]
    if flip:
        keys = [_negated(k) if i % 2 else k for i, k in enumerate(keys)]
    return record(*keys)


def _negated(one: Key) -> Key:
    return replace(one, rotation_bits=tuple(b ^ 0x80000000 for b in one.rotation_bits))


def door(closing: float = 1.0, half: int = 30, last: int = 60, **parts: Any) -> Record:
    """Opens by a quarter turn and closes again."""
    keys = [key(0, turn(Y, 0)), key(30, turn(Y, 90), (0.0, 0, 0)), key(last, turn(Y, 90 - 90 * closing))]
    return record(*keys, half_stop_frame=half, flags=0x10, **parts)


def every_frame(count: int) -> Record:
    """A key at every frame."""
    return record(*(key(f, turn(Z, 3.7 * f), (10 * math.sin(f / 9), f / 16, -f / 32)) for f in range(count)))


def longest(count: int = 32767) -> Record:
    """As many keys as there may be: a megabyte, so it is made when it is needed and not kept."""
    return every_frame(count)


def scenes() -> list[ObanCase]:
    """What users have."""
    scale = [1.82, 0, 0, 0, 1.82, 0, 0, 0, 1.82, 0, 0, 0]
    uneven = [1.5, 0, 0, 0, 0.25, 0, 0, 0, 3, 7, -8, 9]
    return [
        raw("one_key", "One key and one frame", record(key(0, turn(X, 30), (1, 2, 3)))),
        raw("swing", "Three keys, uneven times", swing(), frames=[f / 4 for f in range(121)]),
        raw("scale_1_82", "The scale of the published example in the Base", with_base(scale)),
        raw("base_uneven_scale", "Uneven scale and an offset in the Base", with_base(uneven)),
        raw("base_sheared_mirror", "Shear, mirror and offset in the Base", swing(base_bits=SHEARED_MIRROR)),
        raw("camera_in_base", "The whole pose in the Base, the key at identity", camera_in_base()),
        raw("camera_steep", "Pitch of 86 to 89 degrees", steep_camera(), frames=list(range(61))),
        raw("full_turn", "A full turn, signs continuous", full_turn(False), frames=list(range(61))),
        raw(
            "full_turn_signs",
            "The same turn, every other sign turned",
            full_turn(True),
            frames=list(range(61)),
        ),
        raw("turn_by_144", "Keys 144 degrees apart", record(key(0), key(40, turn(X, 144)))),
        raw("every_frame", "A key at each of 300 frames", every_frame(300)),
        raw("door", "Opens and closes", door()),
        raw("frame_length_80", "Ticks per frame as authored", swing(frame_length=80)),
    ]


def flags() -> list[ObanCase]:
    """Each flag, all of them, unknown ones."""
    names = ("normal_loop", "back_to_back_loop", "random_start_frame", "autostart", "z_axis_up")
    made = [raw(f"flag_{name}", "One flag", swing(flags=1 << i)) for i, name in enumerate(names)]
    unknown, both = "flags_unknown", "loop_flags_both"
    return [
        *made,
        raw("flags_all", "All that are known", swing(flags=0x1F), both),
        raw("flags_unknown", "0x20 is unknown", swing(flags=0x25), unknown),
        raw("flags_every_bit", "All 32 bits", swing(flags=0xFFFFFFFF), both, unknown),
    ]


def bits() -> list[ObanCase]:
    """Bits that must survive."""
    signs = record(
        Key(bits_of_all([0, 0, 0, -1]), (MINUS_ZERO, 0, MINUS_ZERO), 0),
        Key((MINUS_ZERO, 0, 0, bits_of(1)), bits_of_all([1e-42, 3e38, -1e-45]), 7),
        initial_bits=(*IDENTITY[:1], MINUS_ZERO, *IDENTITY[2:]),
    )
    nan_initial = swing(initial_bits=(NAN_WITH_PAYLOAD, SIGNALLING_NAN, *IDENTITY[2:]))
    nan_key = swing()
    nan_key.keys[1].rotation_bits = (SIGNALLING_NAN, *nan_key.keys[1].rotation_bits[1:])
    nan_base = swing(base_bits=(*IDENTITY[:11], NAN_WITH_PAYLOAD))
    infinite = swing()
    infinite.keys[2].position_bits = (0x7F800000, 0xFF800000, 0)
    return [
        raw("padding", "Padding that is not zero", swing(padding=bytes(range(1, 13)))),
        raw("pre_header", "Ids of a level", swing(res_id=0x8601, lev_id=0x06000001)),
        raw("pre_header_odd", "Ids that no writer makes", swing(res_id=0xFFFFFF00, lev_id=0xFFFFFFFE)),
        raw("signs_and_denormals", "-0, denormals, quaternions of either sign", signs),
        raw(
            "nan_in_initial", "NaN payloads where nothing is played", nan_initial, "initial_transform_differs"
        ),
        raw("nan_in_key", "A signalling NaN in a rotation", nan_key, "key_not_finite"),
        raw("nan_in_base", "A NaN in the Base", nan_base, "base_not_finite"),
        raw("infinite_position", "Infinities in a position", infinite, "key_not_finite"),
    ]


def times() -> list[ObanCase]:
    """Key times and counts that break a rule."""

    def at(*when: int, **parts: Any) -> Record:
        return record(*(key(t, turn(X, 10 * i)) for i, t in enumerate(when)), **parts)

    order, end, first = "key_times_not_increasing", "last_key_not_at_end", "first_key_not_at_0"
    return [
        raw("keys_0", "No keys", record(), "keys_none"),
        raw("first_key_at_5", "The first key is late", at(5, 20), first),
        raw("first_key_negative", "The first key is early", at(-5, 20), first),
        raw("last_key_early", "Frames behind the last key", at(0, 20, frame_count=31), end),
        raw("last_key_late", "Keys behind the last frame", at(0, 20, frame_count=11), end),
        raw("frame_count_0", "No frames", at(0, frame_count=0), end),
        raw("frame_count_32767", "As many frames as there may be", at(0, 32766)),
        raw("frame_count_32768", "One more", at(0, 32767), "frame_count_too_large"),
        raw("frame_count_65535", "All that fit", at(0, 65534), "frame_count_too_large"),
        raw("times_equal", "Two keys at one time", at(0, 9, 9, 20), order),
        raw("times_descending", "Times that go back", at(0, 12, 6, 20), order),
        raw("time_extremes", "The whole range", at(-(2**31), 2**31 - 1, frame_count=2), first, end),
        raw("half_stop_at_end", "The last frame", door(0.0, 60, 60), "door_not_symmetric"),
        raw("half_stop_beyond", "One frame further", door(1.0, 61, 60), "half_stop_beyond_end"),
        raw("half_stop_65535", "Far beyond", door(1.0, 65535, 60), "half_stop_beyond_end"),
        raw("frame_length_0", "No ticks", swing(frame_length=0)),
        raw("frame_length_40000", "Negative in XML", swing(frame_length=40000)),
    ]


def values() -> list[ObanCase]:
    """Rotations, transforms, doors and local animations at the edge of a rule."""

    def long(factor: float) -> Record:
        return record(key(0), key(10, tuple(factor * part for part in turn(Y, 40))))

    def initial(factor: float, index: int) -> Record:
        made = swing()
        number = bits_of_all([1.0, factor])
        shifted = list(made.initial_bits)
        shifted[index] = bits_of_product(shifted[index], number[1])
        return replace(made, initial_bits=tuple(shifted))

    differs, unit, door_rule = "initial_transform_differs", "rotation_not_unit", "door_not_symmetric"
    local = record(key(0, position=(0, 0, 90)), key(9, position=(0, 60, 81)), flags=0x10)
    here = replace(local, flags=0)
    return [
        raw("rotation_length_1_0005", "Within the tolerance", long(1.0005)),
        raw("rotation_length_1_002", "Beyond it", long(1.002), unit),
        raw("rotation_length_half", "Much too short", long(0.5), unit),
        raw("rotation_zero", "No rotation at all", long(0.0), "rotation_without_direction"),
        raw("initial_turn_within", "Off by 5e-5", initial(1.00005, 4)),
        raw("initial_turn_beyond", "Off by 5e-4", initial(1.0005, 4), differs),
        raw("initial_place_within", "Off by 5e-5", initial(1.00005, 11)),
        raw("initial_place_beyond", "Off by 5e-4", initial(1.0005, 11), differs),
        raw("initial_identity", "Left at identity", swing(initial_bits=IDENTITY), differs),
        raw("door_half_closed", "Closes half way", door(0.5), door_rule),
        raw("door_slow_closing", "Takes longer to close", door(1.0, 30, 90), door_rule),
        raw("door_one_frame_longer", "One frame may be over", door_of_61()),
        raw("local_far", "Local, and 10.08 m from zero", local, "local_far_from_origin"),
        raw("world_far", "The same in the world", here),
    ]


def bits_of_product(a: int, b: int) -> int:
    """The product of two floats, as bits."""
    return bits_of(float_of(a) * float_of(b))


def door_of_61() -> Record:
    """Stays closed for one frame at the end."""
    keys = [key(0, turn(Y, 0)), key(30, turn(Y, 90)), key(60, turn(Y, 0)), key(61, turn(Y, 0))]
    return record(*keys, half_stop_frame=30, flags=0x10)


def all_cases() -> list[ObanCase]:
    """Every case of this module."""
    return [*scenes(), *flags(), *bits(), *times(), *values()]
