# SPDX-License-Identifier: MIT
"""What Blender shows after an import is what the witness's player says, on any rig."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import (
    FACINGS,
    PELVIS_HEIGHT,
    SKELETON,
    bone_rotation,
    degrees_to,
    fcurves,
    import_file,
    random_rig,
    set_frame,
    the_armature,
    turn_of,
)
from mathutils import Vector
from tests.python.material import demos
from tests.python.randoms import JOINTS, random_keys
from tests.witness import anim_file, player
from tests.witness import quantise as q
from tests.witness.anim_file import AnimFile, Joint, bits_of

METRES = 1e-5
DEGREES = 0.01
#: Codes of time between two keys: half a frame and more, for Blender merges what is closer than 0.01 frame.
GAP = 700


def smooth_animation(seed: int) -> AnimFile:
    """Random keys whose neighbours are less than half a turn apart, and some positions."""
    random = np.random.default_rng(seed)
    duration = float(random.uniform(0.5, 3.0))
    joints = []
    for name in random.permutation(JOINTS)[:6]:
        turns = random_keys(random, 6, in_ball=True, gap=GAP)
        # Within 60 degrees of no rotation any two are on the same side.
        turns[:, 1:] = q.encode_rotation(q.decode_rotation(turns[:, 1:]) * np.float32(0.5))
        joints.append(Joint(bytes(name), 3, turns, random_keys(random, 4, in_ball=False, gap=GAP)))
    return AnimFile(duration_bits=bits_of(duration), joints=joints)


def wild_animation(seed: int) -> AnimFile:
    """Single joints with negative dots between neighbours: the viewer's slerp."""
    random = np.random.default_rng(seed)
    joints = [
        Joint(name, 3, random_keys(random, 10, in_ball=True, gap=GAP)) for name in (b"mHead", b"mTail1")
    ]
    return AnimFile(duration_bits=bits_of(4.0), joints=joints)


def key_seconds(file: AnimFile) -> list[float]:
    """Every key's time."""
    tables = [keys for joint in file.joints for keys in (joint.rotation_keys, joint.position_keys)]
    return sorted({float(t) for keys in tables for t in q.decode_time(keys[:, 0], file.duration)})


def assert_same_places(rig: Any, file: AnimFile, seconds: float, facing: str) -> None:
    """The head of every bone, in the armature's space, to a hundredth of a millimetre."""
    world = player.world_pose(file, SKELETON, seconds)
    turn = turn_of(facing)
    for bone in rig.pose.bones:
        wanted = turn @ Vector(world[bone.name].position.tolist()) + Vector((0, 0, PELVIS_HEIGHT))
        assert (bone.head - wanted).length < METRES, f"{bone.name} at {seconds} s"


@pytest.mark.parametrize("facing", FACINGS)
@pytest.mark.parametrize("seed", range(5))
def test_random_rig(seed: int, facing: str, tmp_path: Path) -> None:
    random = np.random.default_rng(seed)
    rig = random_rig(random, facing)
    file = smooth_animation(seed)
    path = tmp_path / "smooth.anim"
    path.write_bytes(anim_file.write(file))
    # AUTO must find the facing from the rest pose.
    import_file(path, facing=facing if seed % 2 else "AUTO", frame_start=-3.5)
    for seconds in key_seconds(file):
        set_frame(-3.5 + seconds * 24)
        assert_same_places(rig, file, seconds, facing)


@pytest.mark.parametrize("path", demos(), ids=lambda path: path.name)
def test_demo_on_a_new_skeleton(path: Path) -> None:
    rig = import_file(path)
    file = anim_file.parse(path.read_bytes())
    for seconds in key_seconds(file)[:12]:
        set_frame(1 + seconds * 24)
        assert_same_places(rig, file, seconds, "X")


