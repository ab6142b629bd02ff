# SPDX-License-Identifier: MIT
"""The clip tools in the dialogs of imports and exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_support import export_bvh, import_bvh
from helpers import export_file, import_file, refused, set_frame
from tests.python.material import demos
from tests.witness import anim_file

WALK = next(path for path in demos() if path.name == "walk.anim")


def shown(rig: Any, frames: Any) -> np.ndarray:
    found = []
    for frame in frames:
        set_frame(float(frame))
        found.append([np.array(bone.matrix) for bone in rig.pose.bones])
    return np.array(found)


def test_an_import_plays_backwards() -> None:
    bpy.context.scene.render.fps = 30
    plain = import_file(WALK)
    first, last = plain.animation_data.action.frame_range
    frames = np.linspace(first, last, 13)
    before = shown(plain, frames)
    backwards = import_file(WALK, target="NEW", reverse=True)
    assert backwards != plain
    assert np.abs(before[::-1] - shown(backwards, frames)).max() < 2e-3


def test_an_untouched_import_with_tools_is_the_edited_file(tmp_path: Path) -> None:
    import_file(WALK, reverse=True)
    once = export_file(tmp_path / "once.anim")
    import_file(tmp_path / "once.anim", target="NEW", reverse=True)
    assert export_file(tmp_path / "twice.anim") == WALK.read_bytes()
    assert once != WALK.read_bytes()


def test_a_faster_export_keeps_every_code(tmp_path: Path) -> None:
    import_file(WALK)
    plain = anim_file.parse(export_file(tmp_path / "plain.anim"))
    fast = anim_file.parse(export_file(tmp_path / "fast.anim", speed=2.0))
    assert float(fast.duration) == pytest.approx(float(plain.duration) / 2)
    for one, other in zip(plain.joints, fast.joints, strict=True):
        assert np.array_equal(one.rotation_keys, other.rotation_keys)


def test_tools_are_off_the_next_time(tmp_path: Path) -> None:
    import_file(WALK)
    plain = export_file(tmp_path / "plain.anim")
    assert export_file(tmp_path / "mirrored.anim", mirror=True) != plain
    assert export_file(tmp_path / "again.anim") == plain


def test_a_bvh_takes_them_too(tmp_path: Path) -> None:
    import_file(WALK)
    plain = export_bvh(tmp_path / "plain.bvh")
    back = export_bvh(tmp_path / "back.bvh", reverse=True)
    assert np.allclose(np.array(plain.motion)[::-1], np.array(back.motion))
    held = import_bvh(tmp_path / "plain.bvh", hold_last=1.0)
    first, last = held.animation_data.action.frame_range
    rate = bpy.context.scene.render.fps
    assert (last - first) / rate == pytest.approx((len(plain.motion) - 1) * plain.frame_time + 1.0, abs=0.05)


def test_a_wrong_tool_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    import_file(WALK)
    with refused("loop_points"):
        export_file(tmp_path / "no.anim", loop_points="3")
    assert not (tmp_path / "no.anim").exists()
