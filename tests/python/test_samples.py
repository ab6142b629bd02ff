# SPDX-License-Identifier: MIT
"""Sampled poses to a file: every sample is played by the witness and compared with the matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.witness import anim_file, certificate, player, upload
from tests.witness import quaternion as quat
from tests.witness.skeleton import load_emotes, load_skeleton

from animbridge.abi import Encoder, Facing, Target
from animbridge.curves import Armature, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.motion import from_samples
from animbridge.samples import Samples
from animbridge.sl_anim import reduce_document

SKELETON = load_skeleton()
FPS = 30.0
BOUND_MM = 0.5
BOUND_DEGREES = 0.05
EVERY_SAMPLE = {"max_position_mm": 0.0}
#: A body with an arm and fingers; mSpine1 and others between have no bones.
JOINTS = (
    *("mPelvis", "mTorso", "mChest", "mNeck", "mHead", "mCollarLeft", "mShoulderLeft", "mElbowLeft"),
    *("mWristLeft", "mHandIndex1Left", "mHandIndex2Left", "mHandIndex3Left", "mHipLeft", "mKneeLeft"),
)
Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Motion:
    """Rotations and places in the world of the clip, per sample and joint, and the pelvis's way."""

    seconds: Doubles
    local: dict[str, Doubles]  # joint: samples x (x, y, z, w)
    pelvis: Doubles  # samples x 3, from its rest


def turns(axis_angles: Doubles) -> Doubles:
    """Rotation vectors in radians to quaternions x, y, z, w."""
    angle = np.linalg.norm(axis_angles, axis=-1, keepdims=True)
    scale = np.where(angle > 0, np.sin(angle / 2) / np.where(angle > 0, angle, 1), 0.5)
    return np.concatenate([axis_angles * scale, np.cos(angle / 2)], axis=-1)


def motion(seed: int, count: int, size: float = 0.5, jerk: float = 0.0) -> Motion:
    """Smooth swings of random rate, with noise where asked for."""
    random = np.random.default_rng(seed)
    seconds = np.arange(count) / FPS

    def swing(width: int, by: float) -> Doubles:
        rates = random.uniform(0.3, 6.0, (3, width))
        phases = random.uniform(0, 6.3, (3, width))
        waves = np.sin(rates * seconds[:, None, None] + phases).sum(axis=1) * by / 3
        return waves + random.normal(size=(count, width)) * jerk

    return Motion(seconds, {name: turns(swing(3, size)) for name in JOINTS}, swing(3, 0.1))


def local_at(moving: Motion, sample: int) -> dict[str, player.LocalPose]:
    """The wanted local placements of one sample."""
    poses = {name: player.LocalPose(turn[sample], None) for name, turn in moving.local.items()}
    poses["mPelvis"] = replace(poses["mPelvis"], position=moving.pelvis[sample])
    return poses


def world_of(animated: dict[str, player.LocalPose]) -> dict[str, player.WorldPose]:
    """Every joint's placement on the resting skeleton."""
    root = player.WorldPose(np.zeros(3), quat.IDENTITY)
    world = {"mRoot": root, "mScreen": root}
    for node in SKELETON.nodes.values():
        local = animated.get(node.name, player.LocalPose(None, None))
        rotation = node.rotation if local.rotation is None else local.rotation
        position = node.position if local.position is None else local.position
        above = world[node.parent]
        place = above.position + quat.rotate(above.rotation, position)
        world[node.name] = player.WorldPose(place, quat.product(above.rotation, rotation))
    return world


def inverse(q: Doubles) -> Doubles:
    return q * np.array([-1.0, -1.0, -1.0, 1.0])


def matrix(rotation: Doubles, place: Doubles) -> Doubles:
    """Column-major 4x4."""
    columns = [[*quat.rotate(rotation, axis), 0.0] for axis in np.eye(3)]
    return np.array([*columns, [*place, 1.0]]).ravel()


