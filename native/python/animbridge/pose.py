# SPDX-License-Identifier: MIT
"""What a document's player shows at given times."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import abi
from .document import Document
from .library import call, load

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """Per time (first axis) and joint of the file (second axis); NaN where the file says nothing.

    Of several records of a joint the first counts. Seconds, quaternions w x y z; of a .anim metres, on the
    resting skeleton with mPelvis at 0; of a BVH or OBAN the file's unit and axes.
    """

    clip_seconds: Doubles
    ease_weights: Doubles
    local_rotations: Doubles
    local_positions: Doubles
    world_rotations: Doubles
    world_positions: Doubles


def play(document: Document, times_seconds: ArrayLike, stop_time_seconds: float = -1.0) -> Pose:
    """Plays a document at seconds since its start; a negative stop time: it is not stopped."""
    times = np.ascontiguousarray(times_seconds, dtype=np.float64).ravel()
    count = len(times)
    joints: int = load().ab_document_joint_count(document.pointer)
    pose = Pose(
        clip_seconds=np.full(count, np.nan),
        ease_weights=np.full(count, np.nan),
        local_rotations=np.full((count, joints, 4), np.nan),
        local_positions=np.full((count, joints, 3), np.nan),
        world_rotations=np.full((count, joints, 4), np.nan),
        world_positions=np.full((count, joints, 3), np.nan),
    )
    struct = abi.AbPose(
        struct_size=ctypes.sizeof(abi.AbPose),
        reserved=0,
        joint_capacity=joints,
        **{name: array.ctypes.data for name, array in vars(pose).items()},
    )
    call(
        *("ab_document_pose", document.pointer, ctypes.c_void_p(times.ctypes.data), count),
        *(float(stop_time_seconds), ctypes.byref(struct)),
    )
    return pose
