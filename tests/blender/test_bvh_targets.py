# SPDX-License-Identifier: MIT
"""BVH files onto an armature that is there: which bones move, how, and what happens to its Action."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_support import DIALECTS, TURN, degrees_apart, import_bvh, read, samples, shown, world_of, write_bvh
from helpers import (
    curves_of,
    data_blocks,
    export_file,
    fcurves,
    operators,
    refused,
    reported,
    the_action,
    the_armature,
)
from tests.python.material import demos, name_of
from tests.witness.bvh_file import Bvh, Joint

pytestmark = pytest.mark.compat

CLASSIC = DIALECTS / "newline_lf.bvh"
CHANNELS = ["Zrotation", "Xrotation", "Yrotation"]


def second_life_skeleton(facing: str = "NEGATIVE_Y") -> Any:
    operators.armature.secondlife_skeleton_add(skeleton_facing=facing)
    return the_armature()


def arm_file(path: Path) -> Bvh:
    """A hip, a chest and an arm under the names of Second Life's BVH uploads; T-pose along the file's +X."""
    joints = [
        Joint("hip", None, (0.0, 40.0, 0.0), [f"{a}position" for a in "XYZ"] + CHANNELS),
        Joint("abdomen", 0, (0.0, 4.0, 0.0), CHANNELS),
        Joint("chest", 1, (0.0, 8.0, 0.0), CHANNELS),
        Joint("lCollar", 2, (3.0, 6.0, 0.0), CHANNELS),
        Joint("lShldr", 3, (3.0, 0.0, 0.0), CHANNELS),
        Joint("lForeArm", 4, (10.0, 0.0, 0.0), CHANNELS, [("", (9.0, 0.0, 0.0))]),
    ]
    motion = []
    for frame in range(6):
        row = [2.0 * frame, 40.0 - frame, frame * 0.5, 4.0 * frame, -6.0 * frame, 10.0 * frame]
        for joint in range(1, 6):
            row += [5.0 * joint * frame / 5, -3.0 * joint - frame, 11.0 * frame - joint]
        motion.append(row)
    bvh = Bvh(joints, 1 / 24, motion)
    write_bvh(path, bvh)
    return bvh


BONES = {
    "hip": "mPelvis",
    "abdomen": "mTorso",
    "chest": "mChest",
    "lCollar": "mCollarLeft",
    "lShldr": "mShoulderLeft",
    "lForeArm": "mElbowLeft",
}


@pytest.mark.parametrize("facing", ["NEGATIVE_Y", "X"])
def test_bones_turn_in_the_world_as_joints_do(facing: str, tmp_path: Path) -> None:
    """By the rig map: every bone's turn from its rest is its joint's, as the character looks."""
    path = tmp_path / "arm.bvh"
    bvh = arm_file(path)
    rig = second_life_skeleton(facing)
    import_bvh(path, target="ACTIVE")
    assert the_armature() is rig and the_action().name == "arm"
    names = list(rig.pose.bones.keys())
    order = [names.index(BONES[joint.name]) for joint in bvh.joints]
    # The file's +Z is where the character looks: -Y in Blender's axes, or +X.
    look = np.array(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))) if facing == "X" else TURN
    for frame in range(6):
        _, turns = shown(rig, 1.0 + frame)
        _, rotations = world_of(bvh, frame, look)
        assert degrees_apart(turns[order], rotations) < 5e-3, frame


def test_hips_move_by_the_height_of_the_armature(tmp_path: Path) -> None:
    path = tmp_path / "arm.bvh"
    bvh = arm_file(path)
    rig = second_life_skeleton()
    hips = rig.data.bones["mPelvis"].head_local.z
    import_bvh(path, target="ACTIVE")
    names = list(rig.pose.bones.keys())
    for factor, options in ((hips / 40.0, {}), (0.0254, {"fit_height": False, "global_scale": 0.0254})):
        import_bvh(path, target="ACTIVE", **options)
        start, _ = shown(rig, 1.0)
        for frame in range(1, 6):
            heads, _ = shown(rig, 1.0 + frame)
            moved = heads[names.index("mPelvis")] - start[names.index("mPelvis")]
            wanted = TURN @ (np.array(bvh.motion[frame][:3]) - np.array(bvh.motion[0][:3])) * factor
            assert moved == pytest.approx(wanted, abs=2e-5), (frame, options)


@pytest.mark.parametrize("path", samples(), ids=name_of)
def test_samples_move_the_avatar(path: Path, tmp_path: Path) -> None:
    """All of the avatar's joints are found, and the result is an animation for Second Life."""
    bvh = read(path)
    rig = second_life_skeleton()
    import_bvh(path, target="ACTIVE")
    moved = {curve.data_path.split('"')[1] for curve in fcurves()}
    assert {"mPelvis", "mTorso", "mElbowLeft", "mKneeRight"} <= moved
    assert the_armature() is rig and len(bvh.motion) > 1
    assert export_file(tmp_path / "out.anim", target="OPENSIM")[:2] == b"\x01\x00"


