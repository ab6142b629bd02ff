# SPDX-License-Identifier: MIT
"""The pairs of skeletons that make the retargeting fixtures; `retarget` says what a file holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..humanoid_body import FINGERS
from ..retarget_body import Body, world
from ..retarget_draft import BODY_SLOTS, HAND_SLOTS, Draft, Motion, draft, half_turns, moves
from ..retargeting import Options
from ..turns import NO_TURN, UP, Turn, about, back, mul

_X, _Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


@dataclass
class Case:
    """A pair of skeletons, a motion of the first, and what the expectation rests upon."""

    name: str
    explanation: str
    source: Body
    target: Body
    motion: Motion
    options: Options = field(default_factory=Options)
    assumes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()  # target joints


def _rolled(made: Draft, seed: int) -> Body:
    made.roll(seed)
    return made.finish()


def _identity() -> Case:
    source = draft().finish()
    return Case(
        "identity",
        "One skeleton onto itself: every rotation and the path stay.",
        source,
        source,
        moves(source, 1),
    )


def _rolled_rests() -> Case:
    source, target = _rolled(draft(), 1), _rolled(draft(), 2)
    text = "The same joints with other axes at rest: limbs point as before, only the axes differ."
    return Case("rolled_rests", text, source, target, moves(source, 2))


def _inserted_joint() -> Case:
    left, right = draft(), draft()
    left.insert("helper", "leftUpperLeg", ["leftLowerLeg"], 0.7)
    right.insert("between", "spine", ["chest"], 0.4)
    right.insert("twist", "rightLowerArm", ["rightHand"], 0.5)
    source, target = _rolled(left, 3), _rolled(right, 4)
    text = "Both sides have joints without a slot that the other lacks: they keep their rest, change nothing."
    return Case("inserted_joint", text, source, target, moves(source, 3))


def _a_to_t(align: bool) -> Case:
    source, target = _rolled(draft(pose="A"), 5), _rolled(draft(), 6)
    name = "a_to_t" if align else "a_to_t_unaligned"
    text = "A source that rests in A-pose onto one in T-pose: upper arms are aligned by about 45 degrees."
    if not align:
        text = "A-pose onto T-pose without alignment: plain world deltas, arms 45 degrees too high."
    return Case(name, text, source, target, moves(source, 4), Options(align=align))


def _split_arm(seed: int, aside_metres: float = 0.0) -> Body:
    made = draft()
    made.insert("leftUpperArm2", "leftUpperArm", ["leftLowerArm"], 0.5)
    x, y, z = made.heads["leftUpperArm2"]
    made.heads["leftUpperArm2"] = (x, y + aside_metres, z - aside_metres)
    made.chains["leftUpperArm"] = ["leftUpperArm", "leftUpperArm2"]
    return _rolled(made, seed)


def _split_source() -> Case:
    source = _split_arm(7)
    motion = moves(source, 5)
    half_turns(motion, source, source.slots["leftUpperArm"], source.chains["leftUpperArm"][1])
    text = (
        "The source's upper arm is two bones with half of the turn each: its direction comes from positions."
    )
    return Case("split_arm_source", text, source, _rolled(draft(), 8), motion)


def _split_target() -> Case:
    source, target = _rolled(draft(), 9), _split_arm(10)
    return Case(
        "split_arm_target",
        "The target's upper arm is two bones: the second has the whole turn, the first all but the twist.",
        source,
        target,
        moves(source, 6),
        assumes=("Twist: none on the first bone of a limb, all on the last.",),
        assumed=("leftUpperArm",),
    )


def _bent_split_target() -> Case:
    source, target = _rolled(draft(), 45), _split_arm(46, aside_metres=0.012)
    motion = moves(source, 22)
    text = "The target's upper arm is two bones that aren't in line: a swing of both closes it."
    assumes = "The closing swing turns all bones of the limb alike."
    assumed = ("leftUpperArm", "leftUpperArm2")
    return Case("split_arm_bent", text, source, target, motion, assumes=(assumes,), assumed=assumed)


def _bent_split_collar() -> Case:
    made = draft()
    made.insert("leftShoulder2", "leftShoulder", ["leftUpperArm"], 0.5)
    x, y, z = made.heads["leftShoulder2"]
    made.heads["leftShoulder2"] = (x, y + 0.01, z + 0.02)
    made.chains["leftShoulder"] = ["leftShoulder", "leftShoulder2"]
    x, y, z = made.heads["leftShoulder"]
    made.heads["leftShoulder"] = (x, y + 0.04, z)  # and points elsewhere than the source's
    source, target = _rolled(draft(), 51), _rolled(made, 52)
    text = "The target's collarbone is two bones out of line: they share its twist, and nothing closes them."
    return Case("split_collar", text, source, target, moves(source, 23), assumed=("leftShoulder",))


def _spine(count: int, seed: int, collar_bones: int = 1) -> Body:
    """A straight spine of equal bones; only its first joint has a slot, the others are the chain's."""
    made = draft([s for s in BODY_SLOTS if s not in ("chest", "upperChest")])
    low, high, above = 1.06, 1.46, "spine"
    made.heads |= {"hips": (0.0, 0.0, 0.95), "spine": (0.0, 0.0, low), "neck": (0.0, 0.0, high)}
    names = ["spine", *(f"spine{i}" for i in range(2, count + 1))]
    for i, name in enumerate(names[1:], 1):
        made.insert(name, above, ["neck", "leftShoulder", "rightShoulder"], 0.5)
        made.heads[name] = (0.0, 0.0, low + i * (high - low) / count)
        above = name
    made.chains["spine"] = names
    if collar_bones == 2:
        made.insert("leftShoulder2", "leftShoulder", ["leftUpperArm"], 0.5)
        made.chains["leftShoulder"] = ["leftShoulder", "leftShoulder2"]
    return _rolled(made, seed)


