# SPDX-License-Identifier: MIT
"""Rules 1 to 4 of Second Life's BVH loader: what it reads in a text (spec 2.1)."""

from __future__ import annotations

from itertools import permutations

from .bvh_build import replaced
from .bvh_upload_build import Keys, LoaderCase, Part, hip, swing, text

PARTS = [hip(), Part("abdomen", 0, swing), Part("chest", 1, swing, "ZXY")]
TEXT = text(PARTS, 4)
# Four frames: 1 and 3 are kept, 2 is off the line between them; the pelvis is at rest.
KEYS: Keys = {"mTorso": (3, 0), "mChest": (3, 0)}
ARM = b"JOINT chest"

REFUSED = {
    "no_hierarchy": ("the first line is another word", b"HIERARCHY", b"HIERARCHIE", 1),
    "hierarchy_lower_case": ("keywords are case-sensitive", b"HIERARCHY", b"hierarchy", 1),
    "joint_lower_case": ("keywords are case-sensitive", ARM, b"joint chest", 1),
    "blanks_in_hierarchy": ("a line of blanks is no empty line", b"\tJOINT", b" \t\n\tJOINT", 1),
    "no_name": ("ROOT and no name", b"ROOT hip", b"ROOT", 1),
    "brace_on_line": ("the brace behind the name", b"ROOT hip\n{", b"ROOT hip {", 1),
    "brace_missing": ("no brace", b"ROOT hip\n{\n", b"ROOT hip\n", 1),
    "offset_missing": ("no OFFSET", b"\tOFFSET 0 4 0\n", b"", 1),
    "channels_missing": ("no CHANNELS", b"\t\tCHANNELS 3 Xrotation Zrotation Yrotation\n", b"", 1),
    "channels_before_offset": (
        "CHANNELS, then OFFSET",
        b"\tOFFSET 0 4 0\n\tCHANNELS 6 Xposition Yposition Zposition Xrotation Zrotation Yrotation\n",
        b"\tCHANNELS 6 Xposition Yposition Zposition Xrotation Zrotation Yrotation\n\tOFFSET 0 4 0\n",
        1,
    ),
    "channels_lower_case": ("xrotation", b"3 Xrotation", b"3 xrotation", 1),
    "channels_two_rotations": (
        "two rotations",
        b"3 Xrotation Zrotation Yrotation",
        b"2 Xrotation Zrotation",
        1,
    ),
    "channels_axis": ("a fourth axis", b"3 Xrotation", b"3 Wrotation", 1),
    "joint_named_motion": ("MOTION is tested before JOINT", ARM, b"JOINT MOTION_chest", 1),
    "end_site_two_blanks": (
        "End, two blanks, Site",
        b"\t\t}\n",
        b"\t\tEnd  Site\n{\nOFFSET 0 1 0\n}\n\t\t}\n",
        1,
    ),
    "frames_indented": ("Frames: does not start its line", b"Frames:", b" Frames:", 1),
    "frames_word": ("no number of frames", b"Frames: 4", b"Frames: four", 1),
    "frames_other": ("another word", b"Frames: 4", b"Count: 4", 1),
    "frame_time_indented": ("Frame Time: does not start its line", b"Frame Time:", b"\tFrame Time:", 1),
    "frame_time_word": ("no number", b"Frame Time: 0.1", b"Frame Time: slow", 1),
    "frames_too_few": ("five frames are declared, four are there", b"Frames: 4", b"Frames: 5", 1),
    "blanks_in_motion": ("a line of blanks is a frame", b"\n0 40 0 0", b"\n  \n0 40 0 0", 1),
    "value_word": ("a word in a frame", b"\n0 40 0 0", b"\n0 forty 0 0", 1),
    "nul_in_motion": ("the text ends at the NUL", b"\n0 40 0 0", b"\n0 40 0\x00 0", 1),
    "values_too_few": ("a value is missing", b"\n0 40 0 0", b"\n0 40 0", 1),
    "first_joint_chest": ("the first joint is not the pelvis", b"ROOT hip", b"ROOT chest", 2),
    "first_joint_upper_case": ("names are case-sensitive", b"ROOT hip", b"ROOT Hip", 2),
    "first_joint_hips": ("another program's name", b"ROOT hip", b"ROOT Hips", 2),
}

