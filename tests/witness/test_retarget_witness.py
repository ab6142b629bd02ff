# SPDX-License-Identifier: MIT
"""The witness of retargeting: properties that hold whatever the skeletons are, and sums by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from .cases.retarget import COMMITTED, read_body, read_poses, solve
from .retarget_body import Body, Pose, arc, facing, world
from .retarget_draft import BODY_SLOTS, HAND_SLOTS, Draft, Motion, draft, half_turns, moves
from .retargeting import TOWARD, Options, Result, Retargeting
from .turns import (
    NO_TURN,
    UP,
    about,
    angle,
    back,
    between,
    chord,
    length,
    mul,
    normal,
    rotate,
    sub,
    swing,
    unit,
)

EXACT = 1e-12


def play(body: Body, motion: Motion) -> list[Pose]:
    return [
        world(
            body,
            {j: turns[i] for j, turns in motion.rotations.items()},
            {j: places[i] for j, places in motion.translations.items()},
        )
        for i in range(len(motion.times))
    ]


def retarget(source: Body, target: Body, seed: int = 1, options: Options | None = None) -> Result:
    return Retargeting(source, target, options).play(play(source, moves(source, seed)))


def rolled(seed: int, made: Draft | None = None) -> Body:
    made = made or draft()
    made.roll(seed)
    return made.finish()


def furthest(a: list[Pose], b: list[Pose], joints: dict[int, int]) -> float:
    """The largest chord between joints of two motions: joint of a -> joint of b."""
    return max(chord(p.turns[i], q.turns[j]) for p, q in zip(a, b, strict=True) for i, j in joints.items())


def same_slots(a: Body, b: Body) -> dict[int, int]:
    return {a.slots[slot]: b.slots[slot] for slot in a.slots.keys() & b.slots.keys()}


def test_turns_by_hand() -> None:
    quarter = about(UP, math.pi / 2)
    assert rotate(quarter, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))
    assert rotate(mul(quarter, about((1.0, 0.0, 0.0), math.pi / 2)), (0.0, 1.0, 0.0)) == pytest.approx(UP)
    assert math.degrees(angle(between(NO_TURN, quarter, 1 / 3))) == pytest.approx(30)
    for b in ((0.0, 2.0, 0.0), (-1.0, 0.0, 0.0), (0.3, -0.2, 0.5)):
        assert rotate(swing((1.0, 0.0, 0.0), b), (1.0, 0.0, 0.0)) == pytest.approx(unit(b))
    assert chord(quarter, normal((-1.0, 0.0, 0.0, -1.0))) == pytest.approx(0, abs=EXACT)


def test_the_body_looks_along_minus_y_and_turned_along_x() -> None:
    for facing_x, ahead in ((False, (0.0, -1.0, 0.0)), (True, (1.0, 0.0, 0.0))):
        body = draft(facing_x=facing_x).finish()
        assert facing(body, world(body, {})) == pytest.approx(ahead)


def test_onto_itself_nothing_changes() -> None:
    body = rolled(3)
    poses = play(body, moves(body, 1))
    result = Retargeting(body, body).play(poses)
    assert furthest(result.poses, poses, {i: i for i in range(len(body.bones))}) < EXACT
    for ours, theirs in zip(result.poses, poses, strict=True):
        assert ours.heads[0] == pytest.approx(theirs.heads[0], abs=EXACT)
    # An angle of 0 comes from the sine of a quarter of it, so a last bit of 1e-16 is no more than that.
    assert max(result.swings.values()) < 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_there_and_back(seed: int) -> None:
    # Another pose at rest, other axes, facing and size: there and back is the motion that it was.
    other = draft(pose="A", facing_x=True)
    other.move(lambda p: (1.3 * p[0], 1.3 * p[1], 1.3 * p[2]))
    a, b = rolled(seed), rolled(seed + 10, other)
    poses = play(a, moves(a, seed))
    there = Retargeting(a, b)
    back_again = Retargeting(replace(b, reference=local_of(b, there.reference)), a).play(
        there.play(poses).poses
    )
    assert furthest(back_again.poses, poses, same_slots(a, a)) < 1e-10
    for ours, theirs in zip(back_again.poses, poses, strict=True):
        assert ours.heads[0] == pytest.approx(theirs.heads[0], abs=1e-10)


def local_of(body: Body, pose: Pose) -> dict[int, tuple[float, float, float, float]]:
    """Local rotations of a pose, to be given as a reference."""
    return {
        i: pose.turns[i] if bone.parent is None else mul(back(pose.turns[bone.parent]), pose.turns[i])
        for i, bone in enumerate(body.bones)
    }


def without_uneven_chains(body: Body, other: Body) -> Body:
    """A body without the slots in chains whose other has another number of joints."""
    uneven = [name for name in body.chains if len(body.chains[name]) != len(other.chains.get(name, []))]
    inside = {joint for name in uneven if name in other.chains for joint in body.chains[name]}
    return replace(body, slots={slot: joint for slot, joint in body.slots.items() if joint not in inside})


#: Where joints of these stand says little about a pose, so they keep the target's own directions.
TORSO = {"spine", "chest", "upperChest", "neck", "leftShoulder", "rightShoulder"}


def directions_differ(a: Body, b: Body, result: Result, poses: list[Pose]) -> float:
    """The largest angle in degrees between limbs of both, the source's turned to the target's facing."""
    worst = 0.0
    for slot, after in TOWARD.items():
        if slot in TORSO or not {slot, after} <= a.slots.keys() & b.slots.keys():
            continue
        for ours, theirs in zip(result.poses, poses, strict=True):
            x = sub(ours.heads[b.slots[after]], ours.heads[b.slots[slot]])
            y = rotate(result.facing_turn, sub(theirs.heads[a.slots[after]], theirs.heads[a.slots[slot]]))
            worst = max(worst, math.degrees(math.dist(unit(x), unit(y))))
    return worst


@pytest.mark.parametrize("pose", ["T", "A"])
def test_limbs_point_as_the_sources_do(pose: str) -> None:
    other = draft(pose=pose, facing_x=True)
    other.move(lambda p: (p[0], 1.2 * p[1], 0.8 * p[2]))  # other proportions, so other directions at rest
    a, b = rolled(1), rolled(2, other)
    poses = play(a, moves(a, 4))
    assert directions_differ(a, b, Retargeting(a, b).play(poses), poses) < 1e-9
    unaligned = Retargeting(a, b, Options(align=False)).play(poses)
    assert directions_differ(a, b, unaligned, poses) > 4


def leaning(slot: str, degrees: float) -> Body:
    """A body whose reference leans forward from a joint on."""
    made = draft()
    made.turn_below(slot, about((1.0, 0.0, 0.0), math.radians(degrees)))
    return made.finish()


@pytest.mark.parametrize(
    ("slot", "leans", "applied"),
    [
        *(("spine", 9.9, 0.0), ("spine", 15.0, 7.5), ("spine", 20.0, 20.0), ("spine", 70.0, 70.0)),
        *(("neck", 29.9, 0.0), ("neck", 36.0, 14.4), ("neck", 45.0, 45.0), ("neck", -60.0, 60.0)),
    ],
)
def test_a_torso_leans_only_where_its_pose_does(slot: str, leans: float, applied: float) -> None:
    result = Retargeting(leaning(slot, leans), rolled(4))
    assert result.swings[slot] == pytest.approx(applied, abs=1e-6)


@pytest.mark.parametrize("slot", sorted(TORSO - {"spine", "neck"}))
def test_joints_inside_a_torso_stand_where_the_author_put_them(slot: str) -> None:
    """Moved by a hand's breadth they change no turn of the target, and neither does a collarbone."""
    made = draft()
    x, y, z = made.heads[slot]
    made.heads[slot] = (x, y + 0.08, z - 0.03)
    one, two = (retarget(source, rolled(6)) for source in (draft().finish(), made.finish()))
    assert furthest(one.poses, two.poses, {joint: joint for joint in one.mapped}) < EXACT