_ARC = "A chain's joint stands at its length from the chain's first head over the length to the last head."


def _spine_3_to_5() -> Case:
    source, target = _spine(3, 11), _spine(5, 12)
    text = "Three spine bones onto five: at 0, 1/4, 1/2, 3/4 and 1 of the way between the three's deltas."
    inner = ("spine2", "spine3", "spine4")
    return Case("spine_3_to_5", text, source, target, moves(source, 7), assumes=(_ARC,), assumed=inner)


def _spine_5_to_3() -> Case:
    source, target = _spine(5, 13), _spine(3, 14)
    text = "Five spine bones onto three: the first, the third and the fifth's deltas."
    return Case("spine_5_to_3", text, source, target, moves(source, 8), assumes=(_ARC,), assumed=("spine2",))


def _split_collar() -> Case:
    source, target = _spine(3, 41), _spine(5, 42, collar_bones=2)
    return Case(
        "split_collar_on_a_chain",
        "A collar of two bones on a spine of more bones: the twist that they share is against the last one.",
        source,
        target,
        moves(source, 21),
        assumes=(_ARC, "Twist: none on the first bone of a limb, all on the last."),
        assumed=("spine2", "spine3", "spine4", "leftShoulder"),
    )


def _with_spine_slots(count: int, middle: int, seed: int) -> Body:
    """As `_spine`, but chest and upper chest are slots too: a joint in the middle and the last one."""
    plain = _spine(count, seed)
    joints = plain.chains["spine"]
    return replace(plain, slots=plain.slots | {"chest": joints[middle], "upperChest": joints[-1]})


def _spine_with_slots() -> Case:
    source, target = _with_spine_slots(5, 2, 37), _with_spine_slots(3, 1, 38)
    text = "Five spine bones onto three, three of them slots on both sides: the chain goes before slots."
    assumed = ("spine", "spine2")
    return Case("spine_with_slots", text, source, target, moves(source, 18), assumes=(_ARC,), assumed=assumed)


def _tail(count: int, seed: int) -> Body:
    """A tail of equal bones and nothing else, as a user's map may name it."""
    names = [f"tail{i}" for i in range(1, count + 1)]
    heads = {name: (0.0, 0.8 * i / count, 0.9) for i, name in enumerate(names)}
    parents: dict[str, str | None] = {name: names[i - 1] if i else None for i, name in enumerate(names)}
    return _rolled(Draft(parents, heads, dict.fromkeys(names, NO_TURN), {}, {"tail": names}), seed)


def _tails() -> Case:
    source, target = _tail(4, 39), _tail(6, 40)
    text = "A tail of four bones onto one of six, without any slot: no facing, no path, the chain alone."
    inner = tuple(f"tail{i}" for i in range(2, 6))
    return Case("tails", text, source, target, moves(source, 19), assumes=(_ARC,), assumed=inner)


def _split_both() -> Case:
    source, target = _split_arm(41), _split_arm(42)
    motion = moves(source, 20)
    half_turns(motion, source, source.slots["leftUpperArm"], source.chains["leftUpperArm"][1])
    text = "Two bones for the upper arm on both sides: direction from positions, twist shared on the target."
    assumes = "A limb that is split on both sides goes by its slot, not joint to joint."
    assumed = ("leftUpperArm", "leftUpperArm2")
    return Case("split_arm_both", text, source, target, motion, assumes=(assumes,), assumed=assumed)


