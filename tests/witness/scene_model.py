# SPDX-License-Identifier: MIT
"""A scene: nodes with a rest pose, skins, cameras and animations, with their poses at any time.

Everything is in the file's own axes and unit; `axes` and `metres_per_unit` lead to clip space (right-handed,
Z up, metres). Times are in seconds. A motion is whatever gives a node's local transform at a time: keys of
translation, rotation and scale here, stacks of transforms in COLLADA, curves of Euler angles in FBX.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from .scene_math import Array, affine, array, hermite, matrix3, product, slerp, split, turn_of, unit

ASPECT = 1.5  # width by height of every camera that the witness writes
TRANSLATION, ROTATION, SCALE = "translation", "rotation", "scale"
STEP, LINEAR, CUBICSPLINE = "STEP", "LINEAR", "CUBICSPLINE"


@dataclass
class Local:
    """A local transform: p -> linear p + translation. `rotation` (w, x, y, z) is `linear` without scale."""

    translation: Array
    rotation: Array
    linear: Array

    @staticmethod
    def of(
        translation: Array | tuple[float, float, float] = (0.0, 0.0, 0.0),
        rotation: Array | tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0),
        scale: Array | tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> Local:
        """From translation, rotation and scale."""
        turn = unit(array(rotation))
        return Local(array(translation), turn, matrix3(turn) * array(scale))

    @staticmethod
    def of_matrix(matrix: Array) -> Local:
        """From a 4 x 4 matrix."""
        linear = array(matrix[:3, :3])
        return Local(array(matrix[:3, 3]), split(linear)[0], linear)

    def matrix(self) -> Array:
        """The 4 x 4 matrix."""
        return affine(self.linear, self.translation)

    def scale(self) -> Array:
        """The scale on each axis; of a sheared matrix, the lengths of its columns."""
        return np.diag(matrix3(self.rotation).T @ self.linear).copy()


@dataclass
class Channel:
    """Keys of one path of one node. CUBICSPLINE: `values` has in-tangent, value, out-tangent for each key."""

    node: int
    path: str
    times: list[float]
    values: Array
    interpolation: str = LINEAR

    def at(self, seconds: float) -> Array:
        """The value at a time; before the first and after the last key, that key's."""
        cubic = self.interpolation == CUBICSPLINE
        points = self.values[1::3] if cubic else self.values
        if seconds <= self.times[0] or len(self.times) == 1:
            return self._clean(points[0])
        if seconds >= self.times[-1]:
            return self._clean(points[-1])
        i = bisect_right(self.times, seconds) - 1
        if self.interpolation == STEP:
            return self._clean(points[i])
        length = self.times[i + 1] - self.times[i]
        share = (seconds - self.times[i]) / length
        if cubic:
            out, into = self.values[3 * i + 2] * length, self.values[3 * i + 3] * length
            return self._clean(hermite(points[i], out, points[i + 1], into, share))
        if self.path == ROTATION:
            return slerp(unit(points[i]), unit(points[i + 1]), share)
        return (1 - share) * points[i] + share * points[i + 1]

    def _clean(self, value: Array) -> Array:
        return unit(value) if self.path == ROTATION else array(value)


class Motion(Protocol):
    """A node's local transform over time."""

    def local(self, seconds: float, rest: Local, /) -> Local:
        """The transform at a time; parts without keys are as in `rest`."""
        ...

    def key_times(self) -> list[list[float]]:
        """The times of the keys in seconds, channel by channel."""
        ...

    def summary(self) -> list[tuple[str, str, int]]:
        """Path, interpolation and number of keys, channel by channel."""
        ...


@dataclass
class KeyedMotion:
    """A motion by channels of translation, rotation and scale."""

    channels: list[Channel] = field(default_factory=list[Channel])

    def local(self, seconds: float, rest: Local, /) -> Local:
        """See Motion."""
        found = {channel.path: channel.at(seconds) for channel in self.channels}
        scale = found.get(SCALE, rest.scale())
        return Local.of(found.get(TRANSLATION, rest.translation), found.get(ROTATION, rest.rotation), scale)

    def key_times(self) -> list[list[float]]:
        """See Motion."""
        return [channel.times for channel in self.channels]

    def summary(self) -> list[tuple[str, str, int]]:
        """See Motion."""
        return [(c.path, c.interpolation, len(c.times)) for c in self.channels]


@dataclass
class Animation:
    """A named animation: node -> motion."""

    name: str
    motions: dict[int, Motion]
    said: tuple[float, float] | None = None  # from when to when it lasts, where the file says so

    @staticmethod
    def of(name: str, channels: list[Channel]) -> Animation:
        """From channels, one motion for each of their nodes."""
        motions: dict[int, Motion] = {}
        for node in dict.fromkeys(channel.node for channel in channels):
            motions[node] = KeyedMotion([channel for channel in channels if channel.node == node])
        return Animation(name, motions)

    def channels(self) -> list[Channel]:
        """The channels of keyed motions."""
        keyed = [motion for motion in self.motions.values() if isinstance(motion, KeyedMotion)]
        return [channel for motion in keyed for channel in motion.channels]

    def span(self) -> tuple[float, float]:
        """The first and the last key, in seconds."""
        times = [t for motion in self.motions.values() for keys in motion.key_times() for t in keys]
        return min(times), max(times)


@dataclass
class Node:
    """A node; `parent` is an index, before or after its own."""

    name: str
    parent: int | None = None
    rest: Local = field(default_factory=Local.of)
    mesh: bool = False
    skin: int | None = None  # the skin of its mesh
    camera: float | None = None  # the vertical field of view in degrees
    light: bool = False
    as_matrix: bool = False  # write the rest pose as a matrix


