# SPDX-License-Identifier: MIT
"""OniSplit's XML of an OBAN, both ways (spec 3).

Written: UTF-8 with BOM, four blanks of indentation, LF, no newline at the end, tags in pairs even when empty
(as the published examples have `<Flags></Flags>`), the shortest digits that come back as the same float.
The specification leaves the notation of floats open: here an exponent (E, sign, two digits) below 1e-4 and
from 1e9 on. It also leaves open what bits "NaN" becomes: 0x7FC00000. A flags number is written without sign;
a reader takes negative ones too, and flag names in any order. Numbers beyond a float are refused.
"""

from __future__ import annotations

import re
from decimal import Decimal
from xml.parsers import expat

from .anim_file import ParseError
from .oban_file import FLAG_NAMES, KNOWN_FLAGS, Bits, Key, Record, bits_of, float_of
from .viewer_float import parse_float

NAN = 0x7FC00000
MAX_XML_KEYS = 32767  # beyond it OniSplit shows no keys and imports nothing
CHILDREN = (
    "Flags",
    "InitialTransform",
    "BaseTransform",
    "FrameLength",
    "FrameCount",
    "HalfStopFrame",
    "KeyFrames",
)
KEY_CHILDREN = ("Rotation", "Translation", "Time")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(r"-?\d+")
_SPECIAL = {"INF": 0x7F800000, "-INF": 0xFF800000, "NaN": NAN}


class Element:
    """An element with its place in the bytes, its text and its children."""

    def __init__(self, tag: str, attributes: dict[str, str], offset: int) -> None:
        self.tag, self.attributes, self.offset = tag, attributes, offset
        self.text = ""
        self.children: list[Element] = []


def _is_nan(bits: int) -> bool:
    return bits & 0x7FFFFFFF > 0x7F800000


def parsed_bits(text: str) -> int:
    """A decimal number rounded once to float32."""
    return bits_of(float(parse_float(text.encode())))


def shortest_digits(bits: int) -> tuple[str, int]:
    """Digits d1d2... and exponent e of a finite, positive float: 0.d1d2... * 10**e."""
    value = Decimal(float_of(bits))
    for precision in range(9):
        nearest = Decimal(f"{value:.{precision}e}")
        unit = Decimal(1).scaleb(nearest.adjusted() - precision)
        # At a power of two the interval is lopsided: a neighbour may come back where the nearest does not.
        for number in sorted((nearest, nearest + unit, nearest - unit), key=lambda d: abs(d - value)):
            if parsed_bits(str(number)) == bits:
                digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
                return digits, number.adjusted() + 1
    raise AssertionError(f"{bits:#x}: nine digits are always enough")


def number_text(bits: int) -> str:
    """A float as it is written."""
    if _is_nan(bits):
        return "NaN"
    sign, size = "-" if bits >> 31 else "", bits & 0x7FFFFFFF
    if size == 0x7F800000:
        return sign + "INF"
    if size == 0:
        return sign + "0"
    digits, point = shortest_digits(size)
    if not -4 < point <= 9:
        tail = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{tail}E{'-' if point < 1 else '+'}{abs(point - 1):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    digits = digits.ljust(point, "0")
    return sign + digits[:point] + (f".{digits[point:]}" if digits[point:] else "")


def _floats(bits: Bits) -> str:
    return " ".join(map(number_text, bits))


def _signed(value: int) -> int:
    return value - 0x10000 if value & 0x8000 else value


def flags_text(flags: int) -> str:
    """Names in ascending bit order, or the number when a bit has no name."""
    if flags & ~KNOWN_FLAGS:
        return str(flags)
    return " ".join(name for bit, name in sorted(FLAG_NAMES.items()) if flags & bit)


def _line(depth: int, tag: str, text: object) -> str:
    return f"{'    ' * depth}<{tag}>{text}</{tag}>"


def _key_lines(keys: list[Key]) -> list[str]:
    if not keys:
        return [_line(2, "KeyFrames", "")]
    rows = [" " * 8 + "<KeyFrames>"]
    for key in keys:
        rows.append(" " * 12 + "<OBANKeyFrame>")
        rows.append(_line(4, "Rotation", _floats(key.rotation_bits)))
        rows.append(_line(4, "Translation", _floats(key.position_bits)))
        rows.append(_line(4, "Time", key.time))
        rows.append(" " * 12 + "</OBANKeyFrame>")
    return [*rows, " " * 8 + "</KeyFrames>"]


def write(record: Record) -> bytes:
    """The XML of a record; ValueError for more keys than OniSplit can import."""
    if len(record.keys) > MAX_XML_KEYS:
        raise ValueError(f"{len(record.keys)} keys, OniSplit imports {MAX_XML_KEYS} at most")
    numbers = (record.frame_length, record.frame_count, record.half_stop_frame)
    rows = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<Oni>",
        '    <OBAN id="0">',
        _line(2, "Flags", flags_text(record.flags)),
        _line(2, "InitialTransform", _floats(record.initial_bits)),
        _line(2, "BaseTransform", _floats(record.base_bits)),
        *(_line(2, tag, _signed(value)) for tag, value in zip(CHILDREN[3:6], numbers, strict=True)),
        *_key_lines(record.keys),
        "    </OBAN>",
        "</Oni>",
    ]
    return b"\xef\xbb\xbf" + "\n".join(rows).encode("utf-8")


