# SPDX-License-Identifier: MIT
"""Fixtures of the header: priorities, duration, loop, eases, hand pose, emote (spec 1.1, 1.4, 1.5, 1.8)."""

from __future__ import annotations

from typing import Any

from ..anim_file import AnimFile, bits_of
from . import build as b
from .build import Case, anim, case, joint, keys, single

UNSURE_DURATION = "; what depends on the duration is not judged"


def priorities() -> list[Case]:
    """base_priority: clamped above 6, refused below -1."""
    own = joint(priority=3)
    return [
        case("base_priority_6", "The highest base priority that is kept", anim(base_priority=6)),
        case("base_priority_7", "Clamped to 6 on load", anim(base_priority=7), "base_priority_clamped"),
        case("base_priority_100", "Clamped to 6 on load", anim(base_priority=100), "base_priority_clamped"),
        case("base_priority_int_max", "Clamped to 6", anim(base_priority=b.INT_MAX), "base_priority_clamped"),
        case(
            "base_priority_minus_1_joints_minus_1",
            "No joint and no base has a priority: the motion is skipped once fully weighted (spec 1.4)",
            anim(base_priority=-1),
            "motion_without_priority",
        ),
        case(
            "base_priority_minus_1",
            "Legal, with a joint at 3",
            anim(own, base_priority=-1),
            "base_priority_hidden",
        ),
        case("base_priority_minus_2", "Refused", anim(base_priority=-2), "base_priority_too_low"),
        case("base_priority_int_min", "Refused", anim(base_priority=b.INT_MIN), "base_priority_too_low"),
    ]


def durations() -> list[Case]:
    """Legal, odd and refused durations; files without a usable one have a single key at 0."""
    still: dict[str, Any] = {"ease_in_bits": 0, "ease_out_bits": 0, "loop_out_bits": 0}
    both = joint(rotation_keys=keys((0, *b.IDENTITY), (0, *b.turn(0, 10)), (0, *b.turn(2, 30))))

    def lasting(seconds: float) -> dict[str, Any]:
        return {"duration_bits": bits_of(seconds), "loop_out_bits": bits_of(seconds)}

    return [
        case(
            "duration_0_loop",
            "A static pose for ever",
            anim(single(), loop=1, **(still | lasting(0))),
            "ease_zero",
        ),
        case(
            "duration_0_no_loop",
            "Ends at once",
            anim(single(), **(still | lasting(0))),
            "ease_zero",
            "pose_flashes",
        ),
        case(
            "duration_0_many_keys",
            "All keys collapse onto the last in the file; time code 0/0 becomes 0 (spec 1.2, 1.10)",
            anim(both, loop=1, **(still | lasting(0))),
            "duplicate_key_time",
            "keys_all_at_one_time",
            "ease_zero",
        ),
        case(
            "duration_0_late_codes",
            "Duration 0 with the time codes 0 and 65535: both are second 0, both become code 0 on upload",
            anim(loop=1, **(still | lasting(0))),
            "duplicate_key_time",
            "keys_all_at_one_time",
            "ease_zero",
        ),
        case(
            "duration_millisecond",
            "0.001 s",
            anim(single(), **(still | lasting(0.001))),
            "ease_zero",
            "pose_flashes",
        ),
        case("duration_60", "The longest allowed", anim(single(), **lasting(60))),
        case("duration_60_0001", "Just too long", anim(single(), **lasting(60.0001)), "duration_too_long"),
        case("duration_huge", "Far too long", anim(single(), **lasting(3e38)), "duration_too_long"),
        *negative_durations(),
        *unreadable_durations(),
    ]


def negative_durations() -> list[Case]:
    """A negative duration is not looked at, only rotation keys fail by it."""
    header: dict[str, Any] = {"duration_bits": bits_of(-1.0), "loop_out_bits": bits_of(-1.0)}
    header |= {"ease_in_bits": 0, "ease_out_bits": 0}
    pelvis = joint("mPelvis", position_keys=keys((0, *b.IDENTITY)))
    return [
        case(
            "duration_negative_rotation",
            "Every rotation key is outside; an upload would turn time code 0 into 65535",
            anim(single(), **header),
            "duration_negative",
            "rotation_key_outside_duration",
        ),
        case(
            "duration_negative_position",
            "Positions only: loads; an upload turns time code 0 into 65535 (0 > -1)",
            anim(pelvis, **header),
            "duration_negative",
            "ease_zero",
        ),
    ]


def unreadable_durations() -> list[Case]:
    """Duration bits that are no number; they must survive a round trip."""
    rows = [
        ("nan", b.NAN),
        ("negative_quiet_nan", b.QUIET_NEGATIVE_NAN),
        ("signalling_nan", b.SIGNALLING_NAN),
        ("infinite", b.INFINITY),
        ("minus_infinite", b.MINUS_INFINITY),
    ]
    return [
        case(
            f"duration_{name}",
            f"Duration bits 0x{bits:08x}{UNSURE_DURATION}",
            anim(single(), duration_bits=bits),
            "duration_not_finite",
            *(("duration_negative",) if bits == b.MINUS_INFINITY else ()),
        )
        for name, bits in rows
    ]


