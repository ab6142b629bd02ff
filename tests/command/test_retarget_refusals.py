# SPDX-License-Identifier: MIT
"""What `animbridge convert` refuses to retarget or warns of, and the way out that it names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from batch_programs import run_command as run_batch
from test_retarget_command import LIMBS, PRECISE, bones_in_a_row, converted, run, walker, write
from tests.witness import anim_file, bvh_file
from tests.witness.bvh_file import Bvh


def test_where_nothing_moves_the_names_are_still_the_fault(tmp_path: Path) -> None:
    still = walker("mixamo").bvh
    still.motion = [still.motion[0]] * 3
    file = write(tmp_path / "still.bvh", still)
    answer = run("convert", file, tmp_path / "still.anim", "--no-retarget")
    assert answer.returncode == 3 and "--retarget" in answer.stdout
    # With the avatar's names, a retargeting would not help.
    names = {joint.name: joint.name for joint in still.joints}
    names[still.joints[0].name] = "hip"
    for joint in still.joints:
        joint.name = names[joint.name]
    answer = run("convert", write(tmp_path / "hip.bvh", still), tmp_path / "still.anim", "--no-retarget")
    assert answer.returncode == 3 and "--retarget" not in answer.stdout


def test_a_file_without_animation_is_said_to_have_none(tmp_path: Path) -> None:
    nodes = [{"name": "body", "children": [1]}, {"name": "arm", "translation": [0, 1, 0]}]
    still = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes}
    file = tmp_path / "still.gltf"
    file.write_text(json.dumps(still))
    answer = run("convert", file, tmp_path / "still.anim")
    assert answer.returncode == 2 and "has no animation" in answer.stderr, answer.stderr


@pytest.mark.parametrize("flag", ["--rig", "--target-rig"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Not JSON", "not JSON"),
        ('{"animbridge_rig": 1, "slots": {"hips": []}}', "slots.hips"),
        ('{"animbridge_rig": 1, "slots": {"hips": ["nobody"]}}', "none of the rig file's names"),
    ],
)
def test_the_fault_of_a_rig_file_is_not_the_inputs(
    flag: str, text: str, expected: str, tmp_path: Path
) -> None:
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    rig = tmp_path / "README.md"
    rig.write_text(text)
    answer = run("convert", file, tmp_path / "walk.anim", flag, rig)
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"animbridge: {rig}: ") and expected in answer.stderr
    assert str(file) not in answer.stderr


def test_a_skeleton_that_the_output_cannot_have(tmp_path: Path) -> None:
    """A .anim has the avatar's skeleton, whatever --onto names."""
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    rolled = bones_in_a_row(walker("cmu_motionbuilder").bvh)
    onto = write(tmp_path / "onto.bvh", rolled)
    answer = run("convert", file, tmp_path / "out.anim", "--onto", onto)
    assert answer.returncode == 2 and not (tmp_path / "out.anim").exists()
    assert "--onto: the file's skeleton is not the one" in answer.stderr
    assert "Leave the option out" in answer.stderr


def test_under_half_of_the_limbs_is_an_error_that_can_be_overridden(tmp_path: Path) -> None:
    """As imports do, with the same count."""
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    target = walker("cmu_motionbuilder")
    for joint in target.bvh.joints:
        joint.name = f"z_{target.bvh.joints.index(joint)}"
    onto = write(tmp_path / "onto.bvh", target.bvh)
    index = {name: place for place, name in enumerate(j.name for j in walker("cmu_motionbuilder").bvh.joints)}
    limbs = list(dict.fromkeys(slot for limb in LIMBS for slot in limb))
    for count, is_enough in ((5, False), (6, True)):
        slots = {slot: [f"z_{index[target.joints[slot]]}"] for slot in ("hips", "head", *limbs[:count])}
        rig = tmp_path / "rig.json"
        rig.write_text(json.dumps({"animbridge_rig": 1, "slots": slots}))
        out = tmp_path / f"{count}.bvh"
        words = ("convert", file, out, "--onto", onto, "--target-rig", rig)
        answer = run(*words)
        if is_enough:
            assert answer.returncode == 0, answer.stderr
            continue
        assert answer.returncode == 1 and not out.exists()
        assert f"{count} of the 12 arms, hands, legs and feet" in answer.stderr
        assert "--target-rig" in answer.stderr and "--force" in answer.stderr
        assert run(*words, "--force").returncode == 0 and out.exists()
        batch = ["--onto", str(onto), "--target-rig", str(rig), "--to", "bvh", "--quiet"]
        assert run_batch([str(file), *batch, "--out", str(tmp_path / "no")]) == 1
        assert run_batch([str(file), *batch, "--out", str(tmp_path / "yes"), "--force"]) == 0


