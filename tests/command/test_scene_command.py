# SPDX-License-Identifier: MIT
"""Scene files by the command: what it reads of each fixture is what the witness wrote there."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import ROOT
from tests.witness import bvh_file, bvh_pose
from tests.witness.scene_compare import Difference, difference, expected_poses, poses_of, read_scene
from tests.witness.scene_math import Array, about, angle_degrees, array, product
from tests.witness.scene_model import Scene

COMMAND = ROOT / "build" / "bin" / "animbridge"
SCENES = ROOT / "fixtures" / "scene"
TOLD: dict[str, dict[str, Any]] = {
    told["file"]: told
    for told in (json.loads(path.read_text("utf-8")) for path in sorted(SCENES.glob("*.expect.json")))
}
READABLE = [name for name, told in TOLD.items() if told["outcome"] == "reads"]
REFUSED = [name for name, told in TOLD.items() if told["outcome"] == "refused"]
EITHER = [name for name, told in TOLD.items() if told["outcome"] == "either"]
MOVING = [name for name in READABLE if TOLD[name]["animations"]]

# What issue 16 allows at keys.
KEY_METRES = 1e-4
KEY_DEGREES = 0.01
#: Between keys, of a turn in the world: a chain of up to 7 joints, each within 0.01 degrees of its curve.
BETWEEN_DEGREES = 0.05
BETWEEN_METRES = 2e-4


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def report(*words: object) -> dict[str, Any]:
    """The JSON of a command that succeeds."""
    answer = run(*words, "--json")
    assert answer.returncode == 0, answer.stderr
    result: dict[str, Any] = json.loads(answer.stdout)
    return result


def findings(path: Path, level: str = "strict") -> set[str]:
    """The ids of what `check` finds."""
    answer = run("check", path, "--level", level, "--json")
    assert answer.returncode in (0, 1), answer.stderr
    files = json.loads(answer.stdout)
    return {finding["id"] for finding in files["files"][0]["findings"]}


def main_animation(told: dict[str, Any]) -> dict[str, Any]:
    """The animation whose poses `pose` shows: the one that moves most, of equals the longest."""

    def moves(animation: dict[str, Any]) -> int:
        heads = array(animation["world_heads"])
        turns = array(animation["world_rotations"])
        apart = np.abs(heads - heads[:1]).max(axis=(0, 2)) + np.abs(turns - turns[:1]).max(axis=(0, 2))
        return int((apart > 1e-5).sum())

    animations: list[dict[str, Any]] = told["animations"]
    return max(animations, key=lambda one: (moves(one), one["duration_seconds"]))


def ends_of_joints(told: dict[str, Any], joints: set[str]) -> set[str]:
    """In a scene without skins: what hangs below a joint and carries nothing, such as a hand without keys."""
    nodes: list[dict[str, Any]] = told["nodes"]
    if any("skinned" in node["roles"] for node in nodes):
        return set()
    parents = {node["parent"] for node in nodes}
    return {
        node["name"]
        for index, node in enumerate(nodes)
        if index not in parents and node["parent"] is not None and nodes[node["parent"]]["name"] in joints
    }


def joints_by_name(told: dict[str, Any], indices: list[int]) -> dict[str, int]:
    """The places of the joints under the names that the command gives them: repeated ones get numbers."""
    places: dict[str, int] = {}
    for place, index in enumerate(indices):
        wish = told["nodes"][index]["name"] or "node"
        name, number = wish, 0
        while name in places:
            number += 1
            name = f"{wish}.{number}"
        places[name] = place
    return places


#: The FBX camera looks along its +X; the command's cameras all look along their -Z.
FBX_CAMERA = about([0.0, 1.0, 0.0], -90.0)


def shown_turn(told: dict[str, Any], node: int, turn: Array) -> Array:
    """What the command shows of a turn of the witness: it turns roots into clip space, and cameras."""
    turned = product(turn, array(told["root_turn"]))
    is_camera = "camera" in told["nodes"][node]["roles"] and told["format"] == "fbx"
    return product(turned, FBX_CAMERA) if is_camera else turned


@pytest.mark.parametrize("name", MOVING)
def test_poses_are_what_the_witness_wrote(name: str) -> None:
    told = TOLD[name]
    traps = set(told["traps"])
    animation = main_animation(told)
    shift = max(0.0, -animation["start_seconds"])
    # Keys of steps count from their own time on; a shift of the time must not round them down.
    times: list[float] = animation["times_seconds"]
    poses = report("pose", SCENES / name, *(repr(time + shift) for time in times))["poses"]
    places = joints_by_name(told, animation["joints"])
    shown = [joint["joint"] for joint in poses[0]["joints"]]
    ends = set(shown) - set(places)
    assert ends <= ends_of_joints(told, set(places))
    heads, turns = array(animation["world_heads"]), array(animation["world_rotations"])
    for left_out in set(places) - set(shown):
        # What only carries the skeleton.
        place = places[left_out]
        assert "skinned" not in told["nodes"][animation["joints"][place]]["roles"]
        assert np.ptp(heads[:, place], axis=0).max() < 1e-6
    worst: dict[bool, list[float]] = {True: [0.0, 0.0], False: [0.0, 0.0]}
    for pose, on_key, head_row, turn_row in zip(poses, animation["on_key"], heads, turns, strict=True):
        for joint in pose["joints"]:
            if joint["joint"] in ends:
                continue
            place = places[joint["joint"]]
            apart = float(np.abs(array(joint["world_position"]) - head_row[place]).max())
            wanted = shown_turn(told, animation["joints"][place], turn_row[place])
            degrees = angle_degrees(array(joint["world_rotation_wxyz"]), wanted)
            worst[on_key] = [max(worst[on_key][0], apart), max(worst[on_key][1], degrees)]
    # A clip has no sizes that differ by axis; of those that change it has the places that follow from them.
    is_exact = "scale-non-uniform" not in traps or name in EXACT_SCALES
    if is_exact:
        assert worst[True][0] <= KEY_METRES
    if "mirrored" not in traps:  # a mirrored turn is no turn of the file
        assert worst[True][1] <= KEY_DEGREES
    # COLLADA does not say what is between keys.
    if is_exact and told["format"] != "collada":
        assert worst[False][0] <= BETWEEN_METRES
        assert "mirrored" in traps or worst[False][1] <= BETWEEN_DEGREES
    else:
        assert told["format"] == "collada" or findings(SCENES / name) & {
            "scale_on_joint",
            "scale_differs_by_axis",
        }


#: Nothing turns below their uneven scale, or FBX says that it does not reach the joints below.
EXACT_SCALES = {"scale.dae", "scale.fbx"}


@pytest.mark.parametrize("name", [n for n in MOVING if len(TOLD[n]["animations"]) > 1])
def test_every_animation_can_be_had_by_number(name: str, tmp_path: Path) -> None:
    told = TOLD[name]
    for number in range(1, len(told["animations"]) + 1):
        made = tmp_path / f"{number}.glb" if name.endswith(".fbx") else tmp_path / f"{number}.fbx"
        converted(SCENES / name, made, "--animation", number)
        difference = compared(made, told, number - 1)
        assert difference.compared >= 3
        assert difference.millimetres <= WRITTEN_MM
        assert difference.degrees <= WRITTEN_DEGREES
        wanted = told["animations"][number - 1]["name"]
        assert read_scene(made).animations[0].name == (wanted or "Animation")
    answer = run("convert", SCENES / name, tmp_path / "none.glb", "--animation", "no such")
    assert answer.returncode == 2
    assert "no such" in answer.stderr
    assert told["animations"][0]["name"] in answer.stderr
    assert not (tmp_path / "none.glb").exists()


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_file_is_an_error_with_its_name_and_reason(name: str, tmp_path: Path) -> None:
    for words in (
        ("info", SCENES / name),
        ("check", SCENES / name),
        ("pose", SCENES / name, 0),
        ("convert", SCENES / name, tmp_path / "out.glb"),
    ):
        answer = run(*words)
        assert answer.returncode == 1
        assert_clear(answer.stderr, name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", EITHER)
def test_a_damaged_file_is_read_or_refused(name: str) -> None:
    answer = run("check", SCENES / name, "--level", "strict")
    if answer.stderr:
        assert answer.returncode == 1
        assert_clear(answer.stderr, name)
    else:
        assert name in answer.stdout
        report("info", SCENES / name)
        report("pose", SCENES / name, 0)


def assert_clear(text: str, name: str) -> None:
    """One line that names the file and says why."""
    lines = text.strip().splitlines()
    assert len(lines) == 1, text
    assert name in lines[0]
    assert len(lines[0].split(": ")) >= 3
    assert not re.search(r"Traceback|terminate called|std::|\?\?\?", text)


#: What each trap that changes something must be found as.
FOUND_AS = {
    "names-repeat": "name_duplicate",
    "names-empty": "name_empty",
    "rest-is-not-bind": "rest_differs_from_bind",
    "several-animations": "several_animations",
    "scale-animated": "scale_on_joint",
}
#: The same where a trap has a finding in some files only.
FOUND_IN = {
    "no_skeleton.glb": {"no_skeleton", "no_animation"},
    "no_animation.glb": {"no_animation"},
    "no_animation.fbx": {"no_animation"},
    "no_animation.dae": {"no_animation"},
    "all_one_key.glb": {"single_key"},
    "mirrored.glb": {"mirrored"},
    "scale_non_uniform.glb": {"scale_differs_by_axis"},
    "no_ticks.x": {"no_frame_rate"},
    "kinds_of_keys.dae": {"reader_note"},
    "ticks.x": {"unit_guessed"},
    "frames.smd": {"axes_guessed", "unit_guessed"},
    "arm.md5mesh": {"axes_guessed", "unit_guessed"},
    "zero_turn.glb": {"zero_length"},
    "nan.glb": {"bad_number"},
    "infinite.glb": {"bad_number"},
    "times_equal.glb": {"key_order"},
    "times_not_increasing.glb": {"key_order"},
}


@pytest.mark.parametrize("name", READABLE)
def test_each_trap_that_changes_something_is_found(name: str) -> None:
    found = findings(SCENES / name)
    wanted = {FOUND_AS[trap] for trap in TOLD[name]["traps"] if trap in FOUND_AS}
    assert found >= wanted | FOUND_IN.get(name, set())
    if not TOLD[name]["traps"]:
        assert found <= {"curves_resampled", *FOUND_IN.get(name, set())}


@pytest.mark.parametrize("name", [n for n in FOUND_IN if TOLD[n]["outcome"] == "either"])
def test_damage_is_found(name: str) -> None:
    assert findings(SCENES / name) >= FOUND_IN[name]


@pytest.mark.parametrize("name", READABLE)
def test_info_counts_what_the_witness_wrote(name: str) -> None:
    told = TOLD[name]
    shown = report("info", SCENES / name)
    shown = shown.get("files", [shown])[0]
    assert len(shown["animations"]) == len(told["animations"])
    for one, wanted in zip(shown["animations"], told["animations"], strict=True):
        # An SMD is called as its file is, which the reader does not know.
        assert one["name"] == wanted["name"] or told["format"] == "smd"


@pytest.mark.parametrize("name", [n for n in READABLE if "humanoid" in TOLD[n]["traps"]])
def test_body_parts_are_those_that_the_file_names(name: str) -> None:
    told = TOLD[name]
    slots = report("rig", SCENES / name)["slots"]
    names = [node["name"] for node in told["nodes"]]
    assert {slot: one["joint"] for slot, one in slots.items()} == {
        bone: names[node] for bone, node in told["humanoid"]["bones"].items()
    }


#: Of a written file: FBX has straight curves of Euler angles between keys, within 0.01 degrees a joint.
WRITTEN_DEGREES = 0.05
WRITTEN_MM = 0.3


def converted(*words: object) -> dict[str, Any]:
    """The report of a conversion that succeeds."""
    return report("convert", *words)


def compared(made: Path, told: dict[str, Any] | Scene, index: int = 0) -> Difference:
    """How far a written file, with one animation, is from a scene's animation; the witness reads it."""
    found = read_scene(made)
    if isinstance(told, Scene):
        start, end = told.animations[index].span()
        wanted = poses_of(told, index, np.linspace(0.0, end - start, 61).tolist())
        return difference(poses_of(found, 0, wanted.times), wanted)
    wanted = expected_poses(told, index)
    keep = [i for i, on in enumerate(told["animations"][index]["on_key"]) if on]
    wanted.times = [wanted.times[i] for i in keep]
    wanted.heads = [wanted.heads[i] for i in keep]
    wanted.turns = [wanted.turns[i] for i in keep]
    # Times of the new file count from 0 of the old one, or from its first key if that is before.
    animation = told["animations"][index]
    since = max(0.0, animation["start_seconds"]) - found.animations[0].span()[0]
    return difference(poses_of(found, 0, [since + time for time in wanted.times]), wanted)


