# SPDX-License-Identifier: MIT
"""The bytes of an `.anim` file, versions 1.0 and 0.1 (spec 1.1), without any judgement of their values.

`parse` refuses only what cannot be read: missing bytes, another version, a negative key count, and a count
whose records cannot fit into the remaining bytes (a joint record has at least 13). Such a count is itself
the faulty field. All else is kept, so that write(parse(data)) == data.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# Key rows are (time, x, y, z): uint16 codes in 1.0, the uint32 bits of float32 values in 0.1.
KeyTable = NDArray[np.uint16] | NDArray[np.uint32]

MAX_CONSTRAINTS = 10  # beyond it the viewer skips the block (spec 1.7), so it is kept as raw bytes
SMALLEST_JOINT = 13
CONSTRAINT_SIZE = 86


class ParseError(ValueError):
    """Bytes that no reader can make sense of: where (byte offset), which field, and why."""

    def __init__(self, offset: int, field_name: str, text: str) -> None:
        super().__init__(f"byte {offset}, {field_name}: {text}")
        self.offset = offset
        self.field = field_name
        self.text = text


def bits_of(value: float) -> int:
    """The uint32 bits of the float32 nearest to value."""
    return int(np.float32(value).view(np.uint32))


def float_of(bits: int) -> np.float32:
    """The float32 with these uint32 bits."""
    values: NDArray[np.float32] = np.array([bits], dtype=np.uint32).view(np.float32)
    return np.float32(values[0])


def no_keys() -> KeyTable:
    """An empty 1.0 key table."""
    return np.zeros((0, 4), dtype=np.uint16)


@dataclass
class Joint:
    """One joint record; the key tables have shape (n, 4)."""

    name: bytes
    priority: int = -1
    rotation_keys: KeyTable = field(default_factory=no_keys)
    position_keys: KeyTable = field(default_factory=no_keys)


@dataclass
class Constraint:
    """One 86-byte record. The volume fields are the raw 16 bytes, the floats raw bits (metres, seconds)."""

    chain_length: int
    kind: int
    source_volume: bytes
    source_offset: tuple[int, ...]
    target_volume: bytes
    target_offset: tuple[int, ...]
    target_dir: tuple[int, ...]
    ease_times: tuple[int, ...]  # in start, in stop, out start, out stop

    def source_name(self) -> bytes:
        """The source volume up to its first NUL."""
        return self.source_volume.split(b"\0")[0]

    def target_name(self) -> bytes:
        """The target volume, or GROUND, up to its first NUL."""
        return self.target_volume.split(b"\0")[0]

    def all_bits(self) -> tuple[int, ...]:
        """Every float of the record, as bits."""
        return self.source_offset + self.target_offset + self.target_dir + self.ease_times


@dataclass
class AnimFile:
    """A whole file. Fields that end in _bits are float32 bits (seconds), so that NaN patterns survive."""

    version: tuple[int, int] = (1, 0)
    base_priority: int = 2
    duration_bits: int = bits_of(1.0)
    emote_name: bytes = b""
    loop_in_bits: int = 0
    loop_out_bits: int = bits_of(1.0)
    loop: int = 0
    ease_in_bits: int = bits_of(0.2)
    ease_out_bits: int = bits_of(0.2)
    hand_pose: int = 1
    joints: list[Joint] = field(default_factory=list[Joint])
    num_constraints: int = 0  # len(constraints) unless the block is out of range and kept in `tail`
    constraints: list[Constraint] = field(default_factory=list[Constraint])
    tail: bytes = b""

    @property
    def is_legacy(self) -> bool:
        """Version 0.1: float keys, Euler angles in degrees."""
        return self.version == (0, 1)

    @property
    def duration(self) -> np.float32:
        """Length in seconds."""
        return float_of(self.duration_bits)

    @property
    def loop_in(self) -> np.float32:
        """Loop start in seconds."""
        return float_of(self.loop_in_bits)

    @property
    def loop_out(self) -> np.float32:
        """Loop end in seconds."""
        return float_of(self.loop_out_bits)

    @property
    def ease_in(self) -> np.float32:
        """Ease-in time in seconds."""
        return float_of(self.ease_in_bits)

    @property
    def ease_out(self) -> np.float32:
        """Ease-out time in seconds."""
        return float_of(self.ease_out_bits)

    @property
    def has_ignored_constraints(self) -> bool:
        """The count is outside 0..10, so the viewer skips the block."""
        return not 0 <= self.num_constraints <= MAX_CONSTRAINTS


class _Cursor:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    @property
    def remaining(self) -> int:
        return len(self.data) - self.at

    def number(self, fmt: str, name: str) -> int:
        size = struct.calcsize(fmt)
        if self.remaining < size:
            raise ParseError(self.at, name, f"{size} bytes needed, {self.remaining} left")
        (value,) = struct.unpack_from("<" + fmt, self.data, self.at)
        self.at += size
        return int(value)

    def text(self, name: str) -> bytes:
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise ParseError(self.at, name, "no NUL before the end of the file")
        value = self.data[self.at : end]
        self.at = end + 1
        return value

    def count(self, fmt: str, name: str, record_size: int) -> int:
        start = self.at
        value = self.number(fmt, name)
        if value < 0:
            raise ParseError(start, name, f"negative count {value}")
        if value * record_size > self.remaining:
            raise ParseError(start, name, f"{value} records cannot fit into {self.remaining} bytes")
        return value


def _keys(cursor: _Cursor, name: str, legacy: bool) -> KeyTable:
    count = cursor.count("i", name, 16 if legacy else 8)
    kind = "<u4" if legacy else "<u2"
    rows = np.frombuffer(cursor.data, dtype=kind, count=4 * count, offset=cursor.at).reshape(count, 4)
    cursor.at += rows.nbytes
    return rows.astype(np.uint32) if legacy else rows.astype(np.uint16)


def _joint(cursor: _Cursor, path: str, legacy: bool) -> Joint:
    name = cursor.text(path + "joint_name")
    priority = cursor.number("i", path + "joint_priority")
    rotations = _keys(cursor, path + "num_rot_keys", legacy)
    return Joint(name, priority, rotations, _keys(cursor, path + "num_pos_keys", legacy))


def _constraint(raw: bytes) -> Constraint:
    v = struct.unpack("<BB16s3I16s3I3I4I", raw)
    return Constraint(v[0], v[1], v[2], v[3:6], v[6], v[7:10], v[10:13], v[13:17])


def _version(cursor: _Cursor) -> tuple[int, int]:
    version = (cursor.number("H", "version"), cursor.number("H", "sub_version"))
    if version not in ((1, 0), (0, 1)):
        raise ParseError(0, "version", f"{version[0]}.{version[1]} is neither 1.0 nor 0.1")
    return version


def parse(data: bytes) -> AnimFile:
    """Reads a whole file; raises ParseError for what cannot be read (module docstring)."""
    cursor = _Cursor(data)
    anim = AnimFile(version=_version(cursor))
    anim.base_priority = cursor.number("i", "base_priority")
    anim.duration_bits = cursor.number("I", "duration")
    anim.emote_name = cursor.text("emote_name")
    anim.loop_in_bits = cursor.number("I", "loop_in_point")
    anim.loop_out_bits = cursor.number("I", "loop_out_point")
    anim.loop = cursor.number("i", "loop")
    anim.ease_in_bits = cursor.number("I", "ease_in_duration")
    anim.ease_out_bits = cursor.number("I", "ease_out_duration")
    anim.hand_pose = cursor.number("I", "hand_pose")
    joint_count = cursor.count("I", "num_joints", SMALLEST_JOINT)
    anim.joints = [_joint(cursor, f"joints[{i}].", anim.is_legacy) for i in range(joint_count)]
    _parse_constraints(cursor, anim)
    anim.tail = data[cursor.at :]
    return anim


def _parse_constraints(cursor: _Cursor, anim: AnimFile) -> None:
    start = cursor.at
    anim.num_constraints = cursor.number("i", "num_constraints")
    if anim.has_ignored_constraints:
        return
    if anim.num_constraints * CONSTRAINT_SIZE > cursor.remaining:
        text = f"{anim.num_constraints} records cannot fit into {cursor.remaining} bytes"
        raise ParseError(start, "num_constraints", text)
    for _ in range(anim.num_constraints):
        anim.constraints.append(_constraint(cursor.data[cursor.at : cursor.at + CONSTRAINT_SIZE]))
        cursor.at += CONSTRAINT_SIZE


def _key_bytes(keys: KeyTable, legacy: bool) -> bytes:
    return struct.pack("<i", len(keys)) + keys.astype("<u4" if legacy else "<u2").tobytes()


def _constraint_bytes(c: Constraint) -> bytes:
    head = struct.pack("<BB16s3I", c.chain_length, c.kind, c.source_volume, *c.source_offset)
    target = struct.pack("<16s3I", c.target_volume, *c.target_offset)
    return head + target + struct.pack("<3I4I", *c.target_dir, *c.ease_times)


def write(anim: AnimFile) -> bytes:
    """The file's bytes. `num_constraints` is written as it stands, whatever the list holds."""
    parts = [struct.pack("<HHiI", *anim.version, anim.base_priority, anim.duration_bits)]
    parts.append(anim.emote_name + b"\0")
    parts.append(struct.pack("<IIi", anim.loop_in_bits, anim.loop_out_bits, anim.loop))
    parts.append(
        struct.pack("<IIII", anim.ease_in_bits, anim.ease_out_bits, anim.hand_pose, len(anim.joints))
    )
    for joint in anim.joints:
        parts.append(joint.name + b"\0" + struct.pack("<i", joint.priority))
        parts.append(_key_bytes(joint.rotation_keys, anim.is_legacy))
        parts.append(_key_bytes(joint.position_keys, anim.is_legacy))
    parts.append(struct.pack("<i", anim.num_constraints))
    parts.extend(_constraint_bytes(c) for c in anim.constraints)
    return b"".join(parts) + anim.tail
