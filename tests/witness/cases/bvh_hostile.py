# SPDX-License-Identifier: MIT
"""BVH files that are broken, by accident or with intent. What is large is made in the native tests."""

from __future__ import annotations

from ..bvh_file import write
from .bvh_build import HostileCase, LenientOutcome, replaced, small

TEXT = write(small())
NO_CHANNELS = (
    b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 250000000\nFrame Time: 0.1\n"
)

# name: what about it, the bytes that are replaced once, by which.
EDITS = {
    "frames_negative": ("a negative number of frames", b"Frames: 3", b"Frames: -3"),
    "frames_fraction": ("half a frame", b"Frames: 3", b"Frames: 2.5"),
    "frames_word": ("a word for the number of frames", b"Frames: 3", b"Frames: three"),
    "frames_missing_number": ("no number of frames", b"Frames: 3", b"Frames:"),
    "frame_time_nan": ("a frame time that is no number", b"0.04", b"nan"),
    "frame_time_huge": ("an infinite frame time", b"0.04", b"1e400"),
    "frame_time_word": ("a word for the frame time", b"0.04", b"soon"),
    "frame_time_missing": ("no frame time line", b"Frame Time: 0.04\n", b""),
    "value_nan": ("nan in a frame", b"\n0.5 ", b"\nnan "),
    "value_infinity": ("inf in a frame", b"\n0.5 ", b"\ninf "),
    "value_minus_infinity": ("-Infinity in a frame", b"\n0.5 ", b"\n-Infinity "),
    "value_huge": ("1e400 in a frame", b"\n0.5 ", b"\n1e400 "),
    "value_word": ("a word in a frame", b"\n0.5 ", b"\nhip "),
    "value_hexadecimal": ("a hexadecimal number", b"\n0.5 ", b"\n0x1p3 "),
    "value_two_points": ("two points in a number", b"\n0.5 ", b"\n0.5.5 "),
    "value_sign_alone": ("a sign without digits", b"\n0.5 ", b"\n- "),
    "value_point_alone": ("a point without digits", b"\n0.5 ", b"\n. "),
    "value_exponent_alone": ("an exponent without digits", b"\n0.5 ", b"\n1e "),
    "value_underscore": ("an underscore in a number", b"\n0.5 ", b"\n1_000.5 "),
    "value_nul": ("a NUL in a number", b"\n0.5 ", b"\n0.\x005 "),
    "offset_nan": ("nan in an OFFSET", b"OFFSET 3.5", b"OFFSET nan"),
    "offset_two_values": ("two values in an OFFSET", b"OFFSET 3.5 1.0 0.125", b"OFFSET 3.5 1.0"),
    "channels_unknown": ("a channel that there is not", b"Zrotation", b"Wrotation"),
    "channels_too_few": ("fewer names than channels", b"CHANNELS 3 Zrotation", b"CHANNELS 3"),
    "channels_negative": ("a negative number of channels", b"CHANNELS 3 Z", b"CHANNELS -3 Z"),
    "channels_word": ("a word for the number of channels", b"CHANNELS 3 Z", b"CHANNELS three Z"),
    "channels_huge": ("a huge number of channels", b"CHANNELS 3 Z", b"CHANNELS 4294967299 Z"),
    "brace_missing_open": ("no brace behind a name", b"JOINT chest\n\t{\n", b"JOINT chest\n\t\n"),
    "brace_missing_close": ("no brace at the end of a joint", b"}\nMOTION", b"MOTION"),
    "brace_twice_close": ("a brace too many", b"}\nMOTION", b"}\n}\nMOTION"),
    "keyword_hierarchy": ("another first word", b"HIERARCHY", b"HIERARCHIE"),
    "keyword_joint": ("a word that is no keyword", b"JOINT chest", b"BONE chest"),
    "keyword_motion": ("a word for MOTION", b"MOTION", b"ACTION"),
    "keyword_frames": ("a word for Frames:", b"Frames: 3", b"Pictures: 3"),
    "root_is_joint": ("a JOINT outside a ROOT", b"ROOT hip", b"JOINT hip"),
    "motion_twice": ("a second MOTION", b"Frames: 3", b"MOTION\nFrames: 3"),
    "nul_in_keyword": ("a NUL in a keyword", b"JOINT chest", b"JOI\0NT chest"),
}


# Damage of the structure, of which a lenient reader may still make something.
EITHER = (
    "brace_missing_close",
    "brace_twice_close",
    "channels_too_few",
    "cut_before_motion",
    "cut_behind_frames",
    "cut_behind_motion",
    "hierarchy_alone",
    "value_nul",
)


def outcome(name: str) -> LenientOutcome:
    """What a lenient reader may do with a file that the witness does not read."""
    return "either" if name in EITHER else "error"


def cut(marker: bytes, extra: int = 0) -> bytes:
    """The text up to a marker and some bytes of it."""
    return TEXT[: TEXT.index(marker) + extra]


def all_cases() -> list[HostileCase]:
    """Every hostile file."""
    edits = {name: (about, replaced(TEXT, old, new)) for name, (about, old, new) in EDITS.items()}
    ten = b"CHANNELS 10 " + b"Xrotation " * 10
    raw = {
        "empty": ("no byte", b""),
        "blank": ("nothing but blanks", b" \n\t\n"),
        "bom_alone": ("a byte order mark", b"\xef\xbb\xbf"),
        "binary": ("bytes that are no text", bytes(range(256))),
        "hierarchy_alone": ("one word", b"HIERARCHY\n"),
        "claims_250_million_frames": ("frames that take no bytes", NO_CHANNELS),
        "channels_10": ("ten channels", replaced(TEXT, b"CHANNELS 3 Xrotation Zrotation Yrotation", ten)),
        "cut_in_name": ("cut in a name", cut(b"chest", 2)),
        "cut_in_offset": ("cut in an OFFSET", cut(b"OFFSET 3.5", 8)),
        "cut_in_channels": ("cut in CHANNELS", cut(b"CHANNELS 3 X", 18)),
        "cut_before_motion": ("cut before MOTION", cut(b"MOTION")),
        "cut_behind_motion": ("cut behind MOTION", cut(b"Frames")),
        "cut_behind_frames": ("cut before the frame time", cut(b"Frame Time")),
        "not_bvh": ("another format", b'{"format": "sl_anim"}\n'),
    }
    cases = [HostileCase(name, *row, outcome(name)) for name, row in {**edits, **raw}.items()]
    last_frame = TEXT.rstrip(b"\n").rsplit(b" ", 1)[0]
    many = replaced(TEXT, b"Frames: 3", b"Frames: 250000000")
    cases.append(HostileCase("cut_in_frame", "cut in the last frame", last_frame, "ok"))
    cases.append(HostileCase("claims_more_frames", "three frames are there", many, "ok"))
    return cases