@pytest.mark.parametrize("ending", ["glb", "gltf", "fbx", "dae"])
@pytest.mark.parametrize("name", ["walk.glb", "walk.fbx", "walk.dae", "motion.vrma"])
def test_a_scene_becomes_another_that_moves_alike(name: str, ending: str, tmp_path: Path) -> None:
    made = tmp_path / f"out.{ending}"
    said = converted(SCENES / name, made)
    if name.endswith(ending):
        assert made.read_bytes() == (SCENES / name).read_bytes()
    else:
        assert name == "motion.vrma" or "verified_by" in said
    found = compared(made, TOLD[name])
    assert found.compared >= 20
    assert found.millimetres <= WRITTEN_MM
    assert found.degrees <= WRITTEN_DEGREES
    assert {finding for finding in findings(made) if finding != "curves_resampled"} == set()


def test_a_scene_is_not_called_a_vrm(tmp_path: Path) -> None:
    for name, ending in (("walk.glb", "vrm"), ("walk.glb", "vrma"), ("vrm1.vrm", "vrma"), ("walk.fbx", "x")):
        answer = run("convert", SCENES / name, tmp_path / f"out.{ending}")
        assert answer.returncode != 0
        assert f"not written as .{ending}" in answer.stderr
    assert list(tmp_path.iterdir()) == []
    converted(SCENES / "vrm1.vrm", tmp_path / "out.vrm")
    assert (tmp_path / "out.vrm").read_bytes() == (SCENES / "vrm1.vrm").read_bytes()


