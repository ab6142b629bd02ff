# SPDX-License-Identifier: MIT
"""How long importing 133 joints x 1,800 keys takes, beside the bare Blender calls that make the same curves.

Runs inside Blender: scripts/bench, or `scripts/blenders run 4.5 -- tests/bench/bench_import.py`. Both are
taken in turn and medians printed; it asserts nothing. Blender's own evaluation of the new Action, which the
operator's call waits for, is told apart: it is the same whoever made the curves.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "addon")]

from tests.bench.swing import KEYS, swinging_file  # noqa: E402

import animbridge  # noqa: E402
from animbridge.compat import actions, keyframes  # noqa: E402
from animbridge.kinds.sl_anim.importer import SlImporter  # noqa: E402
from animbridge.package import Document, Facing  # noqa: E402
from animbridge.scene.import_.action import import_document  # noqa: E402
from animbridge.scene.import_.options import ImportOptions  # noqa: E402
from animbridge.scene.source_files import SourceFile  # noqa: E402

ROUNDS = 7


def bare_calls(armature: bpy.types.Object, points: np.ndarray) -> tuple[float, float]:
    """Seconds for new, add, foreach_set and update of the same curves; and with the Action evaluated too."""
    linear = np.ones(KEYS, keyframes.ENUM_TYPE)
    start = time.perf_counter()
    action = bpy.data.actions.new("bare")
    channels = actions.create_channels(action, armature.name)
    for bone in armature.pose.bones:
        path = f'pose.bones["{bone.name}"].rotation_quaternion'
        for component in range(4):
            curve = channels.holder.fcurves.new(path, index=component)
            curve.keyframe_points.add(KEYS)
            curve.keyframe_points.foreach_set("co", points)
            curve.keyframe_points.foreach_set("interpolation", linear)
            curve.update()
    made = time.perf_counter() - start
    actions.assign(armature.animation_data or armature.animation_data_create(), channels)
    bpy.context.view_layer.update()
    evaluated = time.perf_counter() - start
    bpy.data.actions.remove(action)
    return made, evaluated


def imported(path: Path) -> tuple[float, float]:
    """Seconds until the Action is made from the file, and for the whole operator; the Actions are removed."""
    armature = bpy.context.view_layer.objects.active
    start = time.perf_counter()
    document = Document.read_file(path)
    options = ImportOptions(1.0, Facing.AUTO)
    result = import_document(
        SlImporter(), SourceFile(document, path.name), armature, bpy.context.scene, options
    )
    made = time.perf_counter() - start
    bpy.data.actions.remove(result.channels.action)
    before = set(bpy.data.actions)
    start = time.perf_counter()
    bpy.ops.import_anim.secondlife(filepath=str(path))
    whole = time.perf_counter() - start
    for action in set(bpy.data.actions) - before:
        bpy.data.actions.remove(action)
    return made, whole


def main() -> None:
    animbridge.register()
    points = np.empty((KEYS, 2), np.float32)
    points[:, 0] = 1.0 + np.arange(KEYS) * 60.0 * 24.0 / (KEYS - 1)
    points[:, 1] = 0.5
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "swing.anim"
        path.write_bytes(swinging_file())
        bpy.ops.import_anim.secondlife(filepath=str(path))  # makes the skeleton, then the active armature
        armature = bpy.context.view_layer.objects.active
        rows = [(*imported(path), *bare_calls(armature, points.ravel())) for _ in range(ROUNDS)]
    made, whole, bare, evaluated = (statistics.median(column) for column in zip(*rows, strict=True))
    print(f"Blender {bpy.app.version_string}: import of 133 joints x {KEYS} keys")
    print(f"file to Action {made:.3f} s, the bare calls {bare:.3f} s: ratio {made / bare:.2f}")
    print(
        f"operator {whole:.3f} s, bare calls and evaluation {evaluated:.3f} s: ratio {whole / evaluated:.2f}"
    )
    animbridge.unregister()
    sys.stdout.flush()
    os._exit(0)


main()
