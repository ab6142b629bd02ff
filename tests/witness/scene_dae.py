# SPDX-License-Identifier: MIT
"""What COLLADA 1.4.1 says about motion: stacks of transforms, and curves for all or one of its numbers."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field, replace

import numpy as np

from .scene_math import Array, about, affine, array, matrix3, slerp, split, to_euler, unrolled
from .scene_model import X_UP, Y_UP, Z_UP, Animation, Local, Node, Scene, Skin

UP_AXES = {"X_UP": X_UP, "Y_UP": Y_UP, "Z_UP": Z_UP}
MEMBERS = {"X": 0, "Y": 1, "Z": 2, "ANGLE": 3}
_WIDTHS = {"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}


@dataclass
class Transform:
    """One element of a node's stack; `values` as the file has them (angles in degrees, matrices by rows)."""

    kind: str
    sid: str
    values: list[float]

    def matrix(self) -> Array:
        """The 4 x 4 matrix."""
        if self.kind == "matrix":
            return array(self.values).reshape(4, 4)
        if self.kind == "translate":
            return affine(np.eye(3), array(self.values))
        if self.kind == "rotate":
            return affine(matrix3(about(self.values[:3], self.values[3])), np.zeros(3))
        if self.kind == "scale":
            return affine(np.diag(array(self.values)), np.zeros(3))
        raise ValueError(f"<{self.kind}> is not in this witness")


@dataclass
class Curve:
    """Keys of one transform (`sid`) or of one number of it (`member`: X, Y, Z, ANGLE)."""

    node: int
    sid: str
    member: str
    times: list[float]
    rows: Array  # a row for each key
    kinds: list[str]  # LINEAR, STEP or BEZIER, from each key to the next
    # BEZIER: control points (time, value), a row for each key; curves of one number only.
    into: Array | None = None
    out: Array | None = None

    def at(self, seconds: float) -> Array:
        """The values at a time; before the first and after the last key, that key's."""
        if seconds <= self.times[0] or len(self.times) == 1:
            return array(self.rows[0])
        if seconds >= self.times[-1]:
            return array(self.rows[-1])
        i = bisect_right(self.times, seconds) - 1
        kind = self.kinds[i]
        if kind == "STEP":
            return array(self.rows[i])
        if kind == "BEZIER" and self.into is not None and self.out is not None:
            corners = [[self.times[i], self.rows[i][0]], self.out[i], self.into[i + 1]]
            return array([bezier(array([*corners, [self.times[i + 1], self.rows[i + 1][0]]]), seconds)])
        share = (seconds - self.times[i]) / (self.times[i + 1] - self.times[i])
        if self.rows.shape[1] == 16:
            return _blend(self.rows[i], self.rows[i + 1], share)
        return (1 - share) * self.rows[i] + share * self.rows[i + 1]


def bezier(corners: Array, x: float) -> float:
    """The y of a cubic Bezier curve at an x; its x must not run back."""
    low, high = 0.0, 1.0
    for _ in range(64):
        u = (low + high) / 2
        if _bernstein(corners[:, 0], u) < x:
            low = u
        else:
            high = u
    return _bernstein(corners[:, 1], (low + high) / 2)


def _bernstein(p: Array, u: float) -> float:
    v = 1 - u
    return float(v**3 * p[0] + 3 * v * v * u * p[1] + 3 * v * u * u * p[2] + u**3 * p[3])


def _blend(a: Array, b: Array, share: float) -> Array:
    """Between two matrices: the specification leaves it open; here parts are blended, as programs do."""
    first, second = a.reshape(4, 4), b.reshape(4, 4)
    turn0, scale0 = split(first[:3, :3])
    turn1, scale1 = split(second[:3, :3])
    linear = matrix3(slerp(turn0, turn1, share)) * ((1 - share) * scale0 + share * scale1)
    place = (1 - share) * first[:3, 3] + share * second[:3, 3]
    return affine(linear, place).ravel()


@dataclass
class StackMotion:
    """A motion of a node: its stack, in which curves replace values."""

    transforms: list[Transform]
    curves: list[Curve]

    def local(self, seconds: float, _rest: Local, /) -> Local:
        """See Motion."""
        values = {t.sid: list(t.values) for t in self.transforms if t.sid}
        for curve in self.curves:
            found: list[float] = curve.at(seconds).tolist()
            if curve.member:
                values[curve.sid][MEMBERS[curve.member]] = found[0]
            else:
                values[curve.sid] = found
        moved = [replace(t, values=values.get(t.sid, t.values)) for t in self.transforms]
        return Local.of_matrix(stacked(moved))

    def key_times(self) -> list[list[float]]:
        """See Motion."""
        return [curve.times for curve in self.curves]

    def summary(self) -> list[tuple[str, str, int]]:
        """See Motion."""
        paths = {"translate": "translation", "rotate": "rotation", "scale": "scale", "matrix": "matrix"}
        kinds = {transform.sid: paths[transform.kind] for transform in self.transforms}
        return [
            (kinds[c.sid], c.kinds[0] if len(set(c.kinds)) == 1 else "CURVES", len(c.times))
            for c in self.curves
        ]