def loops() -> list[Case]:
    """Loop points in every order, and the loop flag's values."""

    def loop(file: str, about: str, start: float, end: float, *expect: str, flag: int = 1) -> Case:
        made = anim(loop=flag, loop_in_bits=bits_of(start), loop_out_bits=bits_of(end))
        return case(file, about, made, *expect)

    order, stops = "loop_points_out_of_order", "loop_stops_itself"
    jumps, waits = "loop_jumps", "loop_waits"
    beyond = "loop_out behind the duration: the animation stops itself"
    return [
        loop("loop_whole_clip", "A sound loop, but its ends differ", 0, 1, jumps),
        loop("loop_with_outro", "A loop with an intro and an outro, whose ends differ", 0.25, 0.75, jumps),
        loop("loop_points_equal", "Frozen at loop_out", 0.5, 0.5),
        loop("loop_flag_2", "Any non-zero flag is true; stored as 1 on upload", 0, 1, jumps, flag=2),
        loop("loop_flag_minus_1", "Any non-zero flag is true; stored as 1 on upload", 0, 1, jumps, flag=-1),
        loop("loop_out_beyond_duration", beyond, 0, 1.5, stops),
        loop("loop_both_beyond_duration", beyond, 2, 3, stops),
        loop("loop_in_after_loop_out", "Runs over in..in+(in-out), all inside the clip", 0.5, 0.25, order),
        loop("loop_in_after_loop_out_overruns", "Runs over 0.75..1.25 s of 1 s", 0.75, 0.25, order, stops),
        loop(
            "loop_negative_points",
            "Unchecked by the viewer: loop from -0.5 to 0.5 s",
            -0.5,
            0.5,
            jumps,
            waits,
        ),
        loop("loop_off_with_bad_points", "Points of no use without loop", 3, 2, flag=0),
        *non_finite_times(),
    ]


def non_finite_times() -> list[Case]:
    """Loop points and eases that are no number."""
    rows = [
        ("loop_in_nan", "loop_in_bits", b.NAN, "loop_point_not_finite"),
        ("loop_in_infinite", "loop_in_bits", b.INFINITY, "loop_point_not_finite"),
        ("loop_out_nan", "loop_out_bits", b.QUIET_NEGATIVE_NAN, "loop_point_not_finite"),
        ("loop_out_signalling_nan", "loop_out_bits", b.SIGNALLING_NAN, "loop_point_not_finite"),
        ("ease_in_nan", "ease_in_bits", b.NAN, "ease_not_finite"),
        ("ease_in_infinite", "ease_in_bits", b.MINUS_INFINITY, "ease_not_finite"),
        ("ease_out_infinite", "ease_out_bits", b.INFINITY, "ease_not_finite"),
        ("ease_out_signalling_nan", "ease_out_bits", b.SIGNALLING_NAN, "ease_not_finite"),
    ]
    return [case(name, f"{part} 0x{bits:08x}", _with(part, bits), found) for name, part, bits, found in rows]


def _with(part: str, bits: int) -> AnimFile:
    made = anim()
    setattr(made, part, bits)
    return made


def eases() -> list[Case]:
    """Eases against the duration."""

    def ease(file: str, about: str, start: float, end: float, *expect: str) -> Case:
        return case(file, about, anim(ease_in_bits=bits_of(start), ease_out_bits=bits_of(end)), *expect)

    longer, faint = "ease_longer_than_duration", "never_at_full_strength"
    return [
        ease("ease_none", "No easing", 0, 0, "ease_zero"),
        ease("ease_fills_duration", "Together exactly the duration", 0.5, 0.5),
        ease("ease_sum_longer_than_duration", "Each fits, both together do not", 0.75, 0.75, longer),
        ease("ease_in_longer_than_duration", "The self-stop is missed until t > duration", 5, 0.25, faint),
        ease("ease_negative", "Unchecked by the viewer", -0.25, -0.5, "ease_zero"),
    ]


def hands_and_emotes() -> list[Case]:
    """hand_pose 0..13 is known, 14 slips through (spec 1.4); emote names (spec 1.5)."""
    uuid = b"fee3df48-fa3d-1015-1e26-a205810e3001"
    unknown = "emote_unknown"
    return [
        case("hand_pose_0", "Spread", anim(hand_pose=0)),
        case("hand_pose_13", "The last known pose", anim(hand_pose=13)),
        case("hand_pose_14", "Accepted and ignored", anim(hand_pose=14), "hand_pose_ignored"),
        case("hand_pose_15", "Refused", anim(hand_pose=15), "hand_pose_unknown"),
        case("hand_pose_max", "Refused", anim(hand_pose=0xFFFFFFFF), "hand_pose_unknown"),
        case("emote_lower_case", "A face emote", anim(emote_name=b"express_frown")),
        case("emote_capitalised", "Looked up without regard to case", anim(emote_name=b"Express_Frown")),
        case(
            "emote_body_animation",
            "A name of another animation is as good",
            anim(emote_name=b"dance1"),
            "emote_moves_body",
        ),
        case("emote_uuid", "An id is accepted as well", anim(emote_name=uuid)),
        case("emote_uuid_upper_case", "An id in capitals", anim(emote_name=uuid.upper())),
        case(
            "emote_closed_mouth", "Dropped silently", anim(emote_name=b"Closed_Mouth"), "emote_closed_mouth"
        ),
        case(
            "emote_closed_mouth_lower",
            "Not the exact spelling: unknown",
            anim(emote_name=b"closed_mouth"),
            unknown,
        ),
        case("emote_unknown", "Cleared with a warning", anim(emote_name=b"express_nothing"), unknown),
        case("emote_not_utf8", "Bytes that are no UTF-8", anim(emote_name=b"express_\xff\xfe\x80"), unknown),
        case("emote_long", "2,000 bytes; no length is checked", anim(emote_name=b"e" * 2000), unknown),
    ]


def all_cases() -> list[Case]:
    """Every fixture of this module."""
    return priorities() + durations() + loops() + eases() + hands_and_emotes()
