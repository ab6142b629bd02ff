# SPDX-License-Identifier: MIT
"""AnimBridge's hand poses: on the active armature, and as pose assets."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from helpers import operators, the_armature
from retarget_support import mixamo_rig

from animbridge.kinds.sl_pose.fingers import HAND_POSES
from animbridge.package import AnimBridgeError, Document

FINGERS = ("Index", "Middle", "Ring", "Pinky", "Thumb")


@pytest.fixture
def avatar() -> Any:
    operators.armature.secondlife_skeleton_add()
    return the_armature()


def direction(armature: Any, name: str) -> np.ndarray:
    """Where a bone points."""
    bpy.context.view_layer.update()
    bone = armature.pose.bones[name]
    along = np.array(bone.tail - bone.head)
    return along / np.linalg.norm(along)


def rest_direction(armature: Any, name: str) -> np.ndarray:
    bone = armature.data.bones[name]
    along = np.array(bone.tail_local - bone.head_local)
    return along / np.linalg.norm(along)


def test_the_names_are_the_librarys(avatar: Any) -> None:
    names = [name for name, _, _ in HAND_POSES]
    assert len(names) == 12
    document = Document.read(
        b"<llsd><map><key>startFromTeePose</key><map><key>value</key><boolean>1</boolean></map></map></llsd>"
    )
    for name in names:
        document.edited({"fingers": [f"left={name}"]})
    with pytest.raises(AnimBridgeError) as caught:
        document.edited({"fingers": ["left=none"]})
    told = caught.value.message.split("the names are ")[1].split(";")[0]
    assert told.replace(" and ", ", ").rstrip(".").startswith(", ".join(names))


def test_a_fist_closes_one_hand(avatar: Any) -> None:
    assert operators.pose.animbridge_fingers(pose="FIST", side="LEFT") == {"FINISHED"}
    for finger in FINGERS[:4]:
        name = f"mHand{finger}3"
        assert direction(avatar, f"{name}Left") @ rest_direction(avatar, f"{name}Left") < -0.5, finger
        assert np.allclose(
            direction(avatar, f"{name}Right"), rest_direction(avatar, f"{name}Right"), atol=1e-6
        )


@pytest.mark.parametrize("pose", [name.upper().replace("-", "_") for name, _, _ in HAND_POSES])
def test_the_right_hand_mirrors_the_left_one(avatar: Any, pose: str) -> None:
    operators.pose.animbridge_fingers(pose=pose)
    for finger in FINGERS:
        for number in (1, 2, 3):
            left, right = (direction(avatar, f"mHand{finger}{number}{side}") for side in ("Left", "Right"))
            assert np.allclose(left * [1, -1, 1], right, atol=1e-5), (pose, finger, number)


def test_poses_differ(avatar: Any) -> None:
    shown = []
    for name, _, _ in HAND_POSES:
        operators.pose.animbridge_fingers(pose=name.upper().replace("-", "_"), side="LEFT")
        shown.append(np.concatenate([direction(avatar, f"mHand{finger}2Left") for finger in FINGERS]))
    distances = [np.linalg.norm(a - b) for i, a in enumerate(shown) for b in shown[:i]]
    assert min(distances) > 0.1


def test_auto_keying_keys_the_fingers(avatar: Any) -> None:
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    operators.pose.animbridge_fingers(pose="FLAT", side="RIGHT")
    assert avatar.animation_data.action is not None


def test_hand_poses_become_assets(avatar: Any) -> None:
    assert operators.pose.animbridge_hand_assets() == {"FINISHED"}
    assets = [action for action in bpy.data.actions if action.asset_data is not None]
    assert len(assets) == 24
    assert {"Fist Left", "Fist Right", "Hold a Glass Left"} <= {action.name for action in assets}
    assert avatar.animation_data is None or avatar.animation_data.action is None


def test_another_rig_has_fingers_too() -> None:
    rig = mixamo_rig()
    before = [list(bone.head) for bone in rig.pose.bones]
    operators.pose.animbridge_fingers(pose="FIST")
    bpy.context.view_layer.update()
    body = [bone.name for bone in rig.pose.bones if "HandMiddle" not in bone.name]
    after = {bone.name: list(bone.head) for bone in rig.pose.bones}
    for name, place in zip([bone.name for bone in rig.pose.bones], before, strict=True):
        if name in body:
            assert np.allclose(after[name], place, atol=1e-5), name


def test_without_an_armature_there_is_no_hand() -> None:
    assert not operators.pose.animbridge_fingers.poll()
