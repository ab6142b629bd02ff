# SPDX-License-Identifier: MIT
"""`animbridge convert` onto another skeleton: the witness walks, and reads what came out.

Limbs must point where the walker's do, whatever the rig is called and however it rests.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from batch_programs import run_command as run_batch
from material import ROOT
from tests.witness import anim_file, bvh_file, bvh_pose, player, rig_mutations, rigs
from tests.witness.bvh_file import Bvh
from tests.witness.joint_axes import along_x, bones_in_a_row, row_axes, with_axes
from tests.witness.quaternion import Vector
from tests.witness.skeleton import load_skeleton
from tests.witness.turns import NO_TURN, Turn, about, back, mul
from tests.witness.walk import Gait, Walk, walk

COMMAND = ROOT / "build" / "bin" / "animbridge"
TABLES = rigs.load_tables()
GAIT = Gait(seconds=1.0, frames_per_second=30.0)
LIMBS = [
    (f"{side}{above}", f"{side}{below}")
    for side in ("left", "right")
    for above, below in (
        ("UpperLeg", "LowerLeg"),
        ("LowerLeg", "Foot"),
        ("UpperArm", "LowerArm"),
        ("LowerArm", "Hand"),
    )
]
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
#: Of a .anim: quantisation adds up along the limb.
ANIM_DEGREES = 0.15
#: Of a BVH, whose angles have six decimals.
BVH_DEGREES = 0.01


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def converted(*words: object) -> dict[str, Any]:
    """The report of a conversion that succeeds."""
    answer = run("convert", *words, "--json")
    assert answer.returncode == 0, answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def write(path: Path, bvh: Bvh) -> Path:
    path.write_bytes(bvh_file.write(bvh))
    return path


def walker(convention: str) -> Walk:
    return walk(rigs.build(convention, TABLES[convention]), GAIT)


def unit(vector: Vector) -> Vector:
    return vector / np.linalg.norm(vector)


def degrees_between(a: Vector, b: Vector) -> float:
    return math.degrees(2 * math.asin(min(float(np.linalg.norm(a - b)) / 2, 1.0)))


def directions_in_bvh(
    bvh: Bvh, joints: dict[str, str], frame: int, to_world: Callable[[Vector], Vector]
) -> dict[str, Vector]:
    """{slot: where it points}."""
    names = [joint.name for joint in bvh.joints]
    places = bvh_pose.pose(bvh, frame).positions
    return {
        above: to_world(unit(places[names.index(joints[below])] - places[names.index(joints[above])]))
        for above, below in LIMBS
    }


def from_y_up(v: Vector) -> Vector:
    """A BVH's Y up to Z up."""
    return np.array([v[0], -v[2], v[1]])


def facing_x(v: Vector) -> Vector:
    """The walker looks along -Y, the avatar along +X."""
    return np.array([-v[1], v[0], v[2]])


AVATAR = {
    f"{side}{slot}": f"{joint}{side.title()}"
    for side in ("left", "right")
    for slot, joint in (
        ("UpperLeg", "mHip"),
        ("LowerLeg", "mKnee"),
        ("Foot", "mAnkle"),
        ("UpperArm", "mShoulder"),
        ("LowerArm", "mElbow"),
        ("Hand", "mWrist"),
    )
}


def worst_on_avatar(source: Walk, anim: Path, yaw: float = 0.0) -> float:
    """The largest angle between a limb of the walker, turned about Z, and the avatar's, over all frames."""
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    read = anim_file.parse(anim.read_bytes())
    skeleton = load_skeleton()
    worst = 0.0
    for frame in range(len(source.bvh.motion)):
        wanted = directions_in_bvh(source.bvh, source.joints, frame, lambda v: turn @ facing_x(from_y_up(v)))
        pose = player.world_pose(read, skeleton, frame * source.bvh.frame_time)
        for above, below in LIMBS:
            shown = unit(pose[AVATAR[below]].position - pose[AVATAR[above]].position)
            worst = max(worst, degrees_between(shown, wanted[above]))
    return worst