TOLERATED = {
    "hierarchy_more": ("more words in the first line", b"HIERARCHY", b"HIERARCHY and MOTION of it"),
    "bom": ("a byte order mark", b"HIERARCHY", b"\xef\xbb\xbfHIERARCHY"),
    "empty_lines": ("empty lines", b"\n\tJOINT", b"\n\n\n\tJOINT"),
    "name_two_words": ("the first word of a name counts", ARM, b"JOINT chest of drawers"),
    "name_behind_tab": ("a tab before the name", b"ROOT hip", b"ROOT\thip"),
    "offset_words": ("an OFFSET is not looked at", b"\tOFFSET 0 4 0", b"\tOFFSET to nowhere"),
    "end_site": ("an End Site", b"\t\t}\n", b"\t\t\tEnd Site\n\t\t\t{\n\t\t\tOFFSET 0 1 0\n\t\t\t}\n\t\t}\n"),
    "end_site_any_lines": ("three lines, whatever they are", b"\t\t}\n", b"End Site\na\nb\nc\n\t\t}\n"),
    "motion_inside": ("MOTION somewhere in a line", b"MOTION", b"the MOTION begins"),
    "frames_tab": ("a tab before the number", b"Frames: 4", b"Frames:\t4"),
    "frames_no_blank": ("nothing before the number", b"Frames: 4", b"Frames:4"),
    "frames_fewer": ("lines beyond the declared number", b"Frames: 4", b"Frames: 3"),
    "extra_values": (
        "values beyond the last channel",
        b"\n0 40 0 0",
        b"\n0 40 0 0 0 0 0 0 0 0 0 0 0 0 1 2 3\n0 40 0 0",
    ),
    "extra_lines": ("text behind the frames", b"", b""),
    "nul_behind": ("a NUL behind the frames", b"", b""),
    "position_count_word": ("an unreadable count: 6 for the first", b"CHANNELS 6 X", b"CHANNELS X"),
    "root_later": ("a later ROOT is an ordinary joint", ARM, b"ROOT chest"),
    "value_exponent": ("a number with an exponent", b"\n0 40 0 0", b"\n0 4e1 0 0"),
    "value_blanks": ("blanks and tabs between values", b"\n0 40 0 0", b"\n  0 \t 40  0\t0"),
}


def tolerated() -> list[LoaderCase]:
    """What looks wrong and loads."""
    three: Keys = {"mTorso": (2, 0), "mChest": (2, 0)}
    special = {
        "frames_fewer": (replaced(TEXT, b"Frames: 4", b"Frames: 3"), three),
        "extra_lines": (TEXT + b"\n \nthe end, nan, MOTION\n", KEYS),
        "nul_behind": (TEXT + b"\0HIERARCHY", KEYS),
        # The line is a fifth frame at the front; only four are read.
        "extra_values": (replaced(TEXT, *TOLERATED["extra_values"][1:]), None),
    }
    cases: list[LoaderCase] = []
    for name, (about, old, new) in TOLERATED.items():
        data, keys = special.get(name, (b"", KEYS))
        rule = "rule03" if name == "position_count_word" else "rule02" if name == "root_later" else "rule01"
        dropped = () if keys is None else ("hip",)
        cases.append(
            LoaderCase(f"{rule}_{name}", about, data or replaced(TEXT, old, new), keys, dropped=dropped)
        )
    for name, ending in (("crlf", b"\r\n"), ("cr", b"\r"), ("lf_cr", b"\n\r")):
        cases.append(
            LoaderCase(f"rule01_{name}", "line ends", TEXT.replace(b"\n", ending), KEYS, dropped=("hip",))
        )
    last = TEXT.rstrip(b"\n")
    cases.append(
        LoaderCase("rule01_no_last_newline", "the last line has no end", last, KEYS, dropped=("hip",))
    )
    return cases


