# SPDX-License-Identifier: MIT
"""BVH files on armatures. Options are the JSON members that animbridge.h lists for BVH."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

from .curves import Armature, Curve, NativeCurves, Timing
from .document import Document, parse_object
from .job import Progress
from .library import call, take_bytes
from .motion import Options, curves_of, from_curves, from_samples, pack_options
from .samples import Samples

BVH_FORMAT: Final = "bvh"


def bvh_skeleton(document: Document, placement: Options | None = None) -> dict[str, Any]:
    """The skeleton at rest in armature space, and the length of the motion.

    `placement`: forward, up, scale. Without axes, "standing_axes" are those along which the file's body
    stands, if these are not the usual ones.
    """
    out = ctypes.c_void_p()
    call("ab_skeleton_json", None, document.pointer, pack_options(placement), ctypes.byref(out))
    return parse_object(take_bytes(out))


class BvhCurves(NativeCurves):
    """The curves that play a BVH on an armature, a key at each frame.

    `options`: forward, up, scale, match ("names" or "rig_map"), fit_height.
    """

    def __init__(
        self, document: Document, armature: Armature, timing: Timing, options: Options | None = None
    ) -> None:
        super().__init__(curves_of(document, armature, timing, options))


def document_from_curves(
    armature: Armature,
    timing: Timing,
    curves: Sequence[Curve],
    options: Options,
    template: Document | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Curves of an armature to a BVH document, and the report of what is in it and how exact it is.

    `options`: frame_count, and what else animbridge.h lists at ab_document_from_curves.
    """
    return from_curves(BVH_FORMAT, armature, timing, curves, options, template, progress)


def document_from_samples(
    armature: Armature,
    timing: Timing,
    samples: Samples,
    options: Options,
    template: Document | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Sampled poses, which stand at the file's frames, to a BVH document, and the report."""
    return from_samples(BVH_FORMAT, armature, timing, samples, options, template, progress)
