# SPDX-License-Identifier: MIT
"""The generator of rigs against itself: truth that exists, stands where it should, and survives mutations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .bvh_file import parse
from .humanoid_body import PARENTS, SLOTS, body, is_finger, side_of
from .rig_foreign import foreign_rigs
from .rig_mutations import in_centimetres, mirrored, mutations, side_styled, split_side, with_twists_inline
from .rig_structures import facts_of
from .rigs import (
    RIG_FOLDER,
    Rig,
    Table,
    as_bvh,
    as_json,
    build,
    build_hands,
    bvh_bytes,
    generated_rigify,
    load_tables,
    pick_names,
)

OWN: dict[str, Table] = {"canonical": {slot: [slot] for slot in SLOTS}}
TABLES: dict[str, Table] = {**OWN, **(load_tables() if RIG_FOLDER.is_dir() else {})}
MIXAMO: Table = {
    "hips": ["mixamorig:Hips"],
    "spine": ["mixamorig:Spine"],
    "head": ["mixamorig:Head"],
    "leftUpperArm": ["mixamorig:LeftArm"],
    "leftLowerArm": ["mixamorig:LeftForeArm"],
    "leftHand": ["mixamorig:LeftHand"],
    "leftIndexProximal": ["mixamorig:LeftHandIndex1"],
    "leftIndexDistal": ["mixamorig:LeftHandIndex3"],
    "rightUpperArm": ["mixamorig:RightArm"],
    "rightLowerArm": ["mixamorig:RightForeArm"],
    "rightHand": ["mixamorig:RightHand"],
}


def heads(rig: Rig) -> dict[str, tuple[float, float, float]]:
    return {joint.name: joint.head for joint in rig.joints}


def check(rig: Rig) -> None:
    """What holds for every rig: parents before children, one name each, truth and `also` exist."""
    seen: set[str] = set()
    for joint in rig.joints:
        assert joint.parent is None or joint.parent in seen, f"{rig.name}: {joint.name} before its parent"
        assert joint.name not in seen
        seen.add(joint.name)
    assert set(rig.truth.values()) <= seen
    assert len(set(rig.truth.values())) == len(rig.truth)
    assert all(set(names) <= seen for names in rig.also.values())


def left_is_left(rig: Rig) -> bool:
    """Whether the truth's left joints lie on the left of the right ones, seen by `facing`."""
    place, (fx, fy, _) = heads(rig), rig.facing
    results: list[bool] = []
    for slot, name in rig.truth.items():
        other = rig.truth.get(slot.replace("left", "right"))
        if side_of(slot) == "left" and other is not None and place[name] != place[other]:
            dx, dy = place[name][0] - place[other][0], place[name][1] - place[other][1]
            results.append(-fy * dx + fx * dy > 0)  # left is up x facing
    assert results
    assert len(set(results)) == 1
    return results[0]


@pytest.mark.parametrize("convention", TABLES)
def test_every_mutation_of_a_convention_keeps_its_truth(convention: str) -> None:
    if convention.endswith("_hand"):
        return
    rig = build(convention, TABLES[convention])
    for name, changed in mutations(rig).items():
        check(changed)
        assert left_is_left(changed), name
        assert changed.sides_agree == (name not in ("mirrored", "nameless"))
        lost = rig.truth.keys() - changed.truth.keys()
        assert all(is_finger(s) for s in lost) or name in ("no_toes", "no_shoulders"), name


def test_the_ideal_body_has_all_slots_and_parents_come_first() -> None:
    points = body()
    assert set(SLOTS) | {"headTop"} == set(points)
    assert (
        len(SLOTS) == 1 + 55 + 8 + 10 + 2 + 2 + 2
    )  # root, VRM 1.0, metacarpals, tips, palms, heels, toe tips
    for at, slot in enumerate(SLOTS):
        assert slot == "root" or SLOTS.index(PARENTS[slot]) < at


def test_a_pose_lowers_arms_by_45_degrees_and_keeps_lengths() -> None:
    t, a = body("T"), body("A")
    assert t["leftUpperArm"] == a["leftUpperArm"]
    x, _, z = (q - p for p, q in zip(a["leftUpperArm"], a["leftLowerArm"], strict=True))
    assert z == pytest.approx(-x)
    for slot in ("leftHand", "rightLittleTip"):
        above = PARENTS[slot]
        lengths = [sum((u - v) ** 2 for u, v in zip(p[slot], p[above], strict=True)) for p in (t, a)]
        assert lengths[0] == pytest.approx(lengths[1])
    assert a["leftFoot"] == t["leftFoot"]