def test_rolls_of_the_axes_change_no_direction() -> None:
    plain, source = draft().finish(), rolled(1)
    results = [retarget(source, target) for target in (plain, rolled(5))]
    for p, q in zip(results[0].poses, results[1].poses, strict=True):
        for x, y in zip(p.heads, q.heads, strict=True):
            assert x == pytest.approx(y, abs=1e-10)


def test_an_inserted_joint_changes_nothing() -> None:
    more = draft()
    more.insert("between", "spine", ["chest"], 0.4)
    a, b, source = draft().finish(), more.finish(), rolled(1)
    one, two = retarget(source, a), retarget(source, b)
    assert furthest(one.poses, two.poses, same_slots(a, b)) < EXACT


def test_a_yaw_of_the_source_changes_nothing_but_the_facing_turn() -> None:
    turned = draft()
    turned.turn_all(about(UP, math.radians(90)))
    source, target = draft().finish(), rolled(2)
    one = retarget(source, target)
    # The same motion on the turned body: the local rotations of its root carry the yaw.
    motion = moves(source, 1)
    yaw = about(UP, math.radians(90))
    body = turned.finish()
    poses = [
        Pose([mul(yaw, q) for q in p.turns], [rotate(yaw, h) for h in p.heads]) for p in play(source, motion)
    ]
    two = Retargeting(body, target).play(poses)
    assert math.degrees(angle(two.facing_turn)) == pytest.approx(90)
    assert furthest(one.poses, two.poses, same_slots(target, target)) < 1e-12
    for p, q in zip(one.poses, two.poses, strict=True):
        assert q.heads[0] == pytest.approx(p.heads[0], abs=1e-12)


