# SPDX-License-Identifier: MIT
"""Corner cases of viewer poses: other formats out of them, the poser's older BVHs, hostile files, codes."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scene_motions import Motion, motion_of
from test_pose_command import REST, apart_degrees, full, poser_case, run, shown_by  # noqa: F401  (a fixture)
from tests.witness import anim_file, player, pose_file, quantise
from tests.witness.cases.sl_pose_cases import joint
from tests.witness.pose_file import IDENTITY, VOLUMES, Real, firestorm_file
from tests.witness.quaternion import Vector, about_axis, product, rotate
from tests.witness.skeleton import load_skeleton

SKELETON = load_skeleton()


def heads(joints: dict[str, dict[str, Any]]) -> dict[str, Vector]:
    """Where bones are without scales, from the pelvis' place on."""
    turns: dict[str, Vector] = {}
    places: dict[str, Vector] = {}
    for name, node in REST.items():
        if node.kind != "bone":
            continue
        turn, place = turns.get(node.parent, IDENTITY), places.get(node.parent, np.zeros(3))
        own = joints.get(name, {"rotation": node.rotation, "position": node.position})
        places[name] = place + rotate(turn, own["position"])
        turns[name] = product(turn, own["rotation"])
    return places


# A file that Assimp writes has its lengths in single precision, in centimetres.
@pytest.mark.parametrize(("ending", "metres"), [("glb", 2e-6), ("fbx", 1e-4)])
def test_a_pose_in_a_scene(ending: str, metres: float, full: Path, tmp_path: Path) -> None:  # noqa: F811
    run("convert", full, tmp_path / f"pose.{ending}")
    found: Motion = motion_of(tmp_path / f"pose.{ending}")
    shown = found.at(0.0)
    wanted = heads(shown_by(full))
    names = [name for name in wanted if name in shown]
    assert len(names) == 133
    # The axes are the scene's, so distances are compared.
    left, right = (np.array([places[name] for name in names]) for places in (wanted, shown))
    between = [np.linalg.norm(points[:, None] - points[None], axis=2) for points in (left, right)]
    assert np.abs(between[0] - between[1]).max() < metres
    assert np.linalg.det(np.linalg.lstsq(left - left[0], right - right[0], rcond=None)[0]) > 0.9