PRECISE = ("--max-error", "0.05,0.01")


@pytest.mark.parametrize(
    "convention",
    [
        *("mixamo", "cmu_3dsmax", "ue5", "daz_genesis8", "makehuman_old", "vrm1", "xsens_mvn"),
        "cmu_motionbuilder",  # with joints of no length
    ],
)
def test_any_rig_walks_on_the_avatar(tmp_path: Path, convention: str) -> None:
    source = walker(convention)
    file = write(tmp_path / "walk.bvh", source.bvh)
    report = converted(file, tmp_path / "walk.anim", "--retarget", *PRECISE)
    assert report["retarget"]["worst_degrees"] < BVH_DEGREES
    assert report["max_position_error_mm"] < 1.0
    assert worst_on_avatar(source, tmp_path / "walk.anim") < ANIM_DEGREES


@pytest.mark.parametrize("y_up", [True, False])
def test_a_skeleton_of_another_file_gets_the_motion(tmp_path: Path, y_up: bool) -> None:
    """The output has that file's joints, offsets and axes."""
    source = walker("mixamo")
    target = rig_mutations.turned(
        rig_mutations.in_centimetres(rigs.build("cmu_motionbuilder", TABLES["cmu_motionbuilder"]))
    )
    file = write(tmp_path / "walk.bvh", source.bvh)
    onto = write(tmp_path / "cmu.bvh", rigs.as_bvh(target, y_up))
    converted(file, tmp_path / "out.bvh", "--onto", onto)
    made = bvh_file.parse((tmp_path / "out.bvh").read_bytes())
    for ours, theirs in zip(made.joints, rigs.as_bvh(target, y_up).joints, strict=True):
        assert ours.name == theirs.name
        assert np.abs(np.subtract(ours.offset, theirs.offset)).max() < 1e-5
    a = math.atan2(*target.facing[1::-1]) - math.atan2(-1.0, 0.0)
    turn = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    for frame in range(len(source.bvh.motion)):
        wanted = directions_in_bvh(source.bvh, source.joints, frame, lambda v: turn @ from_y_up(v))
        shown = directions_in_bvh(made, target.truth, frame, from_y_up if y_up else np.array)
        for slot, direction in wanted.items():
            assert degrees_between(shown[slot], direction) < BVH_DEGREES, (frame, slot)


def test_a_file_with_z_up_stands(tmp_path: Path) -> None:
    rig = rigs.build("mixamo", TABLES["mixamo"])
    source = walker("mixamo")
    file = write(tmp_path / "walk.bvh", walk(rig, GAIT, y_up=False).bvh)
    report = converted(file, tmp_path / "walk.anim", "--retarget", *PRECISE)
    assert not any("stands along" in warning for warning in report["retarget"]["warnings"])
    assert worst_on_avatar(source, tmp_path / "walk.anim") < ANIM_DEGREES


def test_a_rest_pose_that_is_no_posture_gives_way_to_the_first_frame(tmp_path: Path) -> None:
    """As some programs write them: every bone rests along +X, and the frames turn it to its place."""
    source = walker("mixamo")
    rowed = bones_in_a_row(source.bvh)
    before, after = bvh_pose.pose(source.bvh, 7).positions, bvh_pose.pose(rowed, 7).positions
    assert np.abs(before - after).max() < 1e-9  # the same motion
    file = write(tmp_path / "walk.bvh", rowed)
    report = converted(file, tmp_path / "walk.anim", "--retarget", *PRECISE)
    assert any("does not stand in its rest pose" in warning for warning in report["retarget"]["warnings"])
    assert report["retarget"]["references"]["source"] == "frame 1 with straight limbs"
    # The reference pose looks straight ahead; the walker's hips are turned by this much in its first frame.
    assert worst_on_avatar(source, tmp_path / "walk.anim", yaw=-0.08) < ANIM_DEGREES


