# SPDX-License-Identifier: MIT
"""MRTK 2 input animation, versions 1.0 and 1.1, as plain data and as bytes (spec 1).

Every field is kept as it is stored: wrap modes, the words of keys, the bytes of flags, the spelling of a
marker's length, and what follows the markers. So write(parse(data)) == data. "spec 1" in the modules named
mrtk_* is a section of the MRTK specification; the native code is not looked at.

Decisions: `parse` takes the layout of spec 1.2 and keeps bytes after the markers. Where that layout fails or
leaves bytes over, a look-alike (spec 1.10) is refused, and a lenient `parse` tries the other layouts in the
order of spec 1.10. It takes one that ends at the end of the file, with known wrap modes and times that do
not decrease. Versions other than 1.0 and 1.1 are refused (spec 7), 0.x included. A length of a name takes
five bytes at most and is at most 2^31 - 1, as in .NET.
"""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass, field, replace

from .anim_file import ParseError

MAGIC = bytes.fromhex("C6429E0F6EAF8F6A")
V10, V11 = (1, 0), (1, 1)
FULL_WORDS, SHORT_WORDS = 7, 2
DEFAULT, ONCE, LOOP, PING_PONG, CLAMP_FOREVER = 0, 1, 2, 4, 8
WRAP_MODES = frozenset([DEFAULT, ONCE, LOOP, PING_PONG, CLAMP_FOREVER])
NOT_WEIGHTED, WEIGHTED_IN, WEIGHTED_OUT, WEIGHTED_BOTH = 0, 1, 2, 3
SMALLEST_MARKER = 5  # a time and the length of an empty name
HANDS = ("left", "right")
_FINGER = ("Metacarpal", "Knuckle", "MiddleJoint", "DistalJoint", "Tip")
JOINTS = (
    *("None", "Wrist", "Palm"),
    *("ThumbMetacarpalJoint", "ThumbProximalJoint", "ThumbDistalJoint", "ThumbTip"),
    *(finger + part for finger in ("Index", "Middle", "Ring", "Pinky") for part in _FINGER),
)
POSITION = tuple(f"position.{axis}" for axis in "xyz")
ROTATION = tuple(f"rotation.{axis}" for axis in "xyzw")
GAZE = tuple(f"gaze.{what}.{axis}" for what in ("origin", "direction") for axis in "xyz")
FLAG_FIELDS = ("has_camera", "has_hand", "has_gaze")
# How a file is laid out: the key size under 1.1 and whether there is a marker list (spec 1.10).
SPECIFIED, NO_MARKERS, WIDE, WIDE_NO_MARKERS = "specified", "no_markers", "wide_keys", "wide_keys_no_markers"
TOLERATED = (NO_MARKERS, WIDE, WIDE_NO_MARKERS)

Words = tuple[int, ...]


def bits_of(value: float) -> int:
    """The bits of the float32 nearest to value."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return int(bits)


def float_of(bits: int) -> float:
    """The value of a float32's bits."""
    (value,) = struct.unpack("<f", struct.pack("<I", bits))
    return float(value)


def no_curves() -> dict[str, Curve]:
    """A recording's curves before it has any."""
    return {}


@dataclass
class Curve:
    """Wrap modes and keys; a key is its words: 2 (time, value), or the 7 of a full key."""

    keys: list[Words] = field(default_factory=list[Words])
    pre_wrap: int = CLAMP_FOREVER
    post_wrap: int = CLAMP_FOREVER

    def times(self) -> list[float]:
        """The times of the keys in seconds."""
        return [float_of(key[0]) for key in self.keys]

    def values(self) -> list[float]:
        """The values of the keys."""
        return [float_of(key[1]) for key in self.keys]


@dataclass
class Marker:
    """A time and a name; `length` is how the file spells the count of the name's bytes."""

    time_bits: int
    name: bytes
    length: bytes


@dataclass
class Recording:
    """A whole file. Curves stand in file order; those of a section that is absent are missing."""

    version: tuple[int, int] = V11
    flags: bytes = b""  # three bytes in 1.1, none in 1.0
    curves: dict[str, Curve] = field(default_factory=no_curves)
    markers: list[Marker] = field(default_factory=list[Marker])
    tail: bytes = b""
    layout: str = SPECIFIED

    @property
    def key_words(self) -> int:
        """Words of a key of a float curve."""
        wide = self.version == V10 or self.layout in (WIDE, WIDE_NO_MARKERS)
        return FULL_WORDS if wide else SHORT_WORDS


