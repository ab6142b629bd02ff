# SPDX-License-Identifier: MIT
"""How long importing a BVH of 60 joints x 3,000 frames takes, beside the bare Blender calls and Blender's own
importer.

Runs inside Blender as bench_import.py does: the bare calls make the same curves and nothing else. Taken in
turn, medians printed, nothing asserted. The operators' calls end with Blender's own evaluation of the new
Action, which is the same whoever made the curves, so bare calls with it are told too.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "addon")]

from tests.bench.swing import BVH_FRAMES, BVH_JOINTS, swinging_bvh  # noqa: E402

import animbridge  # noqa: E402
from animbridge.compat import actions, keyframes  # noqa: E402
from animbridge.kinds.bvh.importer import BvhImporter, skeleton_maker  # noqa: E402
from animbridge.kinds.bvh.options import BvhImportOptions  # noqa: E402
from animbridge.scene.import_.files import FileImport, import_files  # noqa: E402
from animbridge.scene.playing import assigned_channels  # noqa: E402

ROUNDS = 7
operators: Any = bpy.ops


#: Data path, index, and keys as foreach_set takes them.
Curves = list[tuple[str, int, np.ndarray]]


def curves_of_action() -> Curves:
    """What the active armature plays."""
    channels = assigned_channels(bpy.context.view_layer.objects.active)
    assert channels is not None
    return [
        (curve.data_path, curve.array_index, keyframes.read_co(curve).ravel()) for curve in channels.fcurves
    ]


def bare_calls(curves: Curves, *, evaluated: bool) -> None:
    """new, add, foreach_set and update of the curves that an import made, on an armature that is there."""
    armature: Any = bpy.data.objects["bare"]
    linear = np.ones(BVH_FRAMES, keyframes.ENUM_TYPE)
    channels = actions.create_channels(bpy.data.actions.new("bare"), armature.name)
    for data_path, index, co in curves:
        curve = channels.holder.fcurves.new(data_path, index=index)
        curve.keyframe_points.add(BVH_FRAMES)
        curve.keyframe_points.foreach_set("co", co)
        curve.keyframe_points.foreach_set("interpolation", linear)
        curve.update()
    if evaluated:
        actions.assign(armature.animation_data or armature.animation_data_create(), channels)
        bpy.context.view_layer.update()


def file_to_action(path: Path, is_euler: bool) -> None:
    """All that the operator does but the evaluation that Blender adds to it."""
    maker = skeleton_maker(BvhImportOptions(), is_euler=is_euler)
    job = FileImport(BvhImporter(), maker, BvhImportOptions())
    outcome = import_files(bpy.context, [path], job)
    assert len(outcome.done) == 1 and not outcome.failed


def ours(path: Path, is_euler: bool) -> None:
    operators.import_anim.animbridge_bvh(
        filepath=str(path), target="NEW", rotation_mode="EULER" if is_euler else "QUATERNION"
    )


def built_in(path: Path, is_euler: bool) -> None:
    operators.import_anim.bvh(filepath=str(path), rotate_mode="NATIVE" if is_euler else "QUATERNION")


def medians(*works: Callable[[], None]) -> list[float]:
    """Median seconds of each, taken in turn; what they made is removed after each."""
    rows: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for row, work in zip(rows, works, strict=True):
            start = time.perf_counter()
            work()
            row.append(time.perf_counter() - start)
            _clear()
    return [statistics.median(row) for row in rows]


def _clear() -> None:
    """Memory goes back to the system too, for a user's first import finds none that has been used before."""
    made = [obj for obj in bpy.data.objects if obj.name != "bare"]
    bpy.data.batch_remove([*made, *(obj.data for obj in made), *bpy.data.actions])
    ctypes.CDLL(None).malloc_trim(0)


def main() -> None:
    animbridge.register()
    has_built_in = bpy.app.version >= (4, 0, 0)  # 3.4's cannot run with Python 3.11
    if has_built_in:
        import addon_utils  # which the bpy module brings along

        addon_utils.enable("io_anim_bvh")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = 30
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "swing.bvh"
        path.write_bytes(swinging_bvh())
        ours(path, is_euler=False)
        bpy.context.view_layer.objects.active.name = "bare"
        _clear()
        megabytes = path.stat().st_size / 1e6
        print(
            f"Blender {bpy.app.version_string}: import of a BVH, {BVH_JOINTS} joints x {BVH_FRAMES} frames, "
            f"{megabytes:.1f} MB"
        )
        for is_euler in (False, True):
            kind = "Euler" if is_euler else "quaternions"
            ours(path, is_euler)
            curves = curves_of_action()
            _clear()
            works = [
                lambda is_euler=is_euler: file_to_action(path, is_euler),
                lambda curves=curves: bare_calls(curves, evaluated=False),
                lambda is_euler=is_euler: ours(path, is_euler),
                lambda curves=curves: bare_calls(curves, evaluated=True),
            ]
            if has_built_in:
                works.append(lambda is_euler=is_euler: built_in(path, is_euler))
            made, bare, whole, evaluated, *other = medians(*works)
            print(
                f"{kind}: file to Action {made:.3f} s, the bare calls {bare:.3f} s: ratio {made / bare:.2f}"
            )
            print(
                f"{kind}: operator {whole:.3f} s, bare calls and evaluation {evaluated:.3f} s: "
                f"ratio {whole / evaluated:.2f}"
            )
            for seconds in other:
                print(f"{kind}: Blender's own importer {seconds:.3f} s: ratio {seconds / whole:.2f}")
    animbridge.unregister()
    sys.stdout.flush()
    os._exit(0)


main()
