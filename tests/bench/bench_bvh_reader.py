# SPDX-License-Identifier: MIT
"""How long Blender's own reader of BVH takes for 60 joints x 3,000 frames, beside this project's.

Runs inside Blender: scripts/bench, or `scripts/blenders run 4.5 -- tests/bench/bench_bvh_reader.py`. Neither
makes anything in the scene: read_bvh is the add-on's parser, which both its operators call first. Medians of
processor time; it asserts nothing.
"""

from __future__ import annotations

import importlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bpy

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "addon")]

from tests.bench.swing import BVH_FRAMES, BVH_JOINTS, swinging_bvh  # noqa: E402

from animbridge.package import Document  # noqa: E402

ROUNDS = 5


def median_of(call: Callable[[], object]) -> float:
    """Seconds of processor time."""
    rounds: list[float] = []
    for _ in range(ROUNDS):
        start = time.process_time()
        call()
        rounds.append(time.process_time() - start)
    return statistics.median(rounds)


def main() -> None:
    import addon_utils  # bpy's own folder of modules is found once bpy is there

    addon_utils.enable("io_anim_bvh")
    reader = importlib.import_module("io_anim_bvh.import_bvh")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "swing.bvh"
        path.write_bytes(swinging_bvh())
        megabytes = path.stat().st_size / 1e6
        theirs = median_of(lambda: reader.read_bvh(bpy.context, str(path)))
        ours = median_of(lambda: Document.read_file(path))
    print(
        f"Blender {bpy.app.version_string}: reading of {BVH_JOINTS} joints x {BVH_FRAMES} frames, "
        f"{megabytes:.1f} MB"
    )
    print(f"read_bvh {theirs:.3f} s, ours {ours:.4f} s: ratio {theirs / ours:.0f}")
    sys.stdout.flush()
    os._exit(0)


main()
