# SPDX-License-Identifier: MIT
"""The body that a new Second Life skeleton may get: where it stands, how it moves, that no export has it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest
from helpers import (
    PELVIS_HEIGHT,
    data_blocks,
    import_file,
    operators,
    refused,
    rest_position,
    the_armature,
    turn_of,
)
from mathutils import Quaternion, Vector

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
METRES = 1e-5


def add_body(**options: Any) -> tuple[Any, Any]:
    """A new skeleton and its body."""
    assert operators.armature.secondlife_skeleton_add(skeleton_mannequin=True, **options) == {"FINISHED"}
    rig = the_armature()
    assert len(rig.children) == 1
    return rig, rig.children[0]


def groups_of(body: Any) -> dict[str, list[int]]:
    """The vertices that each bone moves."""
    names = [group.name for group in body.vertex_groups]
    members: dict[str, list[int]] = {name: [] for name in names}
    for vertex in body.data.vertices:
        (only,) = vertex.groups
        assert only.weight == 1.0
        members[names[only.group]].append(vertex.index)
    return members


def places_of(mesh: Any) -> np.ndarray:
    places = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", places)
    return places.reshape(-1, 3)


def test_one_unless_it_is_switched_off() -> None:
    assert operators.armature.secondlife_skeleton_add() == {"FINISHED"}
    assert [child.name for child in the_armature().children] == ["SL Mannequin"]
    assert operators.armature.secondlife_skeleton_add(skeleton_mannequin=False) == {"FINISHED"}
    assert len(data_blocks()["meshes"]) == 1 and not the_armature().children


def test_the_skeleton_stays_active_and_its_bones_can_be_seen() -> None:
    rig, body = add_body()
    assert body.type == "MESH" and body.name in bpy.context.scene.objects
    assert rig.select_get() and not body.select_get()
    assert rig.show_in_front


@pytest.mark.parametrize("facing", ("X", "NEGATIVE_Y"))
def test_every_bone_has_its_part_around_it(facing: str) -> None:
    rig, body = add_body(skeleton_facing=facing)
    places, turn = places_of(body.data), turn_of(facing)
    members = groups_of(body)
    assert set(members) <= {bone.name for bone in rig.data.bones}
    for side in ("Left", "Right"):
        limbs = (
            "Collar",
            "Shoulder",
            "Elbow",
            "Wrist",
            "HandThumb3",
            "HandPinky1",
            "Hip",
            "Knee",
            "Ankle",
            "Foot",
        )
        assert {f"m{limb}{side}" for limb in limbs} <= set(members)
    for name, indices in members.items():
        joint = np.array(turn @ rest_position(name) + Vector((0, 0, PELVIS_HEIGHT)))
        low, high = places[indices].min(axis=0), places[indices].max(axis=0)
        assert np.all(low - 0.06 <= joint) and np.all(joint <= high + 0.06), name
        if facing == "X" and name.endswith("Left"):
            right = name.replace("Left", "Right")
            other = places[members[right]] - np.array(rig.data.bones[right].head_local)
            # The right side is the left one mirrored; the avatar itself is not quite symmetric.
            assert np.allclose((low - joint)[[0, 2]], other.min(axis=0)[[0, 2]], atol=0.01), name
            assert abs((high - joint)[1] + other.min(axis=0)[1]) < 0.01, name
    # A standing figure: on the ground, a little taller than its eyes, the nose where it looks.
    assert -0.05 < places[:, 2].min() < 0.01 and 1.8 < places[:, 2].max() < 2.0
    head = places[members["mHead"]] - np.array(turn @ rest_position("mHead") + Vector((0, 0, PELVIS_HEIGHT)))
    farthest = Vector(head[np.argmax(np.hypot(head[:, 0], head[:, 1]))].tolist())
    assert farthest.to_2d().angle((turn @ Vector((1, 0, 0))).to_2d()) < math.radians(10)


def test_parts_are_closed_and_look_outwards() -> None:
    _, body = add_body()
    mesh = bmesh.new()
    try:
        mesh.from_mesh(body.data)
        assert all(edge.is_manifold and edge.is_contiguous for edge in mesh.edges)
        for name, indices in groups_of(body).items():
            part = mesh.copy()
            outside: Any = [vertex for vertex in part.verts if vertex.index not in set(indices)]
            bmesh.ops.delete(part, geom=outside, context="VERTS")
            assert part.calc_volume(signed=True) > 0, name
            part.free()
    finally:
        mesh.free()


def test_each_part_moves_as_its_bone_does() -> None:
    rig, body = add_body()
    for name, angle in (("mShoulderLeft", 70), ("mKneeRight", 50), ("mChest", -30)):
        bone = rig.pose.bones[name]
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = Quaternion((1, 0, 0), math.radians(angle))
    bpy.context.view_layer.update()
    posed = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    rest, shown = places_of(body.data), places_of(posed.data)
    moved = 0
    for name, indices in groups_of(body).items():
        bone = rig.pose.bones[name]
        change = bone.matrix @ bone.bone.matrix_local.inverted()
        for index in indices:
            expected = change @ Vector(rest[index].tolist())
            assert (expected - Vector(shown[index].tolist())).length < METRES, name
        moved += bool(np.abs(rest[indices] - shown[indices]).max() > 0.01)
    assert moved > 20


def test_an_import_may_make_one_and_no_export_has_it(tmp_path: Path) -> None:
    source = FIXTURES / "demo" / "dance.anim"
    rig = import_file(source, target="NEW", skeleton_mannequin=True)
    assert [child.type for child in rig.children] == ["MESH"]
    out = tmp_path / "out.anim"
    assert operators.export_anim.secondlife(filepath=str(out)) == {"FINISHED"}
    assert out.read_bytes() == source.read_bytes()


def test_a_failed_import_leaves_neither_skeleton_nor_body() -> None:
    before = data_blocks()
    with refused("mRoot"):
        import_file(FIXTURES / "sl_anim" / "name_m_root.anim", target="NEW", skeleton_mannequin=True)
    assert data_blocks() == before


def test_it_stands_at_the_cursor() -> None:
    bpy.context.scene.cursor.location = (1, 2, 3)
    rig, body = add_body()
    bpy.context.view_layer.update()
    assert body.matrix_world == rig.matrix_world
    assert body.matrix_world.translation == Vector((1, 2, 3))
