# SPDX-License-Identifier: MIT
"""What Second Life's BVH loader makes of a text: spec 2.1, rules 1 to 4, word by word.

A line-driven reader, much narrower than bvh_file's: it looks for words anywhere in a line, in one fixed
order, and believes the channel count only so far.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from .viewer_float import ORIGIN, F, Quaternion, Vector, about, parse_float, then

LONGEST_NAME = 79
PELVIS = (b"hip", b"mPelvis", b"avatar_mPelvis")


class RefusalError(ValueError):
    """The loader gives up: which rule of spec 2.1, and why."""

    def __init__(self, rule: int, text: str) -> None:
        super().__init__(f"rule {rule}: {text}")
        self.rule = rule
        self.text = text


@dataclass
class LoadedJoint:
    """A joint and its keys, one a frame: positions in file units, rotations in degrees by file order."""

    name: bytes
    parent: int | None
    channel_count: int
    order: str = ""  # three of X, Y, Z
    depth: int = 0  # the longest chain of joints below
    positions: list[Vector] = field(default_factory=list[Vector])
    angles: list[Vector] = field(default_factory=list[Vector])

    def rotations(self) -> list[Quaternion]:
        """Hamilton products in channel order (rule 4)."""
        return [self._rotation(values) for values in self.angles]

    def _rotation(self, values: Vector) -> Quaternion:
        first, second, third = (about(axis, v) for axis, v in zip(self.order, values, strict=True))
        # Rule 12: in the viewer's order the last channel is the first factor; products go from the left.
        return then(then(third, second), first)


@dataclass
class Loaded:
    """The text's content as the loader sees it."""

    joints: list[LoadedJoint]
    frame_count: int
    frame_time: np.float32


def lines_of(data: bytes) -> list[bytes]:
    """Rule 1: split on CR and LF, empty lines vanish, the text ends at the first NUL."""
    return [line for line in re.split(rb"[\r\n]", data.split(b"\0")[0]) if line]


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.lines = lines_of(data)
        self.at = 0
        self.joints: list[LoadedJoint] = []

    def take(self) -> bytes:
        if self.at >= len(self.lines):
            raise RefusalError(1, "the text ends too early")
        self.at += 1
        return self.lines[self.at - 1]

    def hierarchy(self) -> None:
        if b"HIERARCHY" not in self.take():
            raise RefusalError(1, "no HIERARCHY in the first line")
        parents: list[int] = []
        while True:
            line = self.take()
            if b"}" in line:  # tested before every other word
                del parents[-1:]
            elif b"MOTION" in line:
                return
            elif b"ROOT" in line or b"JOINT" in line:
                self.joint(line, parents)
            elif b"End Site" in line:
                self.at += 3
            else:
                raise RefusalError(1, f"{line!r} is no joint")

    def joint(self, line: bytes, parents: list[int]) -> None:
        words = line.split()
        if len(words) < 2:
            raise RefusalError(1, "a joint without a name")
        name = words[1][:LONGEST_NAME]
        if b"{" not in self.take():
            raise RefusalError(1, "no { in the line after the name")
        if b"OFFSET" not in self.take():
            raise RefusalError(1, "no OFFSET after the {")
        channels = self.take()
        if b"CHANNELS" not in channels:
            raise RefusalError(1, "no CHANNELS after the OFFSET")
        for up, index in enumerate(reversed(parents), start=1):
            self.joints[index].depth = max(self.joints[index].depth, up)
        parent = parents[-1] if parents else None
        joint = LoadedJoint(name, parent, self.channel_count(channels), rotation_order(channels))
        parents.append(len(self.joints))
        self.joints.append(joint)

    def channel_count(self, line: bytes) -> int:
        """Rule 3: unreadable means 6 for the first joint, else 3."""
        match = re.match(rb"\s*([+-]?\d+)", line.split(b"CHANNELS", 1)[1])
        return int(match[1]) if match else (3 if self.joints else 6)

    def motion(self) -> tuple[int, np.float32]:
        frames = re.match(rb"Frames:\s*([+-]?\d+)", self.take())
        if not frames:
            raise RefusalError(1, "no line begins with Frames: and a number")
        time = re.match(rb"Frame\s+Time:\s*([^ \t]+)", self.take())
        if not time:
            raise RefusalError(1, "no line begins with Frame Time: and a number")
        return int(frames[1]), number(time[1])

    def frame(self) -> None:
        """Rule 3: a joint of 6 has a position first, all others three rotations; more is ignored."""
        tokens = [token for token in re.split(rb"[ \t]+", self.take()) if token]
        at = 0
        for joint in self.joints:
            position = ORIGIN
            if joint.channel_count == 6:
                position, at = triple(tokens, at), at + 3
            joint.positions.append(position)
            joint.angles.append(triple(tokens, at))
            at += 3


def rotation_order(line: bytes) -> str:
    """Rule 1: exactly three words [XYZ]rotation."""
    before = [part[-1:] for part in line.split(b"rotation")[:-1]]
    if len(before) != 3 or any(axis not in (b"X", b"Y", b"Z") for axis in before):
        raise RefusalError(1, f"{line!r} does not have three rotations")
    return b"".join(before).decode()


def number(token: bytes) -> np.float32:
    """A whole token as float32; "nan" is one (rule 1)."""
    try:
        return parse_float(token)
    except ValueError:
        raise RefusalError(1, f"{token!r} is no number") from None


def triple(tokens: list[bytes], at: int) -> Vector:
    """Three values of a frame's line."""
    if len(tokens) < at + 3:
        raise RefusalError(1, "a frame with too few values")
    return Vector(*(F(number(token)) for token in tokens[at : at + 3]))


def load(data: bytes) -> Loaded:
    """Reads a text as the loader does; raises RefusalError."""
    reader = _Reader(data)
    reader.hierarchy()
    frame_count, frame_time = reader.motion()
    for _ in range(frame_count):
        reader.frame()
    if not reader.joints or reader.joints[0].name not in PELVIS:
        raise RefusalError(2, "the first joint is not the pelvis")
    return Loaded(reader.joints, frame_count, frame_time)