@dataclass(frozen=True)
class Rig:
    """An armature whose bones have any roll and no parents: poses come as matrices."""

    facing: Facing
    rest_rotations: dict[str, Doubles]

    @property
    def turn(self) -> Doubles:
        """Clip space (looking along +X) to armature space."""
        return quat.about_axis(2, {Facing.X: 0, Facing.NEGATIVE_Y: -90, Facing.Y: 90}[self.facing])

    def place(self, clip_place: Doubles) -> Doubles:
        return quat.rotate(self.turn, clip_place + np.array([0.0, 0.0, 1.067]))

    def armature(self) -> Armature:
        rest = world_of({})
        matrices = [matrix(self.rest_rotations[name], self.place(rest[name].position)) for name in JOINTS]
        return Armature(
            JOINTS,
            np.full(len(JOINTS), -1, np.int32),
            np.array(matrices, np.float32),
            np.zeros(len(JOINTS), np.uint8),
            self.facing,
        )

    def matrices(self, moving: Motion) -> NDArray[np.float32]:
        """Each bone turned in the world as its joint is."""
        rows = []
        for sample in range(len(moving.seconds)):
            world = world_of(local_at(moving, sample))
            for name in JOINTS:
                since_rest = quat.product(quat.product(self.turn, world[name].rotation), inverse(self.turn))
                rotation = quat.product(since_rest, self.rest_rotations[name])
                rows.append(matrix(rotation, self.place(world[name].position)))
        return np.array(rows, np.float32)


def rig(seed: int, facing: Facing = Facing.X) -> Rig:
    random = np.random.default_rng(seed)
    turned = random.normal(size=(len(JOINTS), 4))
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return Rig(facing, dict(zip(JOINTS, turned, strict=True)))


def samples_of(of: Rig, moving: Motion) -> Samples:
    return Samples(moving.seconds * FPS + 1.0, of.matrices(moving))


def options_for(moving: Motion, **more: object) -> dict[str, object]:
    return {"frame_end": float(moving.seconds[-1] * FPS + 1.0), **more}


def export(
    of: Rig, moving: Motion, template: Document | None = None, **more: object
) -> tuple[anim_file.AnimFile, dict]:
    options = options_for(moving, **more)
    samples = samples_of(of, moving)
    document, report = from_samples("sl_anim", of.armature(), Timing(FPS, 1.0), samples, options, template)
    return anim_file.parse(document.write()), report


def angle_degrees(a: Doubles, b: Doubles) -> float:
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    chord = min(float(np.linalg.norm(a - b)), float(np.linalg.norm(a + b)))
    return float(np.degrees(4 * np.arcsin(chord / 2)))


def uploaded(file: anim_file.AnimFile) -> anim_file.AnimFile:
    """What the viewer stores: the form in which everybody sees it."""
    return upload.predict(file, SKELETON, load_emotes())


def seldom_shown() -> set[str]:
    """Wings, tail, hind limbs and groin, and what hangs on them: no file here moves them, so none counts."""
    hidden: set[str] = set()
    for name, node in SKELETON.nodes.items():
        if node.parent in hidden or any(part in name for part in certificate.SELDOM_SHOWN):
            hidden.add(name)
    return hidden


def largest_errors(file: anim_file.AnimFile, moving: Motion) -> tuple[float, float]:
    """Millimetres and degrees, as the witness plays the file at every sample."""
    most_mm = most_degrees = 0.0
    hidden = seldom_shown()
    for sample, seconds in enumerate(moving.seconds):
        wanted = local_at(moving, sample)
        wanted_world = world_of(wanted)
        for name, shown in player.world_pose(file, SKELETON, float(seconds)).items():
            if name in hidden:
                continue
            off = float(np.linalg.norm(shown.position - wanted_world[name].position)) * 1000
            most_mm = max(most_mm, off)
        for name, pose in player.local_pose(file, SKELETON, float(seconds)).items():
            shown_rotation, wanted_rotation = pose.rotation, wanted[name].rotation
            assert shown_rotation is not None and wanted_rotation is not None
            most_degrees = max(most_degrees, angle_degrees(shown_rotation, wanted_rotation))
    return most_mm, most_degrees


#: Matrices are single precision, and the witness interpolates in double.
SLACK_MM = 2e-3
SLACK_DEGREES = 2e-4


