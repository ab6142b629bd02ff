# SPDX-License-Identifier: MIT
"""Scenes for the writers of native/: what is written as JSON, and how far a reader's scene is from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from .cases.scene_build import arm, arm_nodes, path_channel, turn_channel, walking
from .scene_math import Array, about, affine, angle_degrees, array, matrix3, product, split
from .scene_model import (
    LINEAR,
    ROTATION,
    SCALE,
    TRANSLATION,
    Y_UP,
    Animation,
    Channel,
    Local,
    Node,
    Scene,
    Skin,
    in_axes,
    skin_at_rest,
)
from .skeleton import load_skeleton

Json = dict[str, Any]
FPS = 30
#: What the writers add: a root, and a mesh that carries the skin.
ADDED = ("Armature", "Scene", "AnimBridgeCarrier")
UNIT = {"glb": 1.0, "gltf": 1.0, "dae": 1.0, "fbx": 0.01}
FIELD_DEGREES = 60.0


def _times(count: int) -> list[float]:
    return [i / FPS for i in range(count)]


def _turning(node: int, rest: Array, count: int, degrees: float) -> Channel:
    """A turn that goes on, about an axis that wanders: through every octant, and past gimbal lock."""
    turn = rest
    rows: list[Array] = []
    for i in range(count):
        rows.append(turn)
        axis = (np.sin(0.7 * i + node), np.cos(0.4 * i), np.sin(0.3 * i + 2 * node) + 0.1)
        turn = product(turn, about(axis, degrees))
    return Channel(node, ROTATION, _times(count), np.array(rows))


def _turned(name: str, nodes: list[Node], count: int, degrees: float) -> Animation:
    turns = [_turning(i, node.rest.rotation, count, degrees) for i, node in enumerate(nodes)]
    return Animation.of(name, turns)


def _all_skinned(nodes: list[Node], animations: list[Animation]) -> Scene:
    scene = Scene(nodes, animations)
    return replace(scene, skins=[skin_at_rest(scene, list(range(len(nodes))))])


def _walk() -> Scene:
    scene = walking()[0]
    return replace(scene, nodes=[replace(node, skin=None) for node in scene.nodes if not node.mesh])


def _bento() -> Scene:
    """Second Life's skeleton; some of its joints are in one place."""
    bones = [node for node in load_skeleton().nodes.values() if node.kind == "bone"]
    names = [bone.name for bone in bones]
    nodes = [
        Node(bone.name, names.index(bone.parent) if bone.parent in names else None, Local.of(bone.position))
        for bone in bones
    ]
    return _all_skinned(nodes, [_turned("Bento", nodes, 12, 3.0)])


def _scales() -> Scene:
    """Scale that grows and shrinks, with keys of its own times."""
    nodes = arm_nodes()
    beats = [0.0, 0.25, 0.75, 1.5]
    rows = np.array([(1.0, 1.0, 1.0), (1.5, 1.5, 1.5), (0.5, 0.5, 0.5), (1.0, 1.0, 1.0)])
    channels = [turn_channel(nodes, 0), path_channel(nodes, 0), Channel(1, SCALE, beats, rows)]
    return _all_skinned(nodes, [Animation.of("Scales", channels)])


def _names(names: list[str]) -> Scene:
    nodes = [Node(name, i - 1 if i else None, Local.of((0, 0, 0.2))) for i, name in enumerate(names)]
    return _all_skinned(nodes, [_turned('A <walk> & "more"', nodes, 5, 4.0)])


def _bound() -> Scene:
    """Bound where it does not rest."""
    scene = _walk()
    moved = [array(matrix @ np.diag([0.5, 0.5, 0.5, 1.0])) for matrix in scene.skins[0].inverse_binds]
    return replace(scene, skins=[Skin(scene.skins[0].joints, moved)])


def _camera() -> Scene:
    nodes = [
        Node("Rig", None, Local.of((0, 0, 1))),
        Node("Cam", 0, Local.of((1, 2, 3), about((1, 0, 0), 80)), camera=FIELD_DEGREES),
        Node("Lamp", 1, Local.of((0.1, 0.2, 0.3), about((0, 1, 0), 20))),
    ]
    moves = [_turning(1, nodes[1].rest.rotation, 20, 2.0), _turning(2, nodes[2].rest.rotation, 20, 2.0)]
    path = Channel(1, TRANSLATION, [0.0, 0.5], np.array([(1.0, 2.0, 3.0), (2.0, 2.5, 3.0)]))
    return Scene(nodes, [Animation.of("Fly", [*moves, path])])


