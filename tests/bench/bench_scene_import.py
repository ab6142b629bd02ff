# SPDX-License-Identifier: MIT
"""How long importing a GLB and an FBX of 60 joints x 3,000 frames takes, beside Blender's own importers.

Runs inside Blender, with the folder in which bench_scene left its files. Taken in turn, medians printed,
nothing asserted. Each call ends with Blender's own evaluation of the new Action, whoever made it.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import bpy

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "addon")]

import animbridge  # noqa: E402
from animbridge.compat.actions import object_channels  # noqa: E402

ROUNDS: Final = 3
operators: Any = bpy.ops

#: Its extension, and Blender's importer of it.
BUILT_IN: Final[dict[str, Callable[[str], Any]]] = {
    ".glb": lambda path: operators.import_scene.gltf(filepath=path),
    ".fbx": lambda path: operators.import_scene.fbx(filepath=path),
}


def ours(path: str) -> None:
    operators.import_anim.animbridge_scene(filepath=path, target="NEW")


def keyed_curves() -> int:
    """How many curves with more than one key the Actions have: an import that made none was quick."""
    return sum(
        len(curve.keyframe_points) > 1
        for action in bpy.data.actions
        for channels in object_channels(action)
        for curve in channels.fcurves
    )


def medians(*works: Callable[[], Any]) -> list[tuple[float, int]]:
    """Median seconds of each, taken in turn, and the curves it made, which are removed after each."""
    rows: list[list[float]] = [[] for _ in works]
    curves = [0 for _ in works]
    for _ in range(ROUNDS):
        for index, work in enumerate(works):
            start = time.perf_counter()
            work()
            rows[index].append(time.perf_counter() - start)
            curves[index] = keyed_curves()
            _clear()
    return [(statistics.median(row), made) for row, made in zip(rows, curves, strict=True)]


def _clear() -> None:
    """Memory goes back to the system too, for a user's first import finds none that has been used before."""
    made = list(bpy.data.objects)
    bpy.data.batch_remove([*made, *(obj.data for obj in made if obj.data), *bpy.data.actions])
    ctypes.CDLL(None).malloc_trim(0)


def main() -> None:
    folder = Path(sys.argv[sys.argv.index("--") + 1])
    animbridge.register()
    import addon_utils  # which the bpy module brings along

    for name in ("io_scene_gltf2", "io_scene_fbx"):
        addon_utils.enable(name)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = 30
    for extension, built_in in BUILT_IN.items():
        path = str(folder / f"swing{extension}")
        (own, own_curves), (other, other_curves) = medians(
            lambda path=path: ours(path), lambda path=path, built_in=built_in: built_in(path)
        )
        print(
            f"Blender {bpy.app.version_string}: import of {extension}: ours {own:.3f} s "
            f"({own_curves} curves), its own {other:.3f} s ({other_curves} curves): ratio {other / own:.2f}"
        )
    animbridge.unregister()
    sys.stdout.flush()
    os._exit(0)


main()
