# SPDX-License-Identifier: MIT
"""Frames of exported BVH files: which of Blender's they are, and how long they last."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_rigs import key_bone, straight_rig
from bvh_shown import errors_of
from bvh_support import export_bvh, import_bvh
from helpers import refused, the_action

METHODS = pytest.mark.parametrize("method", ["CURVES", "SAMPLES"])


def moving_rig() -> Any:
    """Six bones with keys from frame 1 to frame 25, between frames too."""
    rig = straight_rig()
    random = np.random.default_rng(3)
    for number, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = ("QUATERNION", "XYZ", "ZXY")[number % 3]
        key_bone(bone, random, moves=number in (0, 3))
    return rig


def set_range(first: float, last: float) -> None:
    """The Action's own."""
    action = the_action()
    action.use_frame_range = True
    action.frame_start, action.frame_end = first, last


def assert_frames(rig: Any, path: Path, frames: Sequence[float], seconds: float, **options: Any) -> None:
    """The file has these frames of Blender's, and its frame time is this one to the last bit but one."""
    bvh = export_bvh(path, **options)
    assert bvh.frame_time == pytest.approx(seconds, rel=4e-16, abs=0.0)
    errors = errors_of(rig, bvh, frames)
    # Blender's time is of single precision: a few millionths of a frame.
    assert errors.degrees <= 4e-4 and errors.share <= 4e-6, errors


@METHODS
@pytest.mark.parametrize(("fps", "base"), [(30, 1.001), (24, 1.001), (24, 1.0), (60, 1.0), (30, 2.5)])
def test_the_scenes_rate(fps: int, base: float, method: str, tmp_path: Path) -> None:
    rig = moving_rig()
    render = bpy.context.scene.render
    render.fps, render.fps_base = fps, base
    # RNA keeps the base in single precision.
    seconds = render.fps_base / render.fps
    assert_frames(rig, tmp_path / "out.bvh", [*range(1, 26)], seconds, method=method)


@METHODS
@pytest.mark.parametrize(
    ("fps", "base", "typed", "rate"),
    [
        (24, 1.0, 60.0, 60.0),
        (24, 1.0, 10.0, 10.0),
        (30, 1.0, 29.97, 30 / 1.001),
        (30, 1.001, 120.0, 120.0),
        (24, 1.0, 14.3, 14.3),
    ],
)
def test_another_rate(fps: int, base: float, typed: float, rate: float, method: str, tmp_path: Path) -> None:
    """Frames stand between the scene's; the last one is not after the Action's end."""
    rig = moving_rig()
    render = bpy.context.scene.render
    render.fps, render.fps_base = fps, base
    step = render.fps / render.fps_base / rate
    frames = [1.0 + step * index for index in range(math.floor(24.0 / step + 1e-3) + 1)]
    assert_frames(rig, tmp_path / "out.bvh", frames, 1.0 / rate, method=method, frames_per_second=typed)


@METHODS
@pytest.mark.parametrize(("first", "last"), [(2.25, 17.5), (-3.375, 4.625), (0.5, 20.4999), (7.0, 7.0)])
def test_ranges_between_frames(first: float, last: float, method: str, tmp_path: Path) -> None:
    rig = moving_rig()
    set_range(first, last)
    # RNA keeps single precision, and up to 4.4 it makes an empty range one frame long.
    start, end = the_action().frame_range
    assert start == pytest.approx(first) and end == pytest.approx(last, abs=1.0)
    frames = [first + index for index in range(math.floor(end - start + 1e-3) + 1)]
    assert_frames(rig, tmp_path / "out.bvh", frames, 1 / 24, method=method)


@METHODS
def test_frames_of_scene_and_markers(method: str, tmp_path: Path) -> None:
    rig = moving_rig()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 5, 17
    with refused("markers", "two on different frames"):
        export_bvh(tmp_path / "out.bvh", frame_range="MARKERS", method=method)
    for frame in (20, 8, 11):
        scene.timeline_markers.new(f"at {frame}", frame=frame)
    for wanted, first, last in (("ACTION", 1, 25), ("SCENE", 5, 17), ("MARKERS", 8, 20)):
        frames = [*range(first, last + 1)]
        assert_frames(rig, tmp_path / "out.bvh", frames, 1 / 24, method=method, frame_range=wanted)


def test_one_key_is_one_frame(tmp_path: Path) -> None:
    rig = straight_rig()
    rig.pose.bones[1].rotation_mode = "XYZ"
    rig.pose.bones[1].rotation_euler = (0.3, 0.4, 0.5)
    rig.pose.bones[1].keyframe_insert("rotation_euler", frame=12)
    assert_frames(rig, tmp_path / "out.bvh", [12], 1 / 24)


@pytest.mark.parametrize(("fps", "base"), [(30, 1.001), (24, 1.001), (7, 1.0), (90, 1.0)])
def test_a_file_made_here_comes_back_number_for_number(fps: int, base: float, tmp_path: Path) -> None:
    moving_rig()
    render = bpy.context.scene.render
    render.fps, render.fps_base = fps, base
    made = export_bvh(tmp_path / "made.bvh")
    import_bvh(tmp_path / "made.bvh")
    again = export_bvh(tmp_path / "again.bvh")
    assert (again.joints, again.frame_time, again.motion) == (made.joints, made.frame_time, made.motion)
