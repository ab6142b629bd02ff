# SPDX-License-Identifier: MIT
"""OniSplit's XML of OBANs: numbers, flags and forms that are read, and texts that are not (spec 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import oban_xml
from ..oban_file import Record, bits_of, bits_of_all, write
from .bvh_build import replaced
from .oban_build import ObanCase, bad, good, record, swing
from .oban_records import SHEARED_MIRROR, camera_in_base, door, full_turn

PLAIN = oban_xml.write(swing(flags=0x09))
SPECIAL = (0x7F800000, 0xFF800000, oban_xml.NAN, 0x80000000, 1, 0x00800000, 0x7F7FFFFF)
# Bits and the text that they are, where every writer of the shortest digits agrees on the notation.
KNOWN_NUMBERS: dict[int, str] = {
    0x3F800000: "1",
    0x3FE8F5C2: "1.8199999",
    bits_of(1.82): "1.82",
    bits_of(0.1): "0.1",
    bits_of(1 / 3): "0.33333334",
    bits_of(-2.5): "-2.5",
    bits_of(1188.825561): "1188.8256",
    0x80000000: "-0",
    0x7F800000: "INF",
    0xFF800000: "-INF",
    0x7FC00000: "NaN",
    bits_of(16777216): "16777216",
    bits_of(0.001): "0.001",
}


def written() -> dict[str, Record]:
    """Records whose XML is written byte for byte, by the file's name."""
    odd = swing(initial_bits=(*SPECIAL, *bits_of_all([1e-4, 9.9e-5, 1e9, 123456792, 0.1])))
    return {
        "xml_swing.xml": swing(),
        "xml_camera.xml": camera_in_base(),
        "xml_door.xml": door(),
        "xml_full_turn.xml": full_turn(True),
        "xml_all_flags.xml": swing(flags=0x1F),
        "xml_unknown_flags.xml": swing(flags=0x80000021),
        "xml_numbers.xml": odd,
        "xml_negative_counts.xml": replace(swing(), frame_length=40000, half_stop_frame=65535),
        "xml_frame_count_40000.xml": replace(swing(), frame_count=40000),
        "xml_lossy.xml": swing(
            base_bits=SHEARED_MIRROR, res_id=0x8601, lev_id=0x06000001, padding=b"\1" * 12
        ),
        "xml_no_keys.xml": record(),
    }


def source_of(name: str) -> str:
    """The raw record of which an XML is made."""
    return "written/" + name.removeprefix("xml_").replace(".xml", ".oban")


def conversions() -> list[dict[str, Any]]:
    """Which raw record gives which XML, and what is left behind."""
    return [
        {"file": source_of(name), "gives": name, "left_behind": oban_xml.left_behind(made)}
        for name, made in written().items()
    ]


def _edited(old: str, new: str) -> bytes:
    return replaced(PLAIN, old.encode(), new.encode())


def accepted() -> list[ObanCase]:
    """Other forms of the same."""
    expect = {
        "xml_unknown_flags.xml": ["flags_unknown"],
        "xml_all_flags.xml": ["loop_flags_both"],
        "xml_numbers.xml": ["initial_transform_differs"],
        "xml_negative_counts.xml": ["half_stop_beyond_end"],
        "xml_frame_count_40000.xml": ["frame_count_too_large", "last_key_not_at_end"],
        "xml_no_keys.xml": ["keys_none"],
    }
    made: list[ObanCase] = []
    for name, one in written().items():
        found = expect.get(name, [])
        made.append(good(name, "As it is written", oban_xml.write(one), *found))
        made.append(good(source_of(name), f"What {name} is made of", write(one), *found))
    flags = "<Flags>NormalLoop Autostart</Flags>"
    return [
        *made,
        good("xml_no_bom.xml", "Without BOM", PLAIN[3:]),
        good("xml_crlf.xml", "As on Windows", PLAIN.replace(b"\n", b"\r\n")),
        good("xml_one_line.xml", "Without blanks", PLAIN.replace(b"\n", b"").replace(b"    ", b"")),
        good("xml_flags_number.xml", "Known flags as a number", _edited(flags, "<Flags>9</Flags>")),
        good("xml_flags_none.xml", "The word None", _edited(flags, "<Flags>None</Flags>")),
        good("xml_flags_empty.xml", "An empty element", _edited(flags, "<Flags />")),
        good("xml_comment.xml", "A comment", _edited("<Oni>", "<!-- by hand -->\n<Oni>")),
        good("xml_seven_digits.xml", "The form of older runtimes", _edited("<Time>12<", "<Time> 12 <")),
    ]


