# SPDX-License-Identifier: MIT
"""`--rig quadruped`: a fox moves the avatar's hind limbs, tail and arms, which no person's rig does.

The fox has the names of Khronos' Fox, as Sketchfab exports them. The witness turns each joint about the axis
to the left, and reads the .anim file.
"""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

import pytest
from material import ROOT
from tests.witness import anim_file, player
from tests.witness.skeleton import load_skeleton
from tests.witness.turns import Turn, back, mul

COMMAND = ROOT / "build" / "bin" / "animbridge"
FRAMES = 11
#: Joint -> parent, place (Y up, looking along Z, left is X), and degrees about X at the end.
FOX: dict[str, tuple[str, tuple[float, float, float], float]] = {
    "b_Hip": ("", (0, 0.6, -0.4), 0),
    "b_Spine01": ("b_Hip", (0, 0.65, -0.3), 5),
    "b_Spine02": ("b_Spine01", (0, 0.65, 0.1), -8),
    "b_Neck": ("b_Spine02", (0, 0.7, 0.4), 0),
    "b_Head": ("b_Neck", (0, 0.85, 0.5), 12),
    **{
        name: row
        for side, x, sign in (("Left", 0.1, 1), ("Right", -0.1, -1))
        for name, row in {
            f"b_{side}UpperArm": ("b_Spine02", (x, 0.6, 0.3), 25 * sign),
            f"b_{side}ForeArm": (f"b_{side}UpperArm", (x, 0.3, 0.28), -10 * sign),
            f"b_{side}Hand": (f"b_{side}ForeArm", (x, 0.08, 0.3), 7),
            f"b_{side}Leg01": ("b_Hip", (x, 0.6, -0.45), 30 * sign),
            f"b_{side}Leg02": (f"b_{side}Leg01", (x, 0.38, -0.4), -20 * sign),
            f"b_{side}Foot01": (f"b_{side}Leg02", (x, 0.2, -0.52), 15),
            f"b_{side}Foot02": (f"b_{side}Foot01", (x, 0.02, -0.46), -5),
        }.items()
    },
    "b_Tail01": ("b_Hip", (0, 0.62, -0.5), 10),
    "b_Tail02": ("b_Tail01", (0, 0.55, -0.65), 10),
    "b_Tail03": ("b_Tail02", (0, 0.4, -0.85), 10),
}
#: Joints of the fox and of the avatar that turn alike, seen from the world.
PAIRS = {
    "b_{S}UpperArm": "mShoulder{S}",
    "b_{S}ForeArm": "mElbow{S}",
    "b_{S}Hand": "mWrist{S}",
    "b_{S}Leg01": "mHindLimb1{S}",
    "b_{S}Leg02": "mHindLimb2{S}",
    "b_{S}Foot01": "mHindLimb3{S}",
    "b_{S}Foot02": "mHindLimb4{S}",
}
ANIM_DEGREES = 0.15


def fox_bvh(path: Path) -> Path:
    """Its joints are counted: b_Hip_00, b_Spine01_01."""
    numbers = {name: f"{name}_{n:02}" for n, name in enumerate(FOX)}
    order: list[str] = []

    def block(name: str, depth: int) -> list[str]:
        order.append(name)
        parent, place, _ = FOX[name]
        above = FOX[parent][1] if parent else (0, 0, 0)
        offset = " ".join(f"{a - b:.6f}" for a, b in zip(place, above, strict=True))
        channels = "6 Xposition Yposition Zposition" if not parent else "3"
        children = [child for child, row in FOX.items() if row[0] == name]
        lines = ["JOINT " * bool(parent) + "ROOT " * (not parent) + numbers[name], "{", f"OFFSET {offset}"]
        lines.append(f"CHANNELS {channels} Xrotation Yrotation Zrotation")
        for child in children:
            lines += block(child, depth + 1)
        if not children:
            lines += ["End Site", "{", "OFFSET 0 -0.02 0.05", "}"]
        return [*lines, "}"]

    lines = ["HIERARCHY", *block("b_Hip", 0), "MOTION", f"Frames: {FRAMES}", "Frame Time: 0.1"]
    for frame in range(FRAMES):
        share = frame / (FRAMES - 1)
        row = [*FOX["b_Hip"][1]]
        for name in order:
            row += [FOX[name][2] * share, 0, 0]
        lines.append(" ".join(f"{value:.6f}" for value in row))
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


def whole_turn(name: str) -> float:
    """Degrees about the axis to the left at the end, with those of the joints above."""
    parent, _, degrees = FOX[name]
    return degrees + (whole_turn(parent) if parent else 0)


def turn_of(pose: player.WorldPose) -> Turn:
    x, y, z, w = (float(each) for each in pose.rotation)
    return w, x, y, z


def degrees_about_left(turn: Turn) -> float:
    """About the avatar's axis to the left; fails if the axis is another."""
    w, x, y, z = turn
    assert max(abs(x), abs(z)) < 0.003
    return math.degrees(2 * math.atan2(y, w))


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def test_a_fox_moves_the_hind_limbs_the_tail_and_the_arms(tmp_path: Path) -> None:
    file = fox_bvh(tmp_path / "fox.bvh")
    answer = run("convert", file, tmp_path / "fox.anim", "--rig", "quadruped", "--max-error", "0.05,0.01")
    assert answer.returncode == 0, answer.stderr
    anim = anim_file.parse((tmp_path / "fox.anim").read_bytes())
    skeleton = load_skeleton()
    first = player.world_pose(anim, skeleton, 0.0)
    last = player.world_pose(anim, skeleton, 0.1 * (FRAMES - 1))
    wanted = {
        target.format(S=side): whole_turn(source.format(S=side))
        for source, target in PAIRS.items()
        for side in ("Left", "Right")
    }
    wanted["mTail6"] = whole_turn("b_Tail03")
    wanted["mHead"] = whole_turn("b_Head")
    for joint, degrees in wanted.items():
        turned = degrees_about_left(mul(turn_of(last[joint]), back(turn_of(first[joint]))))
        assert turned == pytest.approx(degrees, abs=ANIM_DEGREES), joint


def test_a_rig_that_comes_with_animbridge_goes_by_its_name(tmp_path: Path) -> None:
    file = fox_bvh(tmp_path / "fox.bvh")
    text = run("rig", file, "--rig", "quadruped").stdout
    assert "quadruped, score" in text
    assert "mHindLimb1Left" in text
    refused = run("rig", file, "--rig", "quadrupeds")
    assert refused.returncode == 1
    assert "quadrupeds: it is neither a file nor the name of a rig" in refused.stderr
    assert "poser_daz, quadruped, ready_player_me" in refused.stderr


def test_a_file_wins_over_a_rig_of_the_same_name(tmp_path: Path) -> None:
    file = fox_bvh(tmp_path / "fox.bvh")
    (tmp_path / "quadruped").write_text('{"animbridge_rig": 1, "id": "own", "slots": {"head": ["b_Head"]}}')
    answer = subprocess.run(
        [str(COMMAND), "rig", str(file), "--rig", "quadruped"],
        check=True, capture_output=True, encoding="utf-8", timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert "own, score" in answer.stdout
