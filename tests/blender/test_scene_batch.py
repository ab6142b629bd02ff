# SPDX-License-Identifier: MIT
"""Batches of scenes with Blenders like this one: Actions to scenes, scenes to .blend files."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from batches import convert_here
from helpers import import_file, the_action
from scene_support import BETWEEN_METRES, SCENES, expectation, largest_errors
from tests.python.material import demos
from tests.witness.scene_read_dae import read_dae
from tests.witness.scene_read_gltf import read_gltf

pytestmark = pytest.mark.compat


def test_a_blend_file_has_all_animations(tmp_path: Path) -> None:
    _, rows = convert_here(SCENES / "several_animations.glb", "--to", "blend", "--out", tmp_path / "out")
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
    _, rows = convert_here(blend, "--to", target, "--out", tmp_path / "out")
    assert [row["status"] for row in rows] == ["ok"]
    data = Path(rows[0]["output"]).read_bytes()
    scene = read_gltf(data) if target == "glb" else read_dae(data)
    assert {"mPelvis", "mKneeLeft"} <= {node.name for node in scene.nodes}
    assert len(scene.animations) == 1
    assert target == "dae" or scene.animations[0].name == name
