# SPDX-License-Identifier: MIT
"""The demonstration animations: short, pleasant, on the Bento skeleton, moved by sines.

Angles are degrees about the joint's x, y and z axis, x first; +X is forward, +Y left, +Z up (spec 3). The
right side is the left's mirror image: x and z turn the other way. A pelvis position of 0 is standing height.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from .. import quantise as q
from ..anim_file import AnimFile, Joint, KeyTable, bits_of, write
from ..quaternion import euler_x_first
from .build import keys, rotation_code

FOLDER = "demo"

Angles = tuple[float, float, float]
Pose = dict[str, Angles]
Motion = Callable[[float], tuple[Pose, Angles | None]]  # phase 0..1 -> angles, pelvis position in metres
ARM_DOWN = 72.0
FINGERS = ("Index", "Middle", "Ring", "Pinky")


def mirrored(pose: Pose) -> Pose:
    """The right-hand version of joints of the left."""
    return {name.replace("Left", "Right"): (-x, y, -z) for name, (x, y, z) in pose.items()}


def wave(phase: float, shift: float = 0.0) -> float:
    """A sine of one period per phase 0..1."""
    return math.sin(2 * math.pi * (phase + shift))


def curled(degrees: float, side: str = "Left", spread: float = 0.0) -> Pose:
    """Fingers bent toward the palm, which faces down in the rest pose."""
    sign = -1.0 if side == "Left" else 1.0
    pose: Pose = {}
    for place, finger in enumerate(FINGERS):
        fan = -sign * spread * (1.5 - place)
        for knuckle in (1, 2, 3):
            pose[f"mHand{finger}{knuckle}{side}"] = (sign * degrees, 0.0, fan if knuckle == 1 else 0.0)
    for knuckle in (1, 2, 3):
        pose[f"mHandThumb{knuckle}{side}"] = (sign * degrees * 0.3, 0.0, -sign * degrees * 0.2)
    return pose


def _rotation_keys(times: Sequence[int], poses: Sequence[Pose], name: str) -> KeyTable:
    rows = [rotation_code(euler_x_first(pose[name])) for pose in poses]
    if len(set(rows)) == 1:  # a held joint needs one key
        return keys((0, *rows[0]))
    return keys(*((time, *row) for time, row in zip(times, rows, strict=True)))


def _position_keys(times: Sequence[int], places: Sequence[Angles]) -> KeyTable:
    codes = q.encode_position(q.decode_position(q.encode_position(np.array(places))))
    return keys(*((time, *row) for time, row in zip(times, codes.tolist(), strict=True)))


def sampled(motion: Motion, seconds: float, steps: int, **header: int | bytes) -> AnimFile:
    """A file of `steps` intervals; every joint takes the base priority."""
    phases = [i / steps for i in range(steps + 1)]
    duration = np.float32(seconds)
    times = [int(c) for c in q.encode_time(np.array(phases) * seconds, duration)]
    shown = [motion(phase) for phase in phases]
    poses = [pose for pose, _ in shown]
    joints = [Joint(n.encode(), rotation_keys=_rotation_keys(times, poses, n)) for n in poses[0]]
    places = [place for _, place in shown if place is not None]
    if places:
        pelvis = next((j for j in joints if j.name == b"mPelvis"), None)
        if pelvis is None:
            pelvis = Joint(b"mPelvis")
            joints.insert(0, pelvis)
        pelvis.position_keys = _position_keys(times, places)
    fields: dict[str, int | bytes] = {"duration_bits": bits_of(seconds), "loop_out_bits": bits_of(seconds)}
    return AnimFile(joints=joints, **(fields | header))  # type: ignore[arg-type]


def _leg(phase: float) -> Pose:
    knee = 12 + 45 * max(0.0, wave(phase, 0.30)) ** 2
    return {
        "mHipLeft": (0.0, -26 * wave(phase) - 4, 0.0),
        "mKneeLeft": (0.0, knee, 0.0),
        "mAnkleLeft": (0.0, 10 * wave(phase, 0.1) - 8, 0.0),
        "mFootLeft": (0.0, 0.0, 0.0),
    }


def _arm(phase: float, swing: float = 22.0, bend: float = 18.0) -> Pose:
    forward = -swing * wave(phase)
    return {
        "mCollarLeft": (0.0, 0.0, 2 * wave(phase)),
        "mShoulderLeft": (-ARM_DOWN, forward, 0.0),
        "mElbowLeft": (0.0, 0.0, -bend - 10 * max(0.0, wave(phase))),
        "mWristLeft": (0.0, 0.0, -6.0),
    }


def walk(phase: float) -> tuple[Pose, Angles | None]:
    """Two steps; arms and legs of one side swing against each other."""
    pose: Pose = {
        "mPelvis": (3 * wave(phase), 2.0, 5 * wave(phase)),
        "mTorso": (-2 * wave(phase), 2.0, -6 * wave(phase)),
        "mChest": (0.0, 1.0, -4 * wave(phase)),
        "mNeck": (0.0, -1.0, 2 * wave(phase)),
        "mHead": (0.0, -2.0, 3 * wave(phase)),
    }
    pose |= _leg(phase) | mirrored(_leg(phase + 0.5))
    pose |= _arm(phase + 0.5) | mirrored(_arm(phase)) | curled(18) | curled(18, "Right")
    return pose, (0.0, 0.012 * wave(phase), -0.025 + 0.018 * wave(2 * phase, 0.25))


def waving(phase: float) -> tuple[Pose, Angles | None]:
    """The right arm rises, waves three times and sinks again."""
    lift = math.sin(math.pi * phase) ** 0.5 if 0 < phase < 1 else 0.0
    swing = lift * wave(phase * 4)
    pose: Pose = {
        "mHead": (0.0, -4 * lift, -8 * lift),
        "mChest": (3 * lift, 0.0, -4 * lift),
        "mCollarRight": (-12 * lift, 0.0, 0.0),
        "mShoulderRight": (ARM_DOWN * (1 - lift) - 28 * lift, 0.0, 18 * lift),
        "mElbowRight": (-(50 + 22 * swing / max(lift, 1e-9)) * lift, 0.0, 12 * lift),
        "mWristRight": (-14 * swing, 0.0, 10 * swing),
        "mFaceJaw": (0.0, 7 * lift, 0.0),
    }
    return pose | curled(12 - 8 * lift, "Right", 4 * lift), None


def dance(phase: float) -> tuple[Pose, Angles | None]:
    """Four beats from side to side with loose arms."""
    side, beat = wave(phase), wave(phase * 4, 0.75)
    bounce = 6 + 5 * beat
    leg: Pose = {"mHipLeft": (0.0, -18 - bounce, 0.0), "mKneeLeft": (0.0, 36 + 2 * bounce, 0.0)}
    leg["mAnkleLeft"] = (0.0, -18 - bounce, 0.0)
    arms = _arm(phase * 2, 34, 70) | mirrored(_arm(phase * 2 + 0.5, 34, 70))
    pose: Pose = {
        "mPelvis": (7 * side, 3.0, 9 * side),
        "mTorso": (-9 * side, 4.0, -7 * side),
        "mChest": (-5 * side, 2 * beat, -9 * side),
        "mNeck": (4 * side, 2 * beat, 4 * side),
        "mHead": (5 * side, 5 * beat, 6 * side),
    }
    legs = leg | mirrored(leg)
    for side_name in ("Left", "Right"):  # the hips give way, so that the feet stay where they are
        legs[f"mHip{side_name}"] = (-7 * side, -18 - bounce, 0.0)
    return pose | legs | arms, (0.0, 0.02 * side, -0.075 - 0.022 * beat)


def wings_and_tail(phase: float) -> tuple[Pose, Angles | None]:
    """Two flaps, the tips late, while the tail wags once as a travelling wave."""
    wing: Pose = {}
    for index, reach in enumerate((26.0, 22.0, 18.0, 12.0), start=1):
        wing[f"mWing{index}Left"] = (reach * wave(2 * phase, -0.07 * index), 0.0, 7 * wave(2 * phase, 0.2))
    wing["mWing4FanLeft"] = (10 * wave(2 * phase, -0.35), 0.0, 0.0)
    tail: Pose = {
        f"mTail{i}": (0.0, 6.0 - 2.5 * i, (7 + 2.2 * i) * wave(phase, -0.08 * i)) for i in range(1, 7)
    }
    body: Pose = {
        "mChest": (0.0, 2 * wave(2 * phase, 0.5), 0.0),
        "mHead": (0.0, -2 * wave(2 * phase, 0.5), 0.0),
    }
    return body | wing | mirrored(wing) | tail, (0.0, 0.0, 0.02 * wave(2 * phase, 0.5))


def face_and_hands(phase: float) -> tuple[Pose, Angles | None]:
    """A smile with raised brows, a breath of movement, one hand open and one a fist."""
    breath = wave(phase)
    face: Pose = {
        "mFaceEyebrowInnerLeft": (0.0, -9 - breath, 0.0),
        "mFaceEyebrowCenterLeft": (0.0, -12 - breath, 0.0),
        "mFaceEyebrowOuterLeft": (0.0, -8 - breath, 0.0),
        "mFaceEyeLidUpperLeft": (0.0, 5 + 2 * breath, 0.0),
        "mFaceEyeLidLowerLeft": (0.0, -5.0, 0.0),
        "mFaceCheekUpperLeft": (0.0, -7.0, 3.0),
        "mFaceLipCornerLeft": (0.0, -9 - breath, 12.0),
        "mFaceLipUpperLeft": (0.0, -4.0, 3.0),
        "mFaceLipLowerLeft": (0.0, 3.0, 3.0),
        "mEyeLeft": (0.0, 1.5 * breath, -3.0),
    }
    middle: Pose = {"mFaceJaw": (0.0, 6 + 1.5 * breath, 0.0), "mFaceTongueTip": (0.0, -4.0, 0.0)}
    middle["mHead"] = (4 + breath, -3.0, 6.0)
    right = mirrored(face) | {"mEyeRight": (0.0, 1.5 * breath, -3.0)}  # both eyes look the same way
    return middle | face | right | curled(4 + breath, "Left", 7) | curled(68, "Right"), None


def seated(phase: float) -> tuple[Pose, Angles | None]:
    """A relaxed seat with the hands on the thighs, breathing."""
    breath = wave(phase)
    half: Pose = {
        "mHipLeft": (0.0, -86.0, 7.0),
        "mKneeLeft": (0.0, 88.0, 0.0),
        "mAnkleLeft": (0.0, -2.0, 0.0),
        "mFootLeft": (0.0, 0.0, 0.0),
        "mCollarLeft": (0.6 * breath, 0.0, 0.0),
        "mShoulderLeft": (-66.0, -22 - 0.6 * breath, 0.0),
        "mElbowLeft": (0.0, 0.0, -46.0),
        "mWristLeft": (0.0, 0.0, 10.0),
    }
    spine: Pose = {
        "mPelvis": (0.0, -4.0, 0.0),
        "mTorso": (0.0, 6 + 0.8 * breath, 0.0),
        "mChest": (0.0, 3 - 1.6 * breath, 0.0),
        "mNeck": (0.0, -3.0, 0.0),
        "mHead": (0.0, -2 + 0.8 * breath, 0.0),
    }
    return spine | half | mirrored(half) | curled(14) | curled(14, "Right"), (-0.05, 0.0, -0.47)


def all_files() -> dict[str, bytes]:
    """The demo files by path."""
    ease, slow = bits_of(0.3), bits_of(0.6)
    looped = {"loop": 1, "ease_in_bits": ease, "ease_out_bits": ease}
    calm = {"loop": 1, "ease_in_bits": slow, "ease_out_bits": slow}
    smile = b"express_smile"
    made = {
        "walk.anim": sampled(walk, 1.1, 22, base_priority=3, **looped),
        "wave.anim": sampled(
            waving, 2.6, 26, base_priority=4, emote_name=smile, ease_in_bits=ease, ease_out_bits=ease
        ),
        "dance.anim": sampled(dance, 3.2, 48, base_priority=3, **looped),
        "wings_and_tail.anim": sampled(wings_and_tail, 2.0, 32, base_priority=4, **calm),
        "poses/face_and_hands.anim": sampled(face_and_hands, 4.0, 8, base_priority=4, hand_pose=0, **calm),
        "poses/seated.anim": sampled(seated, 4.0, 16, base_priority=4, **calm),
    }
    return {name: write(anim) for name, anim in made.items()}
