# SPDX-License-Identifier: MIT
"""The skeleton that the library hands out is the avatar's, as the witness reads it from the data."""

from __future__ import annotations

from tests.witness.skeleton import load_skeleton

from animbridge.skeleton import skeleton_joints

KINDS = {
    "bone": ("bone", False),
    "volume": ("collision_volume", False),
    "attachment": ("attachment_point", False),
    "hud": ("attachment_point", True),
}


def test_every_joint_and_what_it_is() -> None:
    expected = {node.name: KINDS[node.kind] for node in load_skeleton().nodes.values()}
    found = {joint.name: (joint.kind, joint.on_screen) for joint in skeleton_joints()}
    assert found == expected
    assert sum(joint.on_screen for joint in skeleton_joints()) == 8


def test_parents_come_first() -> None:
    known: set[str] = set()
    for joint in skeleton_joints():
        assert joint.parent is None or joint.parent in known
        known.add(joint.name)


def test_groups() -> None:
    groups = {joint.name: joint.group for joint in skeleton_joints()}
    assert groups["mHandThumb1Left"] == "Hand"
    assert groups["mTail3"] == "Tail"
    assert groups["mFaceJaw"] == "Mouth"
