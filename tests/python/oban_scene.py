# SPDX-License-Identifier: MIT
"""OBAN in a scene, as the witness has it: curves evaluated as Blender does, and animations to export."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from material import ROOT
from numpy.typing import NDArray
from tests.witness import oban_any, oban_axes
from tests.witness import oban_player as player
from tests.witness.oban_file import Key, Record, bits_of_all

from animbridge.curves import Curve

OBAN = ROOT / "fixtures" / "oban"
Array = NDArray[np.float64]
METRES = oban_axes.METRES
#: K: Y up becomes Z up.
TURN = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
SCALE = np.diag([METRES, METRES, METRES, 1.0])


def playable() -> list[Path]:
    """The fixtures of one animation that can be played."""
    rows = json.loads((OBAN / "manifest.json").read_text(encoding="utf-8"))["files"]
    return [
        OBAN / row["file"]
        for row in rows
        if not row["file"].endswith(".dat") and any(record.get("poses") for record in row.get("records", []))
    ]


def record_of(data: bytes) -> Record:
    """The animation in a file's bytes, read by the witness."""
    return oban_any.read(data).found[0].record


def frames_of(record: Record, step: float = 0.5, most: int = 600) -> Array:
    """Every frame and what is between; of long ones the ends and some."""
    frames = np.arange(0.0, player.last_frame(record) + step / 2, step)
    return frames if len(frames) <= most else np.unique(np.append(frames[:: len(frames) // most], frames[-1]))


def transform(record: Record, frame: float) -> Array:
    """A(f) as 4x4, for column vectors."""
    matrix = np.eye(4)
    matrix[:3, :] = np.reshape(player.transform(record, frame), (4, 3)).T
    return matrix


def world(record: Record, frame: float, axes: str = "file", origin: Array | None = None) -> Array:
    """The object's world matrix in Blender (animbridge.h, "OBAN")."""
    matrix = SCALE @ TURN @ transform(record, frame)
    matrix = matrix @ (TURN.T if axes == "blender" else np.eye(4)) @ np.linalg.inv(SCALE)
    return matrix if origin is None else origin @ matrix


def rotation_matrix(q: Array) -> Array:
    """Of w, x, y, z, of any length but 0."""
    w, x, y, z = q / np.linalg.norm(q)
    columns = player.rotation_matrix((x, y, z, w))
    return np.reshape(columns, (3, 3)).T


def evaluated(curves: list[Curve], frame: float) -> Array:
    """Location and rotation of linear curves: each component for itself, the quaternion normalised."""
    values = {(int(c.channel), c.component): np.interp(frame, c.co[:, 0], c.co[:, 1]) for c in curves}
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(np.array([values[1, i] for i in range(4)]))
    matrix[:3, 3] = [values[0, i] for i in range(3)]
    return matrix


def base_of(report: dict[str, Any]) -> Array:
    """The matrix that stands behind location and rotation."""
    return np.reshape(report["base_matrix"], (4, 4)).T


def column_major(matrices: list[Array]) -> NDArray[np.float32]:
    """As Blender's matrices go to the library."""
    return np.array([matrix.T.ravel() for matrix in matrices], np.float32)


def turn(axis: tuple[float, float, float], degrees: float) -> Array:
    """A 4x4 rotation."""
    half = np.radians(degrees) / 2
    unit = np.array(axis) / np.linalg.norm(axis)
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(np.array([np.cos(half), *(np.sin(half) * unit)]))
    return matrix


def move(x: float, y: float, z: float) -> Array:
    """A 4x4 translation."""
    matrix = np.eye(4)
    matrix[:3, 3] = (x, y, z)
    return matrix


def shear(xy: float, xz: float, yz: float) -> Array:
    """A 4x4 shear."""
    matrix = np.eye(4)
    matrix[0, 1], matrix[0, 2], matrix[1, 2] = xy, xz, yz
    return matrix


@dataclass(frozen=True)
class Motion:
    """An object's world matrix, frame by frame."""

    name: str
    frames: int
    at: Callable[[int], Array]

    def matrices(self) -> list[Array]:
        """In metres, Z up."""
        return [self.at(frame) for frame in range(self.frames)]


def wandering(seed: int, frames: int, far: float = 0.0) -> list[Array]:
    """A smooth random flight; `far`: metres from the world's origin."""
    rng = np.random.default_rng(seed)
    knots = max(frames // 25, 2) + 1
    places = np.cumsum(rng.normal(0, 0.6, (knots, 3)), axis=0) + far * np.array([0.6, -0.64, 0.48])
    spins = np.cumsum(rng.normal(0, 40.0, (knots, 3)), axis=0)
    at = np.linspace(0, knots - 1, frames)

    def smooth(values: Array) -> Array:
        low = np.minimum(at.astype(int), knots - 2)
        u = at - low
        u = (u * u * (3 - 2 * u))[:, None]
        return values[low] * (1 - u) + values[low + 1] * u

    return [
        move(*place) @ turn((0, 0, 1), s[2]) @ turn((0, 1, 0), s[1]) @ turn((1, 0, 0), s[0])
        for place, s in zip(smooth(places), smooth(spins), strict=True)
    ]


def motions() -> Iterator[Motion]:
    """What people export, and what goes wrong elsewhere (spec 4)."""
    for seed in range(4):
        path = wandering(seed, 90 + 40 * seed)
        yield Motion(f"wander_{seed}", len(path), path.__getitem__)
    path = wandering(9, 120)
    behind = {
        "uniform_scale": np.diag([1.82, 1.82, 1.82, 1.0]),
        "uneven_scale": np.diag([0.3, 2.0, 7.5, 1.0]),
        "mirror": np.diag([-1.0, 1.0, 1.0, 1.0]),
        "mirror_and_scale": np.diag([2.0, -0.5, 3.0, 1.0]),
        "shear": shear(0.4, -0.2, 0.7) @ np.diag([1.0, 2.0, 0.5, 1.0]),
        "shear_and_mirror": shear(0.4, -0.2, 0.7) @ np.diag([1.0, -2.0, 0.5, 1.0]),
    }
    for name, base in behind.items():
        yield Motion(name, 120, lambda frame, base=base: path[frame] @ base)
    for pitch in (86, 87, 88, 89):
        yield Motion(
            f"pitch_{pitch}", 60, lambda f, p=pitch: turn((0, 0, 1), 3.0 * f) @ turn((1, 0, 0), p - 0.05 * f)
        )
    yield Motion("full_turns", 181, lambda f: move(0.01 * f, 0, 0) @ turn((0.2, 0.1, 1), 4.0 * f))
    yield Motion("half_turn_a_frame", 20, lambda f: turn((0, 0, 1), 180.0 * f))
    yield Motion("still", 50, lambda _: move(1, 2, 3) @ turn((1, 1, 0), 33))
    yield Motion("one_frame", 1, lambda _: move(1, 2, 3) @ turn((1, 1, 0), 33))
    yield Motion("two_frames", 2, lambda f: move(f, 0, 0))
    noise = np.random.default_rng(3).normal(0, 1, (60, 6))
    yield Motion("noise", 60, lambda f: move(*noise[f, :3]) @ turn(tuple(noise[f, 3:]), 180 * noise[f, 3]))


def with_keys(record: Record, keys: list[Key]) -> Record:
    """Another choice of keys."""
    return Record(**{**record.__dict__, "keys": keys})


def floats(values: list[float]) -> tuple[int, ...]:
    """Bits of numbers, rounded to single precision."""
    return bits_of_all(tuple(float(np.float32(v)) for v in values))
