# SPDX-License-Identifier: MIT
"""The U16 codes of times, rotations and positions, exactly as the viewer computes them (spec 1.2).

Everything is IEEE single precision, one rounding per operation and no fused multiply-add; numpy's float32
arrays give just that. A double anywhere would change which codes drift on an upload (spec 1.9).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Codes = NDArray[np.uint16]

STEP = np.float32(1) / np.float32(65535)
ROTATION_RANGE = (np.float32(-1), np.float32(1))
POSITION_RANGE = (np.float32(-5), np.float32(5))  # metres, on every joint and not only the pelvis


def decode(codes: Any, low: np.float32, high: np.float32) -> Floats:
    """D of spec 1.2: codes of any shape to float32 values, in units of low and high."""
    with np.errstate(all="ignore"):  # duration 0, NaN and infinity are legal input here
        width = np.float32(high - low)
        values = np.asarray(codes, dtype=np.uint16).astype(np.float32) * STEP
        values = values * width
        values = values + low
        return np.where(np.abs(values) < width * STEP, np.float32(0), values).astype(np.float32)


def encode(values: Any, low: np.float32, high: np.float32) -> Codes:
    """E of spec 1.2: float32 values of any shape to codes of the same shape; truncates, never rounds.

    NaN, also from 0/0 at duration 0, becomes code 0 as on x86. When high < low the lower bound is tested
    first and ends the test, the order of a plain if / else if.
    """
    with np.errstate(all="ignore"):
        v = np.asarray(values, dtype=np.float32)
        v = np.where(v < low, low, np.where(v > high, high, v)).astype(np.float32)
        v = (v - low) / np.float32(high - low)
        scaled = np.floor(v * np.float32(65535))
        return np.where(np.isfinite(scaled), scaled, 0).astype(np.int64).astype(np.uint16)


def decode_rotation(codes: Any) -> Floats:
    """Codes of x, y, z to quaternion components in -1..1; same shape."""
    return decode(codes, *ROTATION_RANGE)


def decode_position(codes: Any) -> Floats:
    """Codes of x, y, z to metres in -5..5; same shape."""
    return decode(codes, *POSITION_RANGE)


def decode_time(codes: Any, duration: np.float32) -> Floats:
    """Time codes to seconds in 0..duration; same shape."""
    return decode(codes, np.float32(0), duration)


def encode_rotation(values: Any) -> Codes:
    """Quaternion components to codes; same shape."""
    return encode(values, *ROTATION_RANGE)


def encode_position(values: Any) -> Codes:
    """Metres to codes; same shape."""
    return encode(values, *POSITION_RANGE)


def encode_time(seconds: Any, duration: np.float32) -> Codes:
    """Seconds to time codes of a file of that duration; same shape."""
    return encode(seconds, np.float32(0), duration)


def quaternion_of_codes(codes: Any) -> Floats:
    """Codes (n, 3) to float32 quaternions (n, 4) as x, y, z, w with the derived w of spec 1.3."""
    xyz = decode_rotation(codes).reshape(-1, 3)
    return with_derived_w(xyz)


def with_derived_w(xyz: Floats) -> Floats:
    """Appends w = sqrt(1 - |v|^2), or 0 if that is not positive, to xyz (n, 3) as it is (spec 1.3)."""
    squares = xyz * xyz
    rest = np.float32(1) - ((squares[:, 0] + squares[:, 1]) + squares[:, 2])
    w = np.sqrt(np.where(rest > 0, rest, np.float32(0))).astype(np.float32)
    return np.concatenate([xyz, w[:, None]], axis=1).astype(np.float32)
