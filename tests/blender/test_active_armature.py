# SPDX-License-Identifier: MIT
"""The armature that operators take: the active one, or that of an active body; in whatever mode it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from helpers import export_file, import_file, operators, the_action, the_armature
from tests.python.material import demos

from animbridge.scene.armature.reading import active_armature

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
FORMATS = {
    ".anim": lambda path: operators.export_anim.secondlife(filepath=str(path)),
    ".bvh": lambda path: operators.export_anim.animbridge_bvh(filepath=str(path)),
}


def body() -> Any:
    """A new mesh object, active."""
    mesh = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    bpy.context.collection.objects.link(mesh)
    bpy.context.view_layer.objects.active = mesh
    return mesh


def worn_by_modifier(mesh: Any, rig: Any) -> None:
    mesh.modifiers.new("Armature", "ARMATURE").object = rig


def worn_by_parent(mesh: Any, rig: Any) -> None:
    mesh.parent = rig


def worn_by_bone(mesh: Any, rig: Any) -> None:
    mesh.parent, mesh.parent_type, mesh.parent_bone = rig, "BONE", "mHead"


def worn_by_grandparent(mesh: Any, rig: Any) -> None:
    hat = bpy.data.objects.new("Hat", None)
    bpy.context.collection.objects.link(hat)
    hat.parent, mesh.parent = rig, hat


@pytest.mark.parametrize("worn", [worn_by_modifier, worn_by_parent, worn_by_bone, worn_by_grandparent])
def test_a_body_stands_for_its_armature(worn: Any, tmp_path: Path) -> None:
    rig = import_file(WALK)
    mesh = body()
    assert active_armature(bpy.context.view_layer) is None
    worn(mesh, rig)
    assert active_armature(bpy.context.view_layer) == rig
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()
    count = len(bpy.data.armatures)
    assert operators.import_anim.secondlife(filepath=str(WAVE)) == {"FINISHED"}
    assert len(bpy.data.armatures) == count and rig.animation_data.action.name == "wave"
    assert operators.animbridge.check() == {"FINISHED"}


def test_an_import_leaves_edit_mode() -> None:
    rig = import_file(WALK)
    bpy.ops.object.mode_set(mode="EDIT")
    import_file(WAVE)
    assert the_armature() == rig and rig.mode == "OBJECT"
    assert the_action().name == "wave"


@pytest.mark.parametrize("extension", FORMATS)
def test_an_export_comes_back_to_edit_mode(extension: str, tmp_path: Path) -> None:
    rig = import_file(WALK)
    FORMATS[extension](tmp_path / f"object{extension}")
    bpy.ops.object.mode_set(mode="EDIT")
    FORMATS[extension](tmp_path / f"edit{extension}")
    assert rig.mode == "EDIT"
    assert (tmp_path / f"edit{extension}").read_bytes() == (tmp_path / f"object{extension}").read_bytes()


def test_an_export_from_edit_mode_has_the_edited_bones(tmp_path: Path) -> None:
    """What is edited and not yet left is part of the file."""
    rig = import_file(WALK)
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["mHead"].roll += 1.0
    export_file(tmp_path / "edit.anim")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert export_file(tmp_path / "object.anim") == (tmp_path / "edit.anim").read_bytes() != WALK.read_bytes()


def test_check_and_preview_in_edit_mode() -> None:
    rig = import_file(WALK)
    bpy.ops.object.mode_set(mode="EDIT")
    assert operators.animbridge.check() == {"FINISHED"}
    assert operators.animbridge.predict_upload() == {"FINISHED"}
    assert rig.animation_data.action.name == "walk (uploaded)"


def test_new_armatures_are_seen_through_what_is_there(tmp_path: Path) -> None:
    assert import_file(WALK).show_in_front
    operators.armature.secondlife_skeleton_add()
    assert the_armature().show_in_front
