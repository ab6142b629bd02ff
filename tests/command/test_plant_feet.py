# SPDX-License-Identifier: MIT
"""`animbridge edit --plant-feet`: feet that slide stand still, and all else keeps its numbers.

The witness reads what came out, and the walk's own truth says when its feet stand.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import ROOT
from tests.witness import anim_file, bvh_file, bvh_pose, player
from tests.witness.bvh_file import Bvh
from tests.witness.skeleton import load_skeleton

COMMAND = ROOT / "build" / "bin" / "animbridge"
WALK = ROOT / "fixtures" / "walk" / "slides.bvh"
TRUTH = json.loads((WALK.parent / "walks.json").read_text(encoding="utf-8"))[WALK.name]
#: Within this of a contact's ends, a foot is put down or lifted.
END_SECONDS = 0.1
#: Per second: the positions of a viewer's avatar, in metres, or a BVH's in its unit.
Place = Callable[[str, float], Any]


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def planted(source: Path, out: Path) -> dict[str, Any]:
    """The report of an edit that succeeds."""
    answer = run("edit", source, out, "--plant-feet", "--json")
    assert answer.returncode == 0, answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)["planted"]
    return report


def slide(place: Place, joints: tuple[str, ...]) -> float:
    """The horizontal path of these joints while the walk's feet stand, in units per second; Y is up."""
    path = seconds = 0.0
    for contact in TRUTH["contacts"]:
        times = np.arange(contact["start"] + END_SECONDS, contact["end"] - END_SECONDS, 1 / 30)
        for joint in joints:
            places = [place(f"{contact['side']}{joint}", time) for time in times]
            path += sum(float(np.linalg.norm((b - a)[[0, 2]])) for a, b in pairwise(places))
            seconds += max(len(places) - 1, 0) / 30
    return path / seconds


def places_of(bvh: Bvh) -> Place:
    """Where a joint is at the frame nearest to a time."""
    names = [joint.name for joint in bvh.joints]

    def place(joint: str, seconds: float) -> Any:
        return bvh_pose.pose(bvh, round(seconds / bvh.frame_time)).positions[names.index(joint)]

    return place


def test_a_bvh_keeps_all_other_numbers(tmp_path: Path) -> None:
    report = planted(WALK, tmp_path / "planted.bvh")
    before = bvh_file.parse(WALK.read_bytes())
    after = bvh_file.parse((tmp_path / "planted.bvh").read_bytes())
    joints = ("Foot", "Toes")
    assert slide(places_of(before), joints) > 0.03
    assert slide(places_of(after), joints) < 0.0005
    for foot in report["feet"]:
        assert foot["unplanted"]["slide_mm_per_second"] > 30
        assert foot["slide_mm_per_second"] < 1
        assert foot["depth_mm"] < 2
        assert foot["float_mm"] < 2
    columns = [joint.name for joint in before.joints for _ in joint.channels]
    same = [
        all(a[i] == b[i] for a, b in zip(before.motion, after.motion, strict=True))
        for i in range(len(columns))
    ]
    changed = {name for name, is_same in zip(columns, same, strict=True) if not is_same}
    assert changed == set(report["joints"])
    assert {name.removeprefix("left").removeprefix("right") for name in changed} <= {
        *("hips", "UpperLeg", "LowerLeg", "Foot", "Toes")
    }


