# SPDX-License-Identifier: MIT
"""Fixtures of the joint table: priorities, names, counts, duplicates (spec 1.4, 1.6, 1.8)."""

from __future__ import annotations

from ..anim_file import Joint, bits_of
from ..skeleton import load_skeleton
from . import build as b
from .build import Case, anim, case, joint, keys, single


def priorities() -> list[Case]:
    """joint_priority has a floor but no ceiling."""

    def at(file: str, about: str, priority: int, *expect: str) -> Case:
        return case(file, about, anim(joint(priority=priority)), "base_priority_hidden", *expect)

    high, low = "joint_priority_too_high", "joint_priority_too_low"
    return [
        at("joint_priority_0", "Low: the viewer's own motion hides it", 0, "hidden_by_the_viewer"),
        at("joint_priority_6", "The highest that is safe", 6),
        at("joint_priority_7", "Passes unclamped and blends above 6", 7, high),
        at("joint_priority_8", "Undefined behaviour in the viewer", 8, high),
        at("joint_priority_int_max", "Undefined behaviour in the viewer", b.INT_MAX, high),
        at("joint_priority_minus_2", "Refused", -2, low),
        at("joint_priority_int_min", "Refused", b.INT_MIN, low),
        case(
            "joint_priority_as_base",
            "Base and joint agree, as in most files",
            anim(joint(priority=4), base_priority=4),
        ),
        case(
            "joint_priorities_mixed",
            "One joint at -1 takes the base priority, one has its own",
            anim(joint("mHead"), joint("mNeck", priority=4)),
        ),
    ]


def names() -> list[Case]:
    """Everything that a joint name can mean."""
    alias, hud = "joint_alias_renamed", "joint_unknown_on_upload"
    nowhere = ("joint_unknown", "joint_unknown_on_upload")
    rows: list[tuple[str, str, str | bytes, tuple[str, ...]]] = [
        ("name_alias_hip", "BVH alias of mPelvis", "hip", (alias,)),
        ("name_alias_figure_hair", "BVH alias of mSkull", "figureHair", (alias,)),
        (
            "name_alias_avatar_prefix",
            "avatar_ and the bone's name",
            "avatar_mWing1Left",
            (alias, "rotations_stick"),
        ),
        ("name_attachment_with_space", "The canonical spelling", "Left Hand", ()),
        ("name_attachment_with_underscore", "An alias of the spelling with spaces", "R_Upper_Arm", (alias,)),
        ("name_attachment_one_word", "An attachment point, not the bone mChest", "Chest", ()),
        ("name_attachment_avatar_center", "Hangs on mRoot", "Avatar Center", ()),
        (
            "name_attachment_hud",
            "Resolves on one's own avatar only, so an upload refuses it",
            "Top Left",
            (hud,),
        ),
        ("name_volume", "A collision volume with a rest rotation", "L_HAND", ()),
        ("name_volume_lower_case", "Volumes have no alias", "l_hand", nowhere),
        ("name_unknown", "Ignored on playback, refused on upload", "WISDOM_SWORD_1", nowhere),
        ("name_wrong_case", "Names are case-sensitive", "mpelvis", nowhere),
        ("name_empty", "An empty name is unknown", "", nowhere),
        ("name_not_utf8", "Bytes that are no UTF-8", b"m\xc3\x28\xff", nowhere),
        ("name_long", "5,000 bytes; no length is checked", "m" * 5000, nowhere),
        ("name_m_root", "Refused", "mRoot", ("joint_forbidden",)),
        ("name_m_screen", "Refused", "mScreen", ("joint_forbidden",)),
    ]
    return [case(file, about, anim(joint(name)), *expect) for file, about, name, expect in rows]


def duplicates() -> list[Case]:
    """Records of one joint: the first counts."""
    other = joint(rotation_keys=keys((0, *b.turn(2, 45))))
    return [
        case("duplicate_joint", "The pose keeps the first record", anim(joint(), other), "duplicate_joint"),
        case(
            "duplicate_joint_by_alias",
            "mChest and its alias chest are one joint",
            anim(joint(), joint("chest")),
            "duplicate_joint",
            "joint_alias_renamed",
        ),
        case(
            "joint_without_keys",
            "A record without any key",
            anim(_empty(), joint("mHead")),
            "joint_without_keys",
        ),
        case(
            "joint_without_keys_alone",
            "The only record has no key",
            anim(_empty()),
            "joint_without_keys",
        ),
    ]


def _empty() -> Joint:
    return joint(rotation_keys=keys(), position_keys=keys())


def counts() -> list[Case]:
    """0, all, 216 and 217 records."""
    nodes = load_skeleton().nodes.values()
    every = [single(node.name) for node in nodes]
    body = [single(node.name) for node in nodes if node.kind != "hud"]
    bones = [single(node.name) for node in nodes if node.kind == "bone"]
    hud, twice = "joint_unknown_on_upload", "duplicate_joint"
    none = anim()
    none.joints = []
    return [
        case("joints_0", "Refused", none, "joint_count_out_of_range"),
        case("joints_all_bones", "Each of the 133 bones", anim(*bones)),
        case("joints_all_of_body", "133 bones, 26 volumes and 47 attachment points", anim(*body)),
        case("joints_all_with_hud", "All 214 names; an upload refuses the 8 HUD points", anim(*every), hud),
        case(
            "joints_216",
            "The most allowed: all 214 and two a second time",
            anim(*every, *every[:2]),
            hud,
            twice,
        ),
        case(
            "joints_217",
            "One too many",
            anim(*every, *every[:3]),
            *(hud, twice, "joint_count_out_of_range"),
        ),
    ]


def whole() -> list[Case]:
    """The smallest file, and one with every field in use."""
    arm = [joint(f"m{part}Left") for part in ("Collar", "Shoulder", "Elbow", "Wrist")]
    pelvis = joint(
        "mPelvis", rotation_keys=arm[0].rotation_keys, position_keys=keys((0, *b.place(0.1, 0, -0.2)))
    )
    planted = b.constraint("L_FOOT", "GROUND", chain_length=0, source_offset=(bits_of(0.5), 0, bits_of(-1.0)))
    full = anim(
        joint("mAnkleLeft", priority=5),
        *(pelvis, *arm),
        base_priority=4,
        duration_bits=bits_of(2.0),
        emote_name=b"Express_Smile",
        loop_in_bits=bits_of(0.5),
        loop_out_bits=bits_of(1.5),
        loop=1,
        hand_pose=9,
        constraints=[planted, b.constraint("L_HAND", "CHEST", chain_length=2, kind=1)],
    )
    return [
        case("minimal", "One joint, one key", anim(single())),
        case("default", "The file that all others differ from", anim()),
        case(
            "every_field",
            "Every field has a value of its own",
            full,
            "constraint_order_reversed",
            "loop_jumps",
        ),
    ]


def all_cases() -> list[Case]:
    """Every fixture of this module."""
    return whole() + priorities() + names() + duplicates() + counts()
