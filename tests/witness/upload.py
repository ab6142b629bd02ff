# SPDX-License-Identifier: MIT
"""What the viewer stores when an `.anim` is uploaded: it loads the file and writes a fresh one (spec 1.9).

float32, operation by operation. Whether the upload is accepted at all is for `rules` to say; this
predicts the file on the assumption that it is. Version 0.1 rotations go through sine and cosine, whose
last bit is the platform's: there a code may be off by one.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from . import quantise as q
from .anim_file import AnimFile, Constraint, Joint, KeyTable
from .quaternion import euler_z_first
from .skeleton import Skeleton, emote_fate

HIGHEST_BASE = 6
#: What a person can see: the hand at the end of a straight arm moves 2 mm.
VISIBLE_DEGREES, VISIBLE_METRES = 0.2, 0.001
POSITION_LIMIT = np.float32(5)


def uploaded_rotation_codes(codes: KeyTable) -> q.Codes:
    """E(D(E(N(D(c))))) for codes (n, 3)."""
    return _stored_rotation(q.quaternion_of_codes(codes))


def _stored_rotation(quaternions: q.Floats) -> q.Codes:
    squares = quaternions * quaternions
    length = np.sqrt(((squares[:, 0] + squares[:, 1]) + squares[:, 2]) + squares[:, 3])
    xyz = quaternions[:, :3] / length[:, None]
    xyz = np.where(quaternions[:, 3:] < 0, -xyz, xyz)  # w is stored as >= 0 (spec 1.3)
    return q.encode_rotation(q.decode_rotation(q.encode_rotation(xyz)))


def uploaded_position_codes(codes: KeyTable) -> q.Codes:
    """E(D(E(D(E(D(c)))))) for codes of any shape."""
    return _stored_position(q.decode_position(codes))


def _stored_position(metres: q.Floats) -> q.Codes:
    # The size query serialises once and quantises the keys in place: one pass more than a rotation has.
    once = q.decode_position(q.encode_position(metres))
    return q.encode_position(q.decode_position(q.encode_position(once)))


def uploaded_time_codes(codes: KeyTable, duration: np.float32) -> q.Codes:
    """E(D(c)) for codes of any shape; duration in seconds."""
    return q.encode_time(q.decode_time(codes, duration), duration)


def key_times(keys: KeyTable, duration: np.float32) -> q.Floats:
    """Seconds (n,) of a table's keys in file order: codes of 0..duration in 1.0, plain floats in 0.1."""
    column = np.ascontiguousarray(keys[:, 0])
    return column.view(np.float32) if keys.dtype == np.uint32 else q.decode_time(column, duration)


def surviving_rows(times: q.Floats) -> list[int]:
    """Indices of the keys in the viewer's ordered map: by time, of equal times the last (spec 1.10)."""
    last = {float(time): row for row, time in enumerate(times)}
    return [last[time] for time in sorted(last)]


def legacy_quaternions(keys: KeyTable) -> q.Floats:
    """Version 0.1 rotation keys (Euler degrees) to quaternions (n, 4); w may be negative."""
    angles = np.ascontiguousarray(keys[:, 1:]).view(np.float32).astype(np.float64)
    rows = [euler_z_first(row) for row in angles.tolist()]
    return np.array(rows, dtype=np.float32).reshape(-1, 4)


def legacy_positions(keys: KeyTable) -> q.Floats:
    """Version 0.1 position keys, clamped to +-5 m per axis; (n, 3)."""
    metres = np.ascontiguousarray(keys[:, 1:]).view(np.float32)
    return np.clip(metres, -POSITION_LIMIT, POSITION_LIMIT)


def _upload_track(keys: KeyTable, duration: np.float32, rotation: bool) -> KeyTable:
    keys = keys[surviving_rows(key_times(keys, duration))]
    if keys.dtype == np.uint16:
        times = uploaded_time_codes(keys[:, 0], duration)
        values = uploaded_rotation_codes(keys[:, 1:]) if rotation else uploaded_position_codes(keys[:, 1:])
    else:  # 0.1 times outside 0..duration are clamped; equal codes stay as duplicates
        times = q.encode_time(key_times(keys, duration), duration)
        values = (
            _stored_rotation(legacy_quaternions(keys))
            if rotation
            else _stored_position(legacy_positions(keys))
        )
    return np.concatenate([times.reshape(-1, 1), values.reshape(-1, 3)], axis=1).astype(np.uint16)


def _upload_joint(joint: Joint, duration: np.float32, skeleton: Skeleton) -> Joint:
    canonical = skeleton.canonical(joint.name)
    return Joint(
        name=canonical.encode() if canonical else joint.name,
        priority=joint.priority,
        rotation_keys=_upload_track(joint.rotation_keys, duration, rotation=True),
        position_keys=_upload_track(joint.position_keys, duration, rotation=False),
    )


def _upload_constraint(constraint: Constraint) -> Constraint:
    # The bytes behind the NUL are the viewer's uninitialised memory; zeros are the prediction (spec 1.9).
    source = constraint.source_name()[:15].ljust(16, b"\0")
    target = constraint.target_name()[:15].ljust(16, b"\0")
    return replace(constraint, source_volume=source, target_volume=target)


def predict(anim: AnimFile, skeleton: Skeleton, emotes: frozenset[bytes]) -> AnimFile:
    """The file that the viewer would store for this one, always of version 1.0. The input is not changed."""
    constraints = [_upload_constraint(c) for c in reversed(anim.constraints)]
    emote = anim.emote_name if emote_fate(anim.emote_name, emotes) == "known" else b""
    return replace(
        anim,
        version=(1, 0),
        base_priority=min(anim.base_priority, HIGHEST_BASE),
        emote_name=emote,
        loop=int(anim.loop != 0),
        joints=[_upload_joint(joint, anim.duration, skeleton) for joint in anim.joints],
        num_constraints=len(constraints),  # an ignored block becomes count 0
        constraints=constraints,
        tail=b"",
    )


def moves_visibly(anim: AnimFile) -> bool:
    """True if the re-encode turns a key that survives the merge by more than 0.2 degrees, or moves it by more
    than 1 mm (1.0 files only). Codes that fall by one elsewhere are not seen.
    """
    if anim.is_legacy or not math.isfinite(anim.duration):
        return False
    for joint in anim.joints:
        for keys, rotation in ((joint.rotation_keys, True), (joint.position_keys, False)):
            codes = keys[surviving_rows(key_times(keys, anim.duration))][:, 1:]
            if rotation and np.any(turned_degrees(codes) > VISIBLE_DEGREES):
                return True
            if not rotation and np.any(_moved_metres(codes) > VISIBLE_METRES):
                return True
    return False


def turned_degrees(codes: KeyTable) -> q.Floats:
    """How far an upload turns keys of rotation codes (n, 3)."""
    before = q.quaternion_of_codes(codes).astype(np.float64)
    after = q.quaternion_of_codes(uploaded_rotation_codes(codes)).astype(np.float64)
    before /= np.linalg.norm(before, axis=1, keepdims=True)
    after /= np.linalg.norm(after, axis=1, keepdims=True)
    apart = np.minimum(np.linalg.norm(before - after, axis=1), np.linalg.norm(before + after, axis=1))
    return np.degrees(4 * np.arcsin(np.minimum(apart / 2, 1.0)))


def _moved_metres(codes: KeyTable) -> q.Floats:
    after = q.decode_position(uploaded_position_codes(codes)).astype(np.float64)
    return np.linalg.norm(after - q.decode_position(codes), axis=1)