def chest_yaw(left_hip: Vector, right_hip: Vector, left_arm: Vector, right_arm: Vector) -> float:
    """How far the line of the shoulders is turned against that of the hips, in degrees; Z is up."""
    hips, shoulders = (left_hip - right_hip)[:2], (left_arm - right_arm)[:2]
    return math.degrees(
        math.atan2(hips[0] * shoulders[1] - hips[1] * shoulders[0], float(np.dot(hips, shoulders)))
    )


def test_a_chest_that_is_turned_in_the_first_frame_stays_turned(tmp_path: Path) -> None:
    """If no body stands at rest, that frame is the reference pose, and in it the chest is straight."""
    source = walker("mixamo")
    names = [joint.name for joint in source.bvh.joints]
    for row in source.bvh.motion:
        row[3 + 3 * names.index(source.joints["spine"]) + 2] += 30.0  # ZXY: about Y, which is up
    file = write(tmp_path / "walk.bvh", bones_in_a_row(source.bvh))
    converted(file, tmp_path / "walk.anim", "--retarget", *PRECISE)
    made, skeleton = anim_file.parse((tmp_path / "walk.anim").read_bytes()), load_skeleton()
    slots = ("leftUpperLeg", "rightUpperLeg", "leftUpperArm", "rightUpperArm")
    for frame in (0, 7, 20):
        positions = bvh_pose.pose(source.bvh, frame).positions
        wanted = chest_yaw(*(from_y_up(positions[names.index(source.joints[slot])]) for slot in slots))
        pose = player.world_pose(made, skeleton, frame * source.bvh.frame_time)
        assert wanted > 20.0
        assert chest_yaw(*(pose[AVATAR[slot]].position for slot in slots)) == pytest.approx(wanted, abs=1.0)


def stance_axes(source: Walk) -> list[Turn]:
    """Axes with which the walker rests in a fighting stance: hips low, thighs and fists in front."""
    turns = {
        "leftUpperLeg": (X, -70),
        "leftLowerLeg": (X, -10),
        "rightUpperLeg": (X, -40),
        "rightLowerLeg": (X, 30),
        "leftUpperArm": (Y, -70),
        "leftLowerArm": (Y, -150),
        "rightUpperArm": (Y, 60),
        "rightLowerArm": (Y, 150),
    }
    in_world = {source.joints[slot]: about(axis, math.radians(by)) for slot, (axis, by) in turns.items()}
    axes: list[Turn] = []
    for joint in source.bvh.joints:
        above = NO_TURN if joint.parent is None else axes[joint.parent]
        axes.append(back(in_world[joint.name]) if joint.name in in_world else above)
    return axes


def test_a_rest_pose_that_is_a_stance_gives_way_to_a_first_frame_in_t_pose(tmp_path: Path) -> None:
    """From the right reference, no alignment is needed."""
    source = walker("mixamo")
    source.bvh.motion[0][3:] = [0.0] * (len(source.bvh.motion[0]) - 3)
    file = write(tmp_path / "walk.bvh", with_axes(source.bvh, stance_axes(source)))
    onto = write(tmp_path / "onto.bvh", walker("mixamo").bvh)
    report = converted(file, tmp_path / "out.bvh", "--onto", onto, "--no-align", "--keep-first-frame")
    assert report["retarget"]["references"] == {"source": "frame 1", "target": "the rest pose"}
    assert "frame 1 is its reference pose" in "\n".join(report["retarget"]["warnings"])
    made = bvh_file.parse((tmp_path / "out.bvh").read_bytes())
    for frame in (1, 11, 30):
        wanted = directions_in_bvh(source.bvh, source.joints, frame, from_y_up)
        shown = directions_in_bvh(made, source.joints, frame, from_y_up)
        assert max(degrees_between(shown[limb], wanted[limb]) for limb in wanted) < BVH_DEGREES