@pytest.mark.parametrize("facing", [Facing.X, Facing.NEGATIVE_Y])
@pytest.mark.parametrize("encoder", [Encoder.UPLOAD, Encoder.NEAREST])
def test_the_bound_holds_at_every_sample(encoder: Encoder, facing: Facing) -> None:
    moving = motion(3, 24)
    file, report = export(rig(3, facing), moving, encoder=encoder.value)
    shown = uploaded(file) if encoder == Encoder.UPLOAD else file
    most_mm, most_degrees = largest_errors(shown, moving)
    assert most_mm <= BOUND_MM + SLACK_MM
    assert most_degrees <= BOUND_DEGREES + SLACK_DEGREES
    # The report measures joints with tracks; the bound is kept at all others, too.
    assert report["max_position_error_mm"] <= most_mm + SLACK_MM
    assert report["max_rotation_error_degrees"] == pytest.approx(most_degrees, abs=SLACK_DEGREES)
    keys = sum(len(joint.rotation_keys) + len(joint.position_keys) for joint in file.joints)
    assert keys == report["kept_keys"] < report["sampled_keys"] == 24 * 15
    (missing,) = report["warnings"]
    assert missing.startswith("Choose a rig map")
    assert missing.endswith("The right arm, the left foot and the right leg have no bone")


def test_noise_keeps_the_bound() -> None:
    moving = motion(4, 20, size=0.3, jerk=0.05)
    file, _report = export(rig(4), moving)
    most_mm, most_degrees = largest_errors(uploaded(file), moving)
    assert most_mm <= BOUND_MM + SLACK_MM
    assert most_degrees <= BOUND_DEGREES + SLACK_DEGREES


def test_a_fitted_file_keeps_the_bound_that_it_names() -> None:
    moving = motion(5, 24)
    file, report = export(rig(5), moving, fit_bytes=1500)
    assert report["size_bytes"] == len(anim_file.write(file)) <= 1500
    most_mm, most_degrees = largest_errors(uploaded(file), moving)
    assert BOUND_MM < most_mm <= report["bound"]["max_position_mm"] + SLACK_MM
    assert most_degrees <= report["bound"]["max_rotation_degrees"] + SLACK_DEGREES


def test_keys_stand_on_the_motion_where_their_times_are_rounded() -> None:
    """59 s: a time code is a millisecond wide, and 0.5 ms of a fast arm are more than the bound."""
    moving = motion(6, 30)
    slow = replace(moving, seconds=np.linspace(0.0, 59.0, 30))
    samples = replace(samples_of(rig(6), moving), frames=slow.seconds * FPS + 1.0)
    document, report = from_samples(
        "sl_anim", rig(6).armature(), Timing(FPS, 1.0), samples, options_for(slow, **EVERY_SAMPLE)
    )
    assert report["kept_keys"] == report["sampled_keys"]
    most_mm, _ = largest_errors(uploaded(anim_file.parse(document.write())), slow)
    assert most_mm < BOUND_MM


def test_header_and_template() -> None:
    moving = motion(7, 5)
    file, _ = export(rig(7), moving, header={"base_priority": 5, "joint_priority": 4, "hand_pose": 3})
    assert (file.base_priority, file.hand_pose, file.joints[0].priority) == (5, 3, 4)
    head = anim_file.Joint(b"mSkull", 6, file.joints[0].rotation_keys)
    template = anim_file.AnimFile(base_priority=1, joints=[head], duration_bits=file.duration_bits)
    base = Document.read(anim_file.write(template), "", "sl_anim")
    made, _ = export(rig(7), moving, template=base, keep_duration=True)
    assert made.base_priority == 1
    assert np.array_equal(made.joints[0].rotation_keys, head.rotation_keys)
    assert len(made.joints) == 1 + len(JOINTS)


def test_only_chosen_bones() -> None:
    moving = motion(8, 9)
    chosen = np.array([name.startswith("mHand") for name in JOINTS], np.uint8)
    document, _ = from_samples(
        "sl_anim",
        rig(8).armature(),
        Timing(FPS, 1.0),
        replace(samples_of(rig(8), moving), bones=chosen),
        options_for(moving),
    )
    file = anim_file.parse(document.write())
    assert {joint.name for joint in file.joints} == {f"mHandIndex{i}Left".encode() for i in (1, 2, 3)}


