# SPDX-License-Identifier: MIT
"""A capture of three minutes becomes four loops for Second Life, in Blender and without touching a key."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_support import import_bvh, write_bvh
from helpers import export_file, operators, the_armature
from tests.witness import anim_file, player
from tests.witness.bvh_file import Bvh, Joint

CHANNELS = ["Zrotation", "Xrotation", "Yrotation"]
RATE, SECONDS, PARTS = 15, 180, 4


def capture(path: Path) -> None:
    """Steps on the spot with swinging arms that drift, under the names of Second Life's uploads."""
    joints = [
        Joint("hip", None, (0.0, 40.0, 0.0), [f"{axis}position" for axis in "XYZ"] + CHANNELS),
        Joint("abdomen", 0, (0.0, 4.0, 0.0), CHANNELS, [("", (0.0, 20.0, 0.0))]),
    ]
    for side, sign in (("l", 1.0), ("r", -1.0)):
        joints.append(Joint(f"{side}Thigh", 0, (3.0 * sign, -2.0, 0.0), CHANNELS))
        shin = [("", (0.0, -16.0, 0.0))]
        joints.append(Joint(f"{side}Shin", len(joints) - 1, (0.0, -18.0, 0.0), CHANNELS, shin))
    motion = []
    for frame in range(RATE * SECONDS + 1):
        t = frame / RATE
        swing = math.sin(2 * math.pi * t / 1.1)
        drift = 10 * math.sin(2 * math.pi * t / 170)
        row = [2 * swing, 40 + 0.5 * swing, 0.0, 0.0, 0.0, drift]
        row += [0.0, 5 * swing, drift]
        for sign in (1, -1):
            row += [2.0 * sign, 25 * sign * swing + drift, 0.0, 0.0, 15 * (1 + sign * swing), 0.0]
        motion.append(row)
    write_bvh(path, Bvh(joints, 1 / RATE, motion))


def play(rig: Any, action: Any) -> None:
    rig.animation_data.action = action
    if hasattr(action, "slots"):
        rig.animation_data.action_slot = action.slots[0]
    bpy.context.view_layer.update()


@pytest.fixture
def parts(tmp_path: Path) -> list[Any]:
    """The Actions of the parts, which the armature may play."""
    bpy.context.scene.render.fps = RATE
    operators.armature.secondlife_skeleton_add()
    capture(tmp_path / "capture.bvh")
    rig = import_bvh(tmp_path / "capture.bvh", target="ACTIVE", global_scale=0.0254)
    whole = rig.animation_data.action
    for number in range(1, PARTS):
        whole.pose_markers.new("part").frame = 1 + round(number * SECONDS * RATE / PARTS)
    assert operators.animbridge.clip_split(at="MARKERS", parts="LOOPS") == {"FINISHED"}
    return [bpy.data.actions[f"{whole.name}-{number}"] for number in range(1, PARTS + 1)]


def test_a_capture_becomes_four_loops(parts: list[Any], tmp_path: Path) -> None:
    rig = the_armature()
    files, plain = [], None
    for number, action in enumerate(parts):
        play(rig, action)
        assert operators.animbridge.check() == {"FINISHED"}
        open_rules = {finding.name for finding in action.secondlife.findings}
        assert "loop_jumps" in open_rules
        assert operators.animbridge.clip_close_loop() == {"FINISHED"}
        if number == 1:
            plain = anim_file.parse(export_file(tmp_path / "plain.anim"))
            assert operators.animbridge.clip_mirror() == {"FINISHED"}
        assert operators.animbridge.check() == {"FINISHED"}
        left = {f.name for f in action.secondlife.findings if f.finding_class in ("rejected", "risky")}
        assert "loop_jumps" not in left, left
        files.append(anim_file.parse(export_file(tmp_path / f"{number}.anim")))
    for file in files:
        assert file.loop and float(file.duration) == pytest.approx(SECONDS / PARTS, abs=0.02)
        for joint in file.joints:
            start, end = (player.joint_at(joint, file.duration, at) for at in (0.0, float(file.duration)))
            if start.rotation is not None and end.rotation is not None:
                assert abs(np.dot(start.rotation, end.rotation)) > math.cos(math.radians(0.25))
    both = ((plain, "mHipLeft", "mKneeLeft"), (files[1], "mHipRight", "mKneeRight"))
    for at in (1.0, 17.3, 44.0):
        for left_name, right_name in zip(both[0][1:], both[1][1:], strict=True):
            one = turn_of(both[0][0], left_name, at)
            other = turn_of(both[1][0], right_name, at)
            assert np.abs(one * np.array([-1.0, 1.0, -1.0, 1.0]) - other).max() < 5e-3


def test_a_capture_is_split_by_the_size_of_files(parts: list[Any], tmp_path: Path) -> None:
    rig = the_armature()
    play(rig, parts[0])
    whole = len(export_file(tmp_path / "whole.anim"))
    limit = whole * 0.4 / 1000
    scene = bpy.context.scene
    before = (scene.frame_start, scene.frame_end)
    done = operators.animbridge.clip_split(at="BYTES", most_kilobytes=limit, parts="LOOPS")
    assert done == {"FINISHED"}
    name = parts[0].name
    made = [action for action in bpy.data.actions if action.name.startswith(f"{name}-")]
    assert len(made) == 3 and before[0] == scene.frame_start
    for action in made:
        play(rig, action)
        size = len(export_file(tmp_path / "part.anim"))
        # The part begins and ends with keys of its own.
        assert size < 1000 * limit * 1.03
        # A part ends where the body moves least, in its last fifth.
        assert action == made[-1] or size > 1000 * limit * 0.9 * 0.8


def turn_of(file: Any, name: str, seconds: float) -> np.ndarray:
    """The joint's x, y, z and w, w not below 0."""
    joint = next(joint for joint in file.joints if joint.name == name.encode())
    found = np.asarray(player.joint_at(joint, file.duration, seconds).rotation, np.float64)
    return found if found[3] >= 0 else -found
