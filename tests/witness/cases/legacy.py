# SPDX-License-Identifier: MIT
"""Fixtures of version 0.1: float seconds, Euler degrees, metres (spec 1.1)."""

from __future__ import annotations

from typing import Any

from ..anim_file import bits_of
from . import build as b
from .build import Case, anim, float_keys, joint

CONVERTED = "legacy_version_converted"
POSE = float_keys((0.0, 10.0, 20.0, 30.0), (1.0, -15.0, 5.0, 60.0))


def case(file: str, about: str, rotation: Any, position: Any, *expect: str, **parts: Any) -> Case:
    """A 0.1 file of mPelvis with these key tables."""
    pelvis = joint("mPelvis", rotation_keys=rotation, position_keys=position)
    return b.case(
        "legacy_" + file, "0.1: " + about, anim(pelvis, version=(0, 1), **parts), CONVERTED, *expect
    )


def values() -> list[Case]:
    """Angles and positions."""
    none = float_keys()
    moves = float_keys((0.0, 0.0, 0.0, 0.0), (0.5, 0.25, -0.5, -0.125))
    far = float_keys((0.0, 5.0, -5.0, 0.0), (0.5, 7.5, -123.0, 5.0001))
    bad, nan, away = "key_not_finite", b.NAN, "ends_away"
    return [
        case("normal", "rotation and position", POSE, moves, away),
        case("rotation_only", "no position key", POSE, none),
        case(
            "angles_beyond_360",
            "angles of more than a turn",
            float_keys((0.0, 720.0, -450.0, 190.0)),
            none,
            away,
        ),
        case(
            "gimbal",
            "90 degrees about y, where the order of the axes shows",
            float_keys((0.0, 30.0, 90.0, 45.0)),
            none,
            away,
        ),
        case(
            "position_beyond_5",
            "positions clamped to +-5 m per axis",
            none,
            far,
            "position_clamped",
            "position_at_limit",
            away,
        ),
        case("time_nan", "a key time that is no number", float_keys((nan, 1.0, 2.0, 3.0)), none, bad),
        case("position_time_nan", "a position key's time", none, float_keys((nan, 0.0, 0.0, 0.0)), bad),
        case("time_infinite", "an infinite key time", float_keys((b.INFINITY, 1.0, 2.0, 3.0)), none, bad),
        case("angle_nan", "an angle that is no number", float_keys((0.0, 1.0, nan, 3.0)), none, bad),
        case(
            "angle_signalling_nan",
            "a signalling NaN",
            float_keys((0.0, b.SIGNALLING_NAN, 0.0, 0.0)),
            none,
            bad,
        ),
        case("position_nan", "a position that is no number", none, float_keys((0.0, 0.0, 0.0, nan)), bad),
    ]


def times() -> list[Case]:
    """There is no range check of times; an upload clamps them."""
    none = float_keys()

    def at(*seconds: float) -> Any:
        return float_keys(*((t, 10.0 * i, 0.0, -5.0 * i) for i, t in enumerate(seconds)))

    order, twice = "keys_reordered", "duplicate_key_time"
    short = {"duration_bits": bits_of(-1.0), "ease_in_bits": 0, "ease_out_bits": 0}
    return [
        case("time_negative", "a key before the start", at(-0.5, 0.5, 1.0), none),
        case("time_beyond_duration", "a key behind the end", at(0.0, 1.5), none),
        case(
            "equal_codes_after_clamping",
            "times 2 and 3 s of a 1 s clip, and two 1e-6 s apart, become equal codes and stay two keys each",
            at(0.5, 0.500001, 2.0, 3.0),
            none,
        ),
        case("unsorted", "keys out of order", at(1.0, 0.0, 0.5), none, order),
        case("duplicate_time", "two keys at one time", at(0.0, 0.5, 0.5), none, twice),
        case("minus_zero", "-0 and 0 are one time", at(-0.0, 0.0), none, twice, "keys_all_at_one_time"),
        case(
            "duration_negative",
            "rotation keys are not held against a duration",
            POSE,
            none,
            "duration_negative",
            "ease_zero",
            **short,
        ),
    ]


def all_cases() -> list[Case]:
    """Every fixture of this module."""
    return values() + times()
