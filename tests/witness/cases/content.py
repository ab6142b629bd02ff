# SPDX-License-Identifier: MIT
"""Files for the content rules (guide of clip tools, 2): each rule just over its threshold, and just below.

A rule's pair differs in one number. Where codes allow it, the two sides are one code apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import quantise as q
from ..anim_file import AnimFile, Joint, KeyTable, bits_of
from ..content import LIMBS_AND_SPINE, Content
from ..quaternion import about_axis
from ..skeleton import load_skeleton
from . import build as b
from .build import Case, anim, case, joint, keys

Pair = tuple[str, AnimFile, AnimFile]
#: What else the first file of a rule breaks.
ALSO = {"hidden_by_the_viewer": ("base_priority_hidden",)}


def at(seconds: float, duration: float = 1.0) -> int:
    """The time code nearest to a time."""
    return round(seconds / duration * b.LAST)


def turned(axis: int, *rows: tuple[float, float], duration: float = 1.0) -> Any:
    """A rotation table of (seconds, degrees) about one axis."""
    return keys(*((at(t, duration), *b.rotation_code(about_axis(axis, d))) for t, d in rows))


def placed(*rows: tuple[float, float, float, float], duration: float = 1.0) -> Any:
    """A position table of (seconds, x, y, z) in metres."""
    return keys(*((at(t, duration), *map(int, q.encode_position(np.array(xyz)))) for t, *xyz in rows))


def offset(name: str, *rows: tuple[float, float, float, float], **parts: Any) -> Joint:
    """A joint moved from its rest place by (seconds, x, y, z)."""
    rest = load_skeleton().nodes[name].position
    moved = [(t, rest[0] + x, rest[1] + y, rest[2] + z) for t, x, y, z in rows]
    return joint(name, position_keys=placed(*moved), **parts)


def spin(name: str, axis: int, *rows: tuple[float, float], **parts: Any) -> Joint:
    """A joint that turns."""
    return joint(name, rotation_keys=turned(axis, *rows), **parts)


def once(*joints: Joint, seconds: float = 1.0, **parts: Any) -> AnimFile:
    """A file that plays once."""
    return anim(*joints, duration_bits=bits_of(seconds), loop_out_bits=bits_of(seconds), **parts)


def loop(
    *joints: Joint, start: float = 0.0, end: float = 1.0, seconds: float = 1.0, **parts: Any
) -> AnimFile:
    """A file that loops."""
    header: dict[str, Any] = {
        "loop_in_bits": bits_of(start),
        "loop_out_bits": bits_of(end),
        "duration_bits": bits_of(seconds),
    }
    return anim(*joints, loop=1, **(header | parts))


def sway(end: float, name: str = "mChest") -> Joint:
    """A chest that swings out to 20 degrees and back to `end`, with small steps at the seam."""
    return spin(name, 1, (0, 0), (0.3, 0.3), (0.5, 20), (0.7, end + 0.3), (1, end))


def walk(metres: float, sideways: float = 0.0) -> Joint:
    """Hips that go forward, and to the side in the middle."""
    return joint(
        "mPelvis", position_keys=placed((0, 0, 0, 0), (0.5, metres / 2, sideways, 0), (1, metres, 0, 0))
    )


def loops() -> list[Pair]:
    """Loops and stops."""
    still = spin("mChest", 1, (0, 10))
    hold = {"start": 0.0, "end": 0.0}
    short: dict[str, Any] = {"ease_in_bits": bits_of(0.04), "ease_out_bits": bits_of(0.04)}
    return [
        ("loop_jumps", loop(sway(2.1)), loop(sway(1.9))),
        ("loop_skips_a_frame", loop(sway(1.1)), loop(sway(0.9))),
        ("loop_waits", loop(_waiting(0.047)), loop(_waiting(0.043))),
        ("loop_travels", loop(walk(0.055)), loop(walk(0.045))),
        ("loop_travels", loop(walk(0.2, 0.16)), loop(walk(0.2, 0.18))),
        ("loop_trembles", loop(_buzz(), end=0.099), loop(_buzz(), end=0.101)),
        ("stop_is_late", loop(still, **hold, seconds=1.21), loop(still, **hold, seconds=1.19)),
        ("stop_is_late", loop(_after(0.9), **hold, seconds=2), loop(_after(1.1), **hold, seconds=2)),
        ("pose_flashes", once(still, seconds=0.0999, **short), once(still, seconds=0.101, **short)),
        ("pose_flashes", once(still, seconds=0.0999), loop(still, end=0.0999, seconds=0.0999)),
        ("never_at_full_strength", _eases(1.01, 0.1), _eases(0.99, 0.0)),
        ("ease_longer_than_duration", _eases(0.5, 0.51), _eases(0.5, 0.5)),
        ("ease_zero", _eases(0.0, 0.2), _eases(0.001, 0.2)),
        ("ends_away", once(_home(0.501, 0)), once(_home(0.499, 0))),
        ("ends_away", once(_home(0, 61)), once(_home(0, 59))),
    ]


def _waiting(hold: float) -> Joint:
    return spin("mChest", 1, (0, 0), (hold, 0), (0.5, 20), (0.99, 0.3), (1, 0))


def _buzz() -> Joint:
    return spin("mChest", 1, (0, 0), (0.05, 3), (0.1, 0))


def _after(degrees: float) -> Joint:
    return joint("mChest", rotation_keys=turned(1, (0, 0), (1, 0), (2, degrees), duration=2))


def _eases(ease_in: float, ease_out: float) -> AnimFile:
    return once(ease_in_bits=bits_of(ease_in), ease_out_bits=bits_of(ease_out))


def _home(metres: float, degrees: float) -> Joint:
    return joint(
        "mPelvis",
        rotation_keys=turned(2, (0, 0), (1, degrees)),
        position_keys=placed((0, 0, 0, 0), (1, metres, 0, 0)),
    )


def _flick(degrees: float, back: float = 0.0, gap: float = 0.05, after: float = 5.0) -> AnimFile:
    """A wrist that turns by `degrees` for one key and then to `back`; then by `after` in 0.1 s."""
    rows = [
        (0, 0),
        (0.5 - gap, 0),
        (0.5, degrees),
        (0.5 + gap, back),
        (0.6 + gap, back + after),
        (1, back + after),
    ]
    return once(spin("mWristLeft", 2, *rows))


def _first(degrees: float, gap: float = 0.1, following: float = 0.0, start: float = 0.0) -> AnimFile:
    limbs: list[Joint] = []
    for name in ("mShoulderLeft", "mShoulderRight"):
        later = start + degrees + following
        limbs.append(spin(name, 0, (0, start), (gap, start + degrees), (2 * gap, later), (1, later)))
    return once(*limbs)


def key_cases() -> list[Pair]:
    """Single keys."""

    def turn(degrees: float, gap: float) -> AnimFile:
        return once(spin("mHead", 2, (0, -degrees / 2), (gap, degrees / 2)))

    def repeats(count: int, more: int) -> AnimFile:
        same = keys(*((i, *b.turn(1, 20)) for i in range(count)))
        moving = keys(*((i, *b.turn(1, i % 2 * 20)) for i in range(more)))
        return once(joint("mChest", rotation_keys=same), joint("mTorso", rotation_keys=moving))

    return [
        ("key_spike", _flick(30.5), _flick(29.5)),
        ("key_spike", _flick(60, 19), _flick(60, 21)),
        ("key_spike", _flick(40, 2, 0.099), _flick(40, 2, 0.101)),
        ("key_spike", _flick(40, after=26), _flick(40, after=27.5)),
        ("key_spike", _flick(95, after=125), _flick(95, after=130)),
        ("first_frame_jumps", _first(15.5), _first(14.5)),
        ("first_frame_jumps", _first(30, 0.149), _first(30, 0.151)),
        ("first_frame_jumps", _first(46, start=20), _first(44, start=20)),
        ("first_frame_jumps", _first(60, following=14.5, start=20), _first(60, following=15.5, start=20)),
        ("turn_near_half", turn(170.5, 1), turn(169.5, 1)),
        ("turn_big", turn(120.5, 1), turn(119.5, 1)),
        ("turn_big", turn(121, 0.101), turn(121, 0.099)),
        ("turn_big", turn(169.5, 1), turn(170.5, 1)),
        ("keys_redundant", repeats(65, 10), repeats(63, 10)),
        ("keys_redundant", repeats(101, 280), repeats(101, 310)),
    ]


def _lying(sink: float, lean: float = 0.0, still: bool = True) -> AnimFile:
    """A pose with its hips lowered by `sink`, and leant forward."""
    rows = (
        [(0, 0, 0, -sink)] if still else [(0, 0, 0, 0), (0.5, 0, 0, -sink), (0.79, 0, 0, -sink), (1, 0, 0, 0)]
    )
    hips = placed(*((t, x, y, z) for t, x, y, z in rows))
    pelvis = joint("mPelvis", position_keys=hips, rotation_keys=turned(1, (0, lean)))
    legs = [spin(f"mHip{side}", 1, (0, -lean)) for side in ("Left", "Right")]
    return once(pelvis, *legs)


def _held(part: list[str], still: int, priority: int = 2) -> AnimFile:
    """A part of which the first `still` joints rest."""
    rest = [spin(name, 1, (0, 0), priority=priority) for name in part[:still]]
    moving = [spin(name, 1, (0, 0), (0.5, 20), (1, 0), priority=priority) for name in part[still:]]
    return loop(sway(0), *rest, *moving)


FINGERS = [f"mHand{finger}{i}Left" for finger in ("Index", "Middle", "Ring") for i in (1, 2, 3)]
FINGERS.append("mHandPinky1Left")


def body_cases() -> list[Pair]:
    """Limbs, feet, height and positions."""

    def bend(name: str, axis: int, degrees: float) -> AnimFile:
        return once(spin(name, axis, (0, 0), (1, degrees)))

    def tall(name: str, metres: float) -> AnimFile:
        return once(offset(name, (0, 0, 0, 0), (0.5, 0, 0, metres), (1, 0, 0, 0)))

    def bone(name: str, factor: float) -> AnimFile:
        rest = load_skeleton().nodes[name].position
        x, y, z = rest * (factor - 1)
        return once(offset(name, (0, 0, 0, 0), (0.5, x, y, z), (1, 0, 0, 0)))

    def coded(name: str, code: int) -> AnimFile:
        return once(joint(name, position_keys=keys((0, code, b.ZERO, b.ZERO), (b.LAST, *b.IDENTITY))))

    raptor = bend("mKneeLeft", 1, -50)
    raptor.joints.append(spin("mTail1", 1, (0, 5), (1, 0)))
    still = offset("mNeck", (0, 0.0012, 0, 0))
    heights: list[Pair] = []
    for name in ("mHipLeft", "mKneeLeft", "mAnkleLeft", "mFootLeft", "mHead", "mNeck", "mChest", "mTorso"):
        heights.append(("height_changes", tall(name, 0.0205), tall(name, 0.0195)))
        heights.append(("height_changes", tall(name, -0.0205), tall(name, -0.0195)))
    return [
        ("joint_bends_backwards", bend("mKneeRight", 1, -46), bend("mKneeRight", 1, 46)),
        ("joint_bends_backwards", bend("mKneeLeft", 1, -15.5), bend("mKneeLeft", 1, -14.5)),
        ("joint_bends_backwards", bend("mElbowLeft", 2, 16), bend("mElbowLeft", 2, -16)),
        ("joint_bends_backwards", bend("mElbowRight", 2, -16), bend("mElbowRight", 2, 16)),
        ("joint_bends_backwards", bend("mKneeLeft", 1, -50), raptor),
        ("feet_sink", _lying(0.0305), _lying(0.0295)),
        ("feet_sink", _lying(0.299), _lying(0.301)),
        ("feet_sink", _lying(0.1, 44), _lying(0.1, 46)),
        *heights,
        ("height_changes", tall("mSkull", 0.024), tall("mSkull", 0.0075)),  # 4.9 mm: the default shape's own
        ("height_changes", tall("mHipLeft", 0.05), tall("mHipRight", 0.05)),
        ("position_track_sticks", once(offset("mNeck", (0, 0, 0, 0), (1, 0.0012, 0, 0))),
         once(offset("mNeck", (0, 0.0012, 0, 0), (1, 0, 0, 0)))),
        ("position_track_sticks", loop(still), loop(offset("mNeck", (0, 0.0008, 0, 0)))),
        ("position_track_pins_shape", loop(offset("mNeck", (0, 0.0008, 0, 0))), loop(still)),
        ("face_positions", tall("mFaceJaw", 0.0016), tall("mFaceJaw", 0.0008)),
        ("bone_collapses", bone("mElbowLeft", 0.09), bone("mElbowLeft", 0.11)),
        ("bone_collapses", bone("mElbowLeft", 3.05), bone("mElbowLeft", 2.95)),
        ("position_at_limit", coded("mPelvis", 65535), coded("mPelvis", 65534)),
        ("position_at_limit", coded("mPelvis", 0), coded("mPelvis", 1)),
    ]  # fmt: skip


def part_cases() -> list[Pair]:
    """Faces, fingers, eyes, emotes."""

    def eye(degrees: float, priority: int = 2, name: str = "mEyeLeft") -> AnimFile:
        rows = [(0.0, 10.0), (1.0, 10.0 + degrees)]
        return loop(sway(0), spin(name, 1, *rows, priority=priority))

    def hidden(degrees: float, priority: int = 0) -> AnimFile:
        return once(spin("mHead", 1, (0, 0), (1, degrees), priority=priority))

    def left(degrees: float, name: str = "mTail2") -> AnimFile:
        return once(spin(name, 1, (0, 20), (1, degrees)))

    def emote(name: bytes, *joints: Joint) -> AnimFile:
        return anim(*joints, emote_name=name)

    def hand(pose: int, degrees: float = 20) -> AnimFile:
        return anim(spin("mHandIndex1Left", 1, (0, 0), (0.5, degrees), (1, 0)), hand_pose=pose)

    face = spin("mFaceJaw", 1, (0, 0), (0.5, 10), (1, 0))
    moved_fingers = _held(FINGERS, 9)
    moved_fingers.joints.append(offset("mHandPinky2Left", (0, 0, 0, 0)))
    return [
        ("freezes_parts", _held(FINGERS, 9), _held(FINGERS, 8)),
        ("freezes_parts", _held(FINGERS, 10, 1), _held(FINGERS, 10, 0)),
        ("freezes_parts", _held(FINGERS, 9), moved_fingers),
        ("freezes_parts", _held(["mTail1"], 1), _held(["mCollarLeft"], 1)),
        ("freezes_eyes", eye(0.08), eye(0.12)),
        ("freezes_eyes", eye(0, 1), eye(0, 0)),
        ("freezes_eyes", eye(0, name="mFaceEyeAltLeft"), eye(0, name="mFaceEyeLidUpperLeft")),
        ("eyes_move", eye(0.12), eye(0.08)),
        ("hidden_by_the_viewer", hidden(5.1), hidden(4.9)),
        ("hidden_by_the_viewer", hidden(20), hidden(20, 1)),
        ("rotations_stick", left(2.1), left(1.9)),
        ("rotations_stick", left(20), left(20, "mCollarLeft")),
        ("emote_moves_body", emote(b"Express_Anger"), emote(b"Express_Anger_Emote")),
        ("emote_moves_body", emote(b"dance1"), emote(b"express_toothsmile")),
        ("emote_moves_body", emote(b"b68a3d7c-de9e-fc87-eec8-543d787e5b0d"),
         emote(b"-".join(b"0" * n for n in (8, 4, 4, 4, 12)))),
        ("emote_with_face", emote(b"express_smile", face), emote(b"express_smile")),
        ("hand_pose_with_fingers", hand(2), hand(1)),
        ("hand_pose_with_fingers", hand(13), hand(13, 0.05)),
    ]  # fmt: skip


def below_ao(priority: int) -> AnimFile:
    """A pose of the whole body; only with a purpose is its priority a matter."""
    return loop(
        sway(0), *(spin(name, 1, (0, 10)) for name in ("mHipLeft", "mHipRight")), base_priority=priority
    )


def all_pairs() -> list[Pair]:
    """(rule, file that breaks it, file that does not)."""
    return [*loops(), *key_cases(), *body_cases(), *part_cases()]


def mirrored(made: AnimFile) -> AnimFile:
    """The file for the other side (guide, 4.4): names swap, and codes are reflected."""
    swaps = {"Left": "Right", "Right": "Left", "L_": "R_", "R_": "L_"}
    skeleton = load_skeleton()
    joints: list[Joint] = []
    for old in made.joints:
        name = skeleton.canonical(old.name) or old.name.decode()
        new = next((name.replace(a, c) for a, c in swaps.items() if a in name), name)
        turns, places = old.rotation_keys.copy(), old.position_keys.copy()
        turns[:, [1, 3]] = b.LAST - turns[:, [1, 3]]
        if len(places) and new in skeleton.nodes:
            metres = q.decode_position(places[:, 1:]).astype(np.float64) - skeleton.nodes[name].position
            metres = metres * np.array([1, -1, 1]) + skeleton.nodes[new].position
            places[:, 1:] = np.clip(np.round((metres + 5) / 10 * b.LAST), 0, b.LAST)
        joints.append(Joint(new.encode(), old.priority, turns, places))
    return replace(made, joints=joints)


def with_played_keys(made: AnimFile) -> AnimFile:
    """Keys with the played values in the middle of each segment that is 2 codes long or longer."""
    content = Content(made, load_skeleton())
    joints, seen = list[Joint](), set[str]()
    for old in made.joints:
        name = load_skeleton().canonical(old.name)
        moved = content.joints.get(name) if name else None
        if name is None or moved is None or name in seen:
            joints.append(old)
            continue
        seen.add(name)
        tables: list[KeyTable] = []
        for table, track, is_turn in (
            (old.rotation_keys, moved.turns, True),
            (old.position_keys, moved.places, False),
        ):
            codes = np.unique(table[:, 0])
            new = (codes[:-1].astype(int) + codes[1:]) // 2
            new = np.setdiff1d(new, codes)
            if not len(new):
                tables.append(table)
                continue
            values = track.at(q.decode_time(new, made.duration).astype(float))
            coded = (values[:, :3] + 1) / 2 if is_turn else (values + 5) / 10
            coded = np.where(is_turn & (values[:, 3:] < 0), 1 - coded, coded) if is_turn else coded
            rows = np.column_stack([new, np.clip(np.round(coded * b.LAST), 0, b.LAST)]).astype(np.uint16)
            tables.append(np.concatenate([table.astype(np.uint16), rows]))
        joints.append(Joint(old.name, old.priority, *tables))
    return replace(made, joints=joints)


def corners() -> dict[str, AnimFile]:
    """Files at the corners of the guide's list (6), for which only the two implementations must agree."""
    spot = sway(5)
    below = bits_of(1.0) - 1
    inside = joint("mChest", rotation_keys=turned(1, (0.4, 0), (0.6, 30)))
    half = spin("mChest", 0, (0, 0), (0.5, 90), (1, 180))
    twice = joint(
        "mChest", rotation_keys=keys((0, *b.IDENTITY), (b.LAST, *b.turn(1, 9)), (b.LAST, *b.turn(1, 40)))
    )
    names = [*LIMBS_AND_SPINE, *FINGERS]
    made = {
        "points_equal_at_0": loop(spot, start=0, end=0),
        "points_equal_inside": loop(spot, start=0.5, end=0.5),
        "points_equal_at_end": loop(spot, start=1, end=1),
        "out_one_bit_less": loop(spot, loop_out_bits=below),
        "out_one_bit_less_late": loop(
            spin("mChest", 1, (0, 9)), seconds=3, end=3, loop_out_bits=bits_of(3) - 1
        ),
        "out_beyond": loop(spot, end=1.5),
        "in_after_out": loop(spot, start=0.7, end=0.3),
        "in_negative": loop(spot, start=-0.04),
        "one_frame_loop": loop(spot, start=0.5, end=0.533),
        "intro_and_outro": loop(spot, start=0.3, end=0.6),
        "seam_half_turn": loop(half),
        "keys_inside_only": loop(inside, start=0.3, end=0.7),
        "keys_outside_only": loop(inside, start=0.7, end=0.9),
        "one_key": loop(spin("mChest", 1, (0.5, 20))),
        "duplicate_times": loop(twice),
        "duplicate_joints": loop(spot, spin("mChest", 1, (0, 0), (1, 90)), spin("chest", 1, (0, 0), (1, 60))),
        "all_still": loop(*(spin(name, 1, (0, 0), (1, 0)) for name in names)),
        "tiny_duration": loop(spot, end=1e-30, seconds=1e-30),
        "longest": loop(spot, end=60, seconds=60),
        "tall_neck": once(offset("mNeck", (0, 0, 0, 1.37))),
        "volumes": loop(spin("L_HAND", 1, (0, 0), (1, 30)), offset("BELLY", (0, 0.1, 0, 0))),
        "attachments": once(spin("Chest", 1, (0, 0), (1, 30)), offset("Left Hand", (0, 0, 2, 0))),
        "constant": once(joint("mTorso", rotation_keys=keys(*((i * 9, *b.turn(1, 20)) for i in range(90))))),
        "both_zeros": once(
            joint("mTorso", rotation_keys=keys(*((i, 32767 + i % 2, 32767, 32768) for i in range(99))))
        ),
    }
    for priority in (-1, 0, 1):
        for name in ("mHead", "mChest", "mEyeLeft"):
            file = once(spin(name, 1, (0, 0), (1, 30), priority=priority), base_priority=0)
            made[f"priority_{priority}_{name}"] = file
    return made


def all_cases() -> list[Case]:
    """A fixture for each rule: the first file that breaks it. That of a purpose breaks nothing without it."""
    cases = {rule: bad for rule, bad, _ in reversed(all_pairs())}
    fixtures = [
        case(f"content_{rule}", f"Breaks {rule}", made, rule, *ALSO.get(rule, ()))
        for rule, made in sorted(cases.items())
    ]
    return [*fixtures, case("content_below_ao", "Its legs have a priority of 3", below_ao(3))]
