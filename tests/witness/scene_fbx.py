# SPDX-License-Identifier: MIT
"""What FBX 7 says about motion: nodes with pivots and Euler angles, and a curve for each number.

A node's local matrix is T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1, as Autodesk's SDK documents it.
A time is a count of ticks; an angle is in degrees.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace

import numpy as np

from .scene_dae import bezier
from .scene_math import ORDERS, Array, array, from_euler, inverse, matrix3, product, to_euler, unrolled
from .scene_model import ROTATION, SCALE, TRANSLATION, Animation, KeyedMotion, Local, Node, Scene, Skin

TICKS_PER_SECOND = 46186158000
CONSTANT, CONSTANT_NEXT, STRAIGHT, CUBIC = "constant", "constant-next", "linear", "cubic"
Triple = tuple[float, float, float]
ZERO: Triple = (0.0, 0.0, 0.0)


@dataclass
class Key:
    """A key; slopes are per second, weights are shares of the way to the next key."""

    ticks: int
    value: float
    kind: str = STRAIGHT  # of the way to the next key
    right_slope: float = 0.0
    next_left_slope: float = 0.0
    right_weight: float = 1 / 3
    next_left_weight: float = 1 / 3

    def seconds(self) -> float:
        """When it is."""
        return self.ticks / TICKS_PER_SECOND


def curve_at(keys: list[Key], seconds: float) -> float:
    """The value of a curve; before its first and after its last key, that key's."""
    if seconds <= keys[0].seconds():
        return keys[0].value
    if seconds >= keys[-1].seconds():
        return keys[-1].value
    i = bisect_right(keys, seconds, key=Key.seconds) - 1
    a, b = keys[i], keys[i + 1]
    if a.kind == CONSTANT:
        return a.value
    if a.kind == CONSTANT_NEXT:
        return a.value if seconds == a.seconds() else b.value
    start, length = a.seconds(), b.seconds() - a.seconds()
    if a.kind == STRAIGHT:
        return a.value + (b.value - a.value) * (seconds - start) / length
    out, into = a.right_weight * length, a.next_left_weight * length
    corners = [
        [start, a.value],
        [start + out, a.value + a.right_slope * out],
        [b.seconds() - into, b.value - a.next_left_slope * into],
        [b.seconds(), b.value],
    ]
    return bezier(array(corners), seconds)


@dataclass
class FbxNode:
    """A Model and what places it."""

    name: str
    parent: int | None = None
    kind: str = "LimbNode"  # or Null, Root, Mesh, Camera
    translation: Triple = ZERO
    rotation: Triple = ZERO
    scaling: Triple = (1.0, 1.0, 1.0)
    order: int = 0  # of `rotation` alone; the other angles are xyz
    pre: Triple = ZERO
    post: Triple = ZERO
    rotation_offset: Triple = ZERO
    rotation_pivot: Triple = ZERO
    scaling_offset: Triple = ZERO
    scaling_pivot: Triple = ZERO
    skin: int | None = None
    fov_degrees: float | None = None  # vertical

    def local(self, translation: Array, rotation: Array, scaling: Array) -> Local:
        """The local transform for three Lcl values."""
        turn = product(from_euler(self.pre), from_euler(rotation, ORDERS[self.order]))
        turn = product(turn, inverse(from_euler(self.post)))
        pivot, stretch = array(self.rotation_pivot), array(self.scaling_pivot)
        inner = array(self.scaling_offset) + stretch - scaling * stretch - pivot
        place = translation + array(self.rotation_offset) + pivot + matrix3(turn) @ inner
        return Local(place, turn, matrix3(turn) * scaling)


@dataclass
class FbxMotion:
    """Curves of one node: (path, axis) -> keys; numbers without a curve stay as `node` has them."""

    node: FbxNode
    curves: dict[tuple[str, int], list[Key]]

    def local(self, seconds: float, _rest: Local, /) -> Local:
        """See Motion."""
        parts = {TRANSLATION: self.node.translation, ROTATION: self.node.rotation, SCALE: self.node.scaling}
        values = {path: array(part) for path, part in parts.items()}
        for (path, axis), keys in self.curves.items():
            values[path][axis] = curve_at(keys, seconds)
        return self.node.local(values[TRANSLATION], values[ROTATION], values[SCALE])

    def key_times(self) -> list[list[float]]:
        """See Motion."""
        return [[key.seconds() for key in keys] for keys in self.curves.values()]

    def summary(self) -> list[tuple[str, str, int]]:
        """See Motion."""
        kinds = {CONSTANT: "STEP", STRAIGHT: "LINEAR"}
        result: list[tuple[str, str, int]] = []
        for path in (TRANSLATION, ROTATION, SCALE):
            curves = [keys for (of, _), keys in self.curves.items() if of == path]
            found = {key.kind for keys in curves for key in keys}
            kind = kinds.get(next(iter(found)), "CURVES") if len(found) == 1 else "CURVES"
            if curves:
                result.append((path, kind, len({key.ticks for keys in curves for key in keys})))
        return result