def _no_toes() -> Case:
    made, other = draft((*BODY_SLOTS, "leftHeel", "rightHeel")), draft()
    other.drop("leftToes", "rightToes")
    other.move(lambda p: (p[0], p[1], 0.8 * p[2]))
    source, target = _rolled(made, 43), _rolled(other, 44)
    text = "A target without toes: feet aren't aligned, and legs end at the ankles, which both bodies have."
    return Case("no_toes", text, source, target, moves(source, 21))


def _no_knees() -> Case:
    made, other = draft(), draft()
    made.drop("leftLowerLeg", "rightLowerLeg")
    other.drop("leftToes", "rightToes")
    other.move(lambda p: (p[0], p[1], 0.8 * p[2]))
    source, target = _rolled(made, 53), _rolled(other, 54)
    text = "Nobody knows the source's knees: the path goes by the hips' heights above the ankles."
    assumes = "The lowest foot point is that of the slots that both sides have."
    return Case("no_knees", text, source, target, moves(source, 24), assumes=(assumes,))


def _missing_shoulders() -> Case:
    made = draft()
    made.drop("leftShoulder", "rightShoulder", "upperChest")
    source, target = _rolled(made, 15), _rolled(draft(pose="A"), 16)
    text = "A source without shoulders and upper chest: the target's keep their local rest; arms still agree."
    return Case("missing_shoulders", text, source, target, moves(source, 9))


def _turned_root() -> Case:
    made = draft()
    made.roll(17)
    made.add_root("Armature", about(_X, math.radians(90)))
    other = draft()
    other.roll(18)
    other.add_root("world", mul(about(UP, 0.3), about(_Y, -0.5)), (0.1, -0.2, 0.05))
    source, target = made.finish(), other.finish()
    text = "Hips below turned roots, as those that carry a change of axes: both sides by world matrices."
    return Case("turned_root", text, source, target, moves(source, 10))


def _yaw() -> Case:
    source, target = _rolled(draft(facing_x=True), 19), _rolled(draft(), 20)
    text = (
        "The source looks along +X, the target along -Y: deltas and path are turned by -90 degrees about Z."
    )
    return Case("yaw_90", text, source, target, moves(source, 11))


def _centimetres() -> Case:
    made, other = draft(), draft()
    made.move(lambda p: (100 * p[0], 100 * p[1], 100 * p[2]))
    other.move(lambda p: (0.9 * p[0], 0.9 * p[1], 0.9 * p[2]))
    source, target = _rolled(made, 21), _rolled(other, 22)
    text = (
        "A source whose numbers are centimetres onto a body of 0.9 of its size: the path is scaled by 0.009."
    )
    return Case("centimetres", text, source, target, moves(source, 12))


def _path(name: str, text: str, options: Options, seed: int) -> Case:
    other = draft()
    other.move(lambda p: (p[0], p[1], 0.7 * p[2]))
    source, target = _rolled(draft(), seed), _rolled(other, seed + 1)
    return Case(name, text, source, target, moves(source, seed), options)


def _in_place() -> Case:
    return _path(
        "in_place",
        "No horizontal path; the bob stays, scaled by the legs' lengths.",
        Options(in_place=True),
        23,
    )


def _from_origin() -> Case:
    return _path("from_origin", "The hips start at x = y = 0.", Options(from_origin=True), 25)


def _scale_apart() -> Case:
    text = "Given factors for the path: 2 horizontally, 0.5 vertically."
    return _path("root_scale_apart", text, Options(scale=(2.0, 0.5)), 27)


def _cmu() -> Case:
    made = draft()
    for zero, above in (("spine", "hips"), ("leftShoulder", "upperChest"), ("rightShoulder", "upperChest")):
        made.heads[zero] = made.heads[above]
    for side, letter in (("left", "L"), ("right", "R")):
        made.insert(f"{letter}HipJoint", "hips", [f"{side}UpperLeg"], 0.0)
    bento = draft([s for s in BODY_SLOTS if s != "upperChest"], facing_x=True)
    bento.insert("mSpine1", "hips", ["spine"], 1.0)
    bento.insert("mSpine2", "mSpine1", ["spine"], 1.0)
    bento.heads["mSpine2"] = bento.heads["hips"]
    bento.move(lambda p: (1.1 * p[0], 1.15 * p[1], 1.05 * p[2]))
    source, target = made.finish(), bento.finish()
    text = (
        "CMU's kind of skeleton onto Bento's: shoulders and lowest spine stand upon their parents, folded "
        "spine joints stay at rest, the target looks along +X and has other proportions."
    )
    assumes = (
        "A joint that stands upon its parent is aligned by its own line to the next slot (30 degrees here)."
    )
    shoulders = ("leftShoulder", "rightShoulder")
    return Case(
        "cmu_to_bento", text, source, target, moves(source, 13), assumes=(assumes,), assumed=shoulders
    )