def refused() -> list[ObanCase]:
    """Texts that break the form; the offset is that of the element, or of its parent if it is missing."""

    def at(old: str, new: str, field: str, what: str, element: str = "") -> ObanCase:
        data = _edited(old, new)
        place = data.index((element or new).encode())
        return bad(f"xml_{what}.xml", f"{field}: {new[:40]}", data, field, place)

    flags, rest = "<Flags>NormalLoop Autostart</Flags>", "<HalfStopFrame>0</HalfStopFrame>"
    count = "<FrameCount>31</FrameCount>"
    bomb = '<!DOCTYPE Oni [<!ENTITY a "aaaaaaaaaa">]>\n<Oni>'
    end = b"    </OBAN>\n"
    twice = replaced(PLAIN, end, end + PLAIN[PLAIN.index(b"    <OBAN") : PLAIN.index(end)] + end)
    return [
        at(flags, "<Flags>normalLoop</Flags>", "Flags", "flags_case"),
        at(flags, "<Flags>NormalLoop 32</Flags>", "Flags", "flags_mixed"),
        at(flags, "<Flags>4294967296</Flags>", "Flags", "flags_too_large"),
        at(flags, "", "Flags", "flags_missing", "<InitialTransform>"),
        at(count, "<FrameCount>40000</FrameCount>", "FrameCount", "frame_count_unsigned"),
        at(count, "<FrameCount>1.5</FrameCount>", "FrameCount", "frame_count_fraction"),
        at(count, "<FrameCount></FrameCount>", "FrameCount", "frame_count_empty"),
        at(count + "\n        " + rest, rest + "\n        " + count, "FrameCount", "order", rest),
        at("<Time>12</Time>", "<Time>2147483648</Time>", "KeyFrames[1].Time", "time_too_large"),
        at("<Time>12</Time>", "", "KeyFrames[1].Time", "time_missing", _second_key()),
        at("<BaseTransform>1 ", "<BaseTransform>", "BaseTransform", "eleven_numbers"),
        at("<BaseTransform>1 ", "<BaseTransform>1 1 ", "BaseTransform", "thirteen_numbers"),
        at("<BaseTransform>1 ", "<BaseTransform>1,5 ", "BaseTransform", "comma"),
        at("<BaseTransform>1 ", "<BaseTransform>1e39 ", "BaseTransform", "beyond_float"),
        at("<BaseTransform>1 ", "<BaseTransform>0x1 ", "BaseTransform", "hexadecimal"),
        at(rest, rest + "<Extra/>", "KeyFrames", "extra_element", "<Extra/>"),
        at("<Oni>", bomb, "DOCTYPE", "doctype", "<!DOCTYPE"),
        bad("xml_two_instances.xml", "Two OBANs", twice, "OBAN", PLAIN.index(b"<Oni>")),
        bad("xml_other_root.xml", "Another root", b"<Onion></Onion>", "Oni", 0),
        bad("xml_other_type.xml", "Another type", b'<Oni><TXMP id="0"/></Oni>', "OBAN", 5),
        bad("xml_not_closed.xml", "It ends early", PLAIN[:-6], "xml", None),
    ]


def _second_key() -> str:
    text = _edited("<Time>12</Time>", "").decode("utf-8-sig")
    start = text.index("<OBANKeyFrame>", text.index("<OBANKeyFrame>") + 1)
    return text[start : start + 120]


def all_cases() -> list[ObanCase]:
    """Every case of this module."""
    return [*accepted(), *refused()]