def renamed(names: Mapping[str, str]) -> Bvh:
    """A walk whose joints have other names by their slots: "" stands for one that says nothing."""
    source = walker("mixamo")
    made, slots = deepcopy(source.bvh), {name: slot for slot, name in source.joints.items()}
    for place, joint in enumerate(made.joints):
        slot = slots.get(joint.name, "")
        wanted = next((names[part] for part in names if slot.endswith(part)), joint.name)
        joint.name = wanted.format(side=slot[:1], place=place) or f"z_{place}"
    return made


#: Names that say nothing, and arms that are wings.
NOTHING = {"": ""}
WINGS = {"Shoulder": "", "Arm": "wing_{place}_{side}", "Hand": "wing_{place}_{side}"}
NO_FINGERS = dict.fromkeys(("Proximal", "Intermediate", "Distal", "Metacarpal", "Tip"), "")


def on_four_legs() -> Bvh:
    """The walker with a spine that lies flat and arms that hang down: its names say a person."""
    source = walker("mixamo")
    made, slots = deepcopy(source.bvh), {name: slot for slot, name in source.joints.items()}
    for joint in made.joints:
        slot, (x, y, z) = slots.get(joint.name, ""), joint.offset
        if slot in ("spine", "chest", "upperChest", "neck", "head"):
            joint.offset = (x, z, y)
        elif slot.endswith(("Arm", "Hand", "Proximal", "Intermediate", "Distal")):
            joint.offset = (0.1 * x, -1.3 * abs(x), z)
    return made


def without_bones(*parts: str) -> Bvh:
    """The walker with parts that stand where the joint above them does, and whose names say nothing."""
    source = walker("mixamo")
    made = renamed(dict.fromkeys(parts, ""))
    for joint, own in zip(made.joints, source.bvh.joints, strict=True):
        if joint.name != own.name:
            joint.offset = (0.0, 0.0, 0.0)
            joint.end_sites = []
    return made


@pytest.mark.parametrize(
    ("bvh", "reason"),
    [(on_four_legs(), "four legs"), (renamed({**NO_FINGERS, **WINGS}), "wings in place of arms")],
)
def test_an_animal_is_refused(bvh: Bvh, reason: str, tmp_path: Path) -> None:
    file = write(tmp_path / "animal.bvh", bvh)
    out = tmp_path / "out.anim"
    for bound in ([], ["--stop-above", "0"]):
        refused = run("convert", file, out, "--retarget", *bound)
        assert refused.returncode == 1 and not out.exists()
        assert reason in refused.stderr and "--rig" in refused.stderr and "--force" in refused.stderr
    assert f"Not a person: it has {reason}" in run("rig", file).stdout
    assert json.loads(run("rig", file, "--json").stdout)["looks_like"] == reason
    # A rig file is the user's word.
    rig = tmp_path / "rig.json"
    hips = next(joint.name for joint in bvh_file.parse(file.read_bytes()).joints)
    rig.write_text(json.dumps({"animbridge_rig": 1, "built_in": True, "slots": {"hips": [hips]}}))
    for words in (["--force"], ["--rig", rig]):
        done = run("convert", file, out, "--retarget", "--stop-above", "0", *words)
        assert done.returncode == 0 and out.exists(), done.stderr
        out.unlink()


def test_a_prop_is_refused(tmp_path: Path) -> None:
    """No joint has a name of the avatar, and no two limbs are alike."""
    file = tmp_path / "crane.bvh"
    file.write_text(
        "HIERARCHY\nROOT base\n{\nOFFSET 0 0 0\n"
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        "JOINT boom\n{\nOFFSET 0 9 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "End Site\n{\nOFFSET 5 0 0\n}\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.04\n0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 40 0 0\n"
    )
    for options, reason in (([], "part of a body"), (["--stop-above", "0"], "look like a person")):
        answer = run("convert", file, tmp_path / "crane.anim", *options)
        assert answer.returncode in (1, 2) and reason in answer.stderr
        assert not (tmp_path / "crane.anim").exists()
    # The viewer's loader is still there for those who ask for it.
    answer = run("convert", file, tmp_path / "crane.anim", "--no-retarget")
    assert answer.returncode == 3 and (tmp_path / "crane.anim").exists()


def test_hands_in_the_place_of_arms_are_a_persons(tmp_path: Path) -> None:
    """Below a head, hands and legs of one joint each are those of a small figure."""
    channels = "CHANNELS 3 Zrotation Xrotation Yrotation\n"

    def joint(name: str, offset: str, *below: str) -> str:
        end = "" if below else "End Site\n{\nOFFSET 0 1 0\n}\n"
        return f"JOINT {name}\n{{\nOFFSET {offset}\n{channels}{end}{''.join(below)}}}\n"

    hands = [joint("LeftHand", "7 10 0"), joint("RightHand", "-7 10 0")]
    chest = joint("Chest", "0 2 0", joint("Head", "0 13 0"), *hands)
    legs = [joint("LeftLeg", "3 -1 0"), joint("RightLeg", "-3 -1 0")]
    file = tmp_path / "small.bvh"
    file.write_text(
        f"HIERARCHY\nROOT Hips\n{{\nOFFSET 0 12 0\n{channels}{chest}{''.join(legs)}}}\nMOTION\nFrames: 2\n"
        f"Frame Time: 0.04\n{' 0' * 21}\n{' 20' * 21}\n"
    )
    found = json.loads(run("rig", file, "--json").stdout)["slots"]
    assert found["leftHand"]["joint"] == "LeftHand" and not found.get("leftUpperArm")
    answer = run("convert", file, tmp_path / "small.anim", "--retarget", "--stop-above", "0")
    assert answer.returncode == 0, answer.stderr


