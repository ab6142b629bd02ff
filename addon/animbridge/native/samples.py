# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluated poses to a .anim, and .anim files with fewer keys."""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import abi
from .arrays import KeptArrays
from .curves import Armature, PackedArmature, SlExport, Timing, pack_export, pack_timing
from .document import Document, parse_object
from .job import Progress, native_job
from .library import call, take_bytes

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Samples:
    """What Blender shows at some frames: constraints, drivers and control rigs are in it.

    `frames` ascend from the timing's frame_start; `matrices` are samples x bones x 16, column-major, in
    armature space: pose.bones.foreach_get("matrix"). `object_matrices` (samples x 16, column-major): where
    the armature object is, as seen from where it rests; None: it stands. `bones`: per bone, whether it is
    exported; None: all. Keys are dropped while every sample stays within both bounds; None: every sample is
    a key.
    """

    frames: NDArray[np.float64]
    matrices: Floats
    object_matrices: Floats | None = None
    bones: NDArray[np.uint8] | None = None
    max_position_mm: float | None = 0.5
    max_rotation_degrees: float | None = 0.05


def document_from_samples(
    armature: Armature,
    timing: Timing,
    samples: Samples,
    options: SlExport,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Sampled poses to a .anim document, and the report of what is in it and how exact it is."""
    packed_armature = PackedArmature(armature)
    packed = PackedSamples(samples, len(armature.names))
    export, _keep = pack_export(options)
    document = ctypes.c_void_p()
    report = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *("ab_sl_document_from_samples", ctypes.byref(packed_armature.struct)),
            *(ctypes.byref(pack_timing(timing)), ctypes.byref(packed.struct), ctypes.byref(export), job),
            *(ctypes.byref(document), ctypes.byref(report)),
        )
    return Document(document), parse_object(take_bytes(report))


def reduce_document(
    document: Document,
    *,
    max_position_mm: float | None = None,
    max_rotation_degrees: float | None = None,
    fit_bytes: int | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """The document with only the keys that the viewer needs, and the report.

    Without `fit_bytes` the bounds default to 0.5 mm and 0.05 degrees; with it, to the smallest that fit.
    """
    given = {
        "max_position_mm": max_position_mm,
        "max_rotation_degrees": max_rotation_degrees,
        "fit_bytes": fit_bytes,
    }
    wanted = {name: value for name, value in given.items() if value is not None}
    out = ctypes.c_void_p()
    report = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *("ab_sl_reduce", document.pointer, json.dumps(wanted).encode("ascii"), job),
            *(ctypes.byref(out), ctypes.byref(report)),
        )
    return Document(out), parse_object(take_bytes(report))


class PackedSamples:
    """An ab_sl_samples and the arrays that it points to."""

    def __init__(self, samples: Samples, bones: int) -> None:
        count = len(samples.frames)
        arrays = self._arrays = KeptArrays()
        self.struct = abi.AbSlSamples(
            struct_size=ctypes.sizeof(abi.AbSlSamples),
            sample_count=count,
            frames=arrays.address(samples.frames, np.float64, count, "frames"),
            matrices=arrays.address(samples.matrices, np.float32, 16 * bones * count, "matrices"),
            object_matrices=arrays.address(
                samples.object_matrices, np.float32, 16 * count, "object_matrices"
            ),
            bones=arrays.address(samples.bones, np.uint8, bones, "bones"),
            max_position_mm=samples.max_position_mm or 0.0,
            max_rotation_degrees=samples.max_rotation_degrees or 0.0,
        )
