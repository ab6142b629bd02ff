# SPDX-License-Identifier: MIT
"""BVH text: a reader that takes every dialect, and a writer that can speak them.

`parse` gives plain Python floats, so numbers are those of the decimal text, rounded once to double. It raises
ParseError for what nobody can read. What only a lenient reader puts up with is in `Bvh.tolerated`:
"count" (the declared number of frames is not that of the lines; whole frames are kept) and "comma" (a comma
for the decimal point).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 1000
MAX_CHANNELS = 9
CHANNELS = tuple(axis + kind for kind in ("position", "rotation", "scale") for axis in "XYZ")
_BY_LOWER = {name.lower(): name for name in CHANNELS}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
Offset = tuple[float, float, float]


class ParseError(ValueError):
    """Text that is no BVH: the line (from 1) and why."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")
        self.line = line


@dataclass
class Joint:
    """A joint; channels are spelt as in CHANNELS, the offset is in the file's unit."""

    name: str
    parent: int | None
    offset: Offset
    channels: list[str] = field(default_factory=list[str])
    end_sites: list[tuple[str, Offset]] = field(default_factory=list[tuple[str, Offset]])


@dataclass
class Bvh:
    """A file's values: joints in file order, motion[frame][channel], degrees and the file's unit."""

    joints: list[Joint] = field(default_factory=list[Joint])
    frame_time: float = 0.0
    motion: list[list[float]] = field(default_factory=list[list[float]])
    tolerated: set[str] = field(default_factory=set[str])

    @property
    def width(self) -> int:
        """Values in a frame."""
        return sum(len(joint.channels) for joint in self.joints)

    def as_json(self) -> dict[str, Any]:
        """For the fixtures."""
        joints = [
            {
                "name": joint.name,
                "parent": joint.parent,
                "offset": joint.offset,
                "channels": joint.channels,
                "end_sites": [{"name": name, "offset": offset} for name, offset in joint.end_sites],
            }
            for joint in self.joints
        ]
        return {"joints": joints, "frame_time": self.frame_time, "motion": self.motion}


