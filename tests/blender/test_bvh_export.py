# SPDX-License-Identifier: MIT
"""Actions made in Blender as BVH: joints stand and turn as the bones do, whatever the options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_rigs import BONES, FRAMES, key_bone, keyed_rig, straight_rig
from bvh_shown import errors_of, turn_of_axes
from bvh_support import TURN, export_bvh, rest_of
from helpers import operators, reported, the_armature
from tests.witness.bvh_file import Bvh

#: From the file's axes to Blender's, by the file's axis that points up and where the character looks.
LOOKS = {
    ("Y", "NEGATIVE_Y"): TURN,
    ("Y", "X"): np.array(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))),
    ("Z", "NEGATIVE_Y"): np.eye(3),
    ("Z", "X"): np.array(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))),
}
#: Blender multiplies matrices in single precision down a dozen bones: what it shows is as far off.
DEGREES, SHARE = 4e-4, 4e-6
ORDERS = ("ZXY", "ZYX", "XYZ", "XZY", "YXZ", "YZX")


@pytest.mark.parametrize("method", ["CURVES", "SAMPLES"])
@pytest.mark.parametrize(("seed", "order"), list(enumerate(ORDERS)))
def test_every_joint_at_every_frame(seed: int, order: str, method: str, tmp_path: Path) -> None:
    rig = keyed_rig(seed)
    bvh = export_bvh(tmp_path / "out.bvh", rotation_order=order, method=method)
    assert [joint.name for joint in bvh.joints] == depth_first(rig)
    for joint in bvh.joints:
        letters = "".join(name[0] for name in joint.channels if name.endswith("rotation"))
        assert letters == order
        assert ("Xposition" in joint.channels) == (joint.name == "mPelvis")
    assert bvh.frame_time == pytest.approx(1 / 24, rel=1e-15)
    assert_shows(rig, bvh)


def depth_first(rig: Any) -> list[str]:
    """The bones' names, each before those that hang on it, siblings in the armature's order."""
    names: list[str] = []

    def add(bone: Any) -> None:
        names.append(bone.name)
        for child in bone.children:
            add(child)

    for bone in rig.data.bones:
        if bone.parent is None:
            add(bone)
    return names


def assert_shows(rig: Any, bvh: Bvh, **options: Any) -> None:
    errors = errors_of(rig, bvh, FRAMES, **options)
    assert errors.degrees <= DEGREES and errors.share <= SHARE, errors


def test_offsets_and_end_sites_are_the_bones(tmp_path: Path) -> None:
    rig = keyed_rig(2)
    bvh = export_bvh(tmp_path / "out.bvh")
    bones = [rig.data.bones[joint.name] for joint in bvh.joints]
    heads = np.array([bone.head_local for bone in bones])
    assert np.abs(rest_of(bvh) - heads).max() <= 2e-6
    for joint, bone in zip(bvh.joints, bones, strict=True):
        ends = [TURN @ offset for _, offset in joint.end_sites]
        wanted = [] if bone.children else [np.array(bone.tail_local - bone.head_local)]
        assert len(ends) == len(wanted)
        assert all(np.abs(end - place).max() <= 2e-6 for end, place in zip(ends, wanted, strict=True))


@pytest.mark.parametrize(
    ("forward", "up", "scale"), [("Y", "Z", 0.01), ("X", "-Y", 2.0), ("-X", "Z", 1.0), ("Z", "Y", 0.0254)]
)
@pytest.mark.parametrize("method", ["CURVES", "SAMPLES"])
def test_axes_and_scale(method: str, forward: str, up: str, scale: float, tmp_path: Path) -> None:
    rig = keyed_rig(3)
    bvh = export_bvh(
        tmp_path / "out.bvh", axis_forward=forward, axis_up=up, global_scale=scale, method=method
    )
    # RNA keeps the scale in single precision.
    scale = float(np.float32(scale))
    assert_shows(rig, bvh, turn=turn_of_axes(forward, up), scale=scale)


@pytest.mark.parametrize("facing", ["X", "NEGATIVE_Y"])
@pytest.mark.parametrize("up", ["Y", "Z"])
def test_the_character_looks_along_z(up: str, facing: str, tmp_path: Path) -> None:
    """Or along -Y where Z is up; the left hand is on the side of +X."""
    operators.armature.secondlife_skeleton_add(skeleton_facing=facing)
    rig = the_armature()
    random = np.random.default_rng(5)
    for name in BONES:
        key_bone(rig.pose.bones[name], random, moves=name == "mPelvis")
    bvh = export_bvh(tmp_path / "out.bvh", axis_up=up)
    rest = dict(zip((joint.name for joint in bvh.joints), rest_of(bvh, np.eye(3)), strict=True))
    left = rest["mWristLeft"] - rest["mWristRight"]
    height, look = (1, 2) if up == "Y" else (2, 1)
    ahead = (rest["mToeLeft"] - rest["mAnkleLeft"])[look] * (1 if up == "Y" else -1)
    assert left[0] > 0.9 * np.linalg.norm(left)
    assert ahead > 0.05 and (rest["mHead"] - rest["mPelvis"])[height] > 0.3
    errors = errors_of(rig, bvh, FRAMES, LOOKS[up, facing])
    # Blender's rest matrices of bones that point down are 5e-5 from being rotations, and its poses with them.
    assert errors.degrees <= 1e-3 and errors.share <= 2e-5, errors


@pytest.mark.parametrize("positions", ["MOVING", "ROOT", "ALL"])
@pytest.mark.parametrize("method", ["CURVES", "SAMPLES"])
def test_positions(method: str, positions: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    moving = ("mPelvis", "mTorso", "mHead")
    rig = keyed_rig(4, moving=moving)
    # Only the root's positions leave the other moving joints far off.
    bvh = export_bvh(
        tmp_path / "out.bvh", positions=positions, method=method, write_anyway=positions == "ROOT"
    )
    placed = {joint.name for joint in bvh.joints if "Xposition" in joint.channels}
    names = {joint.name for joint in bvh.joints}
    assert placed == {"MOVING": set(moving), "ROOT": {"mPelvis"}, "ALL": names}[positions]
    if positions != "ROOT":
        assert_shows(rig, bvh)
        return
    said = " ".join(reported(capfd).split())
    assert "Warning: out.bvh: Choose moving positions (Blender: Positions)" in said
    assert "leave their places: mTorso, mHead" in said and said.count("Warning:") == 1
    assert errors_of(rig, bvh, FRAMES).degrees <= DEGREES


def test_bones_that_take_no_location_as_others_do(tmp_path: Path) -> None:
    """Connected bones ignore their location; others read it along the armature's axes."""
    rig = keyed_rig(6, moving=("mPelvis", "mTorso", "mElbowLeft", "mKneeRight"))
    rig.data.bones["mElbowLeft"].use_local_location = False
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    bones["mPelvis"].tail = bones["mTorso"].head
    bones["mTorso"].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    bvh = export_bvh(tmp_path / "out.bvh", method="CURVES")
    placed = {joint.name for joint in bvh.joints if "Xposition" in joint.channels}
    assert placed == {"mPelvis", "mElbowLeft", "mKneeRight"}
    assert_shows(rig, bvh)


