# SPDX-License-Identifier: MIT
"""MPFB's six rigs: the truth that was written by hand against where the bones are, for it is one body."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

from .cases.mpfb_rigs import committed, from_table, rest_rotation
from .cases.mpfb_truth import RIGS
from .humanoid_body import PARENTS, is_finger, side_of

FIXTURES = committed()
Vector = list[float]


def heads(rig: str) -> dict[str, Vector]:
    """Slot -> head, from the hips, in lengths of the body's upper leg: rigs differ in where they stand."""
    bones = {bone["name"]: bone["head"] for bone in FIXTURES[rig]["bones"]}
    places = {slot: bones[name] for slot, name in FIXTURES[rig]["truth"].items() if slot != "root"}
    middle = [(a + b) / 2 for a, b in zip(places["leftUpperLeg"], places["rightUpperLeg"], strict=True)]
    leg = math.dist(places["leftUpperLeg"], places["leftLowerLeg"])
    return {slot: [(v - m) / leg for v, m in zip(p, middle, strict=True)] for slot, p in places.items()}


def above(rig: str, bone: str) -> set[str]:
    parents = {row["name"]: row["parent"] for row in FIXTURES[rig]["bones"]}
    result: set[str] = set()
    while parents[bone] is not None:
        bone = parents[bone]
        result.add(bone)
    return result


def test_all_six_rigs_are_there() -> None:
    assert FIXTURES.keys() == RIGS.keys()
    assert {rig: len(data["bones"]) for rig, data in FIXTURES.items()} == {
        "default": 163,
        "game_engine": 53,
        "cmu_mb": 31,
        "mixamo": 52,
        "mixamo_unity": 63,
        "rigify_human": 185,
    }


@pytest.mark.parametrize("rig", RIGS)
def test_left_is_left_and_a_mirror_of_right(rig: str) -> None:
    for slot, place in heads(rig).items():
        if side_of(slot) == "left":
            other = heads(rig)[slot.replace("left", "right")]
            assert place[0] > 0.02, slot
            # The artist's hands of the rig "mixamo" differ by 1.7 cm; the other rigs are mirrors to 1 mm.
            bound = 0.05 if rig == "mixamo" else 0.003
            assert [-other[0], *other[1:]] == pytest.approx(place, abs=bound), slot
        elif side_of(slot) is None:
            assert abs(place[0]) < 0.01, slot


@pytest.mark.parametrize("rig", RIGS)
def test_slots_hang_on_the_slots_above_them(rig: str) -> None:
    truth: dict[str, str] = FIXTURES[rig]["truth"]
    for slot, bone in truth.items():
        parent = PARENTS.get(slot)
        while parent is not None and parent not in truth:
            parent = PARENTS.get(parent)
        if parent is not None:
            assert truth[parent] in above(rig, bone), slot


@pytest.mark.parametrize("rig", RIGS)
def test_chains_run_down_the_tree(rig: str) -> None:
    for bones in FIXTURES[rig]["chains"].values():
        for upper, lower in pairwise(bones):
            assert upper in above(rig, lower)


@pytest.mark.parametrize("rig", RIGS)
def test_one_body_has_its_parts_at_one_place(rig: str) -> None:
    # Lengths of an upper leg. Spines are cut at other heights; "mixamo" stands in T-pose, with other ankles.
    reference, places = heads("game_engine"), heads(rig)
    for slot in reference.keys() & places.keys():
        if rig == "mixamo" and (is_finger(slot) or slot.endswith(("Arm", "Hand"))):
            continue
        # The default rig's shoulder is the second of two bones; its first stands where the others' do.
        loose = slot in ("hips", "spine", "chest", "upperChest", "leftShoulder", "rightShoulder")
        bound = 0.4 if loose or rig == "mixamo" else 0.06
        assert math.dist(reference[slot], places[slot]) < bound, slot


@pytest.mark.parametrize("rig", RIGS)
def test_fingers_go_out_from_the_hand_in_order(rig: str) -> None:
    places = heads(rig)
    for slot in (s for s in places if is_finger(s)):
        hand = places["leftHand" if slot.startswith("left") else "rightHand"]
        nearer = PARENTS[slot]
        if nearer in places and nearer not in ("leftHand", "rightHand"):
            assert math.dist(hand, places[slot]) > math.dist(hand, places[nearer]), slot
    if "leftIndexProximal" in places:
        order = ["leftIndexProximal", "leftMiddleProximal", "leftRingProximal", "leftLittleProximal"]
        from_thumb = [math.dist(places["leftThumbProximal"], places[slot]) for slot in order]
        assert from_thumb == sorted(from_thumb)


@pytest.mark.parametrize("rig", RIGS)
def test_rest_rotations_point_along_the_bones(rig: str) -> None:
    for bone in FIXTURES[rig]["bones"]:
        w, x, y, z = bone["rest_rotation"]
        direction = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]
        length = math.dist(bone["head"], bone["tail"])
        expected = [(b - a) / length for a, b in zip(bone["head"], bone["tail"], strict=True)]
        assert direction == pytest.approx(expected, abs=1e-9), bone["name"]


def test_roll_turns_the_axes_about_the_bone() -> None:
    # A bone up Z without roll: X stays, Z points to -Y. A roll of 90 degrees takes X to where -Z was.
    assert rest_rotation((0, 0, 0), (0, 0, 2), 0) == pytest.approx([math.sqrt(0.5), math.sqrt(0.5), 0, 0])
    w, x, y, z = rest_rotation((0, 0, 0), (0, 0, 2), math.pi / 2)
    x_axis = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
    assert x_axis == pytest.approx([0, 1, 0], abs=1e-12)


def test_t_poses_name_bones_that_exist() -> None:
    for rig, data in FIXTURES.items():
        names = {bone["name"] for bone in data["bones"]}
        assert set(data["t_pose"] or {}) <= names, rig
        assert (data["t_pose"] is None) == (rig in ("mixamo", "rigify_human"))


def test_a_table_is_read_parents_first_and_without_bones_of_no_length(tmp_path: Any) -> None:
    table = tmp_path / "table.json"
    table.write_text(
        '{"rigs": {"r": {"b": ["a", [0,0,1], [0,0,2], 0], "a": [null, [0,0,0], [0,0,1], 0],'
        ' "n": ["a", [0,0,1], [0,0,1], 0]}}, "t_poses": {}}',
        encoding="utf-8",
    )
    assert [bone["name"] for bone in from_table(table)["r"]["bones"]] == ["a", "b"]
