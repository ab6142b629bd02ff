# SPDX-License-Identifier: GPL-3.0-or-later
"""Stick figures of both bodies while the alignment is previewed: the source's beside the target's, as large.

Their lines go from each bone of a pair to the next ones below it, so that both have the same lines.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix
from numpy.typing import NDArray

from ..compat.drawing import LINES_SHADER
from ..package import Armature, Pair
from ..scene.armature.reading import pose_bones
from .properties import settings_of

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_SOURCE_COLOUR: Final = (1.0, 0.55, 0.1, 1.0)
_TARGET_COLOUR: Final = (0.2, 0.65, 1.0, 1.0)
_LINE_PIXELS: Final = 3.0
#: Between the figures, in widths of both.
_GAP: Final = 0.6
_SIDES: Final = (
    ("leftUpperLeg", "rightUpperLeg"),
    ("leftUpperArm", "rightUpperArm"),
    ("leftShoulder", "rightShoulder"),
)


def figure_beside(
    pairs: Sequence[Pair], source: tuple[Armature, Floats], target: tuple[Armature, Floats]
) -> str:
    """Both figures as JSON: {"source": lines, each two points x, y, z from the target object's origin;
    "target": pairs of names of the target's bones}.

    `source` and `target`: standing armatures, and the matrices of their bones in a pose (bones x 16,
    column-major). The source's has the target's height and heading. "": there are no lines.
    """
    used = [pair for pair in pairs if pair.is_on]
    targets = [pair.target for pair in used]
    lines = _lines(source[0], [pair.source for pair in used])
    one = _heads(source, [pair.source for pair in used])
    other = _heads(target, targets)
    if not lines or not np.ptp(one[:, 2]) > 0.0:
        return ""
    slots = [pair.slot for pair in used]
    size = np.ptp(other[:, 2]) / np.ptp(one[:, 2])
    placed = (one - one.mean(axis=0)) @ _turn_between(_across(slots, one), _across(slots, other)).T * size
    across = _across(slots, other)
    widths = np.ptp(placed @ across) + np.ptp(other @ across)
    placed += other.mean(axis=0) + across * (_GAP * widths)
    placed[:, 2] += other[:, 2].min() - placed[:, 2].min()
    return json.dumps(
        {
            "source": [[*map(float, placed[a]), *map(float, placed[b])] for a, b in lines],
            "target": [(used[a].target, used[b].target) for a, b in _lines(target[0], targets)],
        }
    )


def _lines(armature: Armature, names: Sequence[str]) -> list[tuple[int, int]]:
    """Indices of names: each bone and the nearest of the others above it."""
    index = {name: number for number, name in enumerate(armature.names)}
    place = {index[name]: number for number, name in enumerate(names) if name in index}
    lines = []
    for bone, number in place.items():
        above = int(armature.parents[bone])
        while above >= 0 and above not in place:
            above = int(armature.parents[above])
        if above >= 0:
            lines.append((place[above], number))
    return lines


def _heads(posed: tuple[Armature, Floats], names: Sequence[str]) -> Doubles:
    """The heads of bones; those that the armature lacks are at the origin."""
    armature, matrices = posed
    index = {name: number for number, name in enumerate(armature.names)}
    heads = np.reshape(np.asarray(matrices, np.float64), (-1, 16))[:, 12:15]
    rows = [heads[index[name]] if name in index else np.zeros(3) for name in names]
    return np.reshape(np.array(rows, np.float64), (-1, 3))


def _across(slots: Sequence[str], heads: Doubles) -> Doubles:
    """The horizontal unit vector to the body's left; Blender's X if no pair of limbs shows it."""
    for left, right in _SIDES:
        if left in slots and right in slots:
            vector = heads[slots.index(left)] - heads[slots.index(right)]
            vector[2] = 0.0
            if np.linalg.norm(vector) > 0.0:
                return vector / np.linalg.norm(vector)
    return np.array([1.0, 0.0, 0.0])


def _turn_between(a: Doubles, b: Doubles) -> Doubles:
    """The matrix about Z that turns the horizontal unit vector `a` to `b`."""
    cosine, sine = float(a @ b), float(a[0] * b[1] - a[1] * b[0])
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _draw() -> None:
    """Draws both figures into a 3D view, in front of everything."""
    context = bpy.context
    settings = settings_of(context.scene)
    target = settings.previewed
    if target is None or not settings.figure or not context.space_data.overlay.show_overlays:
        return
    bones = pose_bones(target)
    try:
        figure = json.loads(settings.figure)
        beside = np.reshape(np.array(figure["source"], np.float64), (-1, 3))
        on_target = [bones[name].head for line in figure["target"] for name in line]
    except (ValueError, TypeError, KeyError):
        return  # a damaged file may have any text here, and bones may be gone
    shader = gpu.shader.from_builtin(LINES_SHADER)
    shader.bind()
    shader.uniform_float("lineWidth", _LINE_PIXELS)
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    for points, placed, colour in (
        (beside, Matrix.Translation(target.matrix_world.translation), _SOURCE_COLOUR),
        (on_target, target.matrix_world, _TARGET_COLOUR),
    ):
        gpu.matrix.push()
        gpu.matrix.multiply_matrix(placed)
        shader.uniform_float("color", colour)
        batch_for_shader(shader, "LINES", {"pos": [tuple(point) for point in points]}).draw(shader)
        gpu.matrix.pop()


class Figures:
    """Draws in all 3D views from attach() to detach()."""

    def __init__(self) -> None:
        self._handle: Any = None

    def attach(self) -> None:
        """Without a screen there is nothing to draw on."""
        if not bpy.app.background:
            self._handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")

    def detach(self) -> None:
        """Also where attach() did nothing."""
        if self._handle is not None:
            bpy.types.SpaceView3D.draw_handler_remove(self._handle, "WINDOW")
            self._handle = None
