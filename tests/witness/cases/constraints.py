# SPDX-License-Identifier: MIT
"""Fixtures of the constraint block and of what follows it (spec 1.7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..anim_file import AnimFile, Constraint, Joint, bits_of, write
from . import build as b
from .build import Case, anim, case, constraint, joint

ARM = ("mWristLeft", "mElbowLeft", "mShoulderLeft", "mCollarLeft", "mChest")


def arm(joints: Iterable[str | bytes] = ARM, *constraints: Constraint, **parts: Any) -> AnimFile:
    """A file of the left arm's chain, from the hand upward."""
    return anim(*(joint(name) for name in joints), constraints=constraints, **parts)


def one(file: str, about: str, *expect: str, source: str | bytes = "L_HAND", **parts: Any) -> Case:
    """The arm with one constraint."""
    return case(file, about, arm(ARM, constraint(source, **parts)), *expect)


def sound() -> list[Case]:
    """Constraints that the viewer takes."""
    offset = (bits_of(0.5), bits_of(-0.25), bits_of(1.0))
    pelvis = joint("mPelvis", position_keys=b.keys((0, *b.place(0, 0, -0.1))))
    return [
        one("constraint_point_ground", "A point on the ground"),
        one("constraint_plane_ground", "A plane on the ground", kind=1),
        one("constraint_point_volume", "Toward another volume", target="CHEST", target_offset=offset),
        one(
            "constraint_plane_volume", "A plane toward a volume", target="HEAD", kind=1, source_offset=offset
        ),
        one("constraint_target_dir", "Parsed and of no effect", target_dir=offset),
        one("constraint_chain_1", "Two joints", chain_length=1),
        one("constraint_chain_3", "Four joints: the most that is safe", chain_length=3),
        case(
            "constraint_pelvis_chain_0",
            "Translates the pelvis itself",
            anim(pelvis, constraints=[constraint("PELVIS", chain_length=0)]),
            "feet_sink",
        ),
        case(
            "constraint_joint_by_alias",
            "A chain whose joint is named by an alias",
            arm(["lHand"], constraint()),
            "joint_alias_renamed",
        ),
        one(
            "constraint_never_active",
            "ease_out_stop 0: off after t = 0",
            "constraint_never_active",
            ease_times=(0, 0, 0, 0),
        ),
        one(
            "constraint_times_out_of_order",
            "Unchecked by the viewer",
            ease_times=tuple(map(bits_of, (9, 3, 2, 1))),
        ),
    ]


def chains() -> list[Case]:
    """Chains that are too long or whose joints are not in the file."""
    missing, long = "constraint_joint_missing", "constraint_chain_too_long"
    beyond = "constraint_chain_beyond_joints"
    upper = ["mPelvis", "mTorso", "mSpine1", "mSpine2"]
    return [
        one(
            "constraint_chain_4", "Five joints, all there: overruns the viewer's stack", long, chain_length=4
        ),
        one(
            "constraint_chain_255",
            "Longer than the joint table, and than the skeleton is deep (both are said)",
            *(beyond, missing, long),
            chain_length=255,
        ),
        case(
            "constraint_chain_gap",
            "mElbowLeft is missing",
            arm(ARM[:1] + ARM[2:], constraint(chain_length=1)),
            missing,
        ),
        case(
            "constraint_chain_0_missing",
            "The volume's own bone is missing",
            arm(ARM[1:], constraint()),
            missing,
        ),
        case(
            "constraint_chain_above_pelvis",
            "The chain would go on to mRoot, which no file can animate",
            arm(upper, constraint("PELVIS", chain_length=1)),
            missing,
        ),
    ]


def unresolved() -> list[Case]:
    """An unknown joint is harmless behind the chain and fatal before it (spec 1.6)."""
    unknown = ("joint_unknown", "joint_unknown_on_upload")
    before = "constraint_unresolved_joint_before_chain"
    chain = constraint(chain_length=1)
    return [
        case(
            "constraint_unresolved_before",
            "Refused on playback",
            arm(("noSuch", *ARM), chain),
            before,
            *unknown,
        ),
        case(
            "constraint_unresolved_between",
            "Between the chain's two joints: it precedes one of them",
            arm((ARM[0], "noSuch", ARM[1]), chain),
            before,
            *unknown,
        ),
        case("constraint_unresolved_after", "Ignored on playback", arm((*ARM, "noSuch"), chain), *unknown),
    ]


