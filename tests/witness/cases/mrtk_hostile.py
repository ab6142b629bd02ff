# SPDX-License-Identifier: MIT
"""MRTK files that no reader accepts: cut, lying, of another version or program (spec 1.7, 1.10)."""

from __future__ import annotations

import struct
from dataclasses import replace

from .. import mrtk_file as f
from ..mrtk_file import V10, V11, marker, write
from .mrtk_build import MrtkCase, bad, camera_alone, whole

HEAD = {V10: 16, V11: 19}
CURVE = 12  # bytes of a curve without keys
MARKED = write(replace(camera_alone(), markers=[marker(0.5, "grasp"), marker(1.0, "let go")]))
CAMERA = write(camera_alone())
EMPTY = write(f.empty(V11))
INT_MIN, INT_MAX = -(2**31), 2**31 - 1
POSE = len(f.POSITION + f.ROTATION)
SWITCHES_AT = 19 + CURVE * POSE  # of EMPTY
LEFT_AT = SWITCHES_AT + 4 * CURVE
RIGHT_AT = LEFT_AT + 27 * POSE * CURVE
GAZE_AT = RIGHT_AT + 27 * POSE * CURVE
MARKERS_AT = GAZE_AT + 6 * CURVE


def patched(data: bytes, at: int, value: int) -> bytes:
    """The bytes with another Int32."""
    return data[:at] + struct.pack("<i", value) + data[at + 4 :]


def heads() -> list[MrtkCase]:
    """Magic, version and flags."""
    made = [
        bad(f"version_{major}_{minor}".replace("-", "minus_"), about, _version(major, minor), "version", 8)
        for major, minor, about in (
            (1, 2, "Newer than 1.1"),
            (2, 0, "Newer than 1.1"),
            (0, 9, "Older than 1.0"),
            (1, -1, "A negative minor version"),
            (256, 0, "1.0 with a major version of 256"),
        )
    ]
    return [
        *made,
        bad("magic_wrong", "One bit of the magic differs", bytes([CAMERA[0] ^ 1]) + CAMERA[1:], "magic", 0),
        bad("magic_reversed", "The magic, big-endian", CAMERA[7::-1] + CAMERA[8:], "magic", 0),
        bad("no_bytes", "No bytes", b"", "magic", 0),
        bad("text", "Plain text", b"Time,HeadPosX,HeadPosY\n0.016,0.0,1.62\n" * 9, "magic", 0),
        bad("zeros", "5,000 zeros", bytes(5000), "magic", 0),
        bad("cut_in_magic", "The file ends inside the magic", CAMERA[:5], "magic", 0),
        bad("cut_in_major", "The file ends inside the major version", CAMERA[:10], "version_major", 8),
        bad("cut_in_minor", "The file ends inside the minor version", CAMERA[:12], "version_minor", 12),
        bad("cut_in_flags", "The file ends before the third flag", CAMERA[:18], "has_gaze", 18),
    ]


def _version(major: int, minor: int) -> bytes:
    return patched(patched(CAMERA, 8, major), 12, minor)


def cuts() -> list[MrtkCase]:
    """The file ends inside each section."""
    v10 = write(camera_alone(V10))
    rows = (
        ("camera", 19 + 2 * CURVE + 6, "camera.position.z.post_wrap", 4),
        ("switches", SWITCHES_AT + CURVE + 2, "right.tracked.pre_wrap", 0),
        ("left_hand", LEFT_AT + POSE * CURVE + 9, "left.Wrist.position.x.key_count", 8),
        ("right_hand", GAZE_AT - CURVE, "right.PinkyTip.rotation.w.pre_wrap", 0),
        ("gaze", MARKERS_AT - CURVE, "gaze.direction.z.pre_wrap", 0),
    )
    made = [
        bad(f"cut_in_{name}", f"The file ends inside the {name}", EMPTY[:end], field, _field_at(end, within))
        for name, end, field, within in rows
    ]
    ten = "camera.position.x.key_count"
    return [
        *made,
        bad("cut_in_keys", "The file ends inside the first curve's keys", CAMERA[:100], ten, 19 + 8),
        bad("cut_in_keys_v10", "The same in version 1.0", v10[:200], ten, 16 + 8),
        bad("cut_in_marker_count", "Three bytes of the marker count", EMPTY[:-1], "marker_count", MARKERS_AT),
        bad(
            "cut_in_marker_time", "The second marker is cut", MARKED[:-9], "markers[1].time", len(MARKED) - 11
        ),
        bad(
            "cut_in_marker_name",
            "The last byte of a name is missing",
            MARKED[:-1],
            "markers[1].name",
            len(MARKED) - 7,
        ),
    ]


