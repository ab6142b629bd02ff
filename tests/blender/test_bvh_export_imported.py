# SPDX-License-Identifier: MIT
"""BVH files through Blender and back: what is untouched keeps its numbers, what is touched shows."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from bvh_support import DIALECTS, export_bvh, import_bvh, read, samples
from tests.python.material import name_of
from tests.witness.bvh_file import Bvh

FILES = [*samples(), *sorted(DIALECTS.glob("*.bvh"))]


def assert_same(found: Bvh, wanted: Bvh) -> None:
    """Joints, channels, offsets, end sites, frame time and motion, number for number."""
    assert found.joints == wanted.joints
    assert found.frame_time == wanted.frame_time
    assert found.motion == wanted.motion


@pytest.mark.parametrize("path", FILES, ids=name_of)
@pytest.mark.parametrize("mode", ["QUATERNION", "EULER"])
@pytest.mark.parametrize("rate", ["SCENE", "FILE", "FRAMES"])
def test_untouched(rate: str, mode: str, path: Path, tmp_path: Path) -> None:
    import_bvh(path, rotation_mode=mode, frame_rate=rate, frame_start=3.25)
    assert_same(export_bvh(tmp_path / "out.bvh"), read(path))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_untouched_after_a_reload(path: Path, tmp_path: Path) -> None:
    import_bvh(path)
    blend = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.open_mainfile(filepath=blend)
    assert_same(export_bvh(tmp_path / "out.bvh"), read(path))
