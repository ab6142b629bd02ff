# SPDX-License-Identifier: MIT
"""Fixtures of 1.0 keys: order, duplicates, special codes and rotations (spec 1.2, 1.3, 1.9, 1.10)."""

from __future__ import annotations

import numpy as np

from .. import quantise as q
from ..anim_file import AnimFile, KeyTable
from ..quaternion import IDENTITY, Vector, about_axis
from ..skeleton import load_skeleton
from ..upload import uploaded_position_codes, uploaded_rotation_codes, uploaded_time_codes
from . import build as b
from .build import Case, anim, case, joint, keys

DRIFT = "codes_drift_on_upload"
STICKS = "position_track_sticks"
LONG = "rotation_longer_than_one"


def steady_times(count: int) -> list[int]:
    """Ascending time codes strictly inside a 1 s clip that an upload leaves alone."""
    codes = np.linspace(3000, 62000, count).astype(np.uint16)
    while not np.array_equal(codes, after := uploaded_time_codes(codes, np.float32(1))):
        codes = after
    return [int(c) for c in codes]


def turning(*rows: tuple[int, ...]) -> AnimFile:
    """A file whose only joint has these rotation keys."""
    return anim(joint(rotation_keys=keys(*rows)))


def times() -> list[Case]:
    """Where keys lie and in which order."""
    early, middle, late = steady_times(3)
    one, two, three = (b.turn(2, degrees) for degrees in (10, 40, -25))
    order, twice = "keys_reordered", "duplicate_key_time"
    rows = [
        ("keys_unsorted", "Any order plays; an upload sorts", [late, early, middle], (order,)),
        ("keys_descending", "Last key first", [late, middle, early], (order,)),
        ("keys_duplicate_time", "Of two keys at one time the last counts", [early, middle, middle], (twice,)),
        ("keys_duplicate_unsorted", "A time that comes back later", [middle, early, middle], (order, twice)),
        ("keys_all_at_one_time", "Three keys, one time", [middle] * 3, (twice, "keys_all_at_one_time")),
        ("keys_inside_clip", "Held before the first and after the last key", [early, middle, late], ()),
        ("keys_at_both_ends", "Codes 0 and 65535 are exactly 0 and the duration", [0, middle, b.LAST], ()),
    ]
    made = [
        case(file, about, turning(*((t, *v) for t, v in zip(at, (one, two, three), strict=True))), *expect)
        for file, about, at, expect in rows
    ]
    return [
        *made,
        case(
            "key_single_not_at_0", "One key in the middle is held for the whole clip", turning((middle, *two))
        ),
        case("key_single_at_end", "One key at 65535", turning((b.LAST, *two))),
        case(
            "keys_adjacent_codes", "Two keys one code apart", turning((0, *one), (1, *two), (b.LAST, *three))
        ),
    ]


def positions() -> list[Case]:
    """Position tracks of the pelvis and of others."""
    start, end = (0, *b.place(0, 0, 0)), (b.LAST, *b.place(0.3, -0.1, -0.4))
    corner = keys((0, 0, 0, 0), (b.LAST, 65535, 65535, 65535))
    still = keys((0, *b.turn(0, 5)))
    high = keys((0, *b.place(0, 0, 1.067)), (b.LAST, *b.place(0, 0, 1.067)))
    middle = steady_times(3)[1]
    return [
        case(
            "position_pelvis",
            "Positions only, on mPelvis",
            anim(joint("mPelvis", position_keys=keys(start, end))),
            "ends_away",
        ),
        case(
            "position_extremes",
            "-5 and +5 m on every axis",
            anim(joint("mPelvis", position_keys=corner)),
            "ends_away",
            "position_at_limit",
        ),
        case(
            "position_other_joint",
            "A position track outlives the animation on every joint but the pelvis",
            anim(joint("mFaceJaw", position_keys=keys((0, *b.place(0, 0, -0.02))))),
            STICKS,
            "face_positions",
        ),
        case(
            "position_other_joint_back_at_rest",
            "A position track that ends where the joint rests leaves nothing behind",
            anim(
                joint(
                    "mFaceJaw",
                    position_keys=keys((0, *b.place(0, 0, -0.02)), (b.LAST, *_rest_codes_of("mFaceJaw"))),
                )
            ),
            "face_positions",
        ),
        case(
            "position_pelvis_at_skeleton_height",
            "z = 1.067 m copies the skeleton file and lifts the avatar by a metre",
            anim(joint("mPelvis", position_keys=high)),
            "pelvis_at_skeleton_height",
            "ends_away",
        ),
        case(
            "position_and_rotation_apart",
            "The two tracks of a joint have different times and counts",
            anim(joint("mPelvis", rotation_keys=still, position_keys=keys(start, (middle, *end[1:]), end))),
            "ends_away",
        ),
        case(
            "position_zero_codes",
            "32767 and 32768 both decode to 0; an upload writes 32767",
            anim(joint("mPelvis", position_keys=keys((0, *b.IDENTITY), (b.LAST, 32768, 32768, 32768)))),
        ),
    ]


def _rest_codes_of(name: str) -> tuple[int, int, int]:
    x, y, z = q.encode_position(load_skeleton().nodes[name].position)
    return int(x), int(y), int(z)