def test_an_anim_keeps_its_header_and_all_other_keys(tmp_path: Path) -> None:
    source, out = tmp_path / "walk.anim", tmp_path / "planted.anim"
    assert run("convert", WALK, source, "--loop", "--priority", "4").returncode == 0
    report = planted(source, out)
    before = anim_file.parse(source.read_bytes())
    after = anim_file.parse(out.read_bytes())
    legs = {f"m{part}{side}" for part in ("Hip", "Knee", "Ankle", "Foot") for side in ("Left", "Right")}
    assert set(report["joints"]) <= legs | {"mPelvis"}
    for name in vars(before):
        assert name == "joints" or getattr(before, name) == getattr(after, name), name
    keys = {joint.name: joint for joint in after.joints}
    for joint in before.joints:
        if joint.name.decode() not in report["joints"]:
            assert np.array_equal(joint.rotation_keys, keys[joint.name].rotation_keys)
            assert np.array_equal(joint.position_keys, keys[joint.name].position_keys)
    skeleton = load_skeleton()
    bones = {"Foot": "mAnkle", "Toes": "mFoot"}

    def places(anim: anim_file.AnimFile) -> Place:
        def place(joint: str, seconds: float) -> Any:
            side = "Left" if joint.startswith("left") else "Right"
            bone = bones[joint.removeprefix(side.lower())] + side
            x, y, z = player.world_pose(anim, skeleton, seconds)[bone].position
            return np.array([x, z, y])

        return place

    assert slide(places(before), tuple(bones)) > 0.03
    assert slide(places(after), tuple(bones)) < 0.005


@pytest.mark.parametrize(("now", "old"), [(["--plant-feet"], "--pin-feet"), ([], "--keep-touch")])
def test_the_old_name_still_works_and_is_not_shown(now: list[str], old: str, tmp_path: Path) -> None:
    written = []
    for flags in (now, [old]):
        out = tmp_path / "out.anim"
        assert run("convert", WALK, out, *flags).returncode == 0
        written.append(out.read_bytes())
    assert written[0] == written[1]
    assert f" {old} " not in run("convert", "--help-all").stdout


def test_legs_that_the_file_cannot_turn_are_refused(tmp_path: Path) -> None:
    """A knee with one channel: what would be written is not what would be reported."""
    bvh = bvh_file.parse(WALK.read_bytes())
    knee = next(joint for joint in bvh.joints if joint.name == "leftLowerLeg")
    first = sum(len(joint.channels) for joint in bvh.joints[: bvh.joints.index(knee)])
    bend = first + knee.channels.index("Xrotation")
    bvh.motion = [[*row[:first], row[bend], *row[first + 3 :]] for row in bvh.motion]
    knee.channels = ["Xrotation"]
    (tmp_path / "walk.bvh").write_bytes(bvh_file.write(bvh))
    answer = run("edit", tmp_path / "walk.bvh", tmp_path / "out.bvh", "--plant-feet")
    assert answer.returncode == 1 and "'leftLowerLeg' lacks channels to turn freely" in answer.stderr
    assert not (tmp_path / "out.bvh").exists()


def test_steps_are_left_alone_and_said(tmp_path: Path) -> None:
    """The second half of the walk is on a step, half a leg higher."""
    bvh = bvh_file.parse(WALK.read_bytes())
    hips = [joint.name for joint in bvh.joints].index("hips")
    column = sum(len(joint.channels) for joint in bvh.joints[:hips])
    up = column + bvh.joints[hips].channels.index("Yposition")
    for number, row in enumerate(bvh.motion):
        row[up] += 0.2 if number > len(bvh.motion) // 2 else 0.0
    source, out = tmp_path / "steps.bvh", tmp_path / "planted.bvh"
    source.write_bytes(bvh_file.write(bvh))
    answer = run("edit", source, out, "--plant-feet")
    assert "as on a slope or steps. No foot is planted." in answer.stdout
    assert bvh_file.parse(out.read_bytes()).motion == bvh_file.parse(source.read_bytes()).motion


def test_what_cannot_be_planted_says_why(tmp_path: Path) -> None:
    scene = run("edit", ROOT / "fixtures" / "scene" / "walk.glb", tmp_path / "out.glb", "--plant-feet")
    assert scene.returncode == 2
    assert "animbridge convert IN OUT --onto IN --plant-feet" in scene.stderr
    legless = tmp_path / "legless.bvh"
    legless.write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n",
        encoding="ascii",
    )
    answer = run("edit", legless, tmp_path / "out.bvh", "--plant-feet")
    assert answer.returncode == 1
    assert "no leg was found" in answer.stderr
    assert not (tmp_path / "out.bvh").exists()
