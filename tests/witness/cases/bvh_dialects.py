# SPDX-License-Identifier: MIT
"""BVH files of every dialect that is found in the wild, each as small as shows its peculiarity."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from ..bvh_file import Bvh, Style, write
from .bvh_build import POSITIONS, DialectCase, dialect, edited, filled, joint, replaced, rotations, small

SIX = [*POSITIONS, *rotations("ZXY")]


NUMBERS = """
0 -0 +0 -0.0 007 5. .5 -.5 +.25 1e3 1E3 1e+3 1.5e-3 0.1 0.2 0.3 1e-5 123456789012345678 1e22 1e23 1e-400
0.1000000000000000055511151231257827021181583404541015625 9007199254740993 1.7976931348623157e308
2.2250738585072014e-308 4.9e-324 2.4703282292062327e-324 179.99999999999997 -123.456001 0.000001
00000000000000000000000000000000000001.5
"""


def decimals(value: float) -> str:
    """Six of them, as most programs write."""
    return f"{value:.6f}"


def with_comma(value: float) -> str:
    """As a program writes whose locale is German."""
    return decimals(value).replace(".", ",")


def scientific(value: float) -> str:
    """All digits, always with an exponent."""
    return f"{value:.16E}"


def text_cases() -> list[DialectCase]:
    """What stands between the values."""
    values, plain = small(), Style()
    styles = {
        "newline_lf": ("line feeds", plain),
        "newline_crlf": ("carriage return and line feed", Style(newline="\r\n")),
        "newline_cr": ("carriage returns", Style(newline="\r")),
        "bom": ("a byte order mark", Style(bom=True)),
        "bom_crlf": ("a byte order mark and CRLF", Style(bom=True, newline="\r\n")),
        "tabs": ("tabs between values", Style(separator="\t")),
        "many_blanks": ("several blanks and tabs between values", Style(separator=" \t  ")),
        "trailing_blanks": ("blanks behind every line", Style(trailing=" \t ")),
        "trailing_blanks_crlf": ("blanks behind every line, CRLF", Style(trailing="  ", newline="\r\n")),
        "no_last_newline": ("the last line has no end", Style(last_newline=False)),
        "no_last_newline_crlf": ("the last line has no end", Style(last_newline=False, newline="\r\n")),
        "no_indent": ("nothing is indented", Style(indent="")),
        "indent_blanks": ("indented by blanks", Style(indent="    ")),
        "brace_on_line": ("braces behind the name", Style(brace_on_line=True)),
        "lower_case": ("keywords and channels in lower case", Style(keyword=str.lower)),
        "upper_case": ("keywords and channels in upper case", Style(keyword=str.upper)),
        "decimals_6": ("six decimals", Style(number=decimals)),
        "scientific": ("every number with an exponent", Style(number=scientific)),
    }
    cases = [
        dialect(name, about, values, style, world=name == "newline_lf")
        for name, (about, style) in styles.items()
    ]
    cases.append(
        dialect("decimal_comma", "commas for decimal points", values, Style(number=with_comma), "error")
    )
    newlines = (b"\n", b"\r\n", b"\r")
    lines = write(values).splitlines()
    mixed = b"".join(line + newlines[i % 3] for i, line in enumerate(lines))
    cases.append(DialectCase("newline_mixed", "all three line ends in one file", mixed, values))
    cases.append(
        edited("blank_lines", "blank lines everywhere", values, lambda d: d.replace(b"\n", b"\n \t\n\n"))
    )
    cases.append(edited("blank_lines_behind", "blank lines at the end", values, lambda d: d + b"\n \n\t\n\n"))
    cases.append(edited("blank_lines_before", "blank lines at the start", values, lambda d: b"\n \n" + d))
    return cases


def number_cases() -> list[DialectCase]:
    """One joint, one channel; every frame another way to write a number."""
    tokens = NUMBERS.split()
    values = Bvh([joint("hip", None, ["Zrotation"])], 0.1)
    values.motion = [[float(token)] for token in tokens]
    text = write(values).split(b"Frame Time")[0] + b"Frame Time: 1e-1\n" + "\n".join(tokens).encode() + b"\n"
    return [DialectCase("number_forms", "the ways to write a number", text, values)]


def name_cases() -> list[DialectCase]:
    """Names."""
    names = {
        "name_spaces": ("a name with blanks", "left  upper arm"),
        "name_colon": ("a name space", "mixamorig:Left.Arm-01"),
        "name_utf8": ("a name that is no ASCII", "肩 gauche é"),
        "name_number": ("a name that is a number", "12.5"),
        "name_keyword_joint": ("a name that is a keyword", "JOINT"),
        "name_keyword_motion": ("a name that is a keyword", "MOTION"),
        "name_keyword_end_site": ("a name that is a keyword", "End Site"),
        "name_same": ("two joints of one name", "chest"),
        "name_long": ("a name of 300 characters", "arm" * 100),
    }
    cases: list[DialectCase] = []
    for name, (about, spelling) in names.items():
        values = small()
        values.joints[2].name = spelling
        cases.append(dialect(name, about, values))
    return cases


def channel_cases() -> list[DialectCase]:
    """0 to 9 channels."""
    six = [joint(f"j{i}", i - 1 if i else None, SIX, (0.5 * i, 1.0, 0.0)) for i in range(3)]
    every_order = [
        joint("".join(order).lower(), i - 1 if i else None, rotations("".join(order)), (0.25, 1.0, -0.5))
        for i, order in enumerate(permutations("XYZ"))
    ]
    scales = ["Xscale", "Yscale", "Zscale"]
    after = [*rotations("YXZ"), "Zposition", "Xposition", "Yposition"]
    between = ["Xposition", "Zrotation", "Yposition", "Xrotation", "Zposition", "Yrotation"]
    few: dict[str, tuple[str, list[str]]] = {
        "channels_0": ("a joint without channels", []),
        "channels_1_rotation": ("one rotation", ["Yrotation"]),
        "channels_1_position": ("one position", ["Yposition"]),
        "channels_2_rotations": ("two rotations", ["Zrotation", "Xrotation"]),
        "channels_2_positions": ("two positions, backwards", ["Zposition", "Xposition"]),
        "channels_3_positions": ("positions alone", POSITIONS),
        "channels_4": ("one position, three rotations", ["Yposition", *rotations("XYZ")]),
        "channels_5": ("two positions, three rotations", ["Xposition", "Zposition", *rotations("XYZ")]),
        "channels_6_rotations_first": ("rotations before positions, which are Z X Y", after),
        "channels_6_between": ("positions and rotations in turns", between),
        "channels_6_scale": ("rotations and scales", [*rotations("ZYX"), *scales]),
        "channels_9": ("positions, rotations and scales", [*SIX, *scales]),
        "channels_9_any_order": ("all nine, backwards", [*scales[::-1], *SIX[::-1]]),
    }
    cases = [
        dialect("six_everywhere", "six channels on each joint", filled(six), world=True),
        dialect("rotation_orders", "all six orders", filled(every_order), world=True),
    ]
    for name, (about, channels) in few.items():
        values = small()
        values.joints[1].channels = list(channels)
        with_world = name in (
            "channels_6_rotations_first",
            "channels_2_rotations",
            "channels_3_positions",
            "channels_0",
        )
        cases.append(dialect(name, about, filled(values.joints), world=with_world))
    return cases


def tree_cases() -> list[DialectCase]:
    """How joints hang together."""
    roots = [
        joint("one", None, SIX),
        joint("child", 0, rotations("ZXY")),
        joint("two", None, rotations("XYZ")),
    ]
    named, without, twice, mixed = small(), small(), small(), small()
    named.joints[2].end_sites = [("arm end", (1.0, 2.0, 3.0))]
    without.joints[2].end_sites = []
    twice.joints[2].end_sites = [("", (1.0, 2.0, 3.0)), ("second", (-1.0, 0.0, 0.5))]
    mixed.joints[0].end_sites = [("", (0.0, -1.0, 0.0))]
    deep = [joint("j", i - 1 if i else None, [], (0.0, 1.0, 0.0)) for i in range(100)]
    deep[50].channels = rotations("ZXY")
    wide = [joint("hip", None, SIX), *(joint(f"j{i}", 0, rotations("ZXY")) for i in range(6))]
    return [
        dialect("roots_2", "two roots", filled(roots), world=True),
        dialect("end_site_named", "an End Site with a name", named),
        dialect("end_site_none", "a leaf without End Site", without),
        dialect("end_site_twice", "two End Sites in one joint", twice),
        dialect("end_site_beside_joint", "an End Site beside a joint", mixed),
        dialect("deep_100", "a hundred joints, one in the other", filled(deep), Style(indent=""), world=True),
        dialect("wide", "six children", filled(wide)),
        dialect("alone", "one joint", filled([joint("hip", None, SIX)])),
    ]


def motion_cases() -> list[DialectCase]:
    """Frames and their time."""
    still = replace(small(), frame_time=0.0)
    odd = replace(small(), frame_time=0.0333333333333333)
    cut = write(small(3)).rsplit(b" ", 4)[0] + b"\n"
    return [
        dialect("frames_0", "no frame", small(0)),
        dialect("frames_1", "one frame", small(1)),
        dialect("frame_time_0", "a frame takes no time", still),
        dialect("frame_time_digits", "many digits in the frame time", odd),
        edited(
            "frames_tab", "a tab before the number", small(), lambda d: replaced(d, b"Frames: ", b"Frames:\t")
        ),
        edited(
            "frame_time_blanks",
            "many blanks",
            small(),
            lambda d: replaced(d, b"Frame Time: ", b"Frame  Time:  \t "),
        ),
        dialect(
            "count_too_large",
            "five frames are declared, three are there",
            small(),
            Style(frames="5"),
            "error",
        ),
        dialect(
            "count_too_small", "two frames are declared, three are there", small(), Style(frames="2"), "error"
        ),
        dialect(
            "count_0_too_small", "no frame is declared, three are there", small(), Style(frames="0"), "error"
        ),
        DialectCase("count_cut_frame", "the last of three frames is cut", cut, small(2), "error"),
    ]


def all_cases() -> list[DialectCase]:
    """Every dialect."""
    return [
        *text_cases(),
        *number_cases(),
        *name_cases(),
        *channel_cases(),
        *tree_cases(),
        *motion_cases(),
    ]