def test_a_body_that_looks_along_x_has_its_left_at_y() -> None:
    assert body(facing_x=True)["leftHand"][1] > 0.5
    assert body(facing_x=True)["leftToes"][0] > 0.1


def test_a_name_that_two_slots_have_goes_to_one() -> None:
    names = pick_names({"leftThumbProximal": ["b", "c"], "leftThumbDistal": ["c"]}, alternative=1)
    assert names == {"leftThumbProximal": "c"}


def test_cmu_joints_of_no_length_stand_upon_their_parents() -> None:
    table: Table = {
        "hips": ["Hips"],
        "spine": ["LowerBack"],
        "upperChest": ["Spine1"],
        "neck": ["Neck"],
        "head": ["Head"],
        "leftShoulder": ["LeftShoulder"],
        "leftUpperLeg": ["LeftUpLeg"],
        "rightUpperLeg": ["RightUpLeg"],
    }
    rig = build("cmu_motionbuilder", table)
    place = heads(rig)
    assert place["LHipJoint"] == place["Hips"] == place["LowerBack"]
    assert place["Neck"] == place["LeftShoulder"] == place["Spine1"]
    parents = {joint.name: joint.parent for joint in rig.joints}
    assert (parents["LeftUpLeg"], parents["LHipJoint"]) == ("LHipJoint", "Hips")
    assert (parents["Head"], parents["Neck1"]) == ("Neck1", "Neck")
    assert rig.right_answers("neck") == ("Neck", "Neck1")


def test_makehumans_hips_stand_beside_the_spine() -> None:
    rig = build("makehuman_old", {"hips": ["Hips"], "spine": ["Spine1"], "leftUpperLeg": ["UpLeg_L"]})
    parents = {joint.name: joint.parent for joint in rig.joints}
    assert parents == {"Root": None, "Hips": "Root", "Spine1": "Root", "UpLeg_L": "Hips"}
    assert rig.truth["root"] == "Root"


def test_bipeds_thighs_hang_on_the_spine() -> None:
    table: Table = {"hips": ["Bip01 Pelvis"], "spine": ["Bip01 Spine1"], "leftUpperLeg": ["Bip01 L Thigh"]}
    parents = {joint.name: joint.parent for joint in build("biped", table).joints}
    assert parents["Bip01 L Thigh"] == parents["Bip01 Spine1"] == "Bip01 Spine"


def test_facts_about_both_sides_are_spelt_out_and_mirrored() -> None:
    facts = {vars(fact)["name"]: fact for fact in facts_of("secondlife")}
    left, right = vars(facts["mHindLimb1Left"])["at"], vars(facts["mHindLimb1Right"])["at"]
    assert right == (-left[0], left[1], left[2])
    assert not any("{" in name for name in facts)


def test_hands_have_26_joints_each() -> None:
    parts = {"leftHand": ["Wrist"], "leftThumbMetacarpal": ["ThumbMetacarpalJoint"]}
    parts |= {"leftThumbProximal": ["ThumbProximalJoint"], "leftThumbDistal": ["ThumbDistalJoint"]}
    for finger in ("Index", "Middle", "Ring", "Little"):
        parts[f"left{finger}Proximal"] = [f"{finger}Knuckle"]
        parts[f"left{finger}Intermediate"] = [f"{finger}MiddleJoint"]
        parts[f"left{finger}Distal"] = [f"{finger}DistalJoint"]
    assert len(build_hands("mrtk_hand", parts, "right").joints) == 26
    both = build_hands("mrtk_hand", parts)
    check(both)
    assert len(both.joints) == 52
    assert both.truth["rightPalm"] == "RightPalm"