@pytest.mark.parametrize("name", ["walk.glb", "walk.fbx", "walk.dae"])
def test_a_scene_becomes_a_bvh_that_moves_alike(name: str, tmp_path: Path) -> None:
    made = tmp_path / "out.bvh"
    converted(SCENES / name, made)
    bvh = bvh_file.parse(made.read_bytes())
    told = TOLD[name]
    wanted = expected_poses(told, 0)
    names = [joint.name for joint in bvh.joints]
    worst = 0.0
    for time, heads in zip(wanted.times, wanted.heads, strict=True):
        frame = time / bvh.frame_time
        if abs(frame - round(frame)) > 1e-3:
            continue
        shown = bvh_pose.pose(bvh, round(frame)).positions
        for joint, head in zip(wanted.joints, heads, strict=True):
            if joint in names:
                x, y, z = shown[names.index(joint)]
                worst = max(worst, float(np.abs(array([x, -z, y]) - head).max()))
    assert 0.0 < worst <= 1e-4


@pytest.mark.parametrize("ending", ["glb", "gltf", "fbx", "dae"])
def test_a_bvh_becomes_a_scene_that_moves_alike(ending: str, tmp_path: Path) -> None:
    source = ROOT / "fixtures" / "walk" / "slides.bvh"
    bvh = bvh_file.parse(source.read_bytes())
    made = tmp_path / f"out.{ending}"
    converted(source, made, "--keep-heading", "--scale", "1")
    found = read_scene(made)
    names = [node.name for node in found.nodes]
    worst = 0.0
    for frame in range(len(bvh.motion)):
        matrices, _ = found.world(found.animations[0], frame * bvh.frame_time)
        shown = bvh_pose.pose(bvh, frame).positions
        for joint, (x, y, z) in zip(bvh.joints, shown, strict=True):
            if joint.name in names:
                head = matrices[names.index(joint.name)][:3, 3]
                worst = max(worst, float(np.abs(array([x, -z, y]) - head).max()))
    assert 0.0 < worst <= 1e-3 * WRITTEN_MM


