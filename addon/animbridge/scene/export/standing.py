# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampled poses as the armature's object turns and scales them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...package import Stance, stance_of_axes, standing_matrices
from .sampling import Poses

Floats = NDArray[np.float32]


def first_stance(poses: Poses, name: str) -> Stance:
    """How the object stands at the first sampled frame."""
    return stance_of_axes(poses.places[0].astype(np.float64).reshape(4, 4)[:3, :3].T, name)


def standing_poses(poses: Poses, name: str) -> Floats:
    """Sampled matrices (frames x bones x 16) with the motion of the object itself from its first place on."""
    places = poses.places.astype(np.float64).reshape(-1, 4, 4)
    if not poses.moves_object:
        return standing_matrices(poses.matrices, first_stance(poses, name))
    stances = [stance_of_axes(place[:3, :3].T, name) for place in places]
    turns = np.array([stance.turn.T for stance in stances], np.float32)
    scales = np.array([stance.scale for stance in stances], np.float32)
    frames, bones = poses.matrices.shape[:2]
    columns = poses.matrices.reshape(frames, bones * 4, 4).copy()
    columns[:, :, :3] = columns[:, :, :3] @ turns
    columns = columns.reshape(frames, bones, 4, 4)
    columns[:, :, 3, :3] *= scales[:, None, None]
    columns[:, :, 3, :3] += (places[:, 3, :3] - places[0, 3, :3]).astype(np.float32)[:, None]
    return columns.reshape(frames, bones, 16)