def test_a_body_without_names_is_retargeted_and_its_sides_can_be_swapped(tmp_path: Path) -> None:
    """Swapping moves left for right: the sides of a mirrored motion."""
    file = write(tmp_path / "walk.bvh", renamed(NOTHING))
    named = converted(write(tmp_path / "named.bvh", walker("mixamo").bvh), tmp_path / "named.anim")
    report = converted(file, tmp_path / "walk.anim", "--retarget")
    assert len(report["retarget"]["slots"]) >= 0.9 * len(named["retarget"]["slots"])
    assert any("No name says left or right" in text for text in report["retarget"]["warnings"])

    def source_of(made: dict[str, Any], slot: str) -> str:
        return next(row["source"][0] for row in made["retarget"]["slots"] if row["slot"] == slot)

    swapped = converted(file, tmp_path / "swapped.anim", "--retarget", "--swap-sides")
    for slot, other in (("leftUpperArm", "rightUpperArm"), ("rightFoot", "leftFoot")):
        assert source_of(swapped, slot) == source_of(report, other)


@pytest.mark.parametrize(
    ("parts", "lacks"),
    [
        (("Leg", "Foot", "Toes", "ToeBase"), "leftUpperLeg"),
        (("Arm", "Hand", "Shoulder", *NO_FINGERS), "leftUpperArm"),
    ],
)
def test_half_a_person_is_written_and_what_is_missing_is_said(
    parts: tuple[str, ...], lacks: str, tmp_path: Path
) -> None:
    file = write(tmp_path / "half.bvh", without_bones(*parts))
    answer = run("convert", file, tmp_path / "out.anim", "--retarget", "--root-scale", "0,0")
    assert answer.returncode == 0, answer.stderr
    (said,) = [line for line in answer.stdout.splitlines() if line.startswith("The input has no joint for")]
    assert lacks in said
    whole = run("convert", write(tmp_path / "whole.bvh", walker("mixamo").bvh), tmp_path / "out.anim")
    assert "The input has no joint for" not in whole.stdout


def test_force_takes_the_place_of_the_bound_too(tmp_path: Path) -> None:
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    words = ("convert", file, tmp_path / "out.anim", "--retarget", "--stop-above", "0.0001")
    assert run(*words).returncode == 1
    assert run(*words, "--force").returncode == 0


def test_feet_that_never_stand_are_told(tmp_path: Path) -> None:
    """Every frame is half a body's height further on: no foot is slow."""
    source = walker("mixamo")
    for frame, row in enumerate(source.bvh.motion):
        row[2] += 100.0 * frame
    file = write(tmp_path / "walk.bvh", source.bvh)
    answer = run("convert", file, tmp_path / "walk.anim", "--retarget", "--force", "--report", tmp_path / "r")
    assert answer.returncode == 0, answer.stderr
    assert "never stand still, so no slide was measured" in answer.stdout
    feet = json.loads((tmp_path / "r").read_text())["retarget"]["feet"]
    assert len(feet) == 2 and all(foot["contacts"] == 0 for foot in feet)


@pytest.mark.parametrize(("scale", "is_odd"), [(1.0, False), (39.37, True)])
def test_a_unit_that_is_not_metres_is_told(scale: float, is_odd: bool, tmp_path: Path) -> None:
    """With --onto, lengths are those of that file."""
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    target = deepcopy(walker("cmu_motionbuilder").bvh)
    for joint in target.joints:
        x, y, z = joint.offset
        joint.offset = (scale * x, scale * y, scale * z)
    onto = write(tmp_path / "onto.bvh", target)
    report = converted(file, tmp_path / "out.bvh", "--onto", onto)
    said = [text for text in report["retarget"]["warnings"] if "thousandths of its unit" in text]
    assert len(said) == (1 if is_odd else 0)
    if said:
        height = report["retarget"]["body"]["target_hips_height_metres"]
        assert f"{height:.4g}"[:4] in said[0]


def test_the_priority_is_set_by_edit(tmp_path: Path) -> None:
    """As docs/retargeting-method.md says."""
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    converted(
        file, tmp_path / "walk.anim", "--retarget", "--edit", '{"base_priority": 5, "loop": true}', *PRECISE
    )
    made = anim_file.parse((tmp_path / "walk.anim").read_bytes())
    assert made.base_priority == 5 and made.loop
