# SPDX-License-Identifier: MIT
"""Scenes as new armatures and onto existing ones: skeleton, poses, several animations, messages."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import data_blocks, fcurves, operators, refused, reported, the_action, the_armature
from mathutils import Matrix, Quaternion
from scene_support import (
    BETWEEN_METRES,
    HEAD_METRES,
    SAMPLED_METRES,
    SCENES,
    expectation,
    import_scene,
    joint_names,
    largest_errors,
    shown_heads,
)
from window import begin_undo, undo_once, with_undo

pytestmark = pytest.mark.compat

#: Files whose motion the library follows between keys too. COLLADA leaves open what is between two matrices,
#: and its stacks turn by Euler angles there; steps at frames that no float holds are seen a moment too late.
FOLLOWED = (
    "walk.glb",
    "walk.fbx",
    "linear.glb",
    "cubic.glb",
    "uneven_keys.glb",
    "long_turns.glb",
    "rest_not_bind.glb",
    "rest_not_bind.fbx",
    "bind_at_origin.glb",
    "mesh_between.glb",
    "cameras.glb",
    "matrix_nodes.glb",
    "scaled_root.glb",
    "scale_uniform.glb",
    "mirrored.glb",
    "embedded.gltf",
    "beside.gltf",
    "motion.vrma",
    "gimbal.fbx",
    "pivots.fbx",
    "rotation_orders.fbx",
    "weighted.fbx",
    "negative_times.fbx",
    "x_up_cm.fbx",
    "y_up_back_cm.fbx",
    "z_up_inch.fbx",
    "arm.md5mesh",
    "frames.smd",
    "ticks.x",
)
#: Held to the expectation at their keys.
AT_KEYS = ("walk.dae", "y_up_cm_stack.dae", "z_up_inch_matrix.dae", "kinds_of_keys.dae", "pivot_stack.dae")


@pytest.mark.parametrize("keys", ["EXACT", "FRAMES"])
@pytest.mark.parametrize("name", FOLLOWED)
def test_bones_are_where_the_witness_puts_them(name: str, keys: str) -> None:
    armature, expected = import_scene(name, target="NEW", keys=keys), expectation(name)
    at_keys, between = largest_errors(armature, expected, 0)
    assert at_keys <= HEAD_METRES
    assert between <= (BETWEEN_METRES if keys == "EXACT" else SAMPLED_METRES)


def test_a_recording_gets_a_key_for_each_of_its_frames() -> None:
    """Between the frames of a baked FBX, Euler angles may turn about, which takes many keys to follow."""
    scene = bpy.context.scene
    scene.render.fps = 30
    keys = {
        how: [
            len(curve.keyframe_points) for curve in fcurves(import_scene("walk.fbx", target="NEW", **options))
        ]
        for how, options in (("usual", {}), ("exact", {"keys": "EXACT"}))
    }
    seconds = expectation("walk.fbx")["animations"][0]["duration_seconds"]
    assert max(keys["usual"]) == round(30 * seconds) + 1
    assert max(keys["exact"]) > 5 * max(keys["usual"])


@pytest.mark.parametrize("name", AT_KEYS)
def test_bones_at_keys(name: str) -> None:
    armature = import_scene(name, target="NEW")
    assert largest_errors(armature, expectation(name), 0)[0] <= HEAD_METRES


@pytest.mark.parametrize("bone_axes", ["LIMBS", "FILE"])
@pytest.mark.parametrize("rotation", ["QUATERNION", "OWN"])
def test_axes_and_rotation_modes_do_not_change_the_motion(bone_axes: str, rotation: str) -> None:
    armature = import_scene("walk.glb", target="NEW", bone_axes=bone_axes, rotation_mode=rotation)
    assert max(largest_errors(armature, expectation("walk.glb"), 0)) <= BETWEEN_METRES


def test_file_axes_are_those_of_the_rest_pose() -> None:
    armature, expected = import_scene("walk.glb", target="NEW", bone_axes="FILE"), expectation("walk.glb")
    turn, checked = Quaternion(expected["root_turn"]).to_matrix().to_4x4(), 0
    for node in expected["nodes"]:
        if node["joint"] and "world_bind" in node:
            # The witness's node rests along clip space where the file's rests along the file's axes.
            bound = Matrix(np.array(node["world_bind"]).reshape(4, 4).tolist()) @ turn
            rest = np.array(armature.data.bones[node["name"]].matrix_local)
            assert np.abs(rest - np.array(bound)).max() <= 2e-6
            checked += 1
    assert checked == 20


def test_hierarchy_is_the_file_s() -> None:
    armature, expected = import_scene("walk.glb", target="NEW"), expectation("walk.glb")
    joints = [node for node in expected["nodes"] if node["joint"] and "skinned" in node["roles"]]
    assert sorted(bone.name for bone in armature.data.bones) == sorted(node["name"] for node in joints)
    for node in joints:
        above = expected["nodes"][node["parent"]]["name"]
        parent = armature.data.bones[node["name"]].parent
        assert parent is None or parent.name == above
    assert sum(bone.parent is None for bone in armature.data.bones) == 1


def test_repeated_names_become_unique() -> None:
    armature, expected = import_scene("names_repeat.glb", target="NEW"), expectation("names_repeat.glb")
    joints = joint_names(expected, expected["animations"][0])
    assert len(set(joints)) < len(joints)
    assert len(armature.data.bones) == len(joints)


# ---- several animations ----


def test_every_animation_becomes_an_action() -> None:
    expected = expectation("several_animations.glb")
    import_scene("several_animations.glb", target="NEW")
    names = [animation["name"] for animation in expected["animations"]]
    assert len(bpy.data.actions) == len(names) == 4
    assert len([one for one in bpy.data.objects if one.type == "ARMATURE"]) == 1
    for name in filter(None, names):
        assert any(action.name.startswith(f"several_animations-{name}") for action in bpy.data.actions)
    assert max(largest_errors(the_armature(), expected, len(names) - 1)) <= BETWEEN_METRES


@pytest.mark.parametrize("index", [0, 1, 2, 3])
def test_one_animation_by_number(index: int) -> None:
    armature = import_scene("several_animations.glb", target="NEW", animation=str(index + 1))
    assert [action.name for action in bpy.data.actions] == ["several_animations"]
    errors = largest_errors(armature, expectation("several_animations.glb"), index)
    assert max(errors) <= BETWEEN_METRES


def test_one_animation_by_name() -> None:
    expected = expectation("several_animations.glb")
    index = next(i for i, one in enumerate(expected["animations"]) if one["name"])
    armature = import_scene(
        "several_animations.glb",
        target="NEW",
        animations="NAMED",
        animation=expected["animations"][index]["name"],
    )
    assert max(largest_errors(armature, expected, index)) <= BETWEEN_METRES


def test_an_animation_that_is_not_there() -> None:
    before = data_blocks()
    with refused("several_animations.glb", "animation", "Run", '"Walk"'):
        import_scene("several_animations.glb", target="NEW", animation="Run")
    assert data_blocks() == before


def test_nla_tracks() -> None:
    armature = import_scene("several_animations.glb", target="NEW", place="NLA")
    assert len(armature.animation_data.nla_tracks) == 4
    assert armature.animation_data.action is None


# ---- onto an armature ----


def test_onto_its_own_armature_again() -> None:
    expected = expectation("walk.glb")
    armature = import_scene("walk.glb", target="NEW")
    bpy.data.actions.remove(the_action())
    assert import_scene("walk.fbx", target="ACTIVE") == armature
    assert max(largest_errors(armature, expected, 0)) <= BETWEEN_METRES


@pytest.mark.parametrize("name", ["walk.glb", "walk.fbx", "walk.dae"])
def test_onto_the_second_life_mannequin(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """The body walks as the file's does: each limb points where the file's limb points."""
    operators.armature.secondlife_skeleton_add()
    avatar = the_armature()
    avatar_bones = len(avatar.data.bones)
    reported(capfd)
    assert import_scene(name) == avatar and len(avatar.data.bones) == avatar_bones
    assert "retargeted" in reported(capfd)
    expected = expectation(name)
    animation = expected["animations"][0]
    heads = dict(
        zip(
            joint_names(expected, animation),
            np.array(animation["world_heads"]).transpose(1, 0, 2),
            strict=True,
        )
    )
    pairs = {
        ("mHipLeft", "mKneeLeft"): ("LeftUpperLeg", "LeftLowerLeg"),
        ("mKneeRight", "mAnkleRight"): ("RightLowerLeg", "RightFoot"),
        ("mElbowLeft", "mWristLeft"): ("LeftLowerArm", "LeftHand"),
    }
    # The avatar looks along +X, the file's body along -Y.
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for row in range(0, len(animation["times_seconds"]), 10):
        for bones, joints in pairs.items():
            top, end = shown_heads(avatar, list(bones), animation["times_seconds"][row])
            way = (end - top) / np.linalg.norm(end - top)
            wanted = quarter @ (heads[joints[1]][row] - heads[joints[0]][row])
            wanted /= np.linalg.norm(wanted)
            # Blender's curves are straight between the retargeted keys: half a degree.
            assert math.degrees(np.linalg.norm(way - wanted)) <= 0.5, (bones, row)


def test_actions_do_not_store_the_file() -> None:
    import_scene("walk.glb", target="NEW")
    assert not [name for name in the_action().keys() if "template" in name]  # noqa: SIM118 (Blender's own)


# ---- what cannot be done ----


def test_a_file_without_animation_gives_its_skeleton() -> None:
    expected = expectation("no_animation.glb")
    armature = import_scene("no_animation.glb", target="NEW")
    joints = [node for node in expected["nodes"] if node["joint"]]
    assert len(armature.data.bones) == len(joints)
    for node in joints:
        place = np.array(node["world_rest"]).reshape(4, 4)[:3, 3]
        assert np.abs(np.array(armature.data.bones[node["name"]].head_local) - place).max() <= HEAD_METRES


def test_a_file_without_animation_moves_nothing() -> None:
    import_scene("walk.glb", target="NEW")
    before = data_blocks()
    with refused("no_animation.glb", "has no animation", "New Armature"):
        import_scene("no_animation.glb", target="ACTIVE")
    assert data_blocks() == before


@pytest.mark.parametrize("name", ["truncated.glb", "truncated.fbx", "truncated.dae", "node_cycle.glb"])
def test_damaged_files_leave_nothing(name: str) -> None:
    assert expectation(name)["outcome"] == "refused"
    before = data_blocks()
    with refused(name):
        import_scene(name, target="NEW")
    assert data_blocks() == before


def test_without_the_program(no_program: None) -> None:
    before = data_blocks()
    with refused("walk.fbx", "animbridge-scene"):
        import_scene("walk.fbx", target="NEW")
    assert data_blocks() == before
    # glTF and all else works as before.
    walk = SCENES.parent / "demo" / "walk.anim"
    assert operators.import_anim.secondlife(filepath=str(walk)) == {"FINISHED"}
    import_scene("walk.glb", target="NEW")


def test_undo_in_one_step() -> None:
    before = data_blocks()
    begin_undo()
    path = SCENES / "several_animations.glb"
    with_undo(operators.import_anim.animbridge_scene, filepath=str(path), target="NEW")
    assert len(bpy.data.actions) == 4
    undo_once()
    assert data_blocks() == before


def test_curves_are_in_groups_of_their_bones() -> None:
    import_scene("walk.glb", target="NEW")
    assert {curve.group.name for curve in fcurves()} <= {bone.name for bone in the_armature().data.bones}


def test_axes_that_the_user_names() -> None:
    """As if the file said that its Z axis is up: what was up is at the back or in front."""
    told = import_scene("walk.glb", target="NEW")
    height = max(bone.head_local.z for bone in told.data.bones)
    named = import_scene("walk.glb", target="NEW", up_axis="Z", forward_axis="Y")
    assert max(abs(bone.head_local.z) for bone in named.data.bones) < 0.5 * height
    assert abs(max(bone.head_local.y for bone in named.data.bones) - height) <= HEAD_METRES


def test_the_file_browser_takes_the_options() -> None:
    """Blender's ImportHelper checks options of some names by itself whenever one changes."""
    kind: Any = getattr(bpy.types, "IMPORT_ANIM_OT_animbridge_scene")  # noqa: B009 (made at run time)
    assert not {"axis_forward", "axis_up"} & set(kind.bl_rna.properties.keys())
