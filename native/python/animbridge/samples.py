# SPDX-License-Identifier: MIT
"""Evaluated poses as numpy arrays."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import abi
from .arrays import KeptArrays

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Samples:
    """What Blender shows at some frames: constraints, drivers and control rigs are in it.

    `frames` ascend from the timing's frame_start; `matrices` are samples x bones x 16, column-major, in
    armature space: pose.bones.foreach_get("matrix"). `object_matrices` (samples x 16, column-major): where
    the armature object is, as seen from where it rests, and for MRTK in the world; None: it stands.
    `bones`: per bone, whether it is exported; None: all.
    """

    frames: NDArray[np.float64]
    matrices: Floats
    object_matrices: Floats | None = None
    bones: NDArray[np.uint8] | None = None


class PackedSamples:
    """An ab_samples and the arrays that it points to."""

    def __init__(self, samples: Samples, bones: int) -> None:
        count = len(samples.frames)
        arrays = self._arrays = KeptArrays()
        self.struct = abi.AbSamples(
            struct_size=ctypes.sizeof(abi.AbSamples),
            sample_count=count,
            frames=arrays.address(samples.frames, np.float64, count, "frames"),
            matrices=arrays.address(samples.matrices, np.float32, 16 * bones * count, "matrices"),
            object_matrices=arrays.address(
                samples.object_matrices, np.float32, 16 * count, "object_matrices"
            ),
            bones=arrays.address(samples.bones, np.uint8, bones, "bones"),
        )
