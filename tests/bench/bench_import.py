# SPDX-License-Identifier: MIT
"""How long importing 133 joints x 1,800 keys takes, beside the bare Blender calls that make the same curves.

Runs inside Blender: scripts/bench, or `scripts/blenders run 4.5 -- tests/bench/bench_import.py`. Prints medians of both, taken in turn, and
their ratio; it asserts nothing.
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

import animbridge  # noqa: E402
from tests.witness.anim_file import AnimFile, Joint, bits_of, write  # noqa: E402
from tests.witness.quantise import encode_rotation  # noqa: E402
from tests.witness.skeleton import load_skeleton  # noqa: E402

KEYS = 1800
ROUNDS = 7


def swinging_file() -> bytes:
    """A minute in which every bone swings, a key every 30th of a second."""
    bones = [node.name for node in load_skeleton().nodes.values() if node.kind == "bone"]
    steps = np.arange(KEYS)
    times = (steps * 65535 // (KEYS - 1)).astype(np.uint16)
    joints = []
    for index, name in enumerate(bones):
        phase = steps * 0.05 + index
        vector = np.zeros((KEYS, 3), np.float32)
        vector[:, 0] = np.sin(0.4 * np.sin(phase))
        vector[:, 1] = 0.1 * np.sin(0.3 * phase)
        rotations = np.column_stack([times, encode_rotation(vector)]).astype(np.uint16)
        joints.append(Joint(name.encode(), 3, rotations, np.zeros((0, 4), np.uint16)))
    return write(AnimFile(duration_bits=bits_of(60.0), joints=joints))


def bare_calls(armature: bpy.types.Object, points: np.ndarray) -> float:
    """Seconds for new, add, foreach_set and update of the same curves; the Action is removed afterwards."""
    from animbridge.compat import actions, keyframes

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
    seconds = time.perf_counter() - start
    bpy.data.actions.remove(action)
    return seconds


def imported(path: Path) -> float:
    """Seconds for the whole operator; the Action is removed afterwards."""
    before = set(bpy.data.actions)
    start = time.perf_counter()
    bpy.ops.import_anim.secondlife(filepath=str(path))
    seconds = time.perf_counter() - start
    for action in set(bpy.data.actions) - before:
        bpy.data.actions.remove(action)
    return seconds


def main() -> None:
    animbridge.register()
    points = np.empty((KEYS, 2), np.float32)
    points[:, 0] = 1.0 + np.arange(KEYS) * 60.0 * 24.0 / (KEYS - 1)
    points[:, 1] = 0.5
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "swing.anim"
        path.write_bytes(swinging_file())
        imported(path)  # makes the skeleton, which is then the active armature
        armature = bpy.context.view_layer.objects.active
        pairs = [(imported(path), bare_calls(armature, points.ravel())) for _ in range(ROUNDS)]
    ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"Blender {bpy.app.version_string}: import of 133 joints x {KEYS} keys: {ours:.3f} s")
    print(f"the bare calls that make the same curves: {bare:.3f} s; ratio {ours / bare:.2f}")
    animbridge.unregister()
    sys.stdout.flush()
    os._exit(0)


main()