def _field_at(end: int, within: int) -> int:
    """Where the field begins that is cut: `within` bytes from the start of the curve that is cut."""
    return 19 + (end - 19) // CURVE * CURVE + within


def counts() -> list[MrtkCase]:
    """Counts that lie."""
    first = ("camera.position.x.key_count", 27)
    room = (len(CAMERA) - 31) // 8  # 8-byte keys up to the end of the file
    at, pinch = len(MARKED) - 25, SWITCHES_AT + 3 * CURVE + 8
    size = at + 8  # of the first name
    return [
        bad("count_minus_1", "A key count of -1", patched(CAMERA, 27, -1), *first),
        bad("count_min", "The least key count", patched(CAMERA, 27, INT_MIN), *first),
        bad("count_max", "The largest key count", patched(CAMERA, 27, INT_MAX), *first),
        bad("count_wraps", "A count that is 0 bytes in 32 bits", patched(CAMERA, 27, 1 << 29), *first),
        bad(
            "count_one_beyond", "One key more than there are bytes for", patched(CAMERA, 27, room + 1), *first
        ),
        bad(
            "count_of_pinch",
            "The right pinch's count",
            patched(EMPTY, pinch, 10**6),
            "right.pinch.key_count",
            pinch,
        ),
        bad("marker_count_minus_1", "-1 markers", patched(MARKED, at, -1), "marker_count", at),
        bad("marker_count_max", "More markers than bytes", patched(MARKED, at, INT_MAX), "marker_count", at),
        bad("name_beyond_end", "A name of 127 bytes", _with(MARKED, size, b"\x7f"), "markers[0].name", size),
        bad(
            "name_length_huge",
            "A name of 2^31 bytes",
            _with(MARKED, size, b"\x80\x80\x80\x80\x08"),
            "markers[0].name",
            size,
        ),
        bad(
            "name_length_endless",
            "A length of six bytes",
            _with(MARKED, size, b"\x80" * 6),
            "markers[0].name",
            size,
        ),
    ]


def _with(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


def _look_alike(per_pose: int, version: tuple[int, int], named: bool) -> bytes:
    """The tutorial project's file (spec 1.10): more curves in a pose, poses for the gaze, named objects."""
    base = whole(version, every=54) if per_pose == 10 else camera_alone(version)
    parts = [write(replace(base, curves={}, layout=f.NO_MARKERS))]
    extra: list[bytes] = []
    for name, curve in base.curves.items():
        if name.startswith("gaze"):
            continue
        one = write(f.Recording(version, b"", {name: curve}, layout=f.NO_MARKERS))[16:]
        parts.append(one)
        if not f.is_bool(name) and len(extra) < per_pose - POSE:
            extra.append(one)
        if name.endswith(".rotation.w"):
            parts += [one] * (per_pose - POSE)
    pose = [struct.pack("<iii", 8, 8, 0)] * per_pose
    objects = [struct.pack("<i", 1), b"\4Cube", *pose] if named else [struct.pack("<i", 0)]
    return b"".join([*parts, *pose, *objects, struct.pack("<i", 0)])


def look_alikes() -> list[MrtkCase]:
    """Other programs' files; where a reader sees it is its own matter."""
    about = "{} curves in a pose, version {}.{}"
    rows = [(10, V10, True), (10, V11, True), (10, V11, False), (17, V10, False), (17, V11, False)]
    return [
        bad(
            f"look_alike_{per_pose}_v{version[0]}{version[1]}{'_objects' if named else ''}",
            about.format(per_pose, *version),
            _look_alike(per_pose, version, named),
            *("layout", None),
        )
        for per_pose, version, named in rows
    ]


def all_cases() -> list[MrtkCase]:
    """Every case of this module."""
    return [*heads(), *cuts(), *counts(), *look_alikes()]
