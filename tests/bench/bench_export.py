# SPDX-License-Identifier: MIT
"""How long exporting 133 joints x 1,800 keys takes, beside the bare Blender calls that read the same.

From F-curves: beside foreach_get of every key's frame, value and interpolation. Sampled: beside a loop of
frame_set over the same frames. Runs inside Blender as bench_import.py does; medians, no assertion.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "addon")]

from tests.bench.swing import KEYS, swinging_file  # noqa: E402

import animbridge  # noqa: E402
from animbridge.compat import keyframes  # noqa: E402
from animbridge.kinds.sl_anim.exporter import SlExporter  # noqa: E402
from animbridge.kinds.sl_anim.options import SlExportOptions  # noqa: E402
from animbridge.package import Target  # noqa: E402
from animbridge.scene.export.action import export_action  # noqa: E402
from animbridge.scene.export.options import Method  # noqa: E402
from animbridge.scene.playing import assigned_channels  # noqa: E402

OPTIONS = SlExportOptions(library={"target": Target.OPENSIM.value})


def export(method: Method, **options: Any) -> None:
    armature = bpy.context.view_layer.objects.active
    channels = assigned_channels(armature)
    assert channels is not None
    wanted = replace(OPTIONS, method=method, **options)
    export_action(SlExporter(), armature, channels, bpy.context.scene, wanted, alone=True)


def bare_reads() -> None:
    channels = assigned_channels(bpy.context.view_layer.objects.active)
    assert channels is not None
    for curve in channels.fcurves:
        points = curve.keyframe_points
        points.foreach_get("co", np.empty(2 * len(points), np.float32))
        points.foreach_get("interpolation", np.empty(len(points), keyframes.ENUM_TYPE))


def bare_frames() -> None:
    first, last = bpy.context.view_layer.objects.active.animation_data.action.frame_range
    for frame in range(int(first), int(last) + 1):
        bpy.context.scene.frame_set(frame)


def medians(rounds: int, *works: Callable[[], None]) -> list[float]:
    """Median seconds of each, taken in turn."""
    rows: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for row, work in zip(rows, works, strict=True):
            start = time.perf_counter()
            work()
            row.append(time.perf_counter() - start)
    return [statistics.median(row) for row in rows]


def edit_every_curve() -> None:
    """So that nothing is as it was imported."""
    channels = assigned_channels(bpy.context.view_layer.objects.active)
    assert channels is not None
    for curve in channels.fcurves:
        if curve.data_path.endswith("rotation_quaternion") and curve.array_index == 1:
            curve.keyframe_points[0].co[1] += 0.001
            curve.update()


def main() -> None:
    animbridge.register()
    bpy.context.scene.render.fps = 30
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "swing.anim"
        path.write_bytes(swinging_file())
        bpy.ops.import_anim.secondlife(filepath=str(path))
    print(f"Blender {bpy.app.version_string}: export of 133 joints x {KEYS} keys")
    untouched, reads = medians(5, lambda: export(Method.CURVES), bare_reads)
    print(f"untouched curves {untouched:.3f} s, bare reads {reads:.3f} s: ratio {untouched / reads:.2f}")
    edit_every_curve()
    edited, reads = medians(3, lambda: export(Method.CURVES), bare_reads)
    print(f"edited curves {edited:.3f} s, bare reads {reads:.3f} s: ratio {edited / reads:.2f}")
    every_key = {"library": {**OPTIONS.library, "max_position_mm": 0, "max_rotation_degrees": 0}}
    sampled, plain, frames = medians(
        3, lambda: export(Method.SAMPLES), lambda: export(Method.SAMPLES, **every_key), bare_frames
    )
    print(f"sampled {sampled:.3f} s, bare frame_set {frames:.3f} s: ratio {sampled / frames:.2f}")
    print(f"sampled, every key kept {plain:.3f} s: ratio {plain / frames:.2f}")
    animbridge.unregister()
    sys.stdout.flush()
    os._exit(0)


main()
