# SPDX-License-Identifier: MIT
"""Parts from which the fixtures for Second Life's BVH loader are made (spec 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..bvh_file import Bvh, Style, write
from ..bvh_loader import Result, convert
from ..bvh_loader_text import RefusalError
from ..skeleton import Skeleton
from .bvh_build import POSITIONS, joint, rotations

Keys = dict[str, tuple[int, ...]]  # a joint's name in the .anim: how many rotation and position keys
Angles = Sequence[float]


def number(value: float) -> str:
    """Up to six decimals."""
    return f"{value:.6f}".rstrip("0").rstrip(".") or "0"


@dataclass
class Part:
    """A joint of a text: channels, parent by index, and its values by frame."""

    name: str
    parent: int | None
    values: Callable[[int], Angles]
    order: str = "XZY"
    positions: bool = False


def still(_: int) -> Angles:
    """Three zeros."""
    return (0.0, 0.0, 0.0)


def listed(*values: float) -> Callable[[int], Angles]:
    """The first channel by frame, the others at 0."""
    return lambda frame: (values[frame], 0.0, 0.0)


def swing(frame: int) -> Angles:
    """Plain movement, no frame on the line between its neighbours."""
    return (7.5 * frame * (-1) ** frame, 3.25 * frame, 11.0 * (frame % 3))


def hip(values: Callable[[int], Angles] = still, order: str = "XZY") -> Part:
    """A pelvis with six channels whose position stays."""
    return Part("hip", None, lambda f: (0.0, 40.0, 0.0, *values(f)), order, positions=True)


def document(parts: Sequence[Part], frames: int, frame_time: float = 0.1) -> Bvh:
    """The values of a text."""
    joints = [
        joint(p.name, p.parent, [*(POSITIONS if p.positions else []), *rotations(p.order)]) for p in parts
    ]
    motion = [[v for p in parts for v in p.values(frame)] for frame in range(frames)]
    return Bvh(joints, frame_time, motion)


def text(parts: Sequence[Part], frames: int, frame_time: float = 0.1) -> bytes:
    """The text in the dialect that the loader likes."""
    return write(document(parts, frames, frame_time), Style(number=number))


@dataclass(frozen=True)
class LoaderCase:
    """A text, and by hand the number of keys of each joint of the file, or the rule that refuses."""

    name: str  # begins with ruleNN
    about: str
    data: bytes
    keys: Keys | None = None  # None: not counted by hand
    refused: int | None = None
    upload: bool = True  # whether the upload succeeds
    dropped: Sequence[str] = field(default_factory=tuple[str, ...])

    def files(self, skeleton: Skeleton) -> tuple[dict[str, bytes], dict[str, Any]]:
        """The text, the expected bytes and the manifest's row, after the witness has agreed."""
        files = {f"loader/{self.name}.bvh": self.data}
        row: dict[str, Any] = {"name": self.name, "about": self.about}
        try:
            results = [convert(self.data, skeleton, timing) for timing in ("current", "pre2022")]
        except RefusalError as refusal:
            if refusal.rule != self.refused:
                raise SystemExit(f"{self.name}: {refusal}, expected {self.refused}") from refusal
            files[f"loader/{self.name}.refused"] = f"{refusal.rule}\n".encode()
            return files, {**row, "load": "refused", "rule": refusal.rule}
        if self.refused is not None:
            raise SystemExit(f"{self.name}: loads, rule {self.refused} was expected to refuse it")
        current, older = results
        self._agree(current)
        files[f"loader/{self.name}.anim"] = current.data()
        files[f"loader/{self.name}.pre2022.anim"] = older.data()
        row.update(load="ok", upload="refused" if current.upload_refused else "ok", dropped=current.dropped)
        return files, row

    def _agree(self, result: Result) -> None:
        found = {
            j.name.decode("latin-1"): (len(j.rotation_keys), len(j.position_keys)) for j in result.anim.joints
        }
        if self.keys is not None and found != self.keys:
            raise SystemExit(f"{self.name}: the witness finds {found}, by hand {self.keys}")
        if self.keys is not None and list(self.dropped) != result.dropped:
            raise SystemExit(f"{self.name}: the witness drops {result.dropped}, by hand {self.dropped}")
        if (result.upload_refused == "") != self.upload:
            raise SystemExit(f"{self.name}: upload: {result.upload_refused!r}")