def is_bool(name: str) -> bool:
    """Whether the curve's keys are 8 bytes in each version."""
    return name.endswith((".tracked", ".pinch"))


def curve_names(version: tuple[int, int], flags: bytes) -> list[str]:
    """The curves in file order (spec 1.2)."""
    has_camera, has_hand, has_gaze = (True, True, False) if version == V10 else (bool(f) for f in flags)
    names: list[str] = []
    if has_camera:
        names += [f"camera.{part}" for part in POSITION + ROTATION]
    if has_hand:
        names += [f"{hand}.{what}" for what in ("tracked", "pinch") for hand in HANDS]
        names += [f"{h}.{joint}.{part}" for h in HANDS for joint in JOINTS for part in POSITION + ROTATION]
    return names + (list(GAZE) if has_gaze else [])


def empty(version: tuple[int, int], flags: bytes = b"\1\1\1") -> Recording:
    """A recording whose curves have no keys."""
    flags = b"" if version == V10 else flags
    return Recording(version, flags, {name: Curve() for name in curve_names(version, flags)})


class _Cursor:
    """A position in the bytes; what is cut is an error of the field that is cut."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    @property
    def left(self) -> int:
        return len(self.data) - self.at

    def take(self, size: int, name: str) -> bytes:
        if size > self.left:
            raise ParseError(self.at, name, f"{size} bytes needed, {self.left} left")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, name: str) -> int:
        return int.from_bytes(self.take(4, name), "little", signed=True)

    def count(self, name: str, smallest: int) -> int:
        """A count of things of at least `smallest` bytes each; a wrong one is the faulty field."""
        start, found = self.at, self.number(name)
        if not 0 <= found <= self.left // smallest:
            raise ParseError(start, name, f"{found} cannot fit into {self.left} bytes")
        return found


def _curve(cursor: _Cursor, name: str, words: int) -> Curve:
    pre, post = cursor.number(f"{name}.pre_wrap"), cursor.number(f"{name}.post_wrap")
    count = cursor.count(f"{name}.key_count", 4 * words)
    block = cursor.take(4 * words * count, name)
    return Curve([tuple(key) for key in struct.iter_unpack(f"<{words}I", block)], pre, post)


def _name_length(cursor: _Cursor, name: str) -> tuple[bytes, int]:
    start, value, spelled = cursor.at, 0, b""
    while not spelled or spelled[-1] & 0x80:
        if len(spelled) == 5:
            raise ParseError(start, name, "a length of more than five bytes")
        spelled += cursor.take(1, name)
        value |= (spelled[-1] & 0x7F) << (7 * (len(spelled) - 1))
    if value > min(cursor.left, 0x7FFFFFFF):
        raise ParseError(start, name, f"{value} bytes cannot fit into {cursor.left}")
    return spelled, value


def _markers(cursor: _Cursor) -> list[Marker]:
    found: list[Marker] = []
    for index in range(cursor.count("marker_count", SMALLEST_MARKER)):
        time = int.from_bytes(cursor.take(4, f"markers[{index}].time"), "little")
        spelled, length = _name_length(cursor, f"markers[{index}].name")
        found.append(Marker(time, cursor.take(length, f"markers[{index}].name"), spelled))
    return found


def _head(cursor: _Cursor) -> Recording:
    if cursor.data[:8] != MAGIC:
        raise ParseError(0, "magic", f"{cursor.data[:8].hex(' ')} is not {MAGIC.hex(' ')}")
    cursor.at = 8
    version = (cursor.number("version_major"), cursor.number("version_minor"))
    if version not in (V10, V11):
        raise ParseError(8, "version", f"{version[0]}.{version[1]} is neither 1.0 nor 1.1")
    flags = b"" if version == V10 else b"".join(cursor.take(1, name) for name in FLAG_FIELDS)
    return Recording(version, flags)


def _parse_as(data: bytes, layout: str) -> Recording:
    cursor = _Cursor(data)
    made = replace(_head(cursor), layout=layout)
    for name in curve_names(made.version, made.flags):
        made.curves[name] = _curve(cursor, name, SHORT_WORDS if is_bool(name) else made.key_words)
    if layout in (SPECIFIED, WIDE):
        made.markers = _markers(cursor)
    made.tail = data[cursor.at :]
    return made


def _is_plausible(curve: Curve) -> bool:
    times = curve.times()
    known = {curve.pre_wrap, curve.post_wrap} <= WRAP_MODES
    return known and all(a <= b for a, b in itertools.pairwise(times))


def curves_per_pose(data: bytes) -> int | None:
    """10 or 17 for a look-alike, which has more curves than 7 in a pose; only its own wrap mode 8 counts."""
    for per_pose in (17, 10):
        cursor = _Cursor(data)
        made = _head(cursor)
        names = curve_names(made.version, made.flags)
        poses = [name.rpartition(".")[0] for name in names if name.endswith(".rotation.w")]
        order: list[str] = []
        for name in names:
            if is_bool(name) or name.endswith(".rotation.w"):
                order += [name] if is_bool(name) else [name] * per_pose
        try:
            curves = [_curve(cursor, n, SHORT_WORDS if is_bool(n) else made.key_words) for n in order]
        except ParseError:
            continue
        recorded = all(c.pre_wrap == c.post_wrap == CLAMP_FOREVER and _is_plausible(c) for c in curves)
        if poses and recorded and cursor.left >= 4:
            return per_pose
    return None


def parse(data: bytes, lenient: bool = False) -> Recording:
    """The recording; raises ParseError."""
    made, failure = None, None
    try:
        made = _parse_as(data, SPECIFIED)
    except ParseError as error:
        if error.offset < 16 and error.field in ("magic", "version", "version_major", "version_minor"):
            raise
        failure = error
    if made is not None and not made.tail:
        return made
    if len(data) >= 19 and (per_pose := curves_per_pose(data)) is not None:
        raise ParseError(16, "layout", f"{per_pose} curves in a pose, not 7: another program's format")
    for layout in TOLERATED if lenient else ():
        try:
            other = _parse_as(data, layout)
        except ParseError:
            continue
        is_other = other.version == V11 or layout == NO_MARKERS
        if is_other and not other.tail and all(_is_plausible(c) for c in other.curves.values()):
            return other
    if failure is not None:
        raise failure
    assert made is not None
    return made


def _written_marker(marker: Marker) -> bytes:
    return struct.pack("<I", marker.time_bits) + marker.length + marker.name


def _written_curve(curve: Curve) -> bytes:
    words = [word for key in curve.keys for word in key]
    head = struct.pack("<iii", curve.pre_wrap, curve.post_wrap, len(curve.keys))
    return head + struct.pack(f"<{len(words)}I", *words)


def write(made: Recording) -> bytes:
    """The bytes of the recording."""
    for name, curve in made.curves.items():
        words = SHORT_WORDS if is_bool(name) else made.key_words
        if any(len(key) != words for key in curve.keys):
            raise ValueError(f"{name}: a key of {words} words is needed")
    parts = [MAGIC, struct.pack("<ii", *made.version), made.flags]
    parts += [_written_curve(curve) for curve in made.curves.values()]
    if made.layout in (SPECIFIED, WIDE):
        parts += [struct.pack("<i", len(made.markers)), *map(_written_marker, made.markers)]
    return b"".join(parts) + made.tail


def length_spelled(size: int) -> bytes:
    """The shortest spelling of a name's length: seven bits in a byte, the lowest first."""
    spelled = b""
    while size > 0x7F:
        spelled += bytes([size & 0x7F | 0x80])
        size >>= 7
    return spelled + bytes([size])


def marker(time: float, name: str) -> Marker:
    """A marker as the program writes it."""
    encoded = name.encode()
    return Marker(bits_of(time), encoded, length_spelled(len(encoded)))


def short_key(time: float, value: float) -> Words:
    """A key of 8 bytes."""
    return (bits_of(time), bits_of(value))


def full_key(
    time: float,
    value: float,
    tangents: tuple[float, float] = (0.0, 0.0),
    weights: tuple[float, float] = (0.0, 0.0),
    mode: int = WEIGHTED_BOTH,
) -> Words:
    """A key of 28 bytes; without further arguments the linear one that MRTK writes (spec 2.3)."""
    return (*(bits_of(v) for v in (time, value, *tangents, *weights)), mode & 0xFFFFFFFF)