def test_bones_with_euler_angles_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "arm.bvh"
    bvh = arm_file(path)
    rig = second_life_skeleton()
    rig.pose.bones["mElbowLeft"].rotation_mode = "XZY"
    import_bvh(path, target="ACTIVE", rotation_mode="EULER")
    assert rig.pose.bones["mElbowLeft"].rotation_mode == "XZY"
    assert len(curves_of("mElbowLeft", "rotation_euler")) == 3
    assert len(curves_of("mTorso", "rotation_quaternion")) == 4
    names = list(rig.pose.bones.keys())
    order = [names.index(BONES[joint.name]) for joint in bvh.joints]
    for frame in range(6):
        _, turns = shown(rig, 1.0 + frame)
        assert degrees_apart(turns[order], world_of(bvh, frame)[1]) < 5e-3


def test_quaternions_switch_the_mode_and_say_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.bvh"
    arm_file(path)
    rig = second_life_skeleton()
    rig.pose.bones["mElbowLeft"].rotation_mode = "XZY"
    import_bvh(path, target="ACTIVE")
    assert rig.pose.bones["mElbowLeft"].rotation_mode == "QUATERNION"
    assert "1 bone changed to quaternions" in reported(capfd)


def test_a_named_armature_and_none(tmp_path: Path) -> None:
    path = tmp_path / "arm.bvh"
    arm_file(path)
    rig = second_life_skeleton()
    import_bvh(CLASSIC)
    assert the_armature() is not rig
    import_bvh(path, armature=rig.name)
    assert rig.animation_data.action.name == "arm"
    with refused("no object named 'Nobody'"):
        import_bvh(path, target="NAMED", armature="Nobody")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    import_bvh(path, target="ACTIVE")
    assert the_armature().name == "arm"


def test_nothing_that_matches_is_an_error(tmp_path: Path) -> None:
    rig = import_bvh(CLASSIC)
    action = the_action()
    for bone in rig.data.bones:
        bone.name = f"other {bone.name}"
    before = data_blocks()
    with refused("newline_lf.bvh", "no bone"):
        import_bvh(CLASSIC, target="ACTIVE")
    assert data_blocks() == before and the_action() == action


def test_joints_without_a_bone_are_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.bvh"
    bvh = arm_file(path)
    bvh.joints[1].name = "strange_spine"
    write_bvh(path, bvh)
    rig = second_life_skeleton()
    import_bvh(path, target="ACTIVE")
    report = reported(capfd)
    assert "1 joint without a matching bone" in report and "strange_spine" in report
    assert "Warning:" not in report  # the others have bones, so there is nothing to decide
    names = list(rig.pose.bones.keys())
    kept = [index for index, joint in enumerate(bvh.joints) if joint.name in BONES]
    order = [names.index(BONES[bvh.joints[index].name]) for index in kept]
    for frame in range(6):
        _, turns = shown(rig, 1.0 + frame)
        # The chest turns as in the file, the spine's share with it.
        assert degrees_apart(turns[order], world_of(bvh, frame)[1][kept]) < 5e-3


def test_merged_into_the_active_action(tmp_path: Path) -> None:
    path = tmp_path / "arm.bvh"
    arm_file(path)
    rig = second_life_skeleton()
    walk = next(demo for demo in demos() if demo.name == "walk.anim")
    operators.import_anim.secondlife(filepath=str(walk))
    leg = [tuple(p.co) for c in curves_of("mKneeLeft", "rotation_quaternion") for p in c.keyframe_points]
    import_bvh(path, target="ACTIVE", place="MERGE", frame_start=4.0)
    assert the_action().name == "walk" and len(bpy.data.actions) == 1
    assert leg == [
        tuple(p.co) for c in curves_of("mKneeLeft", "rotation_quaternion") for p in c.keyframe_points
    ]
    frames = [p.co[0] for p in curves_of("mElbowLeft", "rotation_quaternion")[0].keyframe_points]
    assert [frame for frame in frames if 4.0 <= frame <= 9.0] == pytest.approx([4, 5, 6, 7, 8, 9], abs=1e-4)
    assert rig.animation_data.action == the_action()