def _several() -> Scene:
    nodes = arm_nodes()
    return _all_skinned(nodes, [_turned("One", nodes, 4, 5.0), _turned("Two", nodes, 9, 2.0)])


def scenes() -> dict[str, Scene]:
    """Each one thing that a writer may get wrong; clip space."""
    one = [Node("Only", None, Local.of((0, 0, 1)))]
    made = arm(LINEAR)
    arm_scene = replace(made, nodes=[replace(node, skin=None) for node in made.nodes if not node.mesh])
    return {
        "walk": _walk(),
        "bento": _bento(),
        "wild": _all_skinned(arm_nodes(), [_turned("Wild", arm_nodes(), 90, 7.0)]),
        "few_keys": arm_scene,
        "scales": _scales(),
        "names": _names(["a:b", "with space", "ünï", "日本", "9x", "x.y", "<&>", "n3", "Bip01_L-Hand"]),
        "names_dots": _names(["shin.L.001", "shin_L_001", "shin.L_001", "shin_L_001_2", "."]),
        "names_repeat": _names(["same", "other", "same", "", "", "same"]),
        "one_joint": _all_skinned(one, [_turned("One", one, 10, 6.0)]),
        "one_key": _all_skinned(arm_nodes(), [_turned("Pose", arm_nodes(), 1, 0.0)]),
        "still": _all_skinned(arm_nodes(), []),
        "bound": _bound(),
        "camera": _camera(),
        "several": _several(),
    }


def in_container(scene: Scene, container: str) -> Scene:
    """The same, in the space of the container's numbers: Y up, in its unit."""
    return in_axes(scene, Y_UP, UNIT[container])


def _placement(local: Local) -> Json:
    return {
        "translation": [float(v) for v in local.translation],
        "rotation_wxyz": [float(v) for v in local.rotation],
        "scale": [float(v) for v in local.scale()],
    }


def _channel(channel: Channel) -> Json:
    return {
        "node": channel.node,
        "target": channel.path,
        "interpolation": "linear",
        "times_seconds": [float(t) for t in channel.times],
        "values": [float(v) for v in channel.values.ravel()],
        "tangents": [],
    }


def document(scene: Scene) -> Json:
    """The JSON of native/'s scene document."""
    binds = {
        joint: Local.of_matrix(array(np.linalg.inv(matrix)))
        for skin in scene.skins
        for joint, matrix in zip(skin.joints, skin.inverse_binds, strict=True)
    }
    nodes = [
        {
            "name": node.name,
            "parent": node.parent,
            "rest": _placement(node.rest),
            "role": "camera" if node.camera else "plain",
            "is_skinned": i in binds,
            "bind_world": _placement(binds[i]) if i in binds else None,
        }
        for i, node in enumerate(scene.nodes)
    ]
    animations = [
        {
            "name": animation.name,
            "duration_seconds": float(animation.span()[1]),
            "channels": [_channel(channel) for channel in animation.channels()],
        }
        for animation in scene.animations
    ]
    space = {"up": "Y", "front": "Z", "metres_per_unit": scene.metres_per_unit}
    fields = [(i, node.camera) for i, node in enumerate(scene.nodes) if node.camera]
    return {
        "format": "scene",
        "loader": "gltf",
        "program": "",
        "generator": "",
        "human_format": "",
        "space": space | {"says_axes": True, "says_unit": True},
        "frames_per_second": FPS,
        "nodes": nodes,
        "cameras": [{"node": i, "horizontal_field_degrees": degrees} for i, degrees in fields],
        "animations": animations,
        "human_bones": [],
        "notes": [],
    }


