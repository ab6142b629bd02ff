# SPDX-License-Identifier: MIT
"""Every cell of the table in docs/scenes.md: the command converts a fixture, the witnesses read both ends."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import oban_scene
import pytest
from material import DEMO, ROOT
from scene_motions import (
    FIXTURES,
    ONI_RATE,
    SCENES,
    Heads,
    convert,
    most_metres_apart,
    motion_of,
    oban_motion,
    run,
    scene_motion,
)
from tests.witness import oban_any
from tests.witness.scene_compare import read_scene
from tests.witness.scene_math import array

#: Second Life's BVH files count in inches.
INCH = 0.0254
SCENE_COLUMNS = ("glb", "gltf", "fbx", "dae")
#: A file of each row.
OTHERS = {
    "anim": DEMO / "dance.anim",
    "bvh": FIXTURES / "walk" / "slides.bvh",
    "oban": FIXTURES / "oban" / "door.oban",
    "recording": FIXTURES / "mrtk" / "two_hands_v11.bin",
    "recorded_camera": FIXTURES / "mrtk" / "camera_v10.bin",
}
SCENES_THAT_MOVE = {
    "fbx": SCENES / "walk.fbx",
    "glb": SCENES / "walk.glb",
    "gltf": SCENES / "embedded.gltf",
    "dae": SCENES / "walk.dae",
    "vrma": SCENES / "motion.vrma",
}
CAMERAS = {
    "fbx_camera": (SCENES / "camera.fbx", "Shot"),
    "dae_camera": (SCENES / "camera.dae", "Shot"),
    "glb_camera": (SCENES / "cameras.glb", "Shot"),
    "glb_node": (SCENES / "lone_node.glb", "Door"),
}
#: What a scene leaves of a place: 32-bit floats, and in FBX straight curves of angles, within 0.002
#: degrees for each joint of a limb.
SCENE_METRES = 1e-4
#: The curves of a recording become lines.
LINES_METRES = 3e-4


def nearness(row: str) -> float:
    """How far a joint may be from its place."""
    return LINES_METRES if row == "recording" else SCENE_METRES


@pytest.mark.parametrize("column", SCENE_COLUMNS)
@pytest.mark.parametrize("row", [*OTHERS, *SCENES_THAT_MOVE, *CAMERAS])
def test_to_a_scene(row: str, column: str, tmp_path: Path) -> None:
    path = CAMERAS[row][0] if row in CAMERAS else (OTHERS | SCENES_THAT_MOVE)[row]
    made = tmp_path / f"out.{column}"
    words = ["--keep-heading"] if row in OTHERS else []
    convert(path, made, *words, *(["--scale", "1"] if row == "bvh" else []))
    wanted, found = motion_of(path), motion_of(made)
    assert most_metres_apart(wanted, found) <= nearness(row)
    assert found.duration == pytest.approx(wanted.duration, abs=1e-3)


@pytest.mark.parametrize("row", ["oban", "recording", "recorded_camera", *SCENES_THAT_MOVE, *CAMERAS])
def test_to_bvh(row: str, tmp_path: Path) -> None:
    path = CAMERAS[row][0] if row in CAMERAS else (OTHERS | SCENES_THAT_MOVE)[row]
    convert(path, tmp_path / "out.bvh", "--fps", 60)
    assert most_metres_apart(motion_of(path), motion_of(tmp_path / "out.bvh")) <= nearness(row)


def test_from_an_anim_to_bvh(tmp_path: Path) -> None:
    """The viewer turns this BVH into a motion again: its axes and inches are the viewer's."""
    convert(OTHERS["anim"], tmp_path / "out.bvh")
    wanted, found = motion_of(OTHERS["anim"]), motion_of(tmp_path / "out.bvh")
    worst = 0.0
    for seconds in wanted.times(found)[1:]:
        # The first frame is the viewer's reference pose, before the motion begins.
        before, after = wanted.at(seconds - found.frame_seconds), found.at(seconds)
        for name in " ".join(LIMBS.values()).split():
            x, y, z = after[name] - after["mPelvis"]
            way = before[name] - before["mPelvis"]
            worst = max(worst, float(np.linalg.norm(way - INCH * array([-y, x, z]))))
    # A collar that hardly moves gets up to a degree in some frames, so that the viewer keeps it, and an arm
    # is 0.7 m long. Elsewhere, six decimals are left.
    assert 0.0 < worst <= 0.015


