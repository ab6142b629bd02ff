# SPDX-License-Identifier: MIT
"""Fixtures that no reader accepts: cut, lying or belonging to other programs (spec 1.1, 1.8)."""

from __future__ import annotations

import struct

from ..anim_file import write
from .build import INT_MAX, INT_MIN, Case, anim, bad, case, constraint, keys, single

# Field, size, in file order; the emote's one NUL follows the duration.
HEADER = (
    ("version", 2),
    ("sub_version", 2),
    ("base_priority", 4),
    ("duration", 4),
    ("emote_name", 8),
    ("loop_in_point", 4),
    ("loop_out_point", 4),
    ("loop", 4),
    ("ease_in_duration", 4),
    ("ease_out_duration", 4),
    ("hand_pose", 4),
    ("num_joints", 4),
)
LONG_NAME = "mFaceEyebrowOuterLeft"  # so long that the joint count stays plausible wherever the record is cut
EMOTE = b"express"


def cut_headers() -> list[Case]:
    """The file ends in the middle of each header field."""
    whole = write(anim(emote_name=EMOTE))
    made: list[Case] = []
    at = 0
    for name, size in HEADER:
        end = at + size // 2
        made.append(bad(f"cut_in_{name}", f"The file ends inside {name}", whole[:end], name, at))
        at += size
    return made


def cut_joints() -> list[Case]:
    """The file ends inside a joint record or the tail."""
    whole = write(anim(single(LONG_NAME), emote_name=EMOTE, constraints=[constraint()]))
    start = sum(size for _, size in HEADER)
    priority = start + len(LONG_NAME) + 1
    rows = [
        ("joint_name", start, priority - 2, "The file ends inside a name"),
        ("joint_priority", priority, priority + 2, "The file ends inside a priority"),
        ("num_rot_keys", priority + 4, priority + 6, "The file ends inside a count"),
        ("num_pos_keys", priority + 16, priority + 18, "The file ends inside a count"),
    ]
    made = [bad(f"cut_in_{n}", about, whole[:end], f"joints[0].{n}", at) for n, at, end, about in rows]
    count = priority + 20
    keys_cut = "One key, but only half of its bytes: the count is at fault"
    lost = "One constraint, but not all of its 86 bytes: the count is at fault"
    return [
        *made,
        bad("cut_in_keys", keys_cut, whole[: priority + 12], "joints[0].num_rot_keys", priority + 4),
        bad(
            "cut_in_num_constraints",
            "The file ends inside the count",
            whole[: count + 3],
            "num_constraints",
            count,
        ),
        bad("cut_in_constraint", lost, whole[:-1], "num_constraints", count),
        bad(
            "cut_before_constraints",
            "The file ends behind the joints",
            whole[:count],
            "num_constraints",
            count,
        ),
    ]


def lying_counts() -> list[Case]:
    """Counts that are negative or promise more than the file holds."""
    head = write(anim())[:37]  # up to num_joints
    name = b"mChest\0" + struct.pack("<i", -1)
    after = len(head) + 4 + len(name)
    one = struct.pack("<I", 1) + name
    end = struct.pack("<i", 0)

    def rotations(file: str, about: str, count: int, rest: bytes = end * 2) -> Case:
        data = head + one + struct.pack("<i", count) + rest
        return bad(file, about, data, "joints[0].num_rot_keys", after)

    def positions(file: str, about: str, count: int, rest: bytes = end) -> Case:
        data = head + one + end + struct.pack("<i", count) + rest
        return bad(file, about, data, "joints[0].num_pos_keys", after + 4)

    endless = head + b"\xff" * 4
    few = head + struct.pack("<I", 217) + bytes(216 * 13)
    text = head + struct.pack("<I", 1) + b"A" * 40
    return [
        bad("count_joints_max", "0xffffffff joints and no bytes", endless, "num_joints", 37),
        bad("count_joints_one_too_many", "217 joints, bytes for 216 of the smallest", few, "num_joints", 37),
        rotations("count_rotations_max", "0x7fffffff keys", INT_MAX),
        rotations("count_rotations_minus_1", "A negative count", -1),
        rotations("count_rotations_int_min", "A negative count", INT_MIN),
        rotations("count_rotations_one_too_many", "One key, 7 bytes", 1, bytes(7)),
        rotations("count_rotations_wraps", "Times 8 it wraps round to 0 in 32 bits", 0x20000000),
        positions("count_positions_max", "0x7fffffff keys", INT_MAX),
        positions("count_positions_minus_1", "A negative count", -1),
        positions("count_positions_wraps", "Times 8 it wraps round to 0 in 32 bits", 0x20000000),
        bad("name_without_nul", "A joint name without end", text, "joints[0].joint_name", 41),
        bad("emote_without_nul", "An emote without end", write(anim())[:12] + b"A" * 60, "emote_name", 12),
    ]


def versions() -> list[Case]:
    """Only 1.0 and 0.1 exist."""
    whole = write(anim())
    rows = [("1_1", 1, 1), ("0_0", 0, 0), ("0_2", 0, 2), ("2_0", 2, 0), ("max", 65535, 65535)]
    return [
        bad(
            f"version_{n}",
            f"Version {a}.{c} does not exist",
            struct.pack("<HH", a, c) + whole[4:],
            "version",
            0,
        )
        for n, a, c in rows
    ]


def foreign() -> list[Case]:
    """Files of other programs that are called .anim too, and no files at all."""
    unity = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: Wave\n"
    maya = b"animVersion 1.1;\nmayaVersion 2024;\ntimeUnit ntsc;\nlinearUnit cm;\nstartTime 1;\nendTime 24;\n"
    return [
        bad("foreign_unity", "A Unity animation clip", unity, "version", 0),
        bad("foreign_maya", "A Maya anim file", maya, "version", 0),
        bad("empty", "No byte at all", b"", "version", 0),
        bad("no_nul", "Text without a NUL", b"A" * 256, "version", 0),
        bad("zeros", "4,096 zero bytes: version 0.0", bytes(4096), "version", 0),
        bad("big_endian", "The versions's bytes swapped", b"\0\1\0\0" + write(anim())[4:], "version", 0),
    ]


def barely() -> list[Case]:
    """Odd files that can still be read."""
    hollow = anim(*[single("", priority=0) for _ in range(5)])
    for joint in hollow.joints:
        joint.rotation_keys = keys()
    expect = ("joint_unknown", "joint_unknown_on_upload", "joint_without_keys", "base_priority_hidden")
    return [case("joints_of_13_bytes", "Five of the smallest possible records", hollow, *expect)]


def all_cases() -> list[Case]:
    """Every fixture of this module."""
    return cut_headers() + cut_joints() + lying_counts() + versions() + foreign() + barely()