@pytest.mark.parametrize("seed", range(4))
def test_slerp_is_shown_within_a_hundredth_of_a_degree(seed: int, tmp_path: Path) -> None:
    random = np.random.default_rng(seed)
    facing = list(FACINGS)[seed]
    rig = random_rig(random, facing)
    file = wild_animation(seed)
    path = tmp_path / "wild.anim"
    path.write_bytes(anim_file.write(file))
    import_file(path, facing=facing)
    # A joint's rotation at every place between its keys, also close to them.
    for joint in file.joints:
        times = q.decode_time(joint.rotation_keys[:, 0], file.duration).astype(float)
        for before, after in itertools.pairwise(times):
            for share in (0.0, 0.07, 0.25, 0.5, 0.81, 0.99):
                seconds = before + share * (after - before)
                set_frame(1 + seconds * 24)
                wanted = player.joint_at(joint, file.duration, seconds).rotation
                assert degrees_to(bone_rotation(rig, joint.name.decode(), facing), wanted) < DEGREES


def test_inserted_keys_are_marked(tmp_path: Path) -> None:
    file = wild_animation(1)
    path = tmp_path / "wild.anim"
    path.write_bytes(anim_file.write(file))
    import_file(path)
    kinds = [point.type for curve in fcurves() for point in curve.keyframe_points]
    own = sum(4 * len(joint.rotation_keys) for joint in file.joints)
    assert kinds.count("KEYFRAME") == own
    assert kinds.count("JITTER") == len(kinds) - own > 0


@pytest.mark.parametrize(
    ("fps", "base", "start"), [(30, 1.001, 1.0), (24, 1.0, -20.5), (60, 1.0, 0.125), (25, 2.5, 100.0)]
)
def test_keys_stand_at_their_times(fps: int, base: float, start: float) -> None:
    """Frames are start + seconds * fps / fps_base, never rounded; all keys are linear, none is missing."""
    bpy.context.scene.render.fps = fps
    bpy.context.scene.render.fps_base = base
    path = next(path for path in demos() if path.name == "dance.anim")
    file = anim_file.parse(path.read_bytes())
    import_file(path, frame_start=start)
    checked = 0
    for joint in file.joints:
        for prop, keys in (("rotation_quaternion", joint.rotation_keys), ("location", joint.position_keys)):
            times = np.unique(q.decode_time(keys[:, 0], file.duration).astype(float))
            curve = fcurves().find(f'pose.bones["{joint.name.decode()}"].{prop}', index=1)
            if curve is None:
                assert len(times) == 0
                continue
            frames = [p.co[0] for p in curve.keyframe_points if p.type == "KEYFRAME"]
            assert frames == pytest.approx(start + times * fps / bpy.context.scene.render.fps_base, abs=1e-4)
            assert {p.interpolation for p in curve.keyframe_points} == {"LINEAR"}
            checked += 1
    assert checked > 10


def test_frame_range_and_scene_range() -> None:
    path = next(path for path in demos() if path.name == "dance.anim")
    duration = float(anim_file.parse(path.read_bytes()).duration)
    scene = bpy.context.scene
    before = (scene.frame_start, scene.frame_end)
    rig = import_file(path, frame_start=5.5, set_scene_range="NEVER")
    action = rig.animation_data.action
    assert action.use_frame_range
    assert tuple(action.frame_range) == pytest.approx((5.5, 5.5 + 24 * duration))
    assert (scene.frame_start, scene.frame_end) == before
    import_file(path, frame_start=5.5, set_scene_range="ALWAYS")
    assert scene.frame_start == 5
    assert scene.frame_end == int(np.ceil(5.5 + 24 * duration))


def test_new_skeleton() -> None:
    """133 bones at the joints' places, none connected, facing +X, and one armature for many files."""
    for path in demos():
        import_file(path)
    rig = the_armature()
    assert len(bpy.data.armatures) == 1 and len(bpy.data.objects) == 2
    bones = rig.data.bones
    assert {bone.name for bone in bones} == {n.name for n in SKELETON.nodes.values() if n.kind == "bone"}
    assert not any(bone.use_connect for bone in bones)
    for bone in bones:
        node = SKELETON.nodes[bone.name]
        assert (bone.parent.name if bone.parent else "mRoot") == node.parent
        assert bone.length > 0.005
        parent = bone.parent.head_local if bone.parent else Vector((0, 0, PELVIS_HEIGHT))
        assert (bone.head_local - parent - Vector(node.position.tolist())).length < 1e-6