def test_a_rest_pose_stays_the_reference_if_the_first_frame_is_the_same_stance(tmp_path: Path) -> None:
    source = walker("mixamo")
    bvh = with_axes(source.bvh, stance_axes(source))
    bvh.motion[0][3:] = [0.0] * (len(bvh.motion[0]) - 3)
    onto = write(tmp_path / "onto.bvh", walker("mixamo").bvh)
    report = converted(write(tmp_path / "walk.bvh", bvh), tmp_path / "out.bvh", "--onto", onto)
    assert report["retarget"]["references"]["source"] == "the rest pose"


def test_the_motion_says_which_axis_is_up(tmp_path: Path) -> None:
    """At rest, the body stands along X, rolled in itself. In every frame, it stands along Y."""
    file = ROOT / "fixtures" / "walk" / "along_x.bvh"
    report = converted(file, tmp_path / "walk.anim", "--retarget", *PRECISE)
    assert not any("stands along" in warning for warning in report["retarget"]["warnings"])
    source = walker("bandai_namco")
    assert worst_on_avatar(source, tmp_path / "walk.anim", yaw=-0.08) < ANIM_DEGREES


@pytest.mark.parametrize("is_rolled", [False, True])
def test_a_rest_pose_of_limbs_that_bend_backwards_names_no_axis(is_rolled: bool, tmp_path: Path) -> None:
    """No frame of a body that lies says which axis is up. Its rest pose may, if its limbs are not rolled."""
    source = walker("bandai_namco")
    if is_rolled:
        bvh = along_x(source.bvh, source.joints)
    else:
        lying = about((0.0, 0.0, 1.0), math.pi / 2)
        bvh = with_axes(source.bvh, [NO_TURN, *([lying] * (len(source.bvh.joints) - 1))])
    for row in bvh.motion:
        # The root turns, whose channels are 3 to 5 in ZXY: from standing along Y to lying along Z.
        row[4] += 90.0
    file = write(tmp_path / "lies.bvh", bvh)
    report = converted(file, tmp_path / "walk.anim", "--retarget", "--force")
    said = any("stands along X" in warning for warning in report["retarget"]["warnings"])
    assert said != is_rolled


@pytest.mark.parametrize(("ahead_degrees", "is_said"), [(5.0, True), (25.0, False)])
def test_locked_knees_do_not_bend_backwards(ahead_degrees: float, is_said: bool, tmp_path: Path) -> None:
    """People lock their knees a little ahead. A body that lies, and stands along X at rest."""
    source = walker("bandai_namco")
    lying = about((0.0, 0.0, 1.0), math.pi / 2)
    knees = [source.joints[side + "LowerLeg"] for side in ("left", "right")]
    for row in source.bvh.motion:
        row[3:] = [0.0] * (len(row) - 3)
        for index, joint in enumerate(source.bvh.joints):
            if joint.name in knees:
                # The root has six channels, and each joint three: ZXY. A shin swings ahead about -X.
                row[6 + 3 * (index - 1) + 1] = -ahead_degrees
    bvh = with_axes(source.bvh, [NO_TURN, *([lying] * (len(source.bvh.joints) - 1))])
    for row in bvh.motion:
        row[4] += 90.0
    report = converted(
        write(tmp_path / "lies.bvh", bvh),
        tmp_path / "walk.anim",
        "--retarget",
        "--force",
        "--stop-above",
        "0",
    )
    assert any("stands along X" in warning for warning in report["retarget"]["warnings"]) == is_said