#: Upper, middle and lower end of limbs, by the names of the fixtures and of the avatar.
LIMBS = {
    "leftUpperLeg leftLowerLeg leftFoot": "mHipLeft mKneeLeft mAnkleLeft",
    "rightUpperLeg rightLowerLeg rightFoot": "mHipRight mKneeRight mAnkleRight",
    "leftUpperArm leftLowerArm leftHand": "mShoulderLeft mElbowLeft mWristLeft",
    "rightUpperArm rightLowerArm rightHand": "mShoulderRight mElbowRight mWristRight",
}


def bend_degrees(heads: Heads, limb: str) -> float:
    """Between the two bones of a limb: whatever their lengths, and wherever the body looks."""
    by_name = {name.lower(): place for name, place in heads.items()}
    first, middle, last = (by_name[name.lower()] for name in limb.split())
    upper, lower = middle - first, last - middle
    share = float(upper @ lower / (np.linalg.norm(upper) * np.linalg.norm(lower)))
    return float(np.degrees(np.arccos(np.clip(share, -1.0, 1.0))))


def parts_of(path: Path) -> dict[str, str]:
    """Names of joints by the names of their parts, which a VRMA says apart."""
    told = json.loads(path.with_name(path.name + ".expect.json").read_text("utf-8"))
    bones: dict[str, int] = told["humanoid"]["bones"]
    return {part: told["nodes"][node]["name"] for part, node in bones.items()}


@pytest.mark.parametrize("row", ["bvh", "fbx", "glb", "dae", "vrma"])
def test_to_the_avatar(row: str, tmp_path: Path) -> None:
    """`animbridge convert walk.fbx walk.anim`: limbs bend as they did."""
    path = (OTHERS | SCENES_THAT_MOVE)[row]
    convert(path, tmp_path / "out.anim", *(["--retarget"] if row == "bvh" else []))
    wanted, found = motion_of(path), motion_of(tmp_path / "out.anim")
    names = parts_of(path) if row == "vrma" else {}
    most_bent = 0.0
    for seconds in wanted.times(found):
        before, after = wanted.at(seconds), found.at(seconds)
        for limb, avatars in LIMBS.items():
            bend = bend_degrees(before, " ".join(names.get(part, part) for part in limb.split()))
            most_bent = max(most_bent, bend)
            # Each of three turns in 16 bits, and the reduction's 0.1 degrees for each joint.
            assert bend_degrees(after, avatars) == pytest.approx(bend, abs=1.0), (limb, seconds)
    assert most_bent > 10.0


@pytest.mark.parametrize("column", ["glb", "fbx", "dae", "bvh"])
def test_a_recording_through_another_file(column: str, tmp_path: Path) -> None:
    """hands.bin -> hands.glb -> hands.bin: joints keep their names, so that they are the hands again."""
    convert(OTHERS["recording"], tmp_path / f"hands.{column}", "--fps", 60)
    convert(tmp_path / f"hands.{column}", tmp_path / "hands.bin")
    wanted, found = motion_of(OTHERS["recording"]), motion_of(tmp_path / "hands.bin")
    # A BVH's lines from frame to frame are what the recording's lines are made of.
    assert most_metres_apart(wanted, found) <= (2e-3 if column == "bvh" else 1e-3)


def test_the_avatars_hands_become_a_recording(tmp_path: Path) -> None:
    convert(OTHERS["anim"], tmp_path / "hands.bin")
    wanted, found = motion_of(OTHERS["anim"]), motion_of(tmp_path / "hands.bin")
    # The avatar looks along +X in its own file; a recording, as every clip of a body, is turned to its front.
    for seconds in wanted.times(found):
        before, after = wanted.at(seconds), found.at(seconds)
        way = float(np.linalg.norm(before["mWristLeft"] - before["mWristRight"]))
        assert float(np.linalg.norm(after["L_Wrist"] - after["R_Wrist"])) == pytest.approx(way, abs=1e-3)


@pytest.mark.parametrize("row", [*CAMERAS, "recorded_camera"])
@pytest.mark.parametrize("column", ["oban", "oni"])
def test_cameras_and_lone_nodes_become_objects_of_oni(row: str, column: str, tmp_path: Path) -> None:
    path, joint = CAMERAS.get(row, (OTHERS["recorded_camera"], "Camera"))
    convert(path, tmp_path / f"out.{column}", "--joint", joint)
    wanted, found = motion_of(path), oban_motion(tmp_path / f"out.{column}")
    whole = [frame / ONI_RATE for frame in range(0, round(found.duration * ONI_RATE) + 1, 7)]
    for seconds in whole:
        apart = wanted.at(min(seconds, wanted.duration))[joint] - found.at(seconds)["object"]
        # The bound of the OBAN's reduction.
        assert float(np.linalg.norm(apart)) <= 1e-3


