# SPDX-License-Identifier: MIT
"""Sampled exports: at every sample the witness's player shows what Blender shows, whatever moves the rig."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from carriers import new_empty, put_on_carrier
from helpers import (
    FACINGS,
    PELVIS_HEIGHT,
    SKELETON,
    degrees_to,
    export_file,
    random_rig,
    random_turn,
    reported,
    set_frame,
    turn_of,
)
from mathutils import Matrix, Quaternion, Vector
from tests.witness import anim_file, player, upload
from tests.witness.anim_file import AnimFile
from tests.witness.skeleton import load_emotes

FPS = 24
FIRST, LAST = 1, 25
#: What the export promises by default, and what single precision in Blender's matrices adds.
BOUND_MM, BOUND_DEGREES = 0.5, 0.05
SLACK_MM, SLACK_DEGREES = 0.02, 0.002
#: With a key at every sample only the steps of the file's numbers are left (spec 1.9): 0.13 mm of a place and
#: 0.002 degrees a joint (more as a rotation nears half a turn), along a chain of a dozen joints.
CODES_MM, CODES_DEGREES = 0.4, 0.03
KEYED = (
    "mPelvis",
    "mTorso",
    "mChest",
    "mShoulderLeft",
    "mElbowLeft",
    "mElbowRight",
    "mHipRight",
    "mKneeRight",
)


@dataclass(frozen=True)
class Shown:
    """A frame of Blender in the avatar's frame: places in metres, and rotations against the parent."""

    places: dict[str, Vector]
    turns: dict[str, Quaternion]


def shown(rig: Any, facing: str, motion: Matrix | None = None) -> Shown:
    """What Blender shows now; `motion`: the object's, against where it was at first."""
    turn = turn_of(facing)
    back = turn.inverted()
    places: dict[str, Vector] = {}
    world: dict[str, Quaternion] = {}
    turns: dict[str, Quaternion] = {}
    for node in SKELETON.nodes.values():
        bone = rig.pose.bones.get(node.name)
        if bone is None:
            continue
        matrix = (motion or Matrix.Identity(4)) @ bone.matrix
        places[node.name] = back @ matrix.translation - Vector((0, 0, PELVIS_HEIGHT))
        since_rest = matrix.to_quaternion() @ bone.bone.matrix_local.to_quaternion().inverted()
        world[node.name] = back.to_quaternion() @ since_rest @ turn.to_quaternion()
        above = world.get(node.parent, Quaternion())
        turns[node.name] = above.inverted() @ world[node.name]
    return Shown(places, turns)


@dataclass(frozen=True)
class Errors:
    """The largest over all joints and frames."""

    millimetres: float
    degrees: float


def errors_of(
    rig: Any,
    file: AnimFile,
    frames: Iterable[float],
    facing: str,
    *,
    fps: float = FPS,
    with_object: bool = False,
) -> Errors:
    """What Blender shows against what the witness plays, second 0 being the first of these frames."""
    frames = list(frames)
    set_frame(frames[0])
    at_first = rig.matrix_world.inverted()
    millimetres = degrees = 0.0
    moved = {joint.name for joint in file.joints}
    for frame in frames:
        set_frame(frame)
        motion = at_first @ rig.matrix_world if with_object else None
        wanted = shown(rig, facing, motion)
        seconds = (frame - frames[0]) / fps
        world = player.world_pose(file, SKELETON, seconds)
        local = player.local_pose(file, SKELETON, seconds)
        for name, place in wanted.places.items():
            if any(part in name for part in ("Wing", "Tail", "Hind", "Groin")) and name.encode() not in moved:
                continue  # few avatars show them, so the bound does not count them
            apart = (Vector(world[name].position.tolist()) - place).length
            millimetres = max(millimetres, 1000 * apart)
            keyed = local[name].rotation if name in local else None
            rotation = SKELETON.nodes[name].rotation if keyed is None else keyed
            degrees = max(degrees, degrees_to(wanted.turns[name], rotation))
    return Errors(millimetres, degrees)


def stored(data: bytes) -> AnimFile:
    """The file after an upload, by the witness."""
    return upload.predict(anim_file.parse(data), SKELETON, load_emotes())