def test_size_scales_the_path_alone() -> None:
    big = draft()
    big.move(lambda p: (2 * p[0], 2 * p[1], 2 * p[2]))
    a, b, source = draft().finish(), big.finish(), rolled(1)
    one, two = retarget(source, a), retarget(source, b)
    assert two.scale == pytest.approx((2.0, 2.0))
    assert furthest(one.poses, two.poses, same_slots(a, b)) < EXACT
    for p, q in zip(one.poses, two.poses, strict=True):
        assert q.heads[0] == pytest.approx([2 * v for v in p.heads[0]])


def split_arm() -> Draft:
    made = draft()
    made.insert("leftUpperArm2", "leftUpperArm", ["leftLowerArm"], 0.5)
    made.chains["leftUpperArm"] = ["leftUpperArm", "leftUpperArm2"]
    return made


def test_a_split_arm_points_where_its_joints_are() -> None:
    source, target = split_arm().finish(), rolled(3)
    motion = moves(source, 2)
    half_turns(motion, source, source.slots["leftUpperArm"], source.chains["leftUpperArm"][1])
    poses = play(source, motion)
    result = Retargeting(source, target).play(poses)
    assert directions_differ(source, target, result, poses) < 1e-9
    first_alone = Retargeting(replace(source, chains={}), target).play(poses)
    assert directions_differ(source, target, first_alone, poses) > 2


def test_a_twist_of_a_split_arm_in_halves_is_the_whole_twist() -> None:
    whole, split, target = draft().finish(), split_arm().finish(), rolled(4)
    axis = sub(draft().heads["leftLowerArm"], draft().heads["leftUpperArm"])
    poses = [world(whole, {whole.slots["leftUpperArm"]: about(axis, 1.2)})]
    halves = [world(split, dict.fromkeys(split.chains["leftUpperArm"], about(axis, 0.6)))]
    one, two = Retargeting(whole, target).play(poses), Retargeting(split, target).play(halves)
    assert furthest(one.poses, two.poses, same_slots(target, target)) < EXACT