def test_the_pose_that_the_user_names_wins_over_the_first_frame(tmp_path: Path) -> None:
    """The skeleton that gets the motion lies in a row: from its rest pose, alignment has to turn its legs."""
    file = write(tmp_path / "walk.bvh", walker("cmu_motionbuilder").bvh)
    onto = write(tmp_path / "row.bvh", bones_in_a_row(walker("mixamo").bvh))
    largest: dict[str, float] = {}
    for pose in ("automatic", "rest"):
        words = (file, tmp_path / f"{pose}.bvh", "--onto", onto, "--target-reference", pose)
        slots = converted(*words)["retarget"]["slots"]
        largest[pose] = max(row["alignment_degrees"] for row in slots if row["slot"].endswith("UpperLeg"))
    assert largest["automatic"] < 45 and largest["rest"] > 80, largest


@pytest.mark.parametrize("flag", ["--rig", "--target-rig"])
def test_a_rig_file_stores_the_pose_in_which_the_skeleton_stands(tmp_path: Path, flag: str) -> None:
    """Of a skeleton that lies in a row at rest. With that pose, it is the walker that it was; neither the
    first frame nor an alignment has to stand in for it."""
    source = walker("mixamo")
    axes = row_axes(source.bvh)
    reference: dict[str, list[float]] = {}
    for joint, own in zip(source.bvh.joints, axes, strict=True):
        above = NO_TURN if joint.parent is None else axes[joint.parent]
        w, x, y, z = mul(back(above), own)
        reference[joint.name] = [w, x, -z, y]  # Z up
    slots = {slot: [name] for slot, name in source.joints.items()}
    rig = {"animbridge_rig": 1, "slots": slots, "reference": reference}
    (tmp_path / "rig.json").write_text(json.dumps(rig))
    row = write(tmp_path / "row.bvh", bones_in_a_row(source.bvh))
    other = write(tmp_path / "other.bvh", walker("mixamo").bvh)
    words = (row, "--onto", other) if flag == "--rig" else (other, "--onto", row)
    report = converted(*words, flag, tmp_path / "rig.json", tmp_path / "out.bvh", "--no-align")
    assert report["retarget"]["worst_degrees"] < BVH_DEGREES
    made = bvh_file.parse((tmp_path / "out.bvh").read_bytes())
    for frame in (0, 11, 30):
        wanted = directions_in_bvh(source.bvh, source.joints, frame, from_y_up)
        shown = directions_in_bvh(made, source.joints, frame, from_y_up)
        for slot, direction in wanted.items():
            assert degrees_between(shown[slot], direction) < BVH_DEGREES, (frame, slot)


def test_the_report_is_written_too(tmp_path: Path) -> None:
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    report = converted(file, tmp_path / "walk.anim", "--retarget", "--report", tmp_path / "report.json")
    written = json.loads((tmp_path / "report.json").read_text())
    assert written == report
    slots = {row["slot"]: row for row in written["retarget"]["slots"]}
    assert slots["leftUpperArm"]["source"] == ["mixamorig:LeftArm"]
    assert slots["leftUpperArm"]["target"] == ["mShoulderLeft"]


def test_a_rig_file_names_the_joints(tmp_path: Path) -> None:
    source = walker("mixamo")
    names = {joint.name: f"bone_{index:03}" for index, joint in enumerate(source.bvh.joints)}
    for joint in source.bvh.joints:
        joint.name = names[joint.name]
    file = write(tmp_path / "walk.bvh", source.bvh)
    # Without a rig file, the shape of the body says it.
    converted(file, tmp_path / "shape.anim", "--retarget", *PRECISE)
    source.joints.update({slot: names[name] for slot, name in source.joints.items()})
    rig = {
        "animbridge_rig": 1,
        "id": "mine",
        "title": "Mine",
        "slots": {s: [n] for s, n in source.joints.items()},
    }
    (tmp_path / "rig.json").write_text(json.dumps(rig))
    converted(file, tmp_path / "walk.anim", "--retarget", "--rig", tmp_path / "rig.json", *PRECISE)
    for made in ("shape.anim", "walk.anim"):
        assert worst_on_avatar(source, tmp_path / made) < ANIM_DEGREES


