# SPDX-License-Identifier: MIT
"""Small parts from which the BVH fixtures are made."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..bvh_file import Bvh, Joint, Offset, ParseError, Style, parse, write
from ..bvh_pose import world

Outcome = Literal["ok", "error"]
LenientOutcome = Literal["ok", "error", "either"]
POSITIONS = ["Xposition", "Yposition", "Zposition"]


def rotations(order: str) -> list[str]:
    """Channel names of an order such as "ZXY"."""
    return [axis + "rotation" for axis in order]


def joint(name: str, parent: int | None, channels: Sequence[str], offset: Offset = (0.0, 4.0, 0.0)) -> Joint:
    """A joint without End Site."""
    return Joint(name, parent, offset, list(channels))


def wavy(width: int, frames: int, start: float = 0.5) -> list[list[float]]:
    """Values with few digits, all of them different, of both signs."""
    return [
        [round((-1) ** (c + f) * (start + 7.25 * f + 1.125 * c), 4) for c in range(width)]
        for f in range(frames)
    ]


def filled(joints: list[Joint], frames: int = 3, frame_time: float = 0.04) -> Bvh:
    """A file of these joints with some motion."""
    bvh = Bvh(joints, frame_time)
    bvh.motion = wavy(bvh.width, frames)
    return bvh


def small(frames: int = 3) -> Bvh:
    """Hip, chest and arm: what a fixture about the text is made of."""
    hip = joint("hip", None, [*POSITIONS, *rotations("ZXY")], (0.0, 0.0, 0.0))
    chest = joint("chest", 0, rotations("ZXY"), (0.0, 5.25, -0.5))
    arm = joint("arm", 1, rotations("XZY"), (3.5, 1.0, 0.125))
    arm.end_sites.append(("", (2.5, 0.0, 0.0)))
    return filled([hip, chest, arm], frames)


@dataclass(frozen=True)
class DialectCase:
    """A file that a lenient reader takes, with the values that it was made of."""

    name: str
    about: str
    data: bytes
    values: Bvh
    strict: Outcome = "ok"
    with_world: bool = False

    def files(self) -> dict[str, bytes]:
        """The text and the expectations, after the witness has agreed with both."""
        read = parse(self.data)
        made = self.values.as_json()
        if repr(read.as_json()) != repr(made):
            raise SystemExit(f"{self.name}: the witness reads {read.as_json()}, it was made of {made}")
        if bool(read.tolerated) != (self.strict == "error"):
            raise SystemExit(f"{self.name}: tolerated {read.tolerated}, strict: {self.strict}")
        facts = {"about": self.about, "strict": self.strict, "tolerated": sorted(read.tolerated), **made}
        files = {f"dialects/{self.name}.bvh": self.data, f"dialects/{self.name}.json": as_json(facts)}
        if self.with_world:
            files[f"dialects/{self.name}.world.json"] = as_json(world(read))
        return files


def as_json(value: Any) -> bytes:
    """One value a line at the top, all else packed."""
    lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
    return ("{\n" + lines + "\n}\n").encode()


def dialect(
    name: str,
    about: str,
    values: Bvh,
    style: Style | None = None,
    strict: Outcome = "ok",
    world: bool = False,
) -> DialectCase:
    """A case whose text is the values in a style."""
    return DialectCase(name, about, write(values, style), values, strict, world)


def edited(
    name: str, about: str, values: Bvh, edit: Callable[[bytes], bytes], strict: Outcome = "ok"
) -> DialectCase:
    """A case whose text is the common dialect after an edit that keeps the values."""
    return DialectCase(name, about, edit(write(values)), values, strict)


@dataclass(frozen=True)
class HostileCase:
    """A file that no strict reader takes; `lenient` says what a lenient one does."""

    name: str
    about: str
    data: bytes
    lenient: LenientOutcome = "error"

    def files(self) -> dict[str, bytes]:
        """The text and the outcome, after the witness has agreed."""
        try:
            outcome: Outcome = "ok" if parse(self.data).tolerated else "error"
        except ParseError:
            outcome = "error"
        if outcome != self.lenient.replace("either", "error"):
            raise SystemExit(f"{self.name}: the witness says {outcome}")
        facts = {"about": self.about, "strict": "error", "lenient": self.lenient}
        return {f"hostile/{self.name}.bvh": self.data, f"hostile/{self.name}.json": as_json(facts)}


def replaced(data: bytes, old: bytes, new: bytes, count: int = 1) -> bytes:
    """The first occurrences replaced; there must be one."""
    if old not in data:
        raise SystemExit(f"{old!r} is not in the text")
    return data.replace(old, new, count)
