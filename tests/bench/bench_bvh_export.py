# SPDX-License-Identifier: MIT
"""How long exporting a BVH of 60 joints x 3,000 frames takes, beside Blender's own exporter.

Runs inside Blender as bench_import.py does; medians, no assertion.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "addon")]

from tests.bench.swing import BVH_FRAMES, BVH_JOINTS, swinging_bvh  # noqa: E402

import animbridge  # noqa: E402
from animbridge.scene.playing import assigned_channels  # noqa: E402

operators: Any = bpy.ops


def seconds_of(rounds: int, work: Callable[[], object]) -> float:
    """The median."""
    row = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        row.append(time.perf_counter() - start)
    return statistics.median(row)


def edit_every_bone() -> None:
    """So that nothing is as it was imported."""
    channels = assigned_channels(bpy.context.view_layer.objects.active)
    assert channels is not None
    for curve in channels.fcurves:
        if curve.array_index == 1:
            curve.keyframe_points[0].co[1] += 0.001
            curve.update()


def main() -> None:
    animbridge.register()
    has_built_in = bpy.app.version >= (4, 0, 0)
    if has_built_in:
        import addon_utils  # which the bpy module brings along

        addon_utils.enable("io_anim_bvh")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = 30
    print(f"Blender {bpy.app.version_string}: export of a BVH, {BVH_JOINTS} joints x {BVH_FRAMES} frames")
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "swing.bvh", Path(folder) / "out.bvh"
        path.write_bytes(swinging_bvh())
        operators.import_anim.animbridge_bvh(filepath=str(path), target="NEW")

        def ours(method: str, **options: Any) -> float:
            return seconds_of(
                3,
                lambda: operators.export_anim.animbridge_bvh(filepath=str(out), method=method, **options),
            )

        rows = {"untouched curves": ours("CURVES")}
        edit_every_bone()
        rows["edited curves"] = ours("CURVES")
        rows["curves, another order"] = ours("CURVES", as_imported=False, rotation_order="XYZ")
        rows["sampled"] = ours("SAMPLES")
        other = None
        if has_built_in:
            options = {"filepath": str(out), "frame_start": 1, "frame_end": BVH_FRAMES}
            other = seconds_of(1, lambda: operators.export_anim.bvh(**options))
            print(f"Blender's own exporter {other:.3f} s")
        for name, seconds in rows.items():
            print(f"{name} {seconds:.3f} s" + (f": ratio {other / seconds:.1f}" if other else ""))
    animbridge.unregister()
    sys.stdout.flush()
    os._exit(0)


main()