def faults() -> list[Case]:
    """Types, volumes and floats that the viewer refuses."""
    kind, volume, finite = "constraint_type_unknown", "constraint_volume_unknown", "constraint_not_finite"
    tail = "volume_name_tail_cleared"

    def at(bits: int, index: int, size: int = 3) -> tuple[int, ...]:
        return tuple(bits if i == index else bits_of(0.5) for i in range(size))

    return [
        one("constraint_type_2", "Refused", kind, kind=2),
        one("constraint_type_255", "Refused", kind, kind=255),
        one("constraint_source_unknown", "No such volume", volume, source="TAIL"),
        one("constraint_source_bone", "A bone is no volume", volume, source="mWristLeft"),
        one("constraint_source_ground", "GROUND is a target only", volume, source="GROUND"),
        one("constraint_source_lower_case", "Case-sensitive", volume, source="l_hand"),
        one("constraint_source_empty", "An empty name", volume, source=""),
        one("constraint_target_unknown", "No such volume", volume, target="SKY"),
        one("constraint_target_lower_case", "Case-sensitive", volume, target="ground"),
        one("constraint_volume_16_chars", "16 characters, no NUL", volume, tail, target="RIGHT_HANDLE_LEF"),
        one("constraint_volume_tail", "Old memory behind the NUL", tail, target=b"GROUND\0_LEG\0\0\xcd\xcd"),
        one(
            "constraint_source_tail",
            "Old memory behind the NUL",
            tail,
            source=b"L_HAND\0\0\0\0\0\0\0\0\0\x01",
        ),
        one("constraint_source_offset_nan", "Refused", finite, source_offset=at(b.NAN, 0)),
        one("constraint_target_offset_infinite", "Refused", finite, target_offset=at(b.INFINITY, 1)),
        one(
            "constraint_target_dir_infinite",
            "Refused, though unused",
            finite,
            target_dir=at(b.MINUS_INFINITY, 2),
        ),
        one("constraint_time_signalling_nan", "Refused", finite, ease_times=at(b.SIGNALLING_NAN, 2, 4)),
        one("constraint_stop_nan", "Refused", finite, ease_times=at(b.QUIET_NEGATIVE_NAN, 3, 4)),
    ]


def counts() -> list[Case]:
    """2 and 10 are reversed on upload; a count outside 0..10 makes the viewer ignore the block."""
    targets = [
        "GROUND",
        "CHEST",
        "HEAD",
        "NECK",
        "BELLY",
        "PELVIS",
        "BUTT",
        "L_FOOT",
        "R_FOOT",
        "R_HAND",
        "L_PEC",
    ]
    many = [constraint(target=t, chain_length=i % 3) for i, t in enumerate(targets)]
    order, ignored = "constraint_order_reversed", "constraints_ignored"
    rest = b"".join(write(anim(constraints=[c]))[-86:] for c in many)

    def raw(file: str, about: str, count: int, tail: bytes) -> Case:
        return case(file, about, arm(ARM, num_constraints=count, tail=tail), ignored)

    return [
        case("constraints_2", "Every upload turns the order round", arm(ARM, *many[:2]), order),
        case("constraints_10", "The most that the viewer reads", arm(ARM, *many[:10]), order),
        raw("constraints_11", "The block is ignored; L_PEC in it is no volume, and nobody looks", 11, rest),
        raw(
            "constraints_11_cut", "Count 11 with half a record: all that follows is a raw tail", 11, rest[:43]
        ),
        raw("constraints_11_nothing", "Count 11 and the file ends", 11, b""),
        raw("constraints_minus_1", "A negative count is ignored as well", -1, b""),
        raw("constraints_minus_1_tail", "A negative count with bytes behind it", -1, rest[:86]),
        raw("constraints_int_max", "The largest count", b.INT_MAX, rest[:86]),
        raw("constraints_int_min", "The smallest count", b.INT_MIN, rest[:86]),
    ]


def trailing() -> list[Case]:
    """Bytes behind the end that no viewer looks at."""
    dropped = "trailing_bytes_dropped"
    return [
        case("trailing_byte", "One zero byte", anim(tail=b"\0"), dropped),
        case("trailing_text", "A line of text", anim(tail=b"exported by someone\r\n"), dropped),
        case(
            "trailing_behind_constraint",
            "Behind a constraint",
            arm(ARM, constraint(), tail=bytes(100)),
            dropped,
        ),
    ]


def all_cases() -> list[Case]:
    """Every fixture of this module."""
    return sound() + chains() + unresolved() + faults() + counts() + trailing()


def example() -> tuple[list[Joint], Constraint]:
    """A joint and a constraint that fits it, for the fixtures of cut files."""
    return [joint("mWristLeft")], constraint()