def test_onto_a_split_arm_the_last_bone_has_the_whole_turn_and_none_bends() -> None:
    source, target = rolled(1), split_arm().finish()
    result = retarget(source, target)
    plain = retarget(source, draft().finish())
    upper, second = target.chains["leftUpperArm"]
    for pose, other in zip(result.poses, plain.poses, strict=True):
        assert chord(pose.turns[second], other.turns[draft().finish().slots["leftUpperArm"]]) < EXACT
        line = [pose.heads[upper], pose.heads[second], pose.heads[target.slots["leftLowerArm"]]]
        assert math.dist(unit(sub(line[1], line[0])), unit(sub(line[2], line[1]))) < 1e-9


def spine_of(count: int) -> Draft:
    """A straight spine of equal bones, so that each joint's place along it is known."""
    made = draft([s for s in BODY_SLOTS if s not in ("chest", "upperChest")])
    names = ["spine", *(f"spine{i}" for i in range(2, count + 1))]
    above, low, high = "spine", 1.06, 1.46
    made.heads |= {"hips": (0.0, 0.0, 0.95), "spine": (0.0, 0.0, low), "neck": (0.0, 0.0, high)}
    lowers = ["neck", "leftShoulder", "rightShoulder"]
    for i, name in enumerate(names[1:], 1):
        made.insert(name, above, lowers, 0.5)
        made.heads[name] = (0.0, 0.0, low + i * (high - low) / count)
        above = name
    made.chains["spine"] = names
    return made


def test_a_bend_of_three_spine_bones_spreads_over_five() -> None:
    three, five = spine_of(3).finish(), spine_of(5).finish()
    bend = about((1.0, 0.0, 0.0), math.radians(10))
    result = Retargeting(three, five).play([world(three, dict.fromkeys(three.chains["spine"], bend))])
    found = [math.degrees(angle(result.poses[0].turns[j])) for j in five.chains["spine"]]
    assert found == pytest.approx([10, 15, 20, 25, 30])


def test_a_bend_of_five_spine_bones_ends_on_the_last_of_three() -> None:
    three, five = spine_of(3).finish(), spine_of(5).finish()
    bend = about((1.0, 0.0, 0.0), math.radians(6))
    result = Retargeting(five, three).play([world(five, dict.fromkeys(five.chains["spine"], bend))])
    found = [math.degrees(angle(result.poses[0].turns[j])) for j in three.chains["spine"]]
    assert found == pytest.approx([6, 18, 30])


def test_a_chain_without_length_is_divided_evenly() -> None:
    assert arc(Pose([NO_TURN] * 3, [(0.0, 0.0, 1.0)] * 3), [0, 1, 2]) == [0, 0.5, 1]


def test_palms_come_right_by_the_knuckles() -> None:
    other = draft((*BODY_SLOTS, *HAND_SLOTS))
    other.turn_below("leftHand", about((1.0, 0.0, 0.0), math.radians(90)))  # the palm looks ahead, not down
    source, target = draft((*BODY_SLOTS, *HAND_SLOTS)).finish(), other.finish()
    result = Retargeting(source, target)
    assert abs(result.rolls["leftHand"]) == pytest.approx(90, abs=2)
    index, little = (target.slots[f"left{f}Proximal"] for f in ("Index", "Little"))
    line = unit(sub(result.reference.heads[little], result.reference.heads[index]))
    assert line[1] > 0.95  # from front to back, as the source's


def test_a_bend_of_the_knee_turns_the_thigh() -> None:
    bent_source, bent_target = draft(), draft()
    for made, axis in ((bent_source, (1.0, 0.0, 0.0)), (bent_target, (0.0, 1.0, 0.0))):
        made.turn_below("leftLowerLeg", about(axis, math.radians(30)))
    result = Retargeting(bent_source.finish(), bent_target.finish())
    assert abs(result.rolls["leftUpperLeg"]) > 60
    straight = Retargeting(draft().finish(), bent_target.finish())
    assert "leftUpperLeg" not in straight.rolls  # the source's knee is straight: nothing to turn by


