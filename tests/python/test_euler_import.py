# SPDX-License-Identifier: MIT
"""Imports into Euler angles: what Blender shows of the curves against what the witness's viewer shows."""

from __future__ import annotations

import numpy as np
import pytest
from tests.witness import anim_file, player
from tests.witness import quantise as q
from tests.witness.quaternion import about_axis, product

from animbridge.abi import Channel, Encoder, Facing
from animbridge.curves import Armature, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError
from animbridge.motion import DocumentCurves, from_curves

TIMING = Timing(30.0, 1.0)
DURATION = 6.0
EULER = [
    channel for channel in Channel if channel.name.startswith("ROTATION_") and channel >= Channel.ROTATION_XYZ
]


def armature(*channels: int) -> Armature:
    """A torso along the armature's axes: its angles are the joint's."""
    rest = np.eye(4, dtype=np.float32).reshape(1, 16)
    rotation_channels = np.array(channels, np.uint8) if channels else None
    parents = np.array([-1], np.int32)
    return Armature(
        ("mTorso",), parents, rest, np.zeros(1, np.uint8), Facing.X, rotation_channels=rotation_channels
    )


def turning_torso(times: np.ndarray, turns: np.ndarray) -> anim_file.AnimFile:
    """Keys at time codes, of rotations x, y, z, w."""
    codes = q.encode_rotation(np.where(turns[:, 3:] < 0, -turns, turns)[:, :3])
    keys = np.concatenate([times.astype(np.uint16)[:, None], codes], axis=1).astype(np.uint16)
    return anim_file.AnimFile(
        duration_bits=anim_file.bits_of(DURATION), joints=[anim_file.Joint(b"mTorso", 4, keys)]
    )


def wandering_torso(seed: int, largest_degrees: float) -> anim_file.AnimFile:
    """Keys about half a second apart, each turned from the last by up to so many degrees."""
    random = np.random.default_rng(seed)
    times = np.linspace(0, 65535, 13)
    turns = []
    turn = about_axis(int(random.integers(3)), float(random.uniform(-180, 180)))
    for _ in times:
        turns.append(turn)
        for axis in range(3):
            degrees = float(random.uniform(-1, 1)) * largest_degrees / np.sqrt(3)
            turn = product(about_axis(axis, degrees), turn)
    return turning_torso(times, np.array(turns))


def shown(curves: dict[int, np.ndarray], channel: Channel, frame: float) -> np.ndarray:
    """The rotation x, y, z, w of component-wise straight lines: the letters turn in their order."""
    turn = np.array([0.0, 0.0, 0.0, 1.0])
    for letter in channel.name.removeprefix("ROTATION_"):
        axis = "XYZ".index(letter)
        co = curves[axis].astype(np.float64)
        angle = float(np.interp(frame, co[:, 0], co[:, 1]))
        turn = product(about_axis(axis, np.degrees(angle)), turn)
    return turn


def degrees_between(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    chord = min(np.linalg.norm(a - b), np.linalg.norm(a + b))
    return float(np.degrees(4 * np.arcsin(min(chord / 2, 1.0))))


@pytest.mark.parametrize("channel", EULER)
@pytest.mark.parametrize("largest_degrees", [10.0, 60.0, 150.0])
def test_curves_show_what_the_viewer_shows(channel: Channel, largest_degrees: float) -> None:
    for seed in range(2):
        file = wandering_torso(100 * int(channel) + seed, largest_degrees)
        document = Document.read(anim_file.write(file), "wander.anim", "sl_anim")
        imported = DocumentCurves(document, armature(int(channel)), TIMING)
        curves = {curve.component: curve.co for curve in imported}
        assert sorted(curves) == [0, 1, 2]
        assert all(curve.channel == channel and curve.interpolation is None for curve in imported)
        warnings = imported.report()["warnings"]
        worst = 0.0
        for seconds in np.linspace(0, DURATION, 1501):
            played = player.joint_at(file.joints[0], file.duration, seconds).rotation
            assert played is not None
            frame = TIMING.frame_start + seconds * TIMING.frames_per_second
            worst = max(worst, degrees_between(shown(curves, channel, frame), played))
        # Frames are single-precision and the sweep of a fast turn multiplies their rounding.
        assert worst < 0.0105 or any("gimbal lock" in warning for warning in warnings), (seed, worst)


@pytest.mark.parametrize("channel", EULER)
def test_angles_are_continuous(channel: Channel) -> None:
    """No key lies half a turn from the one before when the keys are a few degrees apart and off the lock."""
    turns = np.array([about_axis(2, 12.0 * number) for number in range(61)])
    file = turning_torso(np.linspace(0, 65535, 61), turns)
    document = Document.read(anim_file.write(file), "spin.anim", "sl_anim")
    curves = {curve.component: curve.co for curve in DocumentCurves(document, armature(int(channel)), TIMING)}
    assert curves[2][-1, 1] == pytest.approx(np.radians(720), abs=1e-3)
    assert np.abs(np.diff(curves[2][:, 1])).max() < 0.3
    assert np.abs(curves[0][:, 1]).max() < 1e-3 and np.abs(curves[1][:, 1]).max() < 1e-3


@pytest.mark.parametrize("channel", EULER)
@pytest.mark.parametrize("largest_degrees", [10.0, 60.0, 150.0])
def test_keys_come_back(channel: Channel, largest_degrees: float) -> None:
    """Encoded anew: the file's keys and no others, each code off by one at most."""
    file = wandering_torso(int(channel), largest_degrees)
    document = Document.read(anim_file.write(file), "wander.anim", "sl_anim")
    rig = armature(int(channel))
    curves = list(DocumentCurves(document, rig, TIMING))
    assert len(curves[0].co) > 13
    options = {"keep_duration": True, "encoder": Encoder.NEAREST.value}
    written, report = from_curves("sl_anim", rig, TIMING, curves, options, document)
    before = file.joints[0].rotation_keys.astype(int)
    after = anim_file.parse(written.write()).joints[0].rotation_keys.astype(int)
    assert after[:, 0].tolist() == before[:, 0].tolist()
    # Half turns have no sign of their own.
    has_sign = q.quaternion_of_codes(before[:, 1:].astype(np.uint16))[:, 3] > 0.01
    assert np.abs(after - before)[has_sign].max() <= 1
    assert report["max_rotation_error_degrees"] < 0.02


def test_bones_choose_for_themselves() -> None:
    file = wandering_torso(1, 20.0)
    document = Document.read(anim_file.write(file), "wander.anim", "sl_anim")
    for given in (armature(), armature(int(Channel.ROTATION_QUATERNION))):
        channels = {curve.channel for curve in DocumentCurves(document, given, TIMING)}
        assert channels == {Channel.ROTATION_QUATERNION}


@pytest.mark.parametrize("channel", [0, 2, 9, 255])
def test_other_channels_are_refused(channel: int) -> None:
    document = Document.read(anim_file.write(wandering_torso(1, 20.0)), "wander.anim", "sl_anim")
    with pytest.raises(AnimBridgeError, match=rf"rotation_channels\[0\] is {channel}"):
        DocumentCurves(document, armature(channel), TIMING)


def test_one_channel_a_bone() -> None:
    document = Document.read(anim_file.write(wandering_torso(1, 20.0)), "wander.anim", "sl_anim")
    with pytest.raises(AnimBridgeError, match="rotation_channels has 2 values where 1 are needed"):
        DocumentCurves(document, armature(3, 3), TIMING)
