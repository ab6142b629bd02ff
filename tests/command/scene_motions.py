# SPDX-License-Identifier: MIT
"""Motions of files of every format, as the witnesses read them, and the command that converts them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import oban_scene
from material import ROOT
from tests.witness import anim_file, bvh_file, bvh_pose, mrtk_file, mrtk_player, oban_player, player
from tests.witness.scene_compare import read_scene
from tests.witness.scene_math import Array, array
from tests.witness.skeleton import load_skeleton

COMMAND = ROOT / "build" / "bin" / "animbridge"
FIXTURES = ROOT / "fixtures"
SCENES = FIXTURES / "scene"
SKELETON = load_skeleton()
ONI_RATE = 60.0
#: Joints of each hand that are looked at: the witness takes its time for all of them.
RECORDED = ("Wrist", "ThumbTip", "IndexKnuckle", "IndexTip", "PinkyTip")

Heads = dict[str, Array]


@dataclass
class Motion:
    """Where joints are at a time, in metres, with Z up."""

    duration: float
    at: Callable[[float], Heads]
    #: Of files that say nothing between frames; 0: any time.
    frame_seconds: float = 0.0

    def times(self, other: Motion) -> list[float]:
        """When both say where joints are."""
        end = min(self.duration, other.duration)
        step = max(self.frame_seconds, other.frame_seconds)
        if step > 0.0:
            last = int(end / step + 1e-6)
            return [frame * step for frame in range(0, last + 1, max(1, last // 5))]
        return [float(time) for time in np.linspace(0.0, end, 5)]


def anim_motion(path: Path) -> Motion:
    """As the viewer shows it."""
    anim = anim_file.parse(path.read_bytes())

    def at(seconds: float) -> Heads:
        poses = player.world_pose(anim, SKELETON, seconds)
        return {name: array(pose.position) for name, pose in poses.items()}

    return Motion(float(anim.duration), at)


def bvh_motion(path: Path) -> Motion:
    """With Y up, looking along +Z, in metres."""
    bvh = bvh_file.parse(path.read_bytes())

    def at(seconds: float) -> Heads:
        places = bvh_pose.pose(bvh, min(round(seconds / bvh.frame_time), len(bvh.motion) - 1)).positions
        joints = zip(bvh.joints, places, strict=True)
        return {joint.name: array([x, -z, y]) for joint, (x, y, z) in joints if joint.name}

    return Motion((len(bvh.motion) - 1) * bvh.frame_time, at, bvh.frame_time)


def oban_motion(path: Path) -> Motion:
    """One object; ten of Oni's units are a metre."""
    record = oban_scene.record_of(path.read_bytes())

    def at(seconds: float) -> Heads:
        x, y, z = oban_player.pose(record, seconds * ONI_RATE).position
        return {"object": 0.1 * array([x, -z, y])}

    return Motion(oban_player.last_frame(record) / ONI_RATE, at)


def recording_motion(path: Path) -> Motion:
    """Hands and camera; Unity's axes are left-handed, with Y up."""
    made = mrtk_file.parse(path.read_bytes())
    names = {"camera": "Camera"}
    for hand, letter in (("left", "L"), ("right", "R")):
        names |= {f"{hand}.{joint}": f"{letter}_{joint}" for joint in RECORDED}
    there = {owner: name for owner, name in names.items() if mrtk_player.exists(made, owner)}

    def at(seconds: float) -> Heads:
        found: Heads = {}
        for owner, name in there.items():
            x, y, z = mrtk_player.pose_of(made, owner, seconds).position
            found[name] = array([x, z, y])
        return found

    return Motion(mrtk_player.duration(made), at)


def scene_motion(path: Path) -> Motion:
    """The first animation, in the axes and the unit that the file names."""
    scene = read_scene(path)
    animation = scene.animations[0]
    start = min(0.0, animation.span()[0])

    def at(seconds: float) -> Heads:
        worlds = scene.world(animation, start + seconds)[0]
        return {node.name: world[:3, 3] for node, world in zip(scene.nodes, worlds, strict=True)}

    return Motion(animation.span()[1] - start, at)


READERS: dict[str, Callable[[Path], Motion]] = {
    ".anim": anim_motion,
    ".bvh": bvh_motion,
    ".oban": oban_motion,
    ".bin": recording_motion,
    ".glb": scene_motion,
    ".gltf": scene_motion,
    ".vrma": scene_motion,
    ".fbx": scene_motion,
    ".dae": scene_motion,
}


def motion_of(path: Path) -> Motion:
    """By the witness of its format."""
    return READERS[path.suffix](path)


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=120
    )


def convert(*words: object) -> dict[str, Any]:
    """The report of a conversion that succeeds."""
    answer = run("convert", *words, "--json")
    assert answer.returncode == 0, answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def most_metres_apart(wanted: Motion, found: Motion, renamed: dict[str, str] | None = None) -> float:
    """Of joints with equal names, or of those that are renamed."""
    worst = 0.0
    for seconds in wanted.times(found):
        before, after = wanted.at(seconds), found.at(seconds)
        pairs = renamed or {name: name for name in before if name in after}
        assert pairs
        for name, other in pairs.items():
            worst = max(worst, float(np.linalg.norm(before[name] - after[other])))
    return worst