def undone(data: bytes, folder: Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The report, and the pose that a BVH becomes."""
    (folder / "a.bvh").write_bytes(data)
    report = json.loads(run("convert", folder / "a.bvh", folder / "a.xml", "--to", "pose", "--json"))
    return report, shown_by(folder / "a.xml")


def test_a_posers_bvh_with_empty_offsets(tmp_path: Path) -> None:
    """7.2.2 wrote none for volumes."""
    deltas, pelvis, free = poser_case()
    data = pose_file.poser_bvh(deltas, pelvis, free, names_volumes=False)
    assert data.count(b"OFFSET \n") == 25
    report, found = undone(data, tmp_path)
    assert set(report["free"]) == free
    for name, delta in deltas.items():
        assert apart_degrees(found[name]["rotation"], product(REST[name].rotation, delta)) < 1e-4, name


def test_the_bvh_of_the_first_poser(tmp_path: Path) -> None:
    """7.1.13: 128 bones, a position in metres, and no offset that holds a joint."""
    deltas, pelvis, _ = poser_case()
    deltas = {name: delta for name, delta in deltas.items() if name not in VOLUMES and "Foot" not in name}
    report, found = undone(pose_file.poser_bvh(deltas, pelvis, set(), is_old=True), tmp_path)
    assert report["is_old"] and report["joints"] == 128 and not report["held_at_zero"] and not report["free"]
    assert np.abs(found["mPelvis"]["position"] - pelvis).max() < 1e-6
    for name, delta in deltas.items():
        assert apart_degrees(found[name]["rotation"], delta) < 1e-4, name
    assert "poser_bvh_metres" in run("check", tmp_path / "a.bvh", "--fail-on", "never")


@pytest.mark.parametrize("numbers", ["-0.650000 0.000000 0.000000", "0.650000 0.000001 0.000000"])
def test_a_turn_that_looks_like_an_offset_stays(numbers: str, tmp_path: Path) -> None:
    """Only the offset itself, about x alone, is one."""
    data = pose_file.poser_bvh({}, np.zeros(3), set()).decode()
    at = next(i for i, row in enumerate(data.splitlines()[-1].split("  ")[1:]) if row.startswith("0.650"))
    rows = data.splitlines()
    last = rows[-1].split("  ")
    last[at + 1] = numbers
    report, found = undone("\n".join([*rows[:-1], "  ".join(last), ""]).encode(), tmp_path)
    assert len(report["held_at_zero"]) == 154
    (name,) = found.keys() - set(report["held_at_zero"])
    turn = product(
        about_axis(0, float(numbers.split(maxsplit=1)[0])), about_axis(1, float(numbers.split()[1]))
    )
    assert apart_degrees(found[name]["rotation"], product(REST[name].rotation, turn)) < 1e-5


def test_a_bvh_of_free_joints(tmp_path: Path) -> None:
    names = set(pose_file.FIRESTORM.values())
    report, found = undone(pose_file.poser_bvh({}, np.zeros(3), names), tmp_path)
    assert set(report["free"]) == names and not report["held_at_zero"]
    assert {one["known"] for one in found.values()} == {"free"}


def test_states_have_any_number(tmp_path: Path) -> None:
    """Their order is by number, and not by text: 10^9 comes after 2."""
    state = {"animationId": "2408fe9e-df1d-1d7d-f4ff-1384fa7b3500", "captureOrder": 0, "inLayerOrder": 0}
    states = {
        f"poseState{number}": {**state, "lastUpdateTime": Real(number % 7)}
        for number in (10**9, 2, 10, 99999999999999999999)
    }
    path = tmp_path / "a.xml"
    path.write_bytes(pose_file.pretty(firestorm_file(8, False, mHead=joint(), **states)))
    told = json.loads(run("info", path, "--json"))["animations_below"]
    assert [row["seconds"] for row in told][:3] == [2.0, 3.0, 10**9 % 7]


def test_a_line_of_100_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    with path.open("wb") as file:
        file.write(b"<llsd><map><key>version</key><string>")
        for _ in range(100):
            file.write(b"8" * 1_000_000)
        file.write(b"</string></map></llsd>")
    assert "found 100000059 bytes; allowed are 16777216" in run("check", path, code=1)


def best_of_neighbours(wanted: Vector, reach: int = 6) -> float:
    """Degrees by which the nearest codes within so many steps are off; w is what x, y and z leave."""
    q = wanted if wanted[3] >= 0 else -wanted
    middle = quantise.encode_rotation(q[:3]).astype(int)
    steps = np.arange(-reach, reach + 1)
    around = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3) + middle
    found = quantise.quaternion_of_codes(np.clip(around, 0, 65535)).astype(float)
    found /= np.linalg.norm(found, axis=1)[:, None]
    chords = np.minimum(np.linalg.norm(found - q, axis=1), np.linalg.norm(found + q, axis=1))
    return math.degrees(4 * math.asin(float(chords.min()) / 2))


@pytest.mark.parametrize("degrees", [30.0, 150.0, 175.0, 179.0, 179.9, 180.0])
def test_a_joint_takes_the_nearest_codes(degrees: float, tmp_path: Path) -> None:
    """Where w is near 0, the nearest codes of x, y and z are not those of the nearest rotation."""
    dice = random.Random(degrees)
    half = math.radians(degrees) / 2
    joints = {}
    for name in list(pose_file.FIRESTORM.values())[:60]:
        axis = np.array([dice.gauss(0, 1) for _ in range(3)])
        axis /= np.linalg.norm(axis)
        q = np.array([*(math.sin(half) * axis), math.cos(half)])
        if name not in VOLUMES:
            joints[name] = joint([Real(angle) for angle in pose_file.angles(q)])
    path = tmp_path / "a.xml"
    path.write_bytes(pose_file.pretty(firestorm_file(8, **joints)))
    run("convert", path, tmp_path / "a.anim")
    played = player.local_pose(anim_file.parse((tmp_path / "a.anim").read_bytes()), SKELETON, 0.0)
    wanted = shown_by(path)
    for name in joints:
        q = played[name].rotation
        assert q is not None
        # A step of a code is 0.0035 degrees.
        off = apart_degrees(q / np.linalg.norm(q), wanted[name]["rotation"])
        assert off <= best_of_neighbours(wanted[name]["rotation"]) + 4e-3, name
