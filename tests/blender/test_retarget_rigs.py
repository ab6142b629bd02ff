# SPDX-License-Identifier: MIT
"""Rigs that the user chooses in the panel: the library's conventions, and files with chains and poses."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import bpy
import pytest
from helpers import fcurves, operators, refused, reported, set_frame
from mathutils import Quaternion, Vector
from retarget_support import (
    BOUND_DEGREES,
    FRAMES,
    LIMBS,
    TURN,
    animate,
    bento_names,
    bento_rig,
    choose,
    degrees_between,
    direction,
    largest_difference,
    mixamo_names,
    mixamo_rig,
    settings,
)

from animbridge.package import built_in_rigs
from animbridge.retarget.panel import faults_of

RIGS = Path(__file__).resolve().parents[2] / "native" / "rig" / "data" / "rigs"
ARMS = ("ArmA", "ArmB", "ArmC")
#: Turns that raise arms which hang by 40 degrees, on a body that looks along +X.
RAISED = {
    "mShoulderLeft": [math.cos(math.radians(20.0)), math.sin(math.radians(20.0)), 0.0, 0.0],
    "mShoulderRight": [math.cos(math.radians(20.0)), -math.sin(math.radians(20.0)), 0.0, 0.0],
}


def pairs_by_slot() -> dict[str, tuple[str, str]]:
    return {pair.slot: (pair.source, pair.target) for pair in settings().pairs}


def write(folder: Path, name: str, root: dict[str, Any]) -> str:
    path = folder / name
    path.write_text(json.dumps(root), encoding="utf-8")
    return str(path)


def choose_rig(side: str, rig: str) -> None:
    assert operators.animbridge.retarget_rig(side=side, rig=rig) == {"FINISHED"}


@pytest.mark.compat
def test_every_convention_can_be_chosen() -> None:
    files = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in RIGS.glob("*.json")}
    assert len(files) >= 46
    assert {rig.identifier: rig.title for rig in built_in_rigs().values()} == {
        name: file["title"] for name, file in files.items()
    }
    for name, file in files.items():
        choose_rig("SOURCE", name)
        assert json.loads(settings().source_rig) == file
    choose_rig("SOURCE", "")
    assert not settings().source_rig


def test_a_rig_that_nobody_knows() -> None:
    with refused("There is no rig 'gingerbread'", "mixamo"):
        operators.animbridge.retarget_rig(side="TARGET", rig="gingerbread")


@pytest.mark.compat
def test_chosen_rigs_pair_the_bones() -> None:
    source, target = mixamo_rig(), bento_rig()
    choose(source, target)
    choose_rig("SOURCE", "mixamo")
    choose_rig("TARGET", "secondlife")
    mixamo, bento = mixamo_names(), bento_names()
    assert pairs_by_slot() == {slot: (mixamo[slot], bento[slot]) for slot in bento}
    assert {pair.by for pair in settings().pairs} == {"given"}
    animate(source)
    operators.animbridge.retarget_apply()
    assert largest_difference(source, target) < BOUND_DEGREES


def test_a_chosen_rig_is_the_only_one_that_counts() -> None:
    """LeftShoulder is the collar at Mixamo, and the upper arm in CMU's files for 3ds Max."""
    choose(mixamo_rig(), bento_rig())
    operators.animbridge.retarget_auto()
    assert pairs_by_slot()["leftUpperArm"] == ("mixamorig:LeftArm", "mShoulderLeft")
    choose_rig("SOURCE", "cmu_3dsmax")
    assert pairs_by_slot()["leftUpperArm"] == ("mixamorig:LeftShoulder", "mShoulderLeft")
    # Auto keeps the choice, as long as it isn't Automatic.
    operators.animbridge.retarget_auto()
    assert pairs_by_slot()["leftUpperArm"] == ("mixamorig:LeftShoulder", "mShoulderLeft")
    choose_rig("SOURCE", "")
    assert pairs_by_slot()["leftUpperArm"] == ("mixamorig:LeftArm", "mShoulderLeft")


def test_a_rig_that_does_not_fit() -> None:
    choose(mixamo_rig(), bento_rig())
    operators.animbridge.retarget_auto()
    before = pairs_by_slot()
    with refused("MikuMikuDance", "doesn't fit 'Avatar'"):
        operators.animbridge.retarget_rig(side="TARGET", rig="mmd")
    assert pairs_by_slot() == before and not settings().target_rig