@pytest.mark.parametrize("row", ["anim", "bvh", "fbx", "glb", "dae"])
def test_one_joint_becomes_an_object_of_oni(row: str, tmp_path: Path) -> None:
    path = (OTHERS | SCENES_THAT_MOVE)[row]
    joint = {"anim": "mPelvis", "bvh": "hips"}.get(row, "Hips")
    convert(path, tmp_path / "out.oban", "--joint", joint)
    wanted, found = motion_of(path), oban_motion(tmp_path / "out.oban")
    step = wanted.frame_seconds or 1 / ONI_RATE
    for frame in range(0, int(min(wanted.duration, found.duration) / step), 9):
        seconds = frame * step
        apart = wanted.at(seconds)[joint] - found.at(seconds)["object"]
        assert float(np.linalg.norm(apart)) <= 1e-3


def test_a_level_gives_one_of_its_objects(tmp_path: Path) -> None:
    level = FIXTURES / "oban" / "level_pc.dat"
    convert(level, tmp_path / "door.oban", "--oban", "Door_A")
    convert(tmp_path / "door.oban", tmp_path / "door.glb")
    wanted = oban_motion(tmp_path / "door.oban")
    assert most_metres_apart(wanted, scene_motion(tmp_path / "door.glb")) <= SCENE_METRES
    named = {found.name: found.record for found in oban_any.read(level.read_bytes()).found}
    found = oban_scene.record_of((tmp_path / "door.oban").read_bytes())
    assert found.keys == named[b"OBANDoor_A"].keys


@pytest.mark.parametrize("row", [*OTHERS, *SCENES_THAT_MOVE])
def test_json_keeps_the_motion(row: str, tmp_path: Path) -> None:
    path = (OTHERS | SCENES_THAT_MOVE)[row]
    made = tmp_path / f"again{'.glb' if row in SCENES_THAT_MOVE else path.suffix}"
    convert(path, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["format"]
    convert(tmp_path / "out.json", made)
    assert most_metres_apart(motion_of(path), motion_of(made)) <= SCENE_METRES


def test_a_mark_names_the_animation(tmp_path: Path) -> None:
    """`file.fbx#Name`"""
    source = SCENES / "several_animations.fbx"
    scene = read_scene(source)
    for number, animation in enumerate(scene.animations):
        made = tmp_path / f"{number}.glb"
        convert(f"{source}#{animation.name}", made)
        found = read_scene(made)
        start = max(0.0, animation.span()[0])
        head = [node.name for node in found.nodes].index("Head")
        for share in (0.0, 0.5, 1.0):
            seconds = share * (animation.span()[1] - start)
            theirs = found.world(found.animations[0], found.animations[0].span()[0] + seconds)[0][head]
            index = [node.name for node in scene.nodes].index("Head")
            ours = scene.world(animation, start + seconds)[0][index]
            assert float(np.linalg.norm(ours[:3, 3] - theirs[:3, 3])) <= SCENE_METRES


#: What has no cell, and words of the reason.
NO_CELL = [
    ("oban", "anim", "none was found to be a part of a body"),
    ("oban", "bin", "no hand was found"),
    ("recorded_camera", "anim", "none was found to be a part of a body"),
    ("glb", "bin", "no hand was found"),
    ("glb", "oban", "--joint: is missing"),
    ("vrma", "vrm", "not written as .vrm"),
]


@pytest.mark.parametrize(("row", "column", "why"), NO_CELL)
def test_what_is_not_offered_says_why(row: str, column: str, why: str, tmp_path: Path) -> None:
    path = (OTHERS | SCENES_THAT_MOVE)[row]
    answer = run("convert", path, tmp_path / f"out.{column}")
    assert answer.returncode in (1, 2)
    assert path.name in answer.stderr
    assert why in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_level_is_no_motion(tmp_path: Path) -> None:
    answer = run("convert", FIXTURES / "oban" / "level_pc.dat", tmp_path / "out.glb")
    assert answer.returncode != 0
    assert "animbridge oban extract" in answer.stderr


def test_the_page_has_the_rows_and_columns() -> None:
    page = (ROOT / "docs" / "scenes.md").read_text("utf-8")
    table = page.partition("## From what to what")[2].partition("##")[0]
    rows = [row for row in table.splitlines() if row.startswith("| **")]
    assert [re.sub(r"[*`]", "", row.split("|")[1]).strip() for row in rows] == [
        ".anim",
        "BVH",
        "OBAN",
        "Oni level",
        "recording",
        "FBX",
        "glTF, GLB",
        "COLLADA",
        "other scenes",
    ]
    assert {row.count("|") for row in rows} == {8}
