# SPDX-License-Identifier: MIT
"""Small parts from which the fixtures are made.

The default file has one joint whose codes survive an upload unchanged and no finding at any level, so that a
fixture shows its own peculiarity and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import quantise as q
from ..anim_file import AnimFile, Constraint, Joint, KeyTable, bits_of, write
from ..quaternion import Vector, about_axis
from ..upload import uploaded_position_codes, uploaded_rotation_codes

NAN, QUIET_NEGATIVE_NAN, SIGNALLING_NAN = 0x7FC00000, 0xFFC12345, 0x7F800001
INFINITY, MINUS_INFINITY = 0x7F800000, 0xFF800000
INT_MAX, INT_MIN = 2**31 - 1, -(2**31)
ZERO = 32767  # the code that viewers write for 0 (spec 1.2)
IDENTITY = (ZERO, ZERO, ZERO)
LAST = 65535  # the time code of the clip's end
Row = tuple[int, int, int, int]


@dataclass(frozen=True)
class Case:
    """One fixture: its bytes, a line about it, the ids expected at the strict level, or the read error."""

    file: str
    about: str
    data: bytes
    expect: frozenset[str] = field(default_factory=frozenset[str])
    error: tuple[str, int] | None = None  # field, byte offset


def case(file: str, about: str, anim: AnimFile | bytes, *expect: str) -> Case:
    """A file that can be read, with its expected findings."""
    return Case(file + ".anim", about, anim if isinstance(anim, bytes) else write(anim), frozenset(expect))


def bad(file: str, about: str, data: bytes, error_field: str, offset: int) -> Case:
    """A file that no reader accepts."""
    return Case(file + ".anim", about, data, error=(error_field, offset))


def rotation_code(quaternion: Vector) -> tuple[int, int, int]:
    """Codes of a unit quaternion as a file's writer makes them: w >= 0, then E(D(E(x))) (spec 1.2, 1.3)."""
    xyz = quaternion[:3] if quaternion[3] >= 0 else -quaternion[:3]
    codes = q.encode_rotation(q.decode_rotation(q.encode_rotation(xyz)))
    return int(codes[0]), int(codes[1]), int(codes[2])


def turn(axis: int, degrees: float) -> tuple[int, int, int]:
    """Codes of a turn about x (0), y (1) or z (2) that an upload leaves alone."""
    codes = np.array([rotation_code(about_axis(axis, degrees))], dtype=np.uint16)
    while not np.array_equal(codes, after := uploaded_rotation_codes(codes)):
        codes = after
    return int(codes[0, 0]), int(codes[0, 1]), int(codes[0, 2])


def place(x: float, y: float, z: float) -> tuple[int, int, int]:
    """Codes of a position in metres that an upload leaves alone."""
    codes = q.encode_position(np.array([x, y, z]))
    while not np.array_equal(codes, after := uploaded_position_codes(codes)):
        codes = after
    return int(codes[0]), int(codes[1]), int(codes[2])


def keys(*rows: Sequence[int]) -> KeyTable:
    """A 1.0 table of (time, x, y, z) codes."""
    return np.array(rows, dtype=np.uint16).reshape(-1, 4)


def float_keys(*rows: Sequence[float]) -> KeyTable:
    """A 0.1 table of (seconds, x, y, z); an int stands for the raw bits of a float."""
    raw = [[v if isinstance(v, int) else bits_of(v) for v in row] for row in rows]
    return np.array(raw, dtype=np.uint32).reshape(-1, 4)


def joint(name: str | bytes = "mChest", **parts: Any) -> Joint:
    """A joint; without a key table of either kind it gets a rest pose at both ends of the clip."""
    raw = name.encode() if isinstance(name, str) else name
    if not {"rotation_keys", "position_keys"} & parts.keys():
        parts["rotation_keys"] = keys((0, *IDENTITY), (LAST, *turn(1, 20)))
    return Joint(raw, **parts)


def single(name: str | bytes = "mChest", **parts: Any) -> Joint:
    """A joint with one rotation key at the start."""
    return joint(name, rotation_keys=keys((0, *IDENTITY)), **parts)


def volume(name: str | bytes) -> bytes:
    """A 16-byte volume field, filled with zeros."""
    raw = name.encode() if isinstance(name, str) else name
    return raw.ljust(16, b"\0")


def constraint(source: str | bytes = "L_HAND", target: str | bytes = "GROUND", **parts: Any) -> Constraint:
    """A point constraint of chain length 0 that is active for the whole default clip."""
    fields: dict[str, Any] = {
        "chain_length": 0,
        "kind": 0,
        "source_offset": (0, 0, 0),
        "target_offset": (0, 0, 0),
        "target_dir": (0, 0, 0),
        "ease_times": (0, bits_of(0.1), bits_of(0.9), bits_of(1.0)),
    }
    return Constraint(source_volume=volume(source), target_volume=volume(target), **(fields | parts))


def anim(*joints: Joint, constraints: Sequence[Constraint] = (), **parts: Any) -> AnimFile:
    """A file of the default header; without joints given it has the default one."""
    parts.setdefault("num_constraints", len(constraints))
    return AnimFile(joints=list(joints) or [joint()], constraints=list(constraints), **parts)
