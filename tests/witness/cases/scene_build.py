# SPDX-License-Identifier: MIT
"""What the scene fixtures are built from: a small arm, and a walking body; clip space (Z up, metres)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..rigs import build
from ..scene_math import Array, about, array, inverse, matrix3, product
from ..scene_model import (
    CUBICSPLINE,
    LINEAR,
    ROTATION,
    TRANSLATION,
    Animation,
    Channel,
    Local,
    Node,
    Scene,
    skin_at_rest,
)
from ..walk import Gait, walk_poses

# Times are sums of powers of two, which floats hold exactly: a STEP key is where it says.
BEATS = [0.0, 0.5, 1.0, 1.5]
_TURNS = ((0.0, 40.0, -35.0, 10.0), (5.0, -30.0, 60.0, 0.0), (0.0, 75.0, 20.0, -50.0))
_AXES = ((1.0, 0.2, 0.0), (0.0, 1.0, 0.3), (0.4, 0.0, 1.0))


def arm_nodes() -> list[Node]:
    """Hips, Spine and Head, each with a rest rotation of its own."""
    return [
        Node("Hips", None, Local.of((0.1, -0.2, 0.9), about((0, 0, 1), 20))),
        Node("Spine", 0, Local.of((0.0, 0.05, 0.4), about((1, 0, 0), 15))),
        Node("Head", 1, Local.of((0.02, 0.0, 0.5), about((0, 1, 0), -25))),
    ]


def turn_channel(
    scene_nodes: list[Node], node: int, which: int = 0, times: list[float] | None = None, kind: str = LINEAR
) -> Channel:
    """Rotation keys: the rest rotation, turned by a few hand-picked angles about a hand-picked axis."""
    beats = BEATS if times is None else times
    rest = scene_nodes[node].rest.rotation
    keys = [product(rest, about(_AXES[which], d)) for d in _TURNS[which][: len(beats)]]
    return Channel(node, ROTATION, beats, spline(keys) if kind == CUBICSPLINE else np.array(keys), kind)


def spline(keys: list[Array]) -> Array:
    """CUBICSPLINE rows: tangents that are not what any rule would guess, and differ on the two sides."""
    rows: list[Array] = []
    for i, key in enumerate(keys):
        slope = (keys[min(i + 1, len(keys) - 1)] - keys[max(i - 1, 0)]) * 1.5
        rows += [0.5 * slope, key, slope]
    return np.array(rows)


def path_channel(nodes: list[Node], node: int = 0, kind: str = LINEAR) -> Channel:
    """Translation keys around the rest place."""
    steps = ((0, 0, 0), (0.2, 0.1, 0.05), (0.5, -0.1, 0.0), (0.6, 0.3, -0.1))
    keys = [nodes[node].rest.translation + array(step) for step in steps]
    return Channel(node, TRANSLATION, BEATS, spline(keys) if kind == CUBICSPLINE else np.array(keys), kind)


def arm_channels(nodes: list[Node], kind: str = LINEAR, first: int = 0) -> list[Channel]:
    """The arm's motion: the hips travel and all three turn."""
    turns = [turn_channel(nodes, first + i, i, kind=kind) for i in range(3)]
    return [path_channel(nodes, first, kind), *turns]


def skinned(scene: Scene, joints: list[int], name: str = "Body") -> Scene:
    """The scene with a skinned mesh, bound at rest, as the last node."""
    skin = skin_at_rest(scene, joints)
    return replace(
        scene, nodes=[*scene.nodes, Node(name, mesh=True, skin=len(scene.skins))], skins=[*scene.skins, skin]
    )


def arm(kind: str = LINEAR) -> Scene:
    """The skinned arm with its motion."""
    nodes = arm_nodes()
    return skinned(Scene(nodes, [Animation.of("Wave", arm_channels(nodes, kind))]), [0, 1, 2])


_LIMBS = ("UpperLeg", "LowerLeg", "Foot", "Toes", "UpperArm", "LowerArm", "Hand")
_WALK_SLOTS = [
    "hips",
    "spine",
    "chest",
    "upperChest",
    "neck",
    "head",
    *(f"{side}{limb}" for side in ("left", "right") for limb in _LIMBS),
]
WALK_FPS = 30


def _rest_turn(index: int) -> Array:
    """A world rest rotation unlike any other joint's, so that no mistake with axes stays unseen."""
    return product(about((0, 0, 1), 37.0 * index), about((1, 0.3, 0), 25.0 + 11.0 * index))


def walking(seconds: float = 2.0) -> tuple[Scene, dict[str, int]]:
    """A body of 20 joints below a Root that never moves, walking: the scene, and slot -> node."""
    rig = build("vrm1", {slot: [slot[0].upper() + slot[1:]] for slot in _WALK_SLOTS})
    times = [i / WALK_FPS for i in range(round(seconds * WALK_FPS) + 1)]
    poses = walk_poses(rig, Gait(seconds=seconds), times)
    names = [joint.name for joint in rig.joints]
    turns = [_rest_turn(i) for i in range(len(names))]
    nodes: list[Node] = [Node("Root")]
    for i, joint in enumerate(rig.joints):
        if joint.parent is None:
            nodes.append(Node(joint.name, 0, Local.of(array(joint.head), turns[i])))
            continue
        above = names.index(joint.parent)
        reach = array(joint.head) - array(rig.joints[above].head)
        place = matrix3(inverse(turns[above])) @ reach
        rest = Local.of(place, product(inverse(turns[above]), turns[i]))
        nodes.append(Node(joint.name, above + 1, rest))
    channels = [Channel(1, TRANSLATION, times, np.array([place for place, _ in poses]))]
    for i, joint in enumerate(rig.joints):
        above = turns[names.index(joint.parent)] if joint.parent is not None else about((0, 0, 1), 0)
        keys = [product(product(inverse(above), array(local[joint.name])), turns[i]) for _, local in poses]
        channels.append(Channel(i + 1, ROTATION, times, np.array(keys)))
    scene = skinned(Scene(nodes, [Animation.of("Walk", channels)]), list(range(1, len(nodes))))
    return scene, {slot: names.index(name) + 1 for slot, name in rig.truth.items()}
