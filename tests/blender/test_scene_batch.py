# SPDX-License-Identifier: MIT
"""The batch with scenes: every animation a file, Actions to scenes, scenes to .blend files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import bpy
import pytest
from helpers import import_file, the_action
from scene_support import BETWEEN_METRES, SCENES, expectation, import_scene, largest_errors
from tests.python.material import demos
from tests.witness import anim_file
from tests.witness.scene_read_dae import read_dae
from tests.witness.scene_read_gltf import read_gltf

from animbridge.batch.command import run

pytestmark = pytest.mark.compat

SEVERAL = (
    "several_animations-Walk",
    "several_animations-Wave",
    "several_animations-Wave_2",
    "several_animations-4",
)


def rows_of(out: Path, *arguments: str) -> list[dict[str, Any]]:
    """Runs the batch; the rows of its report."""
    report = out.parent / "report.json"
    run([*arguments, "--out", str(out), "--report", str(report), "--quiet"])
    return json.loads(report.read_text(encoding="utf-8"))["rows"]


def test_every_animation_is_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    rows = rows_of(out, str(SCENES / "several_animations.glb"), "--to", "bvh")
    assert [row["status"] for row in rows] == ["ok"] * 4
    assert [Path(row["output"]).name for row in rows] == [f"{name}.bvh" for name in SEVERAL]
    durations = [one["duration_seconds"] for one in expectation("several_animations.glb")["animations"]]
    for row, seconds in zip(rows, durations, strict=True):
        text = Path(row["output"]).read_text(encoding="utf-8")
        frames = int(text.split("Frames:")[1].split()[0])
        step = float(text.split("Frame Time:")[1].split()[0])
        assert abs((frames - 1) * step - seconds) <= step


def test_to_another_scene_each_keeps_its_name(tmp_path: Path) -> None:
    out = tmp_path / "out"
    rows = rows_of(out, str(SCENES / "several_animations.glb"), "--to", "gltf")
    assert [row["status"] for row in rows] == ["ok"] * 4
    names = [read_gltf(Path(row["output"]).read_bytes()).animations[0].name for row in rows]
    assert names == ["Walk", "Wave", "Wave", "4"]


def test_one_animation_keeps_the_file_s_name(tmp_path: Path) -> None:
    out = tmp_path / "out"
    rows = rows_of(out, str(SCENES / "walk.fbx"), "--to", "anim")
    assert [(row["status"], Path(row["output"]).name) for row in rows] == [("ok", "walk.anim")]
    joints = {joint.name for joint in anim_file.parse((out / "walk.anim").read_bytes()).joints}
    assert {b"mPelvis", b"mKneeLeft", b"mShoulderRight"} <= joints


def test_folders_are_searched_for_scenes(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("walk.glb", "walk.dae", "motion.vrma", "truncated.glb"):
        shutil.copy(SCENES / name, folder / name.replace("walk.dae", "other.dae"))
    rows = rows_of(tmp_path / "out", str(folder), "--to", "json")
    assert {Path(row["input"]).name: row["status"] for row in rows} == {
        "motion.vrma": "ok",
        "other.dae": "ok",
        "truncated.glb": "failed",
        "walk.glb": "ok",
    }


def test_a_blend_file_has_all_animations(tmp_path: Path) -> None:
    out = tmp_path / "out"
    rows = rows_of(out, str(SCENES / "several_animations.glb"), "--to", "blend")
    assert [row["status"] for row in rows] == ["ok"]
    bpy.ops.wm.open_mainfile(filepath=rows[0]["output"])
    assert len(bpy.data.actions) == 4
    armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    assert max(largest_errors(armature, expectation("several_animations.glb"), 0)) <= BETWEEN_METRES


@pytest.mark.parametrize("target", ["glb", "dae"])
def test_actions_of_a_blend_file_become_scenes(target: str, tmp_path: Path) -> None:
    import_file(next(path for path in demos() if path.name == "walk.anim"))
    name = the_action().name
    blend = tmp_path / "walk.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), check_existing=False)
    rows = rows_of(tmp_path / "out", str(blend), "--to", target)
    assert [row["status"] for row in rows] == ["ok"]
    data = Path(rows[0]["output"]).read_bytes()
    scene = read_gltf(data) if target == "glb" else read_dae(data)
    assert {"mPelvis", "mKneeLeft"} <= {node.name for node in scene.nodes}
    assert len(scene.animations) == 1
    assert target == "dae" or scene.animations[0].name == name


def test_without_the_program_the_row_says_so(tmp_path: Path, no_program: None) -> None:
    rows = rows_of(tmp_path / "out", str(SCENES / "walk.fbx"), "--to", "anim")
    assert [row["status"] for row in rows] == ["failed"]
    assert "animbridge-scene" in rows[0]["error"]


def test_the_same_scene_twice_makes_the_same_bytes(tmp_path: Path) -> None:
    import_scene("walk.glb", target="NEW")
    rows = [rows_of(tmp_path / str(i) / "out", str(SCENES / "walk.dae"), "--to", "glb") for i in range(2)]
    first, second = (Path(row[0]["output"]).read_bytes() for row in rows)
    assert first == second