def small_turn(random: np.random.Generator, share: float = 0.3) -> Quaternion:
    """A rotation by less than 60 degrees: far from half a turn, where the codes are coarse."""
    turn = Quaternion().slerp(random_turn(random), share)
    # One sign for all: Blender's curves go from component to component, through anything that lies between.
    if turn.w < 0:
        turn.negate()
    return turn


def key_bones(
    rig: Any, random: np.random.Generator, bones: Iterable[str] = KEYED, mode: str = "QUATERNION"
) -> None:
    """Smooth keys (Bezier) of random rotations, and places of the pelvis."""
    for name in bones:
        bone = rig.pose.bones[name]
        bone.rotation_mode = mode
        for frame in (FIRST, 9, 16.5, LAST):
            turn = small_turn(random)
            if mode == "QUATERNION":
                bone.rotation_quaternion = turn
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            elif mode == "AXIS_ANGLE":
                axis, angle = turn.to_axis_angle()
                bone.rotation_axis_angle = (angle, *axis)
                bone.keyframe_insert("rotation_axis_angle", frame=frame)
            else:
                bone.rotation_euler = turn.to_euler(mode)  # pyright: ignore[reportArgumentType]
                bone.keyframe_insert("rotation_euler", frame=frame)
            if name == "mPelvis":
                bone.location = random.uniform(-0.3, 0.3, 3)
                bone.keyframe_insert("location", frame=frame)


def refresh(rig: Any) -> None:
    """Blender 3.4 crashes at the next frame if nothing but driver_add has changed what depends on what."""
    rig.animation_data.action = rig.animation_data.action


def plain(rig: Any, random: np.random.Generator) -> None:
    key_bones(rig, random)


def inverse_kinematics(rig: Any, random: np.random.Generator) -> None:
    """Two limbs reach for targets in the world."""
    key_bones(rig, random, ("mPelvis", "mChest"))
    for tip in ("mWristLeft", "mAnkleRight"):
        bone = rig.pose.bones[tip]
        place = rig.matrix_world @ bone.tail
        target = new_empty(f"target of {tip}", place)
        constraint = bone.constraints.new("IK")
        constraint.target = target
        constraint.chain_count = 3
        for frame in (FIRST, 10, LAST):
            target.location = place + Vector(random.uniform(-0.1, 0.1, 3).tolist())
            target.keyframe_insert("location", frame=frame)


def copied_rotation(rig: Any, random: np.random.Generator) -> None:
    key_bones(rig, random)
    for name, source in (("mElbowRight", "mElbowLeft"), ("mHead", "mTorso"), ("mTail1", "mHipRight")):
        constraint = rig.pose.bones[name].constraints.new("COPY_ROTATION")
        constraint.target, constraint.subtarget = rig, source
        constraint.target_space = constraint.owner_space = "LOCAL"
        constraint.influence = 0.7


def driven(rig: Any, random: np.random.Generator) -> None:
    key_bones(rig, random)
    for name, prop, expression in (
        ("mHead", "rotation_euler", "frame / 40"),
        ("mTail1", "rotation_euler", "sin(frame / 4) / 3"),
        ("mPelvis", "location", "frame / 100"),
    ):
        bone = rig.pose.bones[name]
        if prop == "rotation_euler":
            bone.rotation_mode = "YZX"
        bone.driver_add(prop, 1).driver.expression = expression
    refresh(rig)


def steered(rig: Any, random: np.random.Generator) -> None:
    """A chain of control bones that have the keys; the joints have none."""
    chain = ("mPelvis", "mTorso", "mChest", "mCollarLeft", "mShoulderLeft", "mElbowLeft", "mHead")
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    made: dict[str, str] = {}
    for name in chain:
        joint = bones[name]
        control = bones.new(f"steer {name[1:]} now")
        control.head, control.tail, control.roll = joint.head, joint.tail, joint.roll
        above = joint.parent
        while above is not None and above.name not in made:
            above = above.parent
        control.parent = bones[made[above.name]] if above else None
        made[name] = control.name
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in chain:
        constraint = rig.pose.bones[name].constraints.new("COPY_TRANSFORMS")
        constraint.target, constraint.subtarget = rig, made[name]
    key_bones(rig, random, made.values())