def test_a_generated_rigify_rig_has_deform_bones_and_controls() -> None:
    slots = ("hips", "spine", "head", "leftUpperArm", "leftLowerArm", "leftUpperLeg", "rightUpperLeg")
    names = ("spine", "spine.001", "spine.006", "upper_arm.L", "forearm.L", "thigh.L", "thigh.R")
    controls = ("torso", "spine_fk.001", "head", "upper_arm_fk.L", "forearm_fk.L", "thigh_fk.L", "thigh_fk.R")
    tables: dict[str, Table] = {
        "rigify_metarig": {slot: [name] for slot, name in zip(slots, names, strict=True)},
        "rigify_deform": {slot: [f"DEF-{name}"] for slot, name in zip(slots, names, strict=True)},
        "rigify_controls": {slot: [name] for slot, name in zip(slots, controls, strict=True)},
    }
    source, target = generated_rigify(tables)
    for rig in (source, target):
        check(rig)
        assert [joint.name for joint in rig.joints if joint.parent is None] == ["root"]
    assert source.joints == target.joints
    assert (source.truth["hips"], target.truth["hips"]) == ("DEF-spine", "torso")
    assert {"ORG-forearm.L", "DEF-forearm.L", "forearm_fk.L"} <= {joint.name for joint in source.joints}


@pytest.mark.parametrize(
    ("name", "side", "stem"),
    [
        ("mixamorig:LeftArm", "left", "Arm"),
        ("upperarm_l", "left", "upperarm"),
        ("Bip01 R Thigh", "right", "Thigh"),
        ("lShldrBend", "left", "ShldrBend"),
        ("forearm.R", "right", "forearm"),
        ("mCollarLeft", "left", "mCollar"),
    ],
)
def test_sides_are_split_from_names(name: str, side: str, stem: str) -> None:
    parts = split_side(name, side)
    assert parts is not None
    assert parts[1] == stem


def test_a_name_without_its_side_is_not_split() -> None:
    assert split_side("leg", "left") is None
    assert split_side("LeftArm", "right") is None


def test_sides_in_another_style() -> None:
    rig = side_styled(build("mixamo", MIXAMO), "suffix_underscore")
    assert rig.truth["leftUpperArm"] == "mixamorig:Arm_l"


def test_a_twist_bone_between_limb_and_next_joint() -> None:
    rig = with_twists_inline(build("mixamo", MIXAMO))
    parents = {joint.name: joint.parent for joint in rig.joints}
    assert parents["mixamorig:LeftForeArm"] == "mixamorig:LeftArm_twist"
    assert parents["mixamorig:LeftArm_twist"] == "mixamorig:LeftArm"


def test_centimetres_and_mirror_are_what_they_say() -> None:
    rig = build("canonical", OWN["canonical"])
    assert heads(in_centimetres(rig))["hips"][2] == pytest.approx(95.0)
    assert heads(mirrored(rig))["leftHand"] == heads(rig)["rightHand"]
    assert heads(mirrored(replace(rig, facing=(1.0, 0.0, 0.0))))["leftToes"][1] == pytest.approx(0.11)


@pytest.mark.parametrize("rig", foreign_rigs(), ids=lambda rig: rig.name)
def test_foreign_rigs_are_whole(rig: Rig) -> None:
    check(rig)
    assert len(rig.joints) >= 15


@pytest.mark.parametrize("y_up", [True, False])
def test_a_bvh_reads_back_as_the_rig(y_up: bool) -> None:
    rig = build("canonical", OWN["canonical"])
    bvh = parse(bvh_bytes(rig, y_up))
    assert [joint.name for joint in bvh.joints] == [joint.name for joint in rig.joints]
    assert bvh.motion == as_bvh(rig, y_up).motion
    place: list[tuple[float, ...]] = []
    for joint in bvh.joints:
        above = place[joint.parent] if joint.parent is not None else (0.0, 0.0, 0.0)
        place.append(tuple(a + b for a, b in zip(above, joint.offset, strict=True)))
    for (x, y, z), joint in zip(place, rig.joints, strict=True):
        assert ((x, -z, y) if y_up else (x, y, z)) == pytest.approx(joint.head)


def test_json_holds_local_translations() -> None:
    data = as_json(build("canonical", OWN["canonical"]))
    hand = next(joint for joint in data["joints"] if joint["name"] == "leftHand")
    assert data["joints"][hand["parent"]]["name"] == "leftLowerArm"
    assert hand["translation"] == pytest.approx([0.26, -0.01, 0.0])