class _Lines:
    """Lines that are not blank, without blanks at either end, with their numbers."""

    def __init__(self, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.rows = [(i + 1, row.strip(" \t")) for i, row in enumerate(rows) if row.strip(" \t")]
        self.at = 0

    @property
    def number(self) -> int:
        return self.rows[min(self.at, len(self.rows) - 1)][0] if self.rows else 1

    def fail(self, text: str) -> ParseError:
        return ParseError(self.number, text)

    def peek(self) -> str:
        if self.at >= len(self.rows):
            raise self.fail("the text ends here")
        return self.rows[self.at][1]

    def take(self) -> str:
        row = self.peek()
        self.at += 1
        return row

    def expect(self, keyword: str) -> str:
        """Takes a line that begins with the keyword; what follows it."""
        row = self.peek()
        match = re.match(keyword.replace(" ", r"[ \t]+") + r"(?![A-Za-z0-9_])", row, re.IGNORECASE)
        if not match:
            raise self.fail(f"{row[:40]!r} instead of {keyword}")
        self.at += 1
        return row[match.end() :].strip(" \t")


class _Parser:
    def __init__(self, data: bytes) -> None:
        self.lines = _Lines(data)
        self.bvh = Bvh()

    def number(self, token: str) -> float:
        if _COMMA.fullmatch(token):
            self.bvh.tolerated.add("comma")
            token = token.replace(",", ".")
        if not _NUMBER.fullmatch(token) or not math.isfinite(float(token)):
            raise self.lines.fail(f"{token[:40]!r} is no finite number")
        return float(token)

    def offset(self) -> Offset:
        words = self.lines.expect("OFFSET").split()
        if len(words) != 3:
            raise self.lines.fail(f"OFFSET has {len(words)} values")
        x, y, z = (self.number(word) for word in words)
        return x, y, z

    def open_brace(self, rest: str) -> str:
        """The name before a brace on the same line, or the whole line when the brace is on the next."""
        if rest.endswith("{"):
            return rest[:-1].rstrip(" \t")
        if self.lines.take() != "{":
            raise self.lines.fail("no { after a name")
        return rest

    def channels(self) -> list[str]:
        words = self.lines.expect("CHANNELS").split()
        if not words or not words[0].isdigit() or int(words[0]) != len(words) - 1:
            raise self.lines.fail("the number of channels is not that of their names")
        if len(words) - 1 > MAX_CHANNELS:
            raise self.lines.fail(f"more than {MAX_CHANNELS} channels")
        unknown = [word for word in words[1:] if word.lower() not in _BY_LOWER]
        if unknown:
            raise self.lines.fail(f"channel {unknown[0]!r}")
        return [_BY_LOWER[word.lower()] for word in words[1:]]

    def joint(self, keyword: str, parents: list[int]) -> None:
        name = self.open_brace(self.lines.expect(keyword))
        if not name:
            raise self.lines.fail("a joint without a name")
        parent = parents[-1] if parents else None
        joint = Joint(name, parent, self.offset())
        joint.channels = self.channels()
        parents.append(len(self.bvh.joints))
        if len(parents) > MAX_DEPTH:
            raise self.lines.fail(f"nested deeper than {MAX_DEPTH}")
        self.bvh.joints.append(joint)

    def end_site(self, parent: int) -> None:
        name = self.open_brace(self.lines.expect("End Site"))
        self.bvh.joints[parent].end_sites.append((name, self.offset()))
        if self.lines.take() != "}":
            raise self.lines.fail("an End Site without }")

    def hierarchy(self) -> None:
        self.lines.expect("HIERARCHY")
        parents: list[int] = []
        while True:
            word = re.split(r"[ \t]", self.lines.peek())[0].lower()
            if word == "root" and not parents:
                self.joint("ROOT", parents)
            elif word == "joint" and parents:
                self.joint("JOINT", parents)
            elif word == "end" and parents:
                self.end_site(parents[-1])
            elif word == "}" and parents:
                self.lines.expect("}")
                parents.pop()
            elif word == "motion" and not parents and self.bvh.joints:
                return
            else:
                raise self.lines.fail(f"{word[:40]!r} has no place here")

    def motion(self) -> None:
        self.lines.expect("MOTION")
        declared = self.lines.expect("Frames:")
        if not declared.isdigit():
            raise self.lines.fail(f"{declared[:40]!r} is no number of frames")
        self.bvh.frame_time = self.number(self.lines.expect("Frame Time:"))
        if self.bvh.frame_time < 0:
            raise self.lines.fail("a negative frame time")
        self.frames(int(declared))

    def frames(self, declared: int) -> None:
        rows = self.lines.rows
        while self.lines.at < len(rows):
            values = [self.number(token) for token in self.lines.peek().split()]
            last = self.lines.at == len(rows) - 1
            if len(values) == self.bvh.width:
                self.bvh.motion.append(values)
            elif last and len(values) < self.bvh.width:
                self.bvh.tolerated.add("count")  # a frame that was cut off
            else:
                raise self.lines.fail(f"{len(values)} values, {self.bvh.width} channels")
            self.lines.at += 1
        if declared != len(self.bvh.motion):
            if self.bvh.width == 0:
                raise self.lines.fail("frames without channels")
            self.bvh.tolerated.add("count")


def parse(data: bytes) -> Bvh:
    """Reads a whole file; raises ParseError."""
    parser = _Parser(data)
    parser.hierarchy()
    parser.motion()
    return parser.bvh


@dataclass(frozen=True)
class Style:
    """How text is written; the default is the common dialect."""

    newline: str = "\n"
    indent: str = "\t"
    trailing: str = ""  # after every line
    separator: str = " "
    last_newline: bool = True
    bom: bool = False
    brace_on_line: bool = False
    keyword: Callable[[str], str] = str  # str.lower: keywords and channels in lower case
    number: Callable[[float], str] = repr
    frames: str | None = None  # instead of the true number


def write(bvh: Bvh, style: Style | None = None) -> bytes:
    """The text of a BVH in some dialect."""
    style = style or Style()
    rows = [style.keyword("HIERARCHY")]
    for index, joint in enumerate(bvh.joints):
        if joint.parent is None:
            rows += _joint_rows(bvh, index, 0, style)
    rows += [style.keyword("MOTION"), f"{style.keyword('Frames:')} {style.frames or len(bvh.motion)}"]
    rows.append(f"{style.keyword('Frame Time:')} {style.number(bvh.frame_time)}")
    rows += [style.separator.join(map(style.number, values)) for values in bvh.motion]
    text = style.newline.join(row + style.trailing for row in rows)
    if style.last_newline:
        text += style.newline
    return (b"\xef\xbb\xbf" if style.bom else b"") + text.encode("utf-8", "surrogateescape")


def _block(head: str, level: int, inner: list[str], style: Style) -> list[str]:
    pad = style.indent * level
    opening = [f"{pad}{head} {{"] if style.brace_on_line else [pad + head, pad + "{"]
    return [*opening, *inner, pad + "}"]


def _joint_rows(bvh: Bvh, index: int, level: int, style: Style) -> list[str]:
    joint, pad, sep = bvh.joints[index], style.indent * (level + 1), style.separator

    def offset(values: Offset, padding: str) -> str:
        return padding + sep.join([style.keyword("OFFSET"), *map(style.number, values)])

    names = [style.keyword(name) for name in joint.channels]
    inner = [offset(joint.offset, pad)]
    inner.append(pad + sep.join([style.keyword("CHANNELS"), str(len(names)), *names]))
    for child, other in enumerate(bvh.joints):
        if other.parent == index:
            inner += _joint_rows(bvh, child, level + 1, style)
    for name, values in joint.end_sites:
        end = f"{style.keyword('End Site')} {name}".rstrip()
        inner += _block(end, level + 1, [offset(values, pad + style.indent)], style)
    keyword = style.keyword("ROOT" if joint.parent is None else "JOINT")
    return _block(f"{keyword} {joint.name}", level, inner, style)