def stacked(transforms: list[Transform]) -> Array:
    """The product of a stack; the first element acts last."""
    result = np.eye(4)
    for transform in transforms:
        result = result @ transform.matrix()
    return result


@dataclass
class DaeScene:
    """A COLLADA document's scene."""

    nodes: list[Node]  # `rest` follows from `stacks`
    stacks: list[list[Transform]]
    clips: list[tuple[str, list[Curve]]] = field(default_factory=list[tuple[str, list[Curve]]])
    skins: list[Skin] = field(default_factory=list[Skin])
    up_axis: str | None = "Y_UP"  # None: not in the file, which means Y_UP
    metre: float | None = 1.0  # None: not in the file, which means 1
    flat: bool = False  # an <animation> for each node, none around them; one clip without a name

    def scene(self) -> Scene:
        """As the neutral model, in the file's axes and unit."""
        nodes = [
            replace(node, rest=Local.of_matrix(stacked(stack)))
            for node, stack in zip(self.nodes, self.stacks, strict=True)
        ]
        animations: list[Animation] = []
        for name, curves in self.clips:
            moved = dict.fromkeys(curve.node for curve in curves)
            motions = {n: StackMotion(self.stacks[n], [c for c in curves if c.node == n]) for n in moved}
            animations.append(Animation(name, dict(motions)))
        axes = UP_AXES[self.up_axis or "Y_UP"]
        unit = 1.0 if self.metre is None else self.metre
        return Scene(nodes, animations, self.skins, array(axes), unit)


def _rest_stack(rest: Local, as_matrix: bool) -> list[Transform]:
    if as_matrix:
        return [Transform("matrix", "transform", rest.matrix().ravel().tolist())]
    angles = to_euler(rest.rotation)
    turns = [
        Transform("rotate", f"rotate{'XYZ'[i]}", [*np.eye(3)[i].tolist(), float(angles[i])])
        for i in (2, 1, 0)
    ]
    place = Transform("translate", "location", rest.translation.tolist())
    return [place, *turns, Transform("scale", "scale", rest.scale().tolist())]


def from_scene(scene: Scene, as_matrix: bool = True) -> DaeScene:
    """A scene with keys of its own as COLLADA tells it: a matrix, or translate, three rotates and scale.

    Every key of a node's channels becomes a key of all its curves. Axes and unit stay, so they must be an
    up_axis's.
    """
    up = next(name for name, axes in UP_AXES.items() if bool(np.all(axes == scene.axes)))
    stacks = [_rest_stack(node.rest, as_matrix) for node in scene.nodes]
    clips: list[tuple[str, list[Curve]]] = []
    for animation in scene.animations:
        curves: list[Curve] = []
        for node, motion in animation.motions.items():
            times = sorted({t for keys in motion.key_times() for t in keys})
            poses = [motion.local(t, scene.nodes[node].rest) for t in times]
            curves += _curves(node, times, poses, as_matrix)
        clips.append((animation.name, curves))
    return DaeScene(scene.nodes, stacks, clips, scene.skins, up, scene.metres_per_unit)


def _curves(node: int, times: list[float], poses: list[Local], as_matrix: bool) -> list[Curve]:
    linear = ["LINEAR"] * len(times)
    if as_matrix:
        rows = np.array([pose.matrix().ravel() for pose in poses])
        return [Curve(node, "transform", "", times, rows, linear)]
    places = np.array([pose.translation for pose in poses])
    angles = unrolled(np.array([to_euler(pose.rotation) for pose in poses]))
    result = [Curve(node, "location", "", times, places, linear)]
    for i in range(3):
        column = angles[:, i : i + 1]
        result.append(Curve(node, f"rotate{'XYZ'[i]}", "ANGLE", times, column, linear))
    return result


def width_of(kind: str) -> int:
    """How many numbers a transform has."""
    return _WIDTHS[kind]


def degrees_of_view(yfov: float | None, xfov: float | None, aspect: float | None) -> float:
    """The vertical field of view, from what a camera gives of it."""
    if yfov is not None:
        return yfov
    if xfov is None or aspect is None:
        return xfov or 0.0
    return math.degrees(2 * math.atan(math.tan(math.radians(xfov) / 2) / aspect))