def turn_between(a: Vector, b: Vector) -> Vector:
    """What turns b has after those of a, as x, y, z, w: conj(a) b."""
    x, y, z, w = a
    return np.array(mul((w, -x, -y, -z), (b[3], b[0], b[1], b[2])))[[1, 2, 3, 0]]


@pytest.mark.parametrize("by_batch", [False, True])
def test_an_offset_turns_its_part_alone(tmp_path: Path, by_batch: bool) -> None:
    """20 degrees about the skeleton's X at rest, then 30 about its Z, which is the file's Y."""
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    target = walker("cmu_motionbuilder")
    onto = write(tmp_path / "onto.bvh", target.bvh)
    words = ("--onto", onto, "--offset", "leftHand=20,0,30", "--offset", "head=0,0,-5.5")
    converted(file, tmp_path / "plain.bvh", "--onto", onto)
    if by_batch:
        into = ("--to", "bvh", "--out", str(tmp_path / "out"), "--quiet")
        assert run_batch([str(file), *into, *map(str, words)]) == 0
        turned = tmp_path / "out" / "walk.bvh"
    else:
        turned = tmp_path / "turned.bvh"
        report = converted(file, turned, *words)
        # The offset is wanted: the part's difference is that of its turn.
        assert report["retarget"]["worst_degrees"] < BVH_DEGREES
    before, after = (bvh_file.parse(path.read_bytes()) for path in (tmp_path / "plain.bvh", turned))
    hand = mul(about_axis_turn(1, 30.0), about_axis_turn(0, 20.0))
    wanted = {"LeftHand": hand, "Head": about_axis_turn(1, -5.5)}
    parts = {target.joints[slot] for limb in LIMBS for slot in limb} | wanted.keys()
    for frame in (0, 9, 30):
        one, other = (bvh_pose.pose(bvh, frame).rotations for bvh in (before, after))
        for index, joint in enumerate(after.joints):
            if joint.name not in parts:  # fingers without a part hang on their hand
                continue
            w, x, y, z = wanted.get(joint.name, NO_TURN)
            difference = turn_between(one[index], other[index]) - np.array([x, y, z, w])
            assert np.abs(difference).max() < 1e-5, (frame, joint.name)


def about_axis_turn(axis: int, degrees: float) -> tuple[float, float, float, float]:
    """A turn about X, Y or Z as w, x, y, z."""
    vector = [0.0, 0.0, 0.0]
    vector[axis] = math.sin(math.radians(degrees / 2))
    x, y, z = vector
    return math.cos(math.radians(degrees / 2)), x, y, z


@pytest.mark.parametrize(("name", "loops"), [("wave", False), ("dance", True)])
def test_what_plays_once_still_does(name: str, loops: bool, tmp_path: Path) -> None:
    source = ROOT / "fixtures" / "demo" / f"{name}.anim"
    assert (anim_file.parse(source.read_bytes()).loop != 0) == loops
    done = run("convert", source, tmp_path / "made.anim", "--retarget")
    assert done.returncode == 0, done.stderr
    assert (anim_file.parse((tmp_path / "made.anim").read_bytes()).loop != 0) == loops


