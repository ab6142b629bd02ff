# SPDX-License-Identifier: MIT
"""Rig maps through the binding: the built-in one, one's own, and a rig that is ambiguous."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest
from material import ROOT
from tests.witness import anim_file
from tests.witness import quantise as q

from animbridge.abi import Channel, Facing
from animbridge.curves import Armature, Curve, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.motion import DocumentCurves, from_curves
from animbridge.rig_map import Match, RigMatch, built_in_rig_map, match_rig

TIMING = Timing(10.0, 1.0)
PAWS = '{"animbridge_rig_map": 1, "names": {"mHead": "Snout"}}'


def armature(*names: str, rig_map: str | None = None, facing: Facing = Facing.X) -> Armature:
    """Roots above each other."""
    count = len(names)
    rest = np.tile(np.eye(4, dtype=np.float32).ravel(), (count, 1))
    rest[:, 14] = np.arange(count)
    parents = np.full(count, -1, np.int32)
    return Armature(names, parents, rest, np.zeros(count, np.uint8), facing, rig_map)


def head_animation() -> Document:
    keys = np.concatenate([[[0]], q.encode_rotation(np.array([[0, 0, 0.5]]))], axis=1).astype(np.uint16)
    return Document.read(
        anim_file.write(anim_file.AnimFile(joints=[anim_file.Joint(b"mHead", 4, keys)])), "nod", "sl_anim"
    )


def test_command_prints_the_built_in_map() -> None:
    printed = subprocess.run(
        [ROOT / "build" / "bin" / "animbridge", "rig-map"], check=True, capture_output=True, text=True
    ).stdout
    assert printed == built_in_rig_map() == (ROOT / "native" / "rig" / "data" / "rig_map.json").read_text()
    assert json.loads(printed)["animbridge_rig_map"] == 1


def test_match() -> None:
    found = match_rig(armature("mPelvis", "Hand.L", "Tool", "chest"))
    assert found == RigMatch(
        facing=Facing.X,
        matched=(
            Match("mPelvis", "mPelvis", "own name"),
            Match("mChest", "chest", "BVH upload"),
            Match("mWristLeft", "Hand.L", "body part with a side"),
        ),
        unmatched_joints=found.unmatched_joints,
        unmatched_bones=("Tool",),
    )
    assert len(found.unmatched_joints) == 133 + 26 + 55 - 3
    assert "mHead" in found.unmatched_joints and "mChest" not in found.unmatched_joints


def test_one_s_own_map_is_used_in_and_out() -> None:
    assert DocumentCurves(head_animation(), armature("Snout"), TIMING).report()["matched"] == []
    rig = armature("Snout", rig_map=PAWS)
    curves = list(DocumentCurves(head_animation(), rig, TIMING))
    assert [curve.component for curve in curves] == [0, 1, 2, 3]
    half = float(np.sqrt(0.5))
    turned = [
        Curve(0, Channel.ROTATION_QUATERNION, component, np.array([[1, value]], np.float32))
        for component, value in enumerate((half, 0, 0, half))
    ]
    document, report = from_curves("sl_anim", rig, TIMING, turned, {"frame_end": 2.0})
    assert [joint.name for joint in anim_file.parse(document.write()).joints] == [b"mHead"]
    assert len(report["warnings"]) == 1 and "have no bone" in report["warnings"][0]


def test_bones_that_fit_equally_are_named() -> None:
    rig = armature("Hand.L", "lWrist", "mHead")
    for use in (
        lambda: match_rig(rig),
        lambda: DocumentCurves(head_animation(), rig, TIMING),
        lambda: from_curves("sl_anim", rig, TIMING, [], {"frame_end": 2.0}),
    ):
        with pytest.raises(AnimBridgeError) as failure:
            use()
        assert failure.value.code == Status.BAD_VALUE
        assert "mWristLeft may be 'Hand.L', 'lWrist'" in str(failure.value)


def test_a_broken_map_is_named() -> None:
    with pytest.raises(AnimBridgeError, match="'mHaed' is not a joint"):
        match_rig(armature("mHead", rig_map='{"animbridge_rig_map": 1, "names": {"mHaed": "x"}}'))
    with pytest.raises(AnimBridgeError, match="not JSON"):
        match_rig(armature("mHead", rig_map=""))


def test_bone_names_keep_their_bytes() -> None:
    assert match_rig(armature("b\udcffne")).unmatched_bones == ("b\udcffne",)
