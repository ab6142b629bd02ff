# SPDX-License-Identifier: MIT
"""Small parts from which the OBAN fixtures are made, and the row that the manifest has for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import oban_any, oban_check, oban_player
from ..anim_file import ParseError
from ..oban_file import IDENTITY, Bits, Key, Record, bits_of_all

Floats = Sequence[float]
NO_TURN = (0.0, 0.0, 0.0, 1.0)  # as stored


def turn(axis: Floats, degrees: float) -> tuple[float, ...]:
    """The stored quaternion of a turn about a unit axis: x, y, z of the usual one, w with the other sign."""
    half = math.radians(degrees) / 2
    x, y, z = (math.sin(half) * part for part in axis)
    return (x, y, z, -math.cos(half))


def turn_after(second: Floats, first: Floats) -> tuple[float, ...]:
    """The stored quaternion of `first`, then `second` (both stored)."""
    ax, ay, az, aw = second[0], second[1], second[2], -second[3]
    bx, by, bz, bw = first[0], first[1], first[2], -first[3]
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by + ay * bw + az * bx - ax * bz
    z = aw * bz + az * bw + ax * by - ay * bx
    return (x, y, z, -(aw * bw - ax * bx - ay * by - az * bz))


def key(time: int, rotation: Floats = NO_TURN, position: Floats = (0.0, 0.0, 0.0)) -> Key:
    """A key from values."""
    return Key(bits_of_all(list(rotation)), bits_of_all(list(position)), time)


def record(*keys: Key, **parts: Any) -> Record:
    """A record whose count, and whose InitialTransform = A(0), fit its keys unless they are given."""
    parts.setdefault("frame_count", keys[-1].time + 1 if keys else 1)
    made = Record(keys=list(keys), **parts)
    if "initial_bits" not in parts and keys:
        made.initial_bits = initial_of(made)
    return made


def initial_of(made: Record) -> Bits:
    """A(0), or the identity when it cannot be played."""
    return bits_of_all(oban_player.transform(made, 0)) if oban_check.is_playable(made) else IDENTITY


def swing(**parts: Any) -> Record:
    """Three keys of different turns and places, without any finding."""
    return record(
        key(0, turn((0, 1, 0), 20), (10, 20, 30)),
        key(12, turn((0, 0.6, 0.8), 75), (-15.5, 22.25, 31)),
        key(30, turn((1, 0, 0), -50), (4, 5, 6.5)),
        **parts,
    )


@dataclass(frozen=True)
class ObanCase:
    """A file, a line about it, and by hand its findings or where reading it fails."""

    file: str
    about: str
    data: bytes
    expect: frozenset[str] = field(default_factory=frozenset[str])  # of all records and the container
    error: tuple[str, int | None] | None = None  # field, byte offset (None: where the XML parser says)
    frames: Sequence[float] | None = None  # the poses in the manifest; None: some of every record

    def row(self) -> dict[str, Any]:
        """The manifest's row, after the witness has agreed with the case."""
        row: dict[str, Any] = {
            "file": self.file,
            "about": self.about,
            "read": "error" if self.error else "ok",
        }
        if self.error:
            self._check_error()
            row["error_field"], row["error_offset"] = self.error
            return row
        read = oban_any.read(self.data)
        if read.kind != "xml" and oban_any.written(read) != self.data:
            raise SystemExit(f"{self.file}: does not survive a round trip")
        row |= {"container": read.kind, "records": [_record_row(found, self.frames) for found in read.found]}
        around: list[oban_check.Finding] = []
        if read.container is not None:
            around = oban_check.container_findings(read.container)
            row["placeholders"] = [_text(read.container.name_of(i)) for i in read.container.placeholders()]
        row["findings"] = around
        self._check_findings(
            [*around, *(f for found in read.found for f in oban_check.findings(found.record))]
        )
        return row

    def _check_error(self) -> None:
        try:
            oban_any.read(self.data)
        except ParseError as error:
            if self.error in ((error.field, error.offset), (error.field, None)):
                return
            raise SystemExit(f"{self.file}: fails at {error}, not at {self.error}") from error
        raise SystemExit(f"{self.file}: can be read, but {self.error} was expected")

    def _check_findings(self, found: list[oban_check.Finding]) -> None:
        ids = frozenset(finding.id for finding in found)
        if ids != self.expect:
            raise SystemExit(f"{self.file}: rules {sorted(ids)}, case {sorted(self.expect)}")


def _text(name: bytes | None) -> str | None:
    return None if name is None else name.decode("latin-1")


def _some_frames(made: Record) -> list[float]:
    last = float(oban_player.last_frame(made))
    wanted = [0.0, 0.5, 1.0, last / 3, last / 2, last - 0.25, last]
    return sorted({min(max(frame, 0.0), last) for frame in wanted})


def _record_row(found: oban_any.Found, frames: Sequence[float] | None) -> dict[str, Any]:
    made = found.record
    row: dict[str, Any] = {"name": _text(found.name), "instance": found.index, "keys": len(made.keys)}
    row["findings"] = oban_check.findings(made)
    if oban_check.is_playable(made):
        wanted = _some_frames(made) if frames is None else frames
        row["poses"] = [{"frame": f, "matrix": oban_player.transform(made, f)} for f in wanted]
    return row


def good(file: str, about: str, data: bytes, *expect: str, frames: Sequence[float] | None = None) -> ObanCase:
    """A file that can be read."""
    return ObanCase(file, about, data, frozenset(expect), frames=frames)


def bad(file: str, about: str, data: bytes, error_field: str, offset: int | None) -> ObanCase:
    """A file that no reader accepts."""
    return ObanCase(file, about, data, error=(error_field, offset))