def test_in_place_keeps_the_body_above_its_place(tmp_path: Path) -> None:
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    converted(file, tmp_path / "walk.anim", "--retarget", "--in-place")
    read = anim_file.parse((tmp_path / "walk.anim").read_bytes())
    poses = [player.world_pose(read, load_skeleton(), t / 10)["mPelvis"].position for t in range(10)]
    spread = np.ptp(np.array(poses), axis=0)
    assert spread[0] < 1e-3 and spread[1] < 1e-3 < spread[2]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("walk.bvh", "out.bvh", "--retarget"), "--onto"),
        (("walk.bvh", "out.anim", "--retarget", "--offset", "tail=1,2,3"), "they have hips"),
        (("walk.bvh", "out.anim", "--retarget", "--offset", "leftHand=1,2"), "SLOT=X,Y,Z"),
        (("walk.bvh", "out.anim", "--retarget", "--reference", "frame:99999"), "1 to 31"),
        (("walk.bvh", "out.anim", "--retarget", "--reference", "frame:99999"), "--reference: "),
        (("walk.bvh", "out.anim", "--retarget", "--reference", "sideways"), "frame:N"),
        (("walk.bvh", "out.anim", "--retarget", "--root-scale", "1"), "a comma"),
        (("walk.bvh", "out.anim", "--onto", "missing.bvh"), "missing.bvh"),
        (("walk.bvh", "out.json", "--retarget"), "JSON"),
        (("walk.bvh", "out.anim", "--retarget", "--stop-above", "0.0001"), "--stop-above"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, words: tuple[str, ...], expected: str) -> None:
    write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    places = [str(tmp_path / word) if word.endswith((".bvh", ".anim", ".json")) else word for word in words]
    answer = run("convert", *places)
    assert answer.returncode in (1, 2)
    assert expected in answer.stderr
    assert not (tmp_path / "out.anim").exists() and not (tmp_path / "out.bvh").exists()


def test_a_bvh_of_other_names_is_retargeted_by_itself(tmp_path: Path) -> None:
    source = walker("mixamo")
    file = write(tmp_path / "walk.bvh", source.bvh)
    report = converted(file, tmp_path / "walk.anim")
    assert report["retarget"]["worst_degrees"] < BVH_DEGREES and not report["refused"]
    assert worst_on_avatar(source, tmp_path / "walk.anim") < 2 * ANIM_DEGREES


def test_the_viewers_loader_reads_what_is_not_retargeted(tmp_path: Path) -> None:
    file = write(tmp_path / "walk.bvh", walker("mixamo").bvh)
    answer = run("convert", file, tmp_path / "walk.anim", "--no-retarget")
    assert answer.returncode == 3 and "--retarget" in answer.stdout
    refused = run("convert", file, tmp_path / "strict.anim", "--strict", "--no-retarget")
    assert refused.returncode == 1 and "--retarget" in refused.stderr
    # An option that only the loader has asks for it.
    loader = run("convert", file, tmp_path / "loader.anim", "--loader", "pre2022")
    assert loader.returncode == 3 and "retarget" in loader.stdout
    both = run("convert", file, tmp_path / "both.anim", "--no-retarget", "--in-place")
    assert both.returncode == 2 and "--no-retarget contradicts" in both.stderr


def test_a_bvh_with_the_avatars_names_takes_the_viewers_way(tmp_path: Path) -> None:
    source = ROOT / "fixtures" / "bvh" / "loader" / "rule01_lf_cr.bvh"
    converted(source, tmp_path / "out.anim")
    assert (tmp_path / "out.anim").read_bytes() == source.with_suffix(".anim").read_bytes()


def test_the_hands_of_a_recording_move_the_avatars_fingers(tmp_path: Path) -> None:
    recording = ROOT / "fixtures" / "mrtk" / "two_hands_v11.bin"
    report = converted(recording, tmp_path / "hands.anim")
    targets = {name for row in report["retarget"]["slots"] for name in row["target"]}
    assert {"mHandIndex1Left", "mHandPinky3Right", "mWristLeft"} <= targets


def test_a_folder_becomes_anim_files_in_one_call(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    walks = {name: walker(name) for name in ("mixamo", "cmu_3dsmax")}
    for name, source in walks.items():
        write(tmp_path / "in" / f"{name}.bvh", source.bvh)
    code = run_batch(
        [str(tmp_path / "in"), "--to", "anim", "--out", str(tmp_path / "out"), "--retarget", "--quiet"]
    )
    assert code == 0
    for name, source in walks.items():
        assert worst_on_avatar(source, tmp_path / "out" / f"{name}.anim") < 3 * ANIM_DEGREES