def test_too_long_is_an_error_with_what_would_help() -> None:
    moving = replace(motion(9, 2), seconds=np.array([0.0, 61.5]))
    with pytest.raises(AnimBridgeError, match=r"1\.500 s more.*split") as caught:
        export(rig(9), moving)
    assert caught.value.code == Status.REJECTED
    _, report = export(rig(9), moving, target=Target.OPENSIM.value)
    assert "duration_too_long" in [finding["id"] for finding in report["findings"]]


def test_wrong_sizes_are_told() -> None:
    moving = motion(10, 3)
    samples = samples_of(rig(10), moving)
    for wrong in (
        replace(samples, matrices=samples.matrices[:-1]),
        replace(samples, object_matrices=np.zeros((2, 16), np.float32)),
        replace(samples, bones=np.ones(3, np.uint8)),
    ):
        with pytest.raises(AnimBridgeError, match="values where"):
            from_samples("sl_anim", rig(10).armature(), Timing(FPS, 1.0), wrong, options_for(moving))


def test_reduction_against_the_witness() -> None:
    moving = motion(11, 13)
    samples = samples_of(rig(11), moving)
    document, _ = from_samples(
        "sl_anim", rig(11).armature(), Timing(FPS, 1.0), samples, options_for(moving, **EVERY_SAMPLE)
    )
    reduced, report = reduce_document(document, max_position_mm=2.0, max_rotation_degrees=0.2)
    before, after = (anim_file.parse(one.write()) for one in (document, reduced))
    assert report["bytes_after"] == len(reduced.write()) < report["bytes_before"] == len(document.write())
    keys = np.unique(np.concatenate([joint.rotation_keys[:, 0] for joint in before.joints]))
    times = keys / 65535 * float(before.duration)
    moved = {joint.name for joint in before.joints}
    for seconds in [*times, *((times[1:] + times[:-1]) / 2)]:
        shown = player.world_pose(after, SKELETON, float(seconds))
        for name, wanted in player.world_pose(before, SKELETON, float(seconds)).items():
            if any(part in name for part in ("Wing", "Tail", "Hind", "Groin")) and name not in moved:
                continue  # few avatars show them, or wear something there, so the bound does not count them
            assert np.linalg.norm(shown[name].position - wanted.position) * 1000 <= 2.0 + SLACK_MM
        wanted_local = player.local_pose(before, SKELETON, float(seconds))
        for name, pose in player.local_pose(after, SKELETON, float(seconds)).items():
            wanted_rotation = wanted_local[name].rotation
            assert pose.rotation is not None and wanted_rotation is not None
            assert angle_degrees(pose.rotation, wanted_rotation) <= 0.2 + SLACK_DEGREES
    for old, new in zip(before.joints, after.joints, strict=True):
        rows = {row.tobytes() for row in old.rotation_keys}
        assert all(row.tobytes() in rows for row in new.rotation_keys)


def test_fit_of_a_document() -> None:
    moving = motion(12, 31)
    samples = samples_of(rig(12), moving)
    document, _ = from_samples(
        "sl_anim", rig(12).armature(), Timing(FPS, 1.0), samples, options_for(moving, **EVERY_SAMPLE)
    )
    fitted, report = reduce_document(document, fit_bytes=1500)
    assert len(fitted.write()) == report["bytes_after"] <= 1500
    same, report = reduce_document(document, fit_bytes=250_000)
    assert same.write() == document.write() and report["bound"] is None
    with pytest.raises(AnimBridgeError, match="one key per track takes"):
        reduce_document(document, fit_bytes=100)


def test_samples_at_one_time_of_single_precision() -> None:
    """An end between frames may lie that close behind the last frame: no key becomes nonsense."""
    rig = Rig(Facing.X, dict.fromkeys(JOINTS, quat.IDENTITY))
    matrices = rig.matrices(motion(3, 4)).reshape(4, -1)
    samples = Samples(
        np.array([1, 2, 3, 4, 4.0005]), np.concatenate([matrices, matrices[-1:]]).reshape(-1, 16)
    )
    _, report = from_samples("sl_anim", rig.armature(), Timing(FPS, 1.0), samples, {"frame_end": 4.0})
    assert report["max_position_error_mm"] <= BOUND_MM
    assert report["max_rotation_error_degrees"] <= BOUND_DEGREES