def test_hips_below_a_turned_root() -> None:
    y_up = draft()
    y_up.add_root("root", about((1.0, 0.0, 0.0), math.radians(90)))
    plain, rooted, target = draft().finish(), y_up.finish(), rolled(1)
    one = retarget(plain, target)
    two = Retargeting(rooted, target).play(
        [Pose([NO_TURN, *p.turns], [(0.0, 0.0, 0.0), *p.heads]) for p in play(plain, moves(plain, 1))]
    )
    assert furthest(one.poses, two.poses, same_slots(target, target)) < EXACT


def test_path_options() -> None:
    source, target = rolled(1), draft().finish()
    free = retarget(source, target)
    kept = retarget(source, target, options=Options(in_place=True))
    origin = retarget(source, target, options=Options(from_origin=True))
    apart = retarget(source, target, options=Options(scale=(2.0, 0.5)))
    home = free.reference.heads[0]
    for a, b, c, d in zip(free.poses, kept.poses, origin.poses, apart.poses, strict=True):
        assert b.heads[0] == pytest.approx((home[0], home[1], a.heads[0][2]))
        first = free.poses[0].heads[0]
        assert c.heads[0] == pytest.approx(
            (a.heads[0][0] - first[0], a.heads[0][1] - first[1], a.heads[0][2])
        )
        assert sub(d.heads[0], home)[0] == pytest.approx(2 * sub(a.heads[0], home)[0])
        assert sub(d.heads[0], home)[2] == pytest.approx(0.5 * sub(a.heads[0], home)[2])


def test_what_the_target_alone_has_keeps_its_rest() -> None:
    source = draft()
    source.drop("leftShoulder", "rightShoulder")
    target = rolled(2)
    result = retarget(source.finish(), target)
    joint = target.slots["leftShoulder"]
    parent = target.bones[joint].parent
    assert parent is not None
    for pose in result.poses:
        local = mul(back(pose.turns[parent]), pose.turns[joint])
        assert chord(local, target.bones[joint].rotation) < EXACT
    assert joint not in result.mapped


def test_a_hand_without_hips() -> None:
    slots = (
        "leftHand",
        "leftIndexProximal",
        "leftIndexIntermediate",
        "leftMiddleProximal",
        "leftLittleProximal",
    )
    source, target = rolled(1, draft(slots)), rolled(2, draft(slots))
    result = retarget(source, target)
    assert result.scale == (1.0, 1.0)
    assert length(sub(result.poses[0].heads[0], target.bones[0].translation)) < EXACT
    assert len(result.mapped) == len(slots)


@pytest.mark.parametrize("path", sorted(COMMITTED.glob("*.json")), ids=lambda path: path.stem)
def test_fixtures_hold_what_can_be_said_of_them_without_the_formula(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    source, target = read_body(data["source"]), read_body(data["target"])
    poses, expected = read_poses(data["motion"], source), data["expected"]
    yaw = about(UP, math.radians(expected["facing_turn_degrees"]))
    names = [bone.name for bone in target.bones]
    result = solve(data)
    assert set(expected["assumed"]) <= expected["rotations"].keys() <= set(names)
    for name, turns in expected["rotations"].items():
        for turn, pose in zip(turns, result.poses, strict=True):
            assert chord(normal(tuple(turn)), pose.turns[names.index(name)]) < data["bound"]
    if data["options"]["align"]:
        # Within a chain of other joints the deltas are shared out, so directions are none of the source's.
        ours, theirs = without_uneven_chains(source, target), without_uneven_chains(target, source)
        assert directions_differ(ours, theirs, result, poses) < 1e-6
    if expected["hips"] is not None and not (data["options"]["in_place"] or data["options"]["from_origin"]):
        hips = source.slots["hips"]
        walked = rotate(yaw, sub(poses[-1].heads[hips], poses[0].heads[hips]))
        there = sub(tuple(expected["hips"][-1]), tuple(expected["hips"][0]))
        k, v = expected["root_scale"]
        assert there == pytest.approx((k * walked[0], k * walked[1], v * walked[2]), abs=1e-9)