def test_bones_that_keep_their_direction_are_sampled(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rig = keyed_rig(7)
    rig.data.bones["mChest"].use_inherit_rotation = False
    bvh = export_bvh(tmp_path / "out.bvh")
    assert "sampled" in reported(capfd)
    assert_shows(rig, bvh)


@pytest.mark.parametrize("method", ["CURVES", "AUTO", "SAMPLES"])
def test_bones_that_are_posed_without_keys(method: str, tmp_path: Path) -> None:
    rig = keyed_rig(8)
    for name, mode in (("mTail1", "QUATERNION"), ("mCollarRight", "ZYX"), ("mNeck", "AXIS_ANGLE")):
        bone = rig.pose.bones[name]
        bone.rotation_mode = mode
        bone.rotation_quaternion = (0.8, 0.0, 0.6, 0.0)
        bone.rotation_euler = (0.4, -0.7, 1.1)
        bone.rotation_axis_angle = (0.9, 0.6, 0.8, 0.0)
        bone.location = (0.1, -0.05, 0.2)
    assert_shows(rig, export_bvh(tmp_path / "out.bvh", method=method))


def test_native_orders_keep_the_bones_own_angles(tmp_path: Path) -> None:
    """Bones along the file's axes: the very values; Blender names orders backwards."""
    rig = straight_rig()
    wanted: dict[str, np.ndarray] = {}
    random = np.random.default_rng(9)
    for bone, mode in zip(rig.pose.bones, ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"), strict=True):
        bone.rotation_mode = mode
        wanted[bone.name] = random.uniform(-9.0, 9.0, (25, 3)).astype(np.float32)
        for frame in FRAMES:
            bone.rotation_euler = wanted[bone.name][frame - 1]
            bone.keyframe_insert("rotation_euler", frame=frame)
    bvh = export_bvh(tmp_path / "out.bvh", rotation_order="NATIVE", axis_forward="-Z")
    column = 0
    for joint in bvh.joints:
        letters = [name[0] for name in joint.channels if name.endswith("rotation")]
        assert rig.pose.bones[joint.name].rotation_mode == "".join(reversed(letters))
        for place, channel in enumerate(joint.channels, column):
            if channel.endswith("rotation"):
                angles = np.degrees(wanted[joint.name][:, "XYZ".index(channel[0])].astype(np.float64))
                # Six decimals.
                assert np.abs(np.array([row[place] for row in bvh.motion]) - angles).max() <= 0.51e-6
        column += len(joint.channels)
    assert_shows(rig, bvh)


def test_native_orders_of_bones_at_any_angle(tmp_path: Path) -> None:
    rig = keyed_rig(0)
    bvh = export_bvh(tmp_path / "out.bvh", rotation_order="NATIVE")
    for joint in bvh.joints:
        mode = rig.pose.bones[joint.name].rotation_mode
        letters = "".join(name[0] for name in joint.channels if name.endswith("rotation"))
        assert letters == ("ZXY" if mode in ("QUATERNION", "AXIS_ANGLE") else mode[::-1])
    assert_shows(rig, bvh)