@dataclass
class Difference:
    """How far two scenes are apart, at the keys of the one that was meant and between them."""

    words: list[str] = field(default_factory=list[str])
    key_mm: float = 0.0
    key_degrees: float = 0.0
    between_mm: float = 0.0
    between_degrees: float = 0.0
    rest_mm: float = 0.0
    bind: float = 0.0

    def add(self, on_key: bool, mm: float, degrees: float) -> None:
        """A joint at a time."""
        if on_key:
            self.key_mm, self.key_degrees = max(self.key_mm, mm), max(self.key_degrees, degrees)
        else:
            self.between_mm, self.between_degrees = (
                max(self.between_mm, mm),
                max(self.between_degrees, degrees),
            )


def _depth_first(scene: Scene) -> list[int]:
    """The nodes that were not added, children in their order."""
    below: dict[int | None, list[int]] = {}
    for i, node in enumerate(scene.nodes):
        below.setdefault(node.parent, []).append(i)
    order: list[int] = []
    waiting = below.get(None, [])[::-1]
    while waiting:
        node = waiting.pop()
        if scene.nodes[node].name not in ADDED:
            order.append(node)
        waiting += below.get(node, [])[::-1]
    return order


def _apart(meant: Array, found: Array) -> tuple[float, float]:
    mm = float(np.linalg.norm(meant[:3, 3] - found[:3, 3])) * 1000.0
    return mm, angle_degrees(split(meant[:3, :3])[0], split(found[:3, :3])[0])


def _looked_at(animation: Animation) -> list[tuple[bool, float]]:
    keys = sorted({t for channel in animation.channels() for t in channel.times})
    between = [a + share * (b - a) for a, b in pairwise(keys) for share in (0.21, 0.5, 0.83)]
    return [(True, t) for t in keys] + [(False, t) for t in between]


def _skins(meant: Scene, found: Scene, pairs: list[tuple[int, int]], result: Difference) -> None:
    of_found = {b: a for a, b in pairs}
    expected = {j: m for skin in meant.skins for j, m in zip(skin.joints, skin.inverse_binds, strict=True)}
    read = {
        of_found[j]: m for skin in found.skins for j, m in zip(skin.joints, skin.inverse_binds, strict=True)
    }
    if len(found.skins) != min(1, len(meant.skins)) or set(read) != set(expected):
        result.words.append(f"skins of {[len(skin.joints) for skin in found.skins]} joints")
        return
    for joint, matrix in expected.items():
        # Of the bind pose itself, so that a far joint is no harder than a near one.
        change = np.linalg.inv(matrix) @ read[joint]
        result.bind = max(result.bind, float(np.abs(change - np.eye(4)).max()))


#: FBX's cameras look along +X, all others along -Z.
FBX_CAMERA = matrix3(about((0, 1, 0), -90))


def _in_clip_space(scene: Scene, animation: Animation | None, seconds: float, is_fbx: bool) -> list[Array]:
    worlds = scene.world(animation, seconds)[0]
    if not is_fbx:
        return worlds
    turn = affine(scene.axes @ FBX_CAMERA @ scene.axes.T, np.zeros(3))
    return [world @ turn if node.camera else world for node, world in zip(scene.nodes, worlds, strict=True)]


def compare(meant: Scene, found: Scene, is_fbx: bool = False) -> Difference:
    """Both are compared in clip space, by the axes and the unit that each of them says."""
    result = Difference()
    a, b = _depth_first(meant), _depth_first(found)
    if len(a) != len(b):
        result.words.append(f"{len(b)} nodes of {len(a)}")
        return result
    pairs = list(zip(a, b, strict=True))
    for i, j in pairs:
        above, above_found = meant.nodes[i].parent, found.nodes[j].parent
        if (above_found if above_found in b else None) != (None if above is None else dict(pairs)[above]):
            result.words.append(f"{meant.nodes[i].name} has another parent")
    if len(found.animations) != len(meant.animations):
        result.words.append(f"{len(found.animations)} animations of {len(meant.animations)}")
        return result
    _skins(meant, found, pairs, result)
    rests = meant.world()[0], _in_clip_space(found, None, 0.0, is_fbx)
    result.rest_mm = max(_apart(rests[0][i], rests[1][j])[0] for i, j in pairs)
    for one, other in zip(meant.animations, found.animations, strict=True):
        for on_key, seconds in _looked_at(one):
            here, there = meant.world(one, seconds)[0], _in_clip_space(found, other, seconds, is_fbx)
            for i, j in pairs:
                result.add(on_key, *_apart(here[i], there[j]))
    return result