@dataclass
class Skin:
    """Joints with the inverses of their bind matrices, world to joint."""

    joints: list[int]
    inverse_binds: list[Array]


Y_UP: Array = array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
Z_UP: Array = np.eye(3)
X_UP: Array = array([[0, -1, 0], [0, 0, -1], [1, 0, 0]])
"""COLLADA's X_UP: right is -Y, up is +X, towards the viewer is +Z (specification 1.4.1, up_axis)."""


@dataclass
class Scene:
    """See the module."""

    nodes: list[Node]
    animations: list[Animation] = field(default_factory=list[Animation])
    skins: list[Skin] = field(default_factory=list[Skin])
    axes: Array = field(default_factory=lambda: array(Z_UP))
    metres_per_unit: float = 1.0
    humanoid: tuple[str, dict[str, int]] | None = None

    def locals(self, animation: Animation | None, seconds: float) -> list[Local]:
        """Every node's local transform, in the file's axes and unit."""
        motions = animation.motions if animation else {}
        return [
            motions[i].local(seconds, node.rest) if i in motions else node.rest
            for i, node in enumerate(self.nodes)
        ]

    def to_clip(self, matrix: Array) -> Array:
        """A world matrix of the file in clip space: basis changed, translation in metres."""
        linear = self.axes @ matrix[:3, :3] @ self.axes.T
        return affine(linear, self.metres_per_unit * (self.axes @ matrix[:3, 3]))

    def turn_to_clip(self, turn: Array) -> Array:
        """A world rotation of the file in clip space."""
        return turn_of(self.axes @ matrix3(turn) @ self.axes.T)

    def world(
        self, animation: Animation | None = None, seconds: float = 0.0
    ) -> tuple[list[Array], list[Array]]:
        """World matrices, and products of local rotations, of every node; clip space."""
        poses = self.locals(animation, seconds)
        matrices = self._gathered([pose.matrix() for pose in poses], lambda a, b: a @ b)
        turns = self._gathered([pose.rotation for pose in poses], product)
        return [self.to_clip(m) for m in matrices], [self.turn_to_clip(q) for q in turns]

    def _gathered(self, parts: list[Array], times: Callable[[Array, Array], Array]) -> list[Array]:
        done: dict[int, Array] = {}

        def of(i: int) -> Array:
            if i not in done:
                parent = self.nodes[i].parent
                done[i] = parts[i] if parent is None else times(of(parent), parts[i])
            return done[i]

        return [of(i) for i in range(len(parts))]

    def root_turn(self) -> Array:
        """The turn that takes the file's axes to clip space's; of left-handed ones, with z negated first."""
        mirrored = float(np.linalg.det(self.axes)) < 0
        return turn_of(self.axes @ np.diag([1.0, 1.0, -1.0]) if mirrored else self.axes)

    def skinned(self) -> set[int]:
        """The nodes that are joints of a skin."""
        return {joint for skin in self.skins for joint in skin.joints}

    def animated(self) -> set[int]:
        """The nodes that some animation moves."""
        return {node for animation in self.animations for node in animation.motions}

    def joints(self) -> list[int]:
        """Nodes that are skinned, animated, in the humanoid map, or between two such."""
        core = self.skinned() | self.animated() | set(self.humanoid[1].values() if self.humanoid else ())
        found = set(core)
        for node in core:
            path: list[int] = []
            above = self.nodes[node].parent
            while above is not None:
                path.append(above)
                if above in core:
                    found.update(path)
                above = self.nodes[above].parent
        return sorted(found)


def in_axes(scene: Scene, axes: Array, metres_per_unit: float) -> Scene:
    """The same scene, told in other axes and another unit. Motions must have keys of their own."""
    change = axes.T @ scene.axes
    ratio = scene.metres_per_unit / metres_per_unit
    mirror = float(np.linalg.det(change))

    def turn(q: Array) -> Array:
        return np.array([q[0], *(mirror * (change @ q[1:]))])

    def value(path: str, v: Array) -> Array:
        if path == TRANSLATION:
            return ratio * (change @ v)
        return turn(v) if path == ROTATION else np.abs(change) @ v

    def local(pose: Local) -> Local:
        linear = change @ pose.linear @ change.T
        return Local(ratio * (change @ pose.translation), turn(pose.rotation), linear)

    def bind(m: Array) -> Array:
        return affine(change @ m[:3, :3] @ change.T, ratio * (change @ m[:3, 3]))

    animations: list[Animation] = []
    for animation in scene.animations:
        channels = [
            replace(c, values=np.array([value(c.path, v) for v in c.values])) for c in animation.channels()
        ]
        animations.append(Animation.of(animation.name, channels))
    return replace(
        scene,
        nodes=[replace(node, rest=local(node.rest)) for node in scene.nodes],
        animations=animations,
        skins=[Skin(skin.joints, [bind(m) for m in skin.inverse_binds]) for skin in scene.skins],
        axes=axes,
        metres_per_unit=metres_per_unit,
    )


def skin_at_rest(scene: Scene, joints: list[int]) -> Skin:
    """A skin whose bind pose is the rest pose; in the file's axes and unit."""
    plain = replace(scene, axes=np.eye(3), metres_per_unit=1.0)
    worlds = plain.world()[0]
    return Skin(joints, [array(np.linalg.inv(worlds[joint])) for joint in joints])