def tentacles(name: str, bones: int, roll: float) -> Any:
    """A body without arms or legs: three chains out of one bone, 1 m long each."""
    armature = bpy.data.armatures.new(name)
    rig: Any = bpy.data.objects.new(name, armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    root = armature.edit_bones.new(f"{name}Mantle")
    root.head, root.tail = (0.0, 0.0, 1.0), (0.0, 0.0, 1.4)
    for number, arm in enumerate(ARMS):
        angle = math.radians(120.0 * number)
        along = Vector((math.cos(angle), math.sin(angle), 0.0))
        parent = root
        for place in range(bones):
            bone = armature.edit_bones.new(f"{name}{arm}{place}")
            bone.parent = parent
            bone.head = Vector((0.0, 0.0, 1.0)) + along * (0.1 + place / bones)
            bone.tail = bone.head + along / bones
            bone.roll = roll * place
            parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def chain_file(name: str, bones: int, **members: Any) -> dict[str, Any]:
    """The user's rig file of such a body."""
    chains = {arm: [f"{name}{arm}{place}" for place in range(bones)] for arm in ARMS}
    return {
        "animbridge_rig": 1,
        "id": name,
        "slots": {"mantle": [f"{name}Mantle"]},
        "chains": chains,
        **members,
    }


def turn_of(rig: Any, bone: str) -> Quaternion:
    """How a bone has turned since its rest pose, in the armature."""
    rest = rig.data.bones[bone].matrix_local.to_quaternion()
    return rig.pose.bones[bone].matrix.to_quaternion() @ rest.inverted()


def apart(one: Quaternion, other: Quaternion) -> float:
    """Degrees between two turns."""
    difference = min((one - other).magnitude, (one + other).magnitude)
    return math.degrees(4.0 * math.asin(min(difference / 2.0, 1.0)))


def load_both(folder: Path, bones: tuple[int, int]) -> tuple[Any, Any]:
    """Two bodies of tentacles with these numbers of bones in each, and their rig files."""
    source, target = tentacles("Squid", bones[0], 0.3), tentacles("Octo", bones[1], -0.9)
    choose(source, target)
    for name, count in zip(("Squid", "Octo"), bones, strict=True):
        path = write(folder, f"{name}.json", chain_file(name, count))
        assert operators.animbridge.retarget_load(filepath=path) == {"FINISHED"}
    return source, target


@pytest.mark.compat
def test_tentacles_by_a_users_map(tmp_path: Path) -> None:
    """As many bones on both sides: each turns as the other does."""
    source, target = load_both(tmp_path, (4, 4))
    pairs = {arm: (f"Squid{arm}0", f"Octo{arm}0") for arm in ARMS}
    assert pairs_by_slot() == {"mantle": ("SquidMantle", "OctoMantle"), **pairs}
    assert faults_of(settings()) == [""] * 4
    animate(source)
    assert operators.animbridge.retarget_apply() == {"FINISHED"}
    for frame in FRAMES:
        set_frame(frame)
        for bone in ("Mantle", *(f"{arm}{place}" for arm in ARMS for place in range(4))):
            difference = apart(turn_of(source, f"Squid{bone}"), turn_of(target, f"Octo{bone}"))
            assert difference < BOUND_DEGREES, bone


@pytest.mark.parametrize("bones", [(3, 7), (7, 3)])
def test_tentacles_of_other_lengths(tmp_path: Path, bones: tuple[int, int]) -> None:
    """The turn is shared by length along the chain, so both ends turn alike."""
    source, target = load_both(tmp_path, bones)
    animate(source)
    assert operators.animbridge.retarget_apply() == {"FINISHED"}
    for frame in FRAMES:
        set_frame(frame)
        for arm in ARMS:
            tips = f"Squid{arm}{bones[0] - 1}", f"Octo{arm}{bones[1] - 1}"
            assert apart(turn_of(source, tips[0]), turn_of(target, tips[1])) < BOUND_DEGREES
    moved = {curve.data_path.split('"')[1] for curve in fcurves(target)}
    assert moved == {bone.name for bone in target.data.bones}


def test_a_chain_can_be_switched_off_and_replaced(tmp_path: Path) -> None:
    source, target = load_both(tmp_path, (4, 4))
    animate(source)
    pairs = {pair.slot: pair for pair in settings().pairs}
    pairs["ArmA"].is_on = False
    pairs["ArmB"].target = "OctoArmB2"
    operators.animbridge.retarget_apply()
    moved = {curve.data_path.split('"')[1] for curve in fcurves(target)}
    assert moved == {"OctoMantle", "OctoArmB2", *(f"OctoArmC{place}" for place in range(4))}


def test_a_rig_file_of_one_side_waits(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, target = tentacles("Squid", 4, 0.0), tentacles("Octo", 4, 0.0)
    choose(source, target)
    reported(capfd)
    operators.animbridge.retarget_load(filepath=write(tmp_path, "squid.json", chain_file("Squid", 4)))
    said = " ".join(reported(capfd).split())
    assert "by its names for 'Squid'" in said and "Load a rig file for the other armature too" in said
    assert settings().source_rig and not settings().target_rig and not len(settings().pairs)


def test_rigs_are_saved_with_the_pairs(tmp_path: Path) -> None:
    load_both(tmp_path, (3, 5))
    before = pairs_by_slot(), settings().source_rig, settings().target_rig
    path = str(tmp_path / "pairs.json")
    operators.animbridge.retarget_save(filepath=path)
    saved = json.loads(Path(path).read_text(encoding="utf-8"))
    assert saved["source_rig"] == chain_file("Squid", 3)
    assert saved["target_rig"] == chain_file("Octo", 5)
    operators.animbridge.retarget_clear()
    choose_rig("SOURCE", "")
    choose_rig("TARGET", "")
    operators.animbridge.retarget_load(filepath=path)
    assert (pairs_by_slot(), settings().source_rig, settings().target_rig) == before
    # The other way round, each rig stays with its armature.
    choose(settings().target, settings().source)
    operators.animbridge.retarget_load(filepath=path)
    assert pairs_by_slot()["ArmA"] == ("OctoArmA0", "SquidArmA0")
    assert json.loads(settings().source_rig) == chain_file("Octo", 5)


@pytest.mark.compat
def test_a_stored_t_pose_of_the_target(tmp_path: Path) -> None:
    """Its arms rest 40 degrees lower than the source's; the file says so, and nothing needs to be aligned."""
    source, target = mixamo_rig(), bento_rig(arms_down_degrees=40.0)
    animate(source)
    chosen = choose(source, target)
    chosen.align = False
    slots = {slot: [name] for slot, name in bento_names().items()}
    path = write(tmp_path, "bento.json", {"animbridge_rig": 1, "slots": slots, "reference": RAISED})
    operators.animbridge.retarget_load(filepath=path)
    assert (chosen.source_reference, chosen.target_reference) == ("REST", "STORED")
    operators.animbridge.retarget_apply()
    assert largest_difference(source, target) < BOUND_DEGREES
    chosen.target_reference = "REST"
    operators.animbridge.retarget_apply()
    assert largest_difference(source, target) > 30.0


def test_a_stored_t_pose_of_the_source(tmp_path: Path) -> None:
    source, target = bento_rig(arms_down_degrees=40.0), mixamo_rig()
    animate(source)
    chosen = choose(source, target)
    chosen.align = False
    slots = {slot: [name] for slot, name in bento_names().items()}
    path = write(tmp_path, "bento.json", {"animbridge_rig": 1, "slots": slots, "reference": RAISED})
    operators.animbridge.retarget_load(filepath=path)
    assert (chosen.source_reference, chosen.target_reference) == ("STORED", "REST")
    operators.animbridge.retarget_apply()
    for frame in FRAMES:
        set_frame(frame)
        for slot, toward in LIMBS.items():
            wanted = TURN.inverted() @ direction(source, bento_names(), f"left{slot}", f"left{toward}")
            found = direction(target, mixamo_names(), f"left{slot}", f"left{toward}")
            assert degrees_between(wanted, found) < BOUND_DEGREES, slot


def test_a_stored_pose_that_is_not_there() -> None:
    animate(mixamo_rig())
    chosen = choose(bpy.data.objects["Walker"], bento_rig())
    operators.animbridge.retarget_auto()
    chosen.target_reference = "STORED"
    with refused("The rig of 'Avatar' stores no pose"):
        operators.animbridge.retarget_apply()


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"tentacles": 8}, ("map.json", "tentacles", "not a member of a rig file")),
        ({"chains": {"ArmA": "x"}}, ("map.json", "chains.ArmA")),
        ({"reference": {"SquidMantle": [1, 0, 0]}}, ("map.json", "reference.SquidMantle", "four numbers")),
    ],
)
def test_bad_rig_files_are_refused(tmp_path: Path, members: dict[str, Any], words: tuple[str, ...]) -> None:
    choose(tentacles("Squid", 4, 0.0), tentacles("Octo", 4, 0.0))
    path = write(tmp_path, "map.json", chain_file("Squid", 4, **members))
    with refused(*words):
        operators.animbridge.retarget_load(filepath=path)
    assert not settings().source_rig


@pytest.mark.parametrize("text", ["3", "[", '{"title": 3}', '{"reference": 5}'])
def test_a_damaged_file_of_blender(text: str) -> None:
    animate(mixamo_rig())
    chosen = choose(bpy.data.objects["Walker"], bento_rig())
    chosen.source_rig = text
    with refused("doesn't fit 'Walker'"):
        operators.animbridge.retarget_auto()
