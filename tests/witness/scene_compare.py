# SPDX-License-Identifier: MIT
"""How far a scene file's motion is from another's, or from an expectation: by joints of equal names.

    python -m tests.witness.scene_compare FOUND EXPECTED [TIMES]    each glTF, COLLADA or FBX 7
    EXPECTED may also be FILE.expect.json.

It prints JSON: for each animation the largest distance of heads, the largest angle between turns since the
animation's first time (whatever frames the two files give their joints), and where both are. Animations
belong together in order. Names that occur twice in either file are left out, and listed. TIMES is how many
even times are compared (61); an expectation has times of its own. Times count from an animation's first key.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .scene_math import Array, angle_degrees, array, inverse, product
from .scene_model import Scene
from .scene_read_dae import read_dae
from .scene_read_fbx import read_fbx
from .scene_read_gltf import SceneError, read_gltf

Json = dict[str, Any]


@dataclass
class Poses:
    """World heads (metres) and rotations of joints at times, clip space; [time][joint]."""

    name: str
    start_seconds: float
    times: list[float]
    joints: list[str]
    heads: list[list[Array]]
    turns: list[list[Array]]


@dataclass
class Difference:
    """Where two animations differ most."""

    name: str
    millimetres: float = 0.0
    at_head: tuple[str, float] = ("", 0.0)  # joint, seconds
    degrees: float = 0.0
    at_turn: tuple[str, float] = ("", 0.0)
    compared: int = 0  # joints
    left_out: list[str] = field(default_factory=list[str])


def read_scene(path: Path) -> Scene:
    """A scene by its file's ending. ValueError, LookupError, OSError: it cannot be read."""
    data = path.read_bytes()
    ending = path.suffix.lower()
    if ending == ".fbx":
        return read_fbx(data)
    if ending == ".dae":
        return read_dae(data)
    if ending in (".glb", ".gltf", ".vrm", ".vrma"):
        return read_gltf(data, lambda name: (path.parent / name).read_bytes())
    raise SceneError(f"{path.name} is of no format that this reads")


def poses_of(
    scene: Scene, index: int, since_start: list[float] | None, joints: list[int] | None = None
) -> Poses:
    """Poses of one animation. `since_start`: times from its first key on; None: 61 even ones."""
    animation = scene.animations[index]
    start, end = animation.span()
    times = since_start if since_start is not None else np.linspace(0.0, end - start, 61).tolist()
    chosen = list(range(len(scene.nodes))) if joints is None else joints
    worlds = [scene.world(animation, start + t) for t in times]
    return Poses(
        animation.name,
        start,
        times,
        [scene.nodes[j].name for j in chosen],
        [[matrices[j][:3, 3] for j in chosen] for matrices, _ in worlds],
        [[turns[j] for j in chosen] for _, turns in worlds],
    )


def expected_poses(told: Json, index: int) -> Poses:
    """Poses of one animation of an expectation."""
    animation: Json = told["animations"][index]
    start: float = animation["start_seconds"]
    return Poses(
        animation["name"],
        start,
        [t - start for t in animation["times_seconds"]],
        [told["nodes"][j]["name"] for j in animation["joints"]],
        [[array(head) for head in row] for row in animation["world_heads"]],
        [[array(turn) for turn in row] for row in animation["world_rotations"]],
    )


def difference(found: Poses, expected: Poses) -> Difference:
    """The largest differences of joints of equal names; both must be at the same times."""
    twice = {n for names in (found.joints, expected.joints) for n in names if names.count(n) > 1}
    common = [n for n in expected.joints if n in found.joints and n not in twice]
    result = Difference(expected.name, compared=len(common))
    result.left_out = sorted(set(expected.joints) - set(common))
    first, told_first = found.turns[0], expected.turns[0]
    for name in common:
        i, j = found.joints.index(name), expected.joints.index(name)
        for k, seconds in enumerate(expected.times):
            apart = 1000 * float(np.linalg.norm(found.heads[k][i] - expected.heads[k][j]))
            if apart > result.millimetres:
                result.millimetres, result.at_head = apart, (name, seconds)
            since = product(found.turns[k][i], inverse(first[i]))
            degrees = angle_degrees(since, product(expected.turns[k][j], inverse(told_first[j])))
            if degrees > result.degrees:
                result.degrees, result.at_turn = degrees, (name, seconds)
    return result


def differences(found: Scene, expected: Scene | Json, count: int = 61) -> list[Difference]:
    """For each expected animation; ValueError: there are fewer found ones."""
    many = len(expected.animations) if isinstance(expected, Scene) else len(expected["animations"])
    if len(found.animations) < many:
        raise ValueError(f"{len(found.animations)} animations where {many} are expected")
    result: list[Difference] = []
    for k in range(many):
        if isinstance(expected, Scene):
            start, end = expected.animations[k].span()
            times: list[float] = np.linspace(0.0, end - start, count).tolist()
            told = poses_of(expected, k, times)
        else:
            told = expected_poses(expected, k)
        result.append(difference(poses_of(found, k, told.times), told))
    return result


def main(arguments: list[str]) -> int:
    """Prints the differences; returns 0."""
    found, expected = read_scene(Path(arguments[0])), Path(arguments[1])
    told = json.loads(expected.read_text("utf-8")) if expected.suffix == ".json" else read_scene(expected)
    count = int(arguments[2]) if len(arguments) > 2 else 61
    print(json.dumps([vars(d) for d in differences(found, told, count)], ensure_ascii=False, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