def names() -> list[LoaderCase]:
    """Rules 1 and 2: which names the first joint may have, and how long a name may be."""
    cases = [
        LoaderCase(
            f"rule02_{name}",
            "a name of the pelvis",
            replaced(TEXT, b"ROOT hip", b"ROOT " + name.encode()),
            KEYS,
            dropped=(name,),
        )
        for name in ("mPelvis", "avatar_mPelvis")
    ]
    long = "n" * 85
    data = replaced(TEXT, ARM, b"JOINT " + long.encode())
    keys: Keys = {"mTorso": (3, 0), "n" * 79: (3, 3 - 1)}
    cases.append(
        LoaderCase("rule01_name_85", "79 characters count", data, keys, upload=False, dropped=("hip",))
    )
    return cases


def channels() -> list[LoaderCase]:
    """Rules 3 and 4: counts, the order of positions, the orders of rotations."""
    nan = replaced(TEXT, TEXT.splitlines()[-1], b"0 40 0 0 0 0 nan 9.75 0 -22.5 nan 0")
    six = [
        Part(p.name, p.parent, lambda f, p=p: (f, 1.0, 2.0 * f, *p.values(f)), p.order, True)
        for p in PARTS[1:]
    ]
    everywhere = text([hip(), *six], 4)
    odd_names = replaced(
        everywhere, b"6 Xposition Yposition Zposition", b"6 Zposition Yposition Xposition", 3
    )
    rotations_first = replaced(
        everywhere,
        b"Xposition Yposition Zposition Xrotation Zrotation Yrotation",
        b"Xrotation Zrotation Yrotation Xposition Yposition Zposition",
        2,
    )
    hip_of_3 = [Part("hip", None, swing), Part("abdomen", 0, swing)]
    orders = ["".join(order) for order in permutations("XYZ")]
    sixes = ["hip", "abdomen", "chest", "neck", "head", "lCollar"]
    turning = [
        Part(
            name, i - 1 if i else None, lambda f, i=i: (10.0 * f + i, -7.0 * f * f, 25.0 - 4.0 * f * i), order
        )
        for i, (name, order) in enumerate(zip(sixes, orders, strict=True))
    ]
    moved: Keys = {"mTorso": (3, 2), "mChest": (3, 2)}
    desynchronised = replaced(
        TEXT,
        b"CHANNELS 3 Xrotation Zrotation Yrotation",
        b"CHANNELS 4 Yposition Xrotation Zrotation Yrotation",
    )
    unreadable = replaced(TEXT, b"CHANNELS 3 Xrotation", b"CHANNELS three Xrotation")
    return [
        LoaderCase("rule01_nan", "nan is a number; it is in the last frame", nan),
        LoaderCase(
            "rule03_six_everywhere", "six channels on each joint", everywhere, moved, dropped=("hip",)
        ),
        LoaderCase(
            "rule03_position_names", "positions count in file order", odd_names, moved, dropped=("hip",)
        ),
        LoaderCase("rule03_rotations_first", "positions are read first all the same", rotations_first),
        LoaderCase(
            "rule03_hip_of_3",
            "a pelvis without position",
            text(hip_of_3, 4),
            {"mPelvis": (3, 0), "mTorso": (3, 0)},
        ),
        LoaderCase("rule03_count_4", "another count takes three values and has positions", desynchronised),
        LoaderCase("rule03_count_word", "an unreadable count: 3", unreadable, KEYS, dropped=("hip",)),
        LoaderCase("rule04_orders", "all six orders of rotation", text(turning, 5)),
    ]


def all_cases() -> list[LoaderCase]:
    """Every case of rules 1 to 4."""
    refused = [
        LoaderCase(f"rule0{rule}_{name}", about, replaced(TEXT, old, new), refused=rule)
        for name, (about, old, new, rule) in REFUSED.items()
    ]
    raw = {
        "empty": b"",
        "nul_first": b"\0" + TEXT,
        "cut_in_hierarchy": TEXT[:60],
        "cut_behind_motion": TEXT.split(b"Frames")[0],
    }
    refused += [
        LoaderCase(f"rule01_{name}", "the text ends too early", data, refused=1) for name, data in raw.items()
    ]
    return [*refused, *tolerated(), *names(), *channels()]