def layered(rig: Any, random: np.random.Generator) -> None:
    """An Action on top of an NLA strip; both turn an elbow, and they add up."""
    key_bones(rig, random, ("mElbowLeft", "mHead", "mTail1"))
    animation = rig.animation_data
    below = animation.action
    slot = getattr(animation, "action_slot", None)
    animation.action = None
    strip = animation.nla_tracks.new().strips.new("below", FIRST, below)
    if slot is not None:
        strip.action_slot = slot
    key_bones(rig, random, ("mElbowLeft", "mHipRight", "mPelvis"))
    animation.action_blend_type = "COMBINE"
    animation.action_influence = 0.8


def angles(rig: Any, random: np.random.Generator) -> None:
    for mode, bones in (
        ("XYZ", ("mTorso", "mElbowLeft")),
        ("ZXY", ("mHipRight",)),
        ("YZX", ("mShoulderLeft",)),
        ("AXIS_ANGLE", ("mPelvis", "mHead", "mKneeRight")),
    ):
        key_bones(rig, random, bones, mode)


def moved_joints(rig: Any, random: np.random.Generator) -> None:
    """Places of joints that hang on others, by keys and by a constraint."""
    key_bones(rig, random)
    for name in ("mHead", "mTail1", "mWristRight"):
        for frame in (FIRST, 12, LAST):
            rig.pose.bones[name].location = random.uniform(-0.2, 0.2, 3)
            rig.pose.bones[name].keyframe_insert("location", frame=frame)
    constraint = rig.pose.bones["mFaceJaw"].constraints.new("COPY_LOCATION")
    constraint.target, constraint.subtarget, constraint.influence = rig, "mTail1", 0.2


RIGS = (plain, inverse_kinematics, copied_rotation, driven, steered, layered, angles, moved_joints)


def made_rig(build: Callable[[Any, np.random.Generator], None], seed: int) -> tuple[Any, str]:
    random = np.random.default_rng(seed)
    facing = list(FACINGS)[seed % 4]
    rig = random_rig(random, facing)
    build(rig, random)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = FIRST, LAST
    return rig, facing


