# SPDX-License-Identifier: MIT
"""Clip tools on the F-curves of an armature (docs/clip-tools.md)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from .curves import Armature, Curve, NativeCurves, PackedArmature, PackedCurves, Timing, pack_timing
from .job import Progress, native_job
from .library import call
from .motion import Options, pack_options


def edit_curves(
    armature: Armature,
    timing: Timing,
    curves: Sequence[Curve],
    options: Options,
    progress: Progress | None = None,
) -> NativeCurves:
    """The curves that the tools change; options and report: ab_curves_edit in animbridge.h.

    One without keys is to be removed. `sources` of a curve: per key, the given key that it was, counted over
    all given curves; -1: a new one.
    """
    packed, given = PackedArmature(armature), PackedCurves(curves)
    out = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *("ab_curves_edit", packed.pointer, ctypes.byref(pack_timing(timing)), given.structs),
            *(len(curves), pack_options(options), job, ctypes.byref(out)),
        )
    return NativeCurves(out)