Curves = dict[tuple[int, str, int], list[Key]]
"""(node, path, axis) -> keys."""


@dataclass
class FbxScene:
    """An FBX document's scene."""

    nodes: list[FbxNode]
    stacks: list[tuple[str, Curves]] = field(default_factory=list[tuple[str, Curves]])
    skins: list[Skin] = field(default_factory=list[Skin])
    spans: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """Stack -> from when to when it says that it lasts, in ticks; else from its first to its last key."""
    # (axis, sign) of what points right, up, and to the viewer
    right: tuple[int, int] = (0, 1)
    up: tuple[int, int] = (1, 1)
    front: tuple[int, int] = (2, 1)
    unit_scale_factor: float = 1.0  # in centimetres

    def axes(self) -> Array:
        """File to clip space: right to +X, up to +Z, front to -Y."""
        result = np.zeros((3, 3))
        for row, (axis, sign) in enumerate((self.right, self.front, self.up)):
            result[row, axis] = -sign if row == 1 else sign
        return result

    def span_of(self, stack: int) -> tuple[int, int]:
        """From when to when a stack says that it lasts, in ticks."""
        times = [key.ticks for keys in self.stacks[stack][1].values() for key in keys] or [0]
        return self.spans.get(stack, (min(times), max(times)))

    def scene(self) -> Scene:
        """As the neutral model, in the file's axes and unit."""
        nodes = [
            Node(
                n.name,
                n.parent,
                n.local(array(n.translation), array(n.rotation), array(n.scaling)),
                n.kind == "Mesh",
                n.skin,
                n.fov_degrees,
                n.kind == "Light",
            )
            for n in self.nodes
        ]
        animations: list[Animation] = []
        for index, (name, curves) in enumerate(self.stacks):
            motions: dict[int, FbxMotion] = {}
            for (node, path, axis), keys in curves.items():
                motions.setdefault(node, FbxMotion(self.nodes[node], {})).curves[path, axis] = keys
            start, stop = self.span_of(index)
            said = start / TICKS_PER_SECOND, stop / TICKS_PER_SECOND
            animations.append(Animation(name, dict(motions), said))
        return Scene(nodes, animations, self.skins, self.axes(), 0.01 * self.unit_scale_factor)


def ticks(seconds: float) -> int:
    """A time as FBX counts it."""
    return round(seconds * TICKS_PER_SECOND)


def triple(values: Array) -> Triple:
    """Three floats, cleaned of rounding noise."""
    x, y, z = (round(float(v), 10) + 0.0 for v in values)
    return x, y, z


def from_scene(scene: Scene, like: FbxScene, order: int = 0, in_pre: bool = True) -> FbxScene:
    """A scene as FBX tells it, in the axes and the unit of `like`, in which the scene must be already.

    Rest rotations are PreRotations, as Mixamo writes them, or else Lcl Rotations. Keys become linear keys of
    single numbers, angles made continuous.
    """
    nodes: list[FbxNode] = []
    for node in scene.nodes:
        kind = "Mesh" if node.mesh else "LimbNode"
        turn = node.rest.rotation
        place = triple(node.rest.translation)
        made = FbxNode(node.name, node.parent, kind, place, order=order, skin=node.skin)
        if in_pre:
            made.pre = triple(to_euler(turn))
        else:
            made.rotation = triple(to_euler(turn, ORDERS[order]))
        made.scaling = triple(node.rest.scale())
        nodes.append(made)
    stacks: list[tuple[str, Curves]] = []
    for animation in scene.animations:
        curves: Curves = {}
        for index, motion in animation.motions.items():
            if not isinstance(motion, KeyedMotion):
                raise TypeError("only keys of translation, rotation and scale")
            for channel in motion.channels:
                rows = channel.values
                if channel.path == ROTATION:
                    before = inverse(from_euler(nodes[index].pre))
                    rows = unrolled(np.array([to_euler(product(before, q), ORDERS[order]) for q in rows]))
                for axis in range(3):
                    keys = zip(channel.times, rows[:, axis], strict=True)
                    curves[index, channel.path, axis] = [
                        Key(ticks(t), round(float(v), 9) + 0.0) for t, v in keys
                    ]
        stacks.append((animation.name, curves))
    return replace(like, nodes=nodes, stacks=stacks, skins=scene.skins)