@pytest.mark.parametrize("build", RIGS, ids=lambda build: build.__name__)
@pytest.mark.parametrize(("seed", "encoder"), [(0, "NEAREST"), (1, "UPLOAD")])
def test_every_sample_within_the_bound(
    seed: int,
    encoder: str,
    build: Callable[[Any, np.random.Generator], None],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Nearest codes as the file plays, the upload's as it plays once uploaded; and so says the report."""
    rig, facing = made_rig(build, seed)
    report_path = tmp_path / "report.json"
    data = export_file(
        tmp_path / "out.anim",
        method="SAMPLES",
        frame_range="SCENE",
        facing=facing,
        encoder=encoder,
        report_path=str(report_path),
    )
    assert "exceed the bound" not in reported(capfd)
    file = stored(data) if encoder == "UPLOAD" else anim_file.parse(data)
    assert float(file.duration) == pytest.approx((LAST - FIRST) / FPS)
    errors = errors_of(rig, file, range(FIRST, LAST + 1), facing)
    assert errors.millimetres < BOUND_MM + SLACK_MM
    assert errors.degrees < BOUND_DEGREES + SLACK_DEGREES
    (row,) = json.loads(report_path.read_text())["files"]
    assert row["kept_keys"] < row["sampled_keys"] or build is angles
    assert row["bound"] == pytest.approx({"max_position_mm": 0.5, "max_rotation_degrees": 0.05})
    assert row["max_rotation_error_degrees"] == pytest.approx(errors.degrees, abs=SLACK_DEGREES)
    # The report counts attachment points, too, which the rig does not have.
    is_bone = row["worst"]["joint"] in rig.data.bones
    largest = errors.millimetres if is_bone else BOUND_MM
    assert 0 < row["max_position_error_mm"] < largest + SLACK_MM


@pytest.mark.parametrize("build", RIGS, ids=lambda build: build.__name__)
def test_all_keys_leave_the_codes_steps_alone(
    build: Callable[[Any, np.random.Generator], None], tmp_path: Path
) -> None:
    rig, facing = made_rig(build, 2)
    data = export_file(
        tmp_path / "out.anim",
        method="SAMPLES",
        frame_range="SCENE",
        facing=facing,
        encoder="NEAREST",
        reduce_keys=False,
    )
    file = anim_file.parse(data)
    counts = {len(keys) for joint in file.joints for keys in (joint.rotation_keys, joint.position_keys)}
    assert counts <= {0, 1, LAST - FIRST + 1} and LAST - FIRST + 1 in counts
    errors = errors_of(rig, file, range(FIRST, LAST + 1), facing)
    assert errors.millimetres < CODES_MM
    assert errors.degrees < CODES_DEGREES


def test_the_objects_own_motion(tmp_path: Path) -> None:
    """An armature that rides on another object: with object_motion the pelvis rides along, else it stands."""
    rig, facing = made_rig(plain, 3)
    put_on_carrier(rig, (FIRST, 14, LAST))
    frames = range(FIRST, LAST + 1)
    for rides in (True, False):
        data = export_file(
            tmp_path / "out.anim", object_motion=rides, encoder="NEAREST", facing=facing, method="SAMPLES"
        )
        errors = errors_of(rig, anim_file.parse(data), frames, facing, with_object=rides)
        assert errors.millimetres < BOUND_MM + SLACK_MM
        assert errors.degrees < BOUND_DEGREES + SLACK_DEGREES
        apart = errors_of(rig, anim_file.parse(data), frames, facing, with_object=not rides)
        assert apart.millimetres > 50


@pytest.mark.parametrize(
    ("fps", "base", "first", "rate"),
    [
        (30, 1.001, 1.0, 0.0),
        (24, 1.001, -20.0, 0.0),
        (24, 1.0, -3.375, 0.0),
        (25, 1.0, 7.5, 10.0),
        (24, 1.0, 1.0, 60.0),
        (30, 1.001, 0.25, 45.0),
    ],
)
def test_any_rate_and_any_start(fps: int, base: float, first: float, rate: float, tmp_path: Path) -> None:
    """Samples stand where the rate says, second 0 at the first frame, and the last frame is one of them."""
    rig, facing = made_rig(plain, 5)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = fps, base
    # RNA keeps single precision; what the scene's rate really is follows from that.
    real = scene.render.fps / scene.render.fps_base
    action = rig.animation_data.action
    action.use_frame_range = True
    action.frame_start, action.frame_end = first, first + 20.5
    data = export_file(
        tmp_path / "out.anim",
        method="SAMPLES",
        facing=facing,
        encoder="NEAREST",
        sample_rate=rate,
        reduce_keys=False,
    )
    file = anim_file.parse(data)
    assert float(file.duration) == pytest.approx(20.5 / real, rel=1e-6)
    step = real / rate if rate else 1.0
    frames = [first + step * index for index in range(math.floor(20.5 / step) + 1)]
    if frames[-1] < first + 20.5 - 1e-6:
        frames.append(first + 20.5)
    assert max(len(joint.rotation_keys) for joint in file.joints) == len(frames)
    errors = errors_of(rig, file, frames, facing, fps=real)
    # A key stands up to half a step of its code beside its sample: 7 microseconds.
    assert errors.millimetres < CODES_MM
    assert errors.degrees < CODES_DEGREES


def test_the_bounds_are_the_users(tmp_path: Path) -> None:
    """A looser bound needs fewer keys, and holds."""
    rig, facing = made_rig(plain, 6)
    sizes = []
    for millimetres, degrees in ((0.3, 0.03), (2.0, 0.3), (20.0, 3.0)):
        data = export_file(
            tmp_path / "out.anim",
            method="SAMPLES",
            facing=facing,
            encoder="NEAREST",
            max_position_mm=millimetres,
            max_rotation_degrees=degrees,
        )
        errors = errors_of(rig, anim_file.parse(data), range(FIRST, LAST + 1), facing)
        assert errors.millimetres < millimetres + SLACK_MM
        assert errors.degrees < degrees + SLACK_DEGREES
        sizes.append(len(data))
    assert sizes[0] > sizes[1] > sizes[2]
