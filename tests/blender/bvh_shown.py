# SPDX-License-Identifier: MIT
"""What Blender shows against what the witness reads in an exported BVH."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bvh_support import TURN, degrees_apart, world_of
from helpers import set_frame
from tests.witness.bvh_file import Bvh

_UNITS = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


@dataclass(frozen=True)
class Errors:
    """The largest over joints and frames: degrees, and the share of the skeleton's extent."""

    degrees: float
    share: float


def turn_of_axes(forward: str, up: str) -> np.ndarray:
    """The rotation that brings these axes of the file to Blender's +Y and +Z."""
    ahead, above = (np.array(_UNITS[axis[-1]]) * (-1 if axis[0] == "-" else 1) for axis in (forward, up))
    return np.array((np.cross(ahead, above), ahead, above))


def matrices(bones: Any, attribute: str) -> np.ndarray:
    """Bones' matrices (n, 4, 4) in double precision."""
    values = np.empty(16 * len(bones), np.float32)
    bones.foreach_get(attribute, values)
    return values.astype(np.float64).reshape(-1, 4, 4).transpose(0, 2, 1)


def shown_now(rig: Any, bvh: Bvh, motion: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Heads, and turns from rest, of the file's joints in armature space; `motion`: the object's besides."""
    names = list(rig.pose.bones.keys())
    order = [names.index(joint.name) for joint in bvh.joints]
    poses = (np.eye(4) if motion is None else motion) @ matrices(rig.pose.bones, "matrix")[order]
    rests = matrices(rig.data.bones, "matrix_local")[order]
    return poses[:, :3, 3], poses[:, :3, :3] @ np.linalg.inv(rests[:, :3, :3])


def errors_of(
    rig: Any,
    bvh: Bvh,
    frames: Sequence[float],
    turn: np.ndarray = TURN,
    scale: float = 1.0,
    *,
    with_object: bool = False,
) -> Errors:
    """Frame i of the file against what Blender shows at frames[i]."""
    assert len(bvh.motion) == len(frames)
    degrees = apart = 0.0
    size = 1e-9
    start = None
    for index, frame in enumerate(frames):
        set_frame(frame)
        bpy.context.view_layer.update()
        place = np.array(rig.matrix_world, np.float64)
        start = place if start is None else start
        heads, turns = shown_now(rig, bvh, np.linalg.inv(start) @ place if with_object else None)
        positions, rotations = world_of(bvh, index, turn)
        size = max(size, float(np.ptp(heads, axis=0).max()), float(np.abs(heads).max()))
        apart = max(apart, float(np.abs(scale * positions - heads).max()))
        degrees = max(degrees, degrees_apart(turns, rotations))
    return Errors(degrees, apart / size)
