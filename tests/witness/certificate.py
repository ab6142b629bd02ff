# SPDX-License-Identifier: MIT
"""What a certificate says of a `.anim` and a GLB or another `.anim`, measured by the witness's readers.

Both files are played at all their keys and half-way between. One error is one joint at one time: how far its
position is off, and how far its turn relative to the joint above, both since the rest pose. A figure that
faces elsewhere at rest is turned first. `python -m tests.witness.certificate A B` prints the spreads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import anim_file, player
from .scene_math import matrix3
from .scene_read_gltf import read_gltf
from .skeleton import JOINTS, load_skeleton
from .upload import key_times

Matrix = NDArray[np.float64]
#: Most avatars do not show them: they count only if the file moves them.
SELDOM_SHOWN = {"Wing", "Tail", "Limb", "Groin"}
SKELETON = load_skeleton()


@dataclass
class Pose:
    """A joint in clip space: its place in metres and its rotation as a matrix."""

    place: Matrix
    turn: Matrix


@dataclass
class Motion:
    """A file that plays: its joints' poses at a time and at rest, which of them have keys, and when."""

    at: Callable[[float], dict[str, Pose]]
    rest: dict[str, Pose]
    keyed: set[str]
    times: list[float]
    seconds: float


@dataclass
class Spread:
    """The largest error, what 99.9 % of the errors do not exceed, and their mean."""

    worst: float
    percentile_99_9: float
    mean: float

    @staticmethod
    def of(errors: list[float]) -> Spread:
        """Of all errors."""
        ordered = np.sort(np.array(errors))
        last = len(ordered) - 1 - len(ordered) // 1000
        return Spread(float(ordered[-1]), float(ordered[last]), float(ordered.mean()))


def matrix_of(quaternion: Matrix) -> Matrix:
    """Of x, y, z, w, as the viewer plays them: not always of unit length."""
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    return matrix3(np.array([w, x, y, z]))


def read_anim(data: bytes) -> Motion:
    """A `.anim` on the avatar, whose pelvis rests at 0."""
    anim = anim_file.parse(data)

    def played(shown: anim_file.AnimFile, seconds: float) -> dict[str, Pose]:
        poses = player.world_pose(shown, SKELETON, seconds)
        return {name: Pose(pose.position, matrix_of(pose.rotation)) for name, pose in poses.items()}

    tables = [keys for joint in anim.joints for keys in (joint.rotation_keys, joint.position_keys)]
    times = [float(t) for keys in tables if len(keys) for t in key_times(keys, anim.duration)]
    keyed = {SKELETON.canonical(joint.name) for joint in anim.joints}
    at_rest = played(replace(anim, joints=[]), 0.0)
    return Motion(
        lambda seconds: played(anim, seconds),
        at_rest,
        {name for name in keyed if name},
        times,
        float(anim.duration),
    )


def read_scene(data: bytes) -> Motion:
    """A GLB with one animation and joints of different names."""
    scene = read_gltf(data)
    animation = scene.animations[0]
    names = [node.name for node in scene.nodes]

    def posed(seconds: float | None) -> dict[str, Pose]:
        matrices, turns = scene.world(None if seconds is None else animation, seconds or 0.0)
        return {
            name: Pose(matrix[:3, 3], matrix3(turn))
            for name, matrix, turn in zip(names, matrices, turns, strict=True)
        }

    times = [t for motion in animation.motions.values() for keys in motion.key_times() for t in keys]
    return Motion(posed, posed(None), {names[node] for node in animation.motions}, times, max(times))


def read(path: Path) -> Motion:
    """By the first bytes."""
    data = path.read_bytes()
    return read_scene(data) if data.startswith(b"glTF") else read_anim(data)


def counted(a: Motion, b: Motion) -> list[str]:
    """The joints that both have and one of them moves, parents first."""
    said = json.loads((JOINTS / "skeleton.json").read_text(encoding="utf-8"))
    group = {bone["name"]: bone["group"] for bone in said["bones"]}
    names: list[str] = []
    for node in SKELETON.nodes.values():
        above = node.parent
        begins = group.get(node.name, group.get(above)) != group.get(above)
        hangs_on = above in names and not (begins and group.get(node.name) in SELDOM_SHOWN)
        if node.name in a.keyed | b.keyed or hangs_on:
            names.append(node.name)
    return [name for name in names if name in a.rest and name in b.rest]


def turn_between(a: Motion, b: Motion, names: list[str]) -> Matrix:
    """The rotation that takes the places of a's joints at rest to those of b's, by least squares."""
    places = [np.array([motion.rest[name].place for name in names]) for motion in (a, b)]
    from_a, from_b = (rows - rows.mean(axis=0) for rows in places)
    u, _, v = np.linalg.svd(from_a.T @ from_b)
    sides = np.diag([1.0, 1.0, float(np.sign(np.linalg.det(v.T @ u.T)))])
    return v.T @ sides @ u.T


def times_of(a: Motion, b: Motion) -> list[float]:
    """All keys that both files reach, and half-way between."""
    end = min(a.seconds, b.seconds) + 1e-4
    keys = sorted({0.0, *(t for t in a.times + b.times if t <= end)})
    return sorted([*keys, *((s + t) / 2 for s, t in pairwise(keys))])


def degrees_between(a: Matrix, b: Matrix) -> float:
    """From the chord of two rotation matrices."""
    return float(np.degrees(2 * np.arcsin(min(np.linalg.norm(a - b) / np.sqrt(8), 1.0))))


def measure(a: Motion, b: Motion) -> tuple[Spread, Spread]:
    """Millimetres and degrees."""
    names = counted(a, b)
    turn = turn_between(a, b, names)
    top = names[0]
    shift = b.rest[top].place - turn @ a.rest[top].place
    millimetres: list[float] = []
    degrees: list[float] = []
    for seconds in times_of(a, b):
        pose_a, pose_b = a.at(seconds), b.at(seconds)
        turned_a = {n: turn @ pose_a[n].turn @ a.rest[n].turn.T @ turn.T for n in names}
        turned_b = {n: pose_b[n].turn @ b.rest[n].turn.T for n in names}
        for name in names:
            off = turn @ pose_a[name].place + shift - pose_b[name].place
            millimetres.append(1000 * float(np.linalg.norm(off)))
            above = SKELETON.nodes[name].parent
            own_a = turned_a[above].T @ turned_a[name] if above in turned_a else turned_a[name]
            own_b = turned_b[above].T @ turned_b[name] if above in turned_b else turned_b[name]
            degrees.append(degrees_between(own_a, own_b))
    return Spread.of(millimetres), Spread.of(degrees)


if __name__ == "__main__":
    for spread in measure(read(Path(sys.argv[1])), read(Path(sys.argv[2]))):
        print(spread)
