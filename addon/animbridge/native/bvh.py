# SPDX-License-Identifier: GPL-3.0-or-later
"""BVH files on armatures. Options are the JSON members that animbridge.h describes ("BVH")."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .curves import Armature, Curve, NativeCurves, PackedArmature, PackedCurves, Timing, pack_timing
from .document import Document, parse_object
from .job import Progress, native_job
from .library import call, take_bytes
from .samples import PackedSamples, Samples

Options = Mapping[str, Any]


def bvh_skeleton(document: Document, placement: Options | None = None) -> dict[str, Any]:
    """The skeleton at rest in armature space, and the length of the motion.

    `placement`: forward, up, scale.
    """
    out = ctypes.c_void_p()
    call("ab_bvh_skeleton_json", document.pointer, pack_options(placement), ctypes.byref(out))
    return parse_object(take_bytes(out))


class BvhCurves(NativeCurves):
    """The curves that play a BVH on an armature, a key at each frame.

    `options`: forward, up, scale, match ("names" or "rig_map"), fit_height.
    """

    def __init__(
        self, document: Document, armature: Armature, timing: Timing, options: Options | None = None
    ) -> None:
        packed = PackedArmature(armature)
        out = ctypes.c_void_p()
        call(
            *("ab_curves_from_bvh", document.pointer, ctypes.byref(packed.struct)),
            *(ctypes.byref(pack_timing(timing)), pack_options(options), ctypes.byref(out)),
        )
        super().__init__(out)


def document_from_curves(
    armature: Armature,
    timing: Timing,
    curves: Sequence[Curve],
    options: Options,
    template: Document | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Curves of an armature to a BVH document, and the report of what is in it and how exact it is.

    `options`: frame_count, and what else animbridge.h lists at ab_bvh_document_from_curves.
    """
    packed_armature = PackedArmature(armature)
    packed_curves = PackedCurves(curves)
    document = ctypes.c_void_p()
    report = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *("ab_bvh_document_from_curves", ctypes.byref(packed_armature.struct)),
            *(ctypes.byref(pack_timing(timing)), packed_curves.structs, len(curves)),
            *(None if template is None else template.pointer, pack_options(options), job),
            *(ctypes.byref(document), ctypes.byref(report)),
        )
    return Document(document), parse_object(take_bytes(report))


def document_from_samples(
    armature: Armature,
    timing: Timing,
    samples: Samples,
    options: Options,
    template: Document | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Sampled poses, which stand at the file's frames, to a BVH document, and the report."""
    packed_armature = PackedArmature(armature)
    packed = PackedSamples(samples, len(armature.names))
    document = ctypes.c_void_p()
    report = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *("ab_bvh_document_from_samples", ctypes.byref(packed_armature.struct)),
            *(ctypes.byref(pack_timing(timing)), ctypes.byref(packed.struct)),
            *(None if template is None else template.pointer, pack_options(options), job),
            *(ctypes.byref(document), ctypes.byref(report)),
        )
    return Document(document), parse_object(take_bytes(report))


def pack_options(options: Options | None) -> bytes | None:
    """Options as the library takes them."""
    return None if options is None else json.dumps(options).encode("ascii")
