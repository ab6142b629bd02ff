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
from tests.witness.scene_math import angle_degrees, array, product

COMMAND = Path(__import__("os").environ.get("ABCMD", ROOT / "build" / "bin" / "animbridge"))
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


def front_turn(name: str) -> np.ndarray:
    """VRM 0.x looks along -Z of its file; the command turns every body to -Y."""
    return array([0.0, 0.0, 0.0, 1.0]) if name == "vrm0.vrm" else array([1.0, 0.0, 0.0, 0.0])


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
    assert set(shown) <= set(places)
    heads, turns = array(animation["world_heads"]), array(animation["world_rotations"])
    for left_out in set(places) - set(shown):
        # What only carries the skeleton.
        place = places[left_out]
        assert "skinned" not in told["nodes"][animation["joints"][place]]["roles"]
        assert np.ptp(heads[:, place], axis=0).max() < 1e-6
    root_turn = array(told["root_turn"])
    worst: dict[bool, list[float]] = {True: [0.0, 0.0], False: [0.0, 0.0]}
    for pose, on_key, head_row, turn_row in zip(poses, animation["on_key"], heads, turns, strict=True):
        for joint in pose["joints"]:
            place = places[joint["joint"]]
            apart = float(np.abs(array(joint["world_position"]) - head_row[place]).max())
            wanted = product(turn_row[place], root_turn)
            degrees = angle_degrees(array(joint["world_rotation_wxyz"]), wanted)
            worst[on_key] = [max(worst[on_key][0], apart), max(worst[on_key][1], degrees)]
    print(name, worst, sorted(traps))
    # A clip has no sizes that change; and mirrored or stretched turns are no turns of the file.
    if "scale-animated" not in traps:
        assert worst[True][0] <= KEY_METRES
    if not traps & {"mirrored", "scale-non-uniform"}:
        assert worst[True][1] <= KEY_DEGREES
