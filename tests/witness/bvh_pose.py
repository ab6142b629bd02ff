# SPDX-License-Identifier: MIT
"""Forward kinematics of a BVH in float64: where each joint is, in the file's own unit and axes.

Rotation channels make one Hamilton product in channel order (the last acts first on a vector of the joint).
Position channels are the local position: each replaces its component of the OFFSET. Scales move nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bvh_file import Bvh, Joint
from .quaternion import IDENTITY, Vector, about_axis, product, rotate


@dataclass
class Pose:
    """World positions (joints, 3) and rotations (joints, 4) as x, y, z, w; local rotations likewise."""

    positions: NDArray[np.float64]
    rotations: NDArray[np.float64]
    local_rotations: NDArray[np.float64]


def local_of(joint: Joint, values: list[float]) -> tuple[Vector, Vector]:
    """The local position and rotation that a joint's own channels make."""
    position, rotation = np.array(joint.offset, dtype=np.float64), IDENTITY
    for name, value in zip(joint.channels, values, strict=True):
        axis = "XYZ".index(name[0])
        if name.endswith("position"):
            position[axis] = value
        elif name.endswith("rotation"):
            rotation = product(rotation, about_axis(axis, value))
    return position, rotation


def pose(bvh: Bvh, frame: int) -> Pose:
    """Every joint at one frame."""
    count, column = len(bvh.joints), 0
    result = Pose(np.zeros((count, 3)), np.zeros((count, 4)), np.zeros((count, 4)))
    for index, joint in enumerate(bvh.joints):
        values = bvh.motion[frame][column : column + len(joint.channels)]
        column += len(joint.channels)
        position, rotation = local_of(joint, values)
        result.local_rotations[index] = rotation
        if joint.parent is not None:
            above = result.rotations[joint.parent]
            position = result.positions[joint.parent] + rotate(above, position)
            rotation = product(above, rotation)
        result.positions[index], result.rotations[index] = position, rotation
    return result


def world(bvh: Bvh) -> dict[str, list[list[list[float]]]]:
    """positions[frame][joint] as x, y, z and rotations[frame][joint] as x, y, z, w."""
    poses = [pose(bvh, frame) for frame in range(len(bvh.motion))]
    return {
        "positions": [p.positions.tolist() for p in poses],
        "rotations": [p.rotations.tolist() for p in poses],
    }
