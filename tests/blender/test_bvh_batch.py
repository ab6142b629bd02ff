# SPDX-License-Identifier: MIT
"""Batches of BVH files with Blenders like this one: to .blend and back."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from batches import convert, convert_here, files_below
from bvh_rigs import FRAMES, keyed_rig
from bvh_shown import errors_of
from bvh_support import DIALECTS, TURN, import_bvh, read, rest_of, samples
from helpers import curves_of, the_action, the_armature
from tests.python.material import demos

CLASSIC = DIALECTS / "newline_lf.bvh"
WALK = next(path for path in demos() if path.name == "walk.anim")
#: Files that lenient reading alone takes are left out.
FILES = [
    *samples(),
    *(DIALECTS / f"{stem}.bvh" for stem in ("newline_crlf", "bom", "name_utf8", "name_same", "scientific")),
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files in two folders."""
    for number, path in enumerate(FILES):
        folder = tmp_path / "in" / f"folder {number % 2}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / path.name)
    return tmp_path / "in"


def assert_same_numbers(found: Path, wanted: Path) -> None:
    one, other = read(found), read(wanted)
    assert (one.joints, one.frame_time, one.motion) == (other.joints, other.frame_time, other.motion)


@pytest.mark.parametrize("options", [(), ("--fps", "29.97", "--frame-start", "10")], ids=str)
def test_bvh_to_blend_to_bvh(options: tuple[str, ...], tree: Path, tmp_path: Path) -> None:
    """Number for number, in the folders that they had; and each row says how exact it is."""
    code, rows = convert_here(tree, "--to", "blend", "--out", tmp_path / "blend", *options)
    assert code == 0 and {row["status"] for row in rows} == {"ok"}
    code, rows = convert_here(tmp_path / "blend", "--to", "bvh", "--out", tmp_path / "back")
    assert code == 0 and {row["status"] for row in rows} == {"ok"}
    paths = sorted(tree.rglob("*.bvh"))
    assert len(rows) == len(paths) == len(FILES)
    for path in paths:
        assert_same_numbers(tmp_path / "back" / path.relative_to(tree), path)
    for row in rows:
        assert row["max_rotation_error_degrees"] < 1e-5


def test_the_blend_file_has_the_files_rate(tmp_path: Path) -> None:
    convert_here(CLASSIC, "--to", "blend", "--out", tmp_path / "out")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / "newline_lf.blend"))
    scene = bpy.context.scene
    assert scene.render.fps / scene.render.fps_base == pytest.approx(25.0)
    assert (scene.frame_start, scene.frame_end) == (1, 3)
    assert the_action().name == "newline_lf"


def test_bvh_to_blend_to_json_is_the_document(tmp_path: Path) -> None:
    convert_here(CLASSIC, "--to", "blend", "--out", tmp_path / "blend")
    assert convert_here(tmp_path / "blend", "--to", "json", "--out", tmp_path / "json")[0] == 0
    assert convert(tmp_path / "json", "--to", "bvh", "--out", tmp_path / "back")[0] == 0
    assert_same_numbers(tmp_path / "back" / "newline_lf.bvh", CLASSIC)


def test_what_was_made_in_blender(tmp_path: Path) -> None:
    """And a .blend file with two armatures: each Action by the armature that plays it."""
    import_bvh(CLASSIC)
    keyed_rig(1).animation_data.action.name = "made"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "two.blend"))
    code, rows = convert_here(tmp_path / "two.blend", "--to", "bvh", "--out", tmp_path / "out")
    assert code == 0
    assert {Path(row["output"]).name for row in rows} == {"made.bvh", "newline_lf.bvh"}
    assert_same_numbers(tmp_path / "out" / "newline_lf.bvh", CLASSIC)
    errors = errors_of(bpy.data.objects["Rig"], read(tmp_path / "out" / "made.bvh"), FRAMES)
    # Blender multiplies matrices in single precision down a dozen bones.
    assert errors.degrees <= 4e-4 and errors.share <= 4e-6, errors


def test_a_touched_import(tmp_path: Path) -> None:
    import_bvh(CLASSIC)
    curve = curves_of("chest", "rotation")[1]
    curve.keyframe_points[1].co[1] += 0.2
    curve.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "touched.blend"))
    assert convert_here(tmp_path / "touched.blend", "--to", "bvh", "--out", tmp_path / "out")[0] == 0
    found, wanted = read(tmp_path / "out" / "newline_lf.bvh"), read(CLASSIC)
    assert [row[:6] + row[9:] for row in found.motion] == [row[:6] + row[9:] for row in wanted.motion]
    frames = [1.0 + 24 * wanted.frame_time * frame for frame in range(3)]
    errors = errors_of(the_armature(), found, frames)
    assert found.motion != wanted.motion and errors.degrees <= 1e-4 and errors.share <= 1e-6


def test_anim_to_blend_to_bvh(tmp_path: Path) -> None:
    """The avatar as Blender shows it, who looks along the file's +Z."""
    convert_here(WALK, "--to", "blend", "--out", tmp_path / "blend")
    code, rows = convert_here(tmp_path / "blend", "--to", "bvh", "--out", tmp_path / "out")
    assert code == 0 and rows[0]["findings"] == []
    bvh = read(tmp_path / "out" / "walk.bvh")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "blend" / "walk.blend"))
    rig, scene = the_armature(), bpy.context.scene
    first, last = the_action().frame_range
    frames = [first + frame for frame in range(int(last - first + 1e-3) + 1)]
    assert bvh.frame_time == pytest.approx(scene.render.fps_base / scene.render.fps, rel=1e-15)
    # Blender's rest matrices of bones that point down are 5e-5 from being rotations, and its poses with them.
    ahead = np.array(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    rest = dict(zip((joint.name for joint in bvh.joints), rest_of(bvh, np.eye(3)), strict=True))
    assert (rest["mWristLeft"] - rest["mWristRight"])[0] > 0.5
    looks = TURN if abs(rig.data.bones["mWristLeft"].head_local.x) > 0.5 else ahead
    errors = errors_of(rig, bvh, frames, looks)
    assert errors.degrees <= 1e-3 and errors.share <= 2e-5, errors


def test_lenient_and_not(tmp_path: Path) -> None:
    path = DIALECTS / "count_too_large.bvh"
    code, rows = convert_here(path, "--to", "blend", "--out", tmp_path / "strict", "--strict")
    assert code == 1 and "count_too_large.bvh" in rows[0]["error"]
    assert not files_below(tmp_path / "strict")
    code, rows = convert_here(path, "--to", "blend", "--out", tmp_path / "out")
    assert code == 0 and rows[0]["warnings"]
    convert_here(tmp_path / "out", "--to", "bvh", "--out", tmp_path / "back")
    assert read(tmp_path / "back" / "count_too_large.bvh").motion == read(path).motion


def test_an_action_that_cannot_be_a_bvh_is_a_row(tmp_path: Path) -> None:
    """The others are written."""
    import_bvh(CLASSIC)
    spoilt: Any = the_action()
    import_bvh(DIALECTS / "newline_crlf.bvh")
    kept = spoilt["animbridge"].to_dict()
    kept["source"] = b"rubbish"
    spoilt.pop("animbridge")
    spoilt["animbridge"] = kept
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "two.blend"))
    code, rows = convert_here(tmp_path / "two.blend", "--to", "bvh", "--out", tmp_path / "out")
    assert code == 1 and {row["status"] for row in rows} == {"ok", "failed"}
    assert list(files_below(tmp_path / "out")) == ["newline_crlf.bvh"]