def _hands_only() -> Case:
    fingers = [f"left{f}{part}" for f in FINGERS for part in ("Proximal", "Intermediate", "Distal")]
    thumb = ["leftThumbMetacarpal", "leftThumbProximal", "leftThumbDistal"]
    slots = ["leftHand", *thumb, *fingers]
    other = draft(slots)
    other.turn_below("leftHand", about(_X, math.radians(40)))
    other.turn_below("leftIndexProximal", about(_Y, math.radians(12)))
    source, target = _rolled(draft(slots), 29), _rolled(other, 30)
    text = "One hand without hips: no facing, no path; the knuckles roll the palm by about -40 degrees."
    return Case("hands_only", text, source, target, moves(source, 14))


def _second_axes() -> Case:
    slots = (*BODY_SLOTS, *HAND_SLOTS, *(s.replace("left", "right") for s in HAND_SLOTS))
    made, other = draft(slots), draft(slots, pose="A")
    for one, bend in ((made, 25), (other, 35)):
        one.turn_below("leftLowerArm", about(UP, math.radians(-bend)))
        one.turn_below("leftLowerLeg", about(_X, math.radians(bend)))
    other.turn_below("leftUpperLeg", about(UP, math.radians(30)))
    other.turn_below("rightHand", about(_X, math.radians(70)))
    source, target = _rolled(made, 31), _rolled(other, 32)
    text = (
        "Both references bend the left elbow and knee by more than 10 degrees: the bend rolls upper arm and "
        "leg, the knuckles roll the hands; the right leg is straight and only swings."
    )
    return Case("second_axes", text, source, target, moves(source, 15))


def _given_reference() -> Case:
    made = draft()
    for side, degrees in (("left", 70), ("right", -70)):
        made.turn_below(f"{side}UpperArm", about(_Y, math.radians(degrees)))
    source, target = _rolled(made, 33), _rolled(draft(), 34)
    # The local rotation of an upper arm that is back in T-pose.
    reference = {
        source.slots[f"{side}UpperArm"]: _raised(source, f"{side}UpperArm", math.radians(degrees))
        for side, degrees in (("left", -70), ("right", 70))
    }
    text = (
        "The source rests with hanging arms and has a given reference pose, T: deltas count from there, and "
        "the target's T-pose needs no alignment."
    )
    return Case("given_reference", text, replace(source, reference=reference), target, moves(source, 16))


def _raised(source: Body, slot: str, radians: float) -> Turn:
    """The local rotation of a joint that turns about the world's Y from its rest."""
    rest, joint = world(source, {}), source.slots[slot]
    parent = source.bones[joint].parent
    turned = mul(about(_Y, radians), rest.turns[joint])
    return mul(back(rest.turns[parent]), turned) if parent is not None else turned


def _proportions() -> Case:
    other = draft()
    other.move(lambda p: (1.25 * p[0], 0.8 * p[1], 0.85 * p[2]))
    source, target = _rolled(draft(), 35), _rolled(other, 36)
    text = "Other proportions, so other directions at rest: small alignments; limbs point as the source's."
    return Case("proportions", text, source, target, moves(source, 17))


def _leaning(name: str, text: str, spine_degrees: float, neck_degrees: float, seed: int) -> Case:
    made = draft()
    made.turn_below("spine", about(_X, math.radians(spine_degrees)))
    made.turn_below("neck", about(_X, math.radians(neck_degrees)))
    source, target = _rolled(made, seed), _rolled(draft(), seed + 1)
    return Case(name, text, source, target, moves(source, seed))


def _leaning_in_part() -> Case:
    text = (
        "The source's torso leans by 16 degrees and its neck by another 32 at rest: more than "
        "rigs of one posture differ, less than a posture for sure, so the target leans in part."
    )
    return _leaning("leaning_in_part", text, 16, 32, 47)


def _bowing() -> Case:
    text = "The source rests in a bow of 40 degrees, its neck by 50 back: the target bows as far."
    return _leaning("bowing", text, 40, -50, 49)


CASES: tuple[Callable[[], Case], ...] = (
    _identity,
    _rolled_rests,
    _inserted_joint,
    lambda: _a_to_t(True),
    lambda: _a_to_t(False),
    _split_source,
    _split_target,
    _spine_3_to_5,
    _spine_5_to_3,
    _missing_shoulders,
    _turned_root,
    _yaw,
    _centimetres,
    _in_place,
    _from_origin,
    _scale_apart,
    _cmu,
    _hands_only,
    _second_axes,
    _given_reference,
    _proportions,
    _spine_with_slots,
    _tails,
    _split_both,
    _no_toes,
    _no_knees,
    _bent_split_target,
    _bent_split_collar,
    _leaning_in_part,
    _bowing,
    _split_collar,
)