def left_behind(record: Record) -> list[str]:
    """What of a record its XML does not carry. A container's flags, block order and trailer are lost too."""
    floats = [*record.initial_bits, *record.base_bits]
    for key in record.keys:
        floats += [*key.rotation_bits, *key.position_bits]
    lost = {
        "res_id": record.res_id != 1,
        "lev_id": record.lev_id != 0,
        "padding": any(record.padding),
        "nan_payload": any(_is_nan(bits) and bits != NAN for bits in floats),
        "tail": bool(record.tail),
    }
    return [name for name, is_lost in lost.items() if is_lost]


def _tree(data: bytes) -> Element:
    parser = expat.ParserCreate()
    stack = [Element("", {}, 0)]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentByteIndex)
        stack[-1].children.append(element)
        stack.append(element)

    def end(_tag: str) -> None:
        stack.pop()

    def text(part: str) -> None:
        stack[-1].text += part

    def doctype(*_: object) -> None:
        place = data.rindex(b"<!DOCTYPE", 0, parser.CurrentByteIndex + len(b"<!DOCTYPE"))
        raise ParseError(place, "DOCTYPE", "no document type is allowed")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text, doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ParseError(parser.ErrorByteIndex, "xml", str(error)) from error
    return stack[0].children[0]


def _expect(parent: Element, tags: tuple[str, ...], path: str) -> list[Element]:
    """The children, which must be just these, in this order."""
    for index, tag in enumerate(tags):
        if index == len(parent.children):
            raise ParseError(parent.offset, path + tag, "missing")
        found = parent.children[index]
        if found.tag != tag:
            raise ParseError(found.offset, path + tag, f"<{found.tag}> stands in its place")
    if len(parent.children) > len(tags):
        extra = parent.children[len(tags)]
        raise ParseError(extra.offset, path + extra.tag, "unknown element")
    return parent.children


def _number_bits(word: str) -> int | None:
    if word in _SPECIAL:
        return _SPECIAL[word]
    if not _NUMBER.fullmatch(word):
        return None
    bits = parsed_bits(word)
    return None if bits & 0x7FFFFFFF == 0x7F800000 else bits


def _read_floats(element: Element, count: int, path: str) -> Bits:
    words = element.text.split()
    if len(words) != count:
        raise ParseError(element.offset, path, f"{len(words)} numbers, {count} expected")
    bits = [_number_bits(word) for word in words]
    if None in bits:
        raise ParseError(element.offset, path, f"{words[bits.index(None)]!r} is no float")
    return tuple(b for b in bits if b is not None)


def _read_integer(element: Element, low: int, high: int, path: str) -> int:
    word = element.text.strip()
    if not _INTEGER.fullmatch(word) or not low <= int(word) <= high:
        raise ParseError(element.offset, path, f"{word!r} is no number from {low} to {high}")
    return int(word)


def _read_flags(element: Element, path: str) -> int:
    words, value = element.text.split(), 0
    if len(words) == 1 and _INTEGER.fullmatch(words[0]):
        return _read_integer(element, -(2**31), 2**32 - 1, path) & 0xFFFFFFFF
    if words == ["None"]:
        return 0
    by_name = {name: bit for bit, name in FLAG_NAMES.items()}
    for word in words:
        if word not in by_name:
            raise ParseError(element.offset, path, f"{word!r} is no flag")
        value |= by_name[word]
    return value


def _read_key(element: Element, path: str) -> Key:
    rotation, position, time = _expect(element, KEY_CHILDREN, path)
    rotation_bits = _read_floats(rotation, 4, path + "Rotation")
    position_bits = _read_floats(position, 3, path + "Translation")
    return Key(rotation_bits, position_bits, _read_integer(time, -(2**31), 2**31 - 1, path + "Time"))


def _oban_element(data: bytes) -> Element:
    root = _tree(data)
    if root.tag != "Oni":
        raise ParseError(root.offset, "Oni", f"the root is <{root.tag}>")
    if len(root.children) != 1:
        raise ParseError(root.offset, "OBAN", f"{len(root.children)} instances, 1 expected")
    element = root.children[0]
    if element.tag != "OBAN" and (element.tag, element.attributes.get("type")) != ("Instance", "OBAN"):
        raise ParseError(element.offset, "OBAN", f"<{element.tag}> is no OBAN")
    return element


def name_in(data: bytes) -> str | None:
    """The name that the older form carries."""
    return _oban_element(data).attributes.get("name")


def parse(data: bytes) -> Record:
    """Reads the XML; raises ParseError with the byte offset of the element."""
    parts = _expect(_oban_element(data), CHILDREN, "")
    record = Record(flags=_read_flags(parts[0], "Flags"))
    record.initial_bits = _read_floats(parts[1], 12, "InitialTransform")
    record.base_bits = _read_floats(parts[2], 12, "BaseTransform")
    counts = [_read_integer(parts[i], -0x8000, 0x7FFF, CHILDREN[i]) & 0xFFFF for i in (3, 4, 5)]
    record.frame_length, record.frame_count, record.half_stop_frame = counts
    keys = parts[6].children
    tags = ("OBANKeyFrame",) * len(keys)
    elements = _expect(parts[6], tags, "KeyFrames.")
    if len(keys) > MAX_XML_KEYS:
        raise ParseError(parts[6].offset, "KeyFrames", f"{len(keys)} keys, {MAX_XML_KEYS} at most")
    record.keys = [_read_key(element, f"KeyFrames[{i}].") for i, element in enumerate(elements)]
    return record