def rotations() -> list[Case]:
    """Special rotations: too long, half turns, the zero codes."""
    half = [(0, *b.IDENTITY), (b.LAST, 65535, b.ZERO, b.ZERO)]
    near = 1 / np.sqrt(2)
    slightly = tuple(int(c) for c in q.encode_rotation([near * 1.0001, 0, near * 1.0001]))
    return [
        case(
            "rotation_zero_codes",
            "32767 and 32768 both decode to 0",
            turning((0, 32768, 32768, 32768)),
        ),
        case("rotation_half_turn", "x = 1 exactly, w = 0", turning(*half), "turn_near_half"),
        case("rotation_minus_half_turn", "x = -1: the same turn as x = 1", turning((0, 0, b.ZERO, b.ZERO))),
        drifting(
            "rotation_near_half_turn",
            "170 to 179.9 degrees, where the derived w suffers",
            *(
                (t, *b.rotation_code(about_axis(2, d)))
                for t, d in ((0, 170.0), (30000, 178.0), (b.LAST, 179.9))
            ),
        ),
        drifting("rotation_slightly_too_long", "|v| = 1.0001, as in real files", (0, *slightly)),
        drifting(
            "rotation_much_too_long", "|v| = 1.73", (0, 65535, 65535, 65535), (b.LAST, 0, 0, 0), extra=(LONG,)
        ),
    ]


def drifting(file: str, about: str, *rows: tuple[int, ...], extra: tuple[str, ...] = ()) -> Case:
    """A rotation-only case that is expected to drift if the upload formula turns a key by over 0.2 degrees.

    Measured by the matrices: the norm of their difference is sqrt(8) times the sine of half the angle.
    """
    codes = keys(*rows)[:, 1:]
    before, after = _matrices(codes), _matrices(uploaded_rotation_codes(codes))
    apart = np.linalg.norm(before - after, axis=(1, 2)) / np.sqrt(8)
    drifts = bool(np.any(apart > np.sin(np.radians(0.1))))
    expect = ([DRIFT] if drifts else []) + [*extra]
    return case(file, about, turning(*rows), *expect)


def _matrices(codes: KeyTable) -> q.Floats:
    """The rotations that codes (n, 3) are shown as, (n, 3, 3)."""
    made = q.quaternion_of_codes(codes).astype(np.float64)
    x, y, z, w = (made / np.linalg.norm(made, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def _quaternion(x: float, y: float, z: float) -> Vector:
    return np.array([x, y, z, np.sqrt(1 - x * x - y * y - z * z)])


def negative_dots() -> list[Case]:
    """Segments whose ends point into opposite halves: slerp after a sign change (spec 1.10)."""
    a, c = b.rotation_code(_quaternion(0.99, 0, 0)), b.rotation_code(_quaternion(-0.95, 0.1, 0.2))
    d = b.rotation_code(_quaternion(0.1, 0.9, -0.4))
    rest = b.rotation_code(IDENTITY)
    poles = [(0, 65535, b.ZERO, b.ZERO), (b.LAST, 0, b.ZERO, b.ZERO)]
    nearly = [(0, 65535, b.ZERO, b.ZERO), (b.LAST, 0, b.ZERO + 60, b.ZERO)]
    over = [(0, 65535, 60000, b.ZERO), (b.LAST, 0, 6000, b.ZERO + 4000)]
    return [
        drifting("negative_dot", "dot < 0: slerp", (0, *a), (b.LAST, *c)),
        drifting(
            "negative_dot_chain",
            "Several signs in a row",
            (0, *rest),
            (16000, *a),
            (33000, *c),
            (b.LAST, *d),
            extra=("turn_big", "turn_near_half"),
        ),
        drifting("negative_dot_same_turn", "x = 1 and x = -1 are one turn: plain lerp", *poles),
        drifting("negative_dot_nearly_same", "1 - |dot| < 1e-5: plain lerp, not renormalised", *nearly),
        drifting("negative_dot_too_long", "dot < -1 because the keys are too long", *over, extra=(LONG,)),
    ]


def drifts() -> list[Case]:
    """Codes that an upload lowers by one or more."""
    codes = np.arange(65536, dtype=np.uint16)
    spots = codes[uploaded_position_codes(codes) != codes][::900][:8]
    moved = keys(*((int(i * 9000), int(c), b.ZERO, b.ZERO) for i, c in enumerate(spots)))
    ticks = codes[uploaded_time_codes(codes, np.float32(1)) != codes]
    late = [int(t) for t in ticks[:: max(1, len(ticks) // 6)][:6]]
    short = np.stack([codes, np.full_like(codes, b.ZERO), np.full_like(codes, b.ZERO)], axis=1)
    turns = codes[uploaded_rotation_codes(short)[:, 0] != codes][::700][:8]
    return [
        case(
            "drift_positions",
            "Position codes that drift, by less than a millimetre",
            anim(joint("mPelvis", position_keys=moved)),
        ),
        drifting(
            "drift_rotations",
            "A single-axis code that drifts",
            *((0, int(c), *b.IDENTITY[1:]) for c in turns[:1]),
        ),
        *(
            [
                case(
                    "drift_times",
                    "Time codes of 1 s that drift, by a 65,535th",
                    turning(*((t, *b.IDENTITY) for t in late)),
                )
            ]
            if late
            else []
        ),
    ]


def sizes() -> list[Case]:
    """The uploader's 250,000 bytes."""
    rows = np.zeros((31_245, 4), dtype=np.uint16)
    rows[:, 0] = np.arange(len(rows)) * 2
    rows[:, 1:] = b.ZERO
    made = anim(joint(rotation_keys=rows))
    return [case("size_over_limit", "Just over 250,000 bytes", made, "file_too_large", "keys_redundant")]


def all_cases() -> list[Case]:
    """Every fixture of this module."""
    return times() + positions() + rotations() + negative_dots() + drifts() + sizes()