@pytest.mark.parametrize("ending", ["glb", "fbx", "dae"])
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("scene/walk.glb", "oni"),
        ("scene/walk.glb", "bin"),
        ("oban/door.oban", "bin"),
        ("oban/door.oban", "anim"),
    ],
)
def test_what_is_not_offered_is_a_clear_error(source: str, target: str, ending: str, tmp_path: Path) -> None:
    path = ROOT / "fixtures" / source
    if not source.startswith("scene"):
        converted(path, tmp_path / f"first.{ending}")
        path = tmp_path / f"first.{ending}"
    answer = run("convert", path, tmp_path / f"out.{target}")
    assert answer.returncode != 0
    assert_clear(answer.stderr, path.name)
    assert not (tmp_path / f"out.{target}").exists()


@pytest.mark.parametrize("name", ["walk.glb", "walk.fbx", "walk.dae", "vrm1.vrm"])
def test_json_keeps_a_scene(name: str, tmp_path: Path) -> None:
    converted(SCENES / name, tmp_path / "one.json")
    told = json.loads((tmp_path / "one.json").read_text("utf-8"))
    assert told["format"] == "scene"
    assert sorted(node["name"] for node in told["nodes"] if node["name"]) == sorted(
        node["name"] for node in TOLD[name]["nodes"] if node["name"]
    )
    converted(tmp_path / "one.json", tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    if TOLD[name]["animations"]:
        converted(tmp_path / "one.json", tmp_path / "out.glb")
        assert compared(tmp_path / "out.glb", TOLD[name]).millimetres <= WRITTEN_MM


def test_the_other_reader_of_fbx_says_what_it_may_get_wrong() -> None:
    answer = run("check", SCENES / "pivots.fbx", "--fbx-reader", "assimp")
    assert "reader_note" in answer.stdout
    assert "pivots" in answer.stdout
    assert "pivots" not in run("check", SCENES / "walk.fbx").stdout
