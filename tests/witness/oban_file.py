# SPDX-License-Identifier: MIT
"""One OBAN record (Oni's object animation) as plain data and as bytes (spec 1).

Every field is kept as it is stored: floats as their raw bits, padding, unknown flags, and what may stand
behind the keys inside an instance. So write(parse(data)) == data. Offsets begin at the 8-byte pre-header.
"spec 1" in the modules named oban_* is a section of the OBAN specification; the native code is not looked at.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace

from .anim_file import ParseError

HEAD = struct.Struct("<II12sI12I12I4H")
KEY = struct.Struct("<4I3Ii")
PRE_HEADER = struct.Struct("<II")
KEY_COUNT_AT = 0x7E
MAX_STORED_KEYS = 0xFFFF
# Name, offset, size, in file order; a record that is cut is an error of the field that is cut.
FIELDS = (
    ("res_id", 0x00, 4),
    ("lev_id", 0x04, 4),
    ("padding", 0x08, 12),
    ("flags", 0x14, 4),
    ("initial_transform", 0x18, 48),
    ("base_transform", 0x48, 48),
    ("frame_length", 0x78, 2),
    ("frame_count", 0x7A, 2),
    ("half_stop_frame", 0x7C, 2),
    ("key_count", KEY_COUNT_AT, 2),
)

NORMAL_LOOP, BACK_TO_BACK_LOOP, RANDOM_START_FRAME, AUTOSTART, Z_AXIS_UP = 0x01, 0x02, 0x04, 0x08, 0x10
FLAG_NAMES = {
    NORMAL_LOOP: "NormalLoop",
    BACK_TO_BACK_LOOP: "BackToBackLoop",
    RANDOM_START_FRAME: "RandomStartFrame",
    AUTOSTART: "Autostart",
    Z_AXIS_UP: "ZAxisUp",
}
KNOWN_FLAGS = sum(FLAG_NAMES)
Bits = tuple[int, ...]


def bits_of(value: float) -> int:
    """The bits of the float32 nearest to value."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return int(bits)


def float_of(bits: int) -> float:
    """The value of a float32's bits."""
    (value,) = struct.unpack("<f", struct.pack("<I", bits))
    return float(value)


def bits_of_all(values: tuple[float, ...] | list[float]) -> Bits:
    """bits_of of each."""
    return tuple(bits_of(value) for value in values)


def floats_of(bits: Bits) -> tuple[float, ...]:
    """float_of of each."""
    return tuple(float_of(b) for b in bits)


IDENTITY = bits_of_all([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])


@dataclass
class Key:
    """Raw bits of the stored (conjugated) quaternion x, y, z, w and of the position; time in 60ths."""

    rotation_bits: Bits
    position_bits: Bits
    time: int = 0


@dataclass
class Record:
    """A whole record. Transforms are 12 floats: the images of X, Y and Z, then the translation."""

    res_id: int = 1
    lev_id: int = 0
    padding: bytes = bytes(12)
    flags: int = 0
    initial_bits: Bits = IDENTITY
    base_bits: Bits = IDENTITY
    frame_length: int = 1
    frame_count: int = 1
    half_stop_frame: int = 0
    keys: list[Key] = field(default_factory=list[Key])
    tail: bytes = b""  # inside an instance, behind the keys; no writer makes one

    @property
    def is_local(self) -> bool:
        """Keys are relative to the owning object's origin."""
        return bool(self.flags & Z_AXIS_UP)


def size_of(record: Record) -> int:
    """Bytes of the record with its pre-header."""
    return HEAD.size + KEY.size * len(record.keys) + len(record.tail)


def with_pre_header(record: Record, res_id: int, lev_id: int) -> Record:
    """The same animation in another place."""
    return replace(record, res_id=res_id, lev_id=lev_id)


def parse(data: bytes, start: int = 0, size: int | None = None, path: str = "") -> Record:
    """The record that fills `size` bytes (the rest, if not given) from `start`; raises ParseError."""
    end = len(data) if size is None else start + size
    for name, at, length in FIELDS:
        if start + at + length > end:
            left = max(end - start - at, 0)
            raise ParseError(start + at, path + name, f"{length} bytes needed, {left} left")
    v = HEAD.unpack_from(data, start)
    count = v[-1]
    first = start + HEAD.size
    behind = first + count * KEY.size
    if behind > end:
        text = f"{count} keys cannot fit into {end - first} bytes"
        raise ParseError(start + KEY_COUNT_AT, path + "key_count", text)
    keys = [Key(row[0:4], row[4:7], row[7]) for row in KEY.iter_unpack(data[first:behind])]
    return Record(v[0], v[1], v[2], v[3], v[4:16], v[16:28], v[28], v[29], v[30], keys, data[behind:end])


def parse_raw(data: bytes) -> Record:
    """A file that is one record. It is known by its size alone, so bytes behind the keys are an error."""
    record = parse(data)
    if record.tail:
        text = f"{len(record.keys)} keys make {size_of(record) - len(record.tail)} bytes, not {len(data)}"
        raise ParseError(KEY_COUNT_AT, "key_count", text)
    return record


def write(record: Record) -> bytes:
    """The bytes of the record, from its pre-header on."""
    if len(record.keys) > MAX_STORED_KEYS:
        raise ValueError(f"{len(record.keys)} keys, {MAX_STORED_KEYS} at most")
    counts = (record.frame_length, record.frame_count, record.half_stop_frame, len(record.keys))
    head = (record.res_id, record.lev_id, record.padding, record.flags)
    parts = [HEAD.pack(*head, *record.initial_bits, *record.base_bits, *counts)]
    parts += [KEY.pack(*key.rotation_bits, *key.position_bits, key.time) for key in record.keys]
    return b"".join(parts) + record.tail
