# SPDX-License-Identifier: MIT
"""Small parts from which the MRTK fixtures are made, and the row that the manifest has for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from .. import mrtk_check, mrtk_file, mrtk_player
from ..anim_file import ParseError
from ..mrtk_file import POSITION, ROTATION, SPECIFIED, V11, Curve, Recording, Words, write
from ..mrtk_recorder import Take, record
from . import mrtk_motion

Error = tuple[str, int | None]
#: What a row's poses show where there are many joints: one that moves the others, a tip, a bent one.
SHOWN = ["None", "Wrist", "ThumbTip", "IndexMiddleJoint"]
UNPLAYABLE = frozenset(["times_not_finite", "values_not_finite", "weights_out_of_range"])
FEW = 27  # frames between two samples of the sparse take: five of them


@dataclass(frozen=True)
class MrtkCase:
    """A file, a line about it, and by hand its layout and findings or where reading it fails."""

    file: str
    about: str
    data: bytes
    expect: frozenset[str] = field(default_factory=frozenset[str])
    error: Error | None = None  # field, byte offset (None: wherever the reader sees it), when read strictly
    lenient_error: Error | None = None
    layout: str = SPECIFIED
    good: bool = False  # a recording as users wish to have it: nothing was damaged
    original: str | None = None  # the file from which the damage was made
    times: tuple[float, ...] | None = None  # the poses of the manifest; None: some
    joints: list[str] | None = field(default_factory=lambda: SHOWN)

    def row(self) -> dict[str, Any]:
        """The manifest's row, after the witness has agreed with the case."""
        row: dict[str, Any] = {"file": self.file, "about": self.about, "good": self.good}
        for mode, error in (("strict", self.error), ("lenient", self.lenient_error)):
            self._check_reading(mode == "lenient", error)
            row[mode] = "error" if error else "ok"
        error = self.lenient_error or self.error
        if error:
            row["error_field"], row["error_offset"] = error
        if not self.lenient_error:
            row |= self._described(mrtk_file.parse(self.data, lenient=True))
        return row

    def _check_reading(self, lenient: bool, error: Error | None) -> None:
        try:
            mrtk_file.parse(self.data, lenient)
        except ParseError as found:
            if error in ((found.field, found.offset), (found.field, None)):
                return
            raise SystemExit(f"{self.file}: fails at {found}, not at {error}") from found
        if error:
            raise SystemExit(f"{self.file}: can be read, but {error} was expected")

    def _described(self, made: Recording) -> dict[str, Any]:
        if write(made) != self.data or made.layout != self.layout:
            raise SystemExit(f"{self.file}: {made.layout}, or does not survive a round trip")
        found = mrtk_check.findings(made)
        if found ^ self.expect:
            raise SystemExit(f"{self.file}: rules {sorted(found)}, case {sorted(self.expect)}")
        row: dict[str, Any] = {
            "version": f"{made.version[0]}.{made.version[1]}",
            "layout": made.layout,
            "keys": mrtk_check.key_counts(made),
            "markers": len(made.markers),
            "joints": {
                h: len(mrtk_player.joints_of(made, h))
                for h in mrtk_file.HANDS
                if f"{h}.tracked" in made.curves
            },
            "findings": sorted(found),
            "counts": mrtk_check.damage_counts(made),
        }
        if self.original:
            row["original"] = self.original
        if not found & UNPLAYABLE:
            row["duration"] = mrtk_player.duration(made)
            row["poses"] = [mrtk_player.pose_row(made, time, self.joints) for time in self._times(made)]
        return row

    def _times(self, made: Recording) -> tuple[float, ...]:
        end = mrtk_player.duration(made)
        if self.times is not None:
            return self.times
        return tuple(sorted({0.0, 0.3 * end, 0.71 * end, end, end + 1})) if end > 0 else (0.0,)


def good(file: str, about: str, made: Recording, *expect: str, **parts: Any) -> MrtkCase:
    """A file that MRTK reads."""
    parts.setdefault("good", not expect and "original" not in parts)
    return MrtkCase(f"{file}.bin", about, write(made), frozenset(expect), **parts)


def tolerated(file: str, about: str, made: Recording, error: Error, *expect: str) -> MrtkCase:
    """A file that only lenient reading accepts."""
    data = write(made)
    return MrtkCase(f"{file}.bin", about, data, frozenset(expect), error=error, layout=made.layout)


def bad(file: str, about: str, data: bytes, error_field: str, offset: int | None) -> MrtkCase:
    """A file that no reader accepts."""
    error = (error_field, offset)
    return MrtkCase(f"{file}.bin", about, data, error=error, lenient_error=error)


def whole(version: tuple[int, int] = V11, flags: bytes = b"\1\1\1", **parts: Any) -> Recording:
    """The made-up motion with a key for each of a few samples."""
    parts.setdefault("every", FEW)
    return record(mrtk_motion.take(**parts), mrtk_file.empty(version, flags))


def only(names: Callable[[str], bool], take: Take) -> Take:
    """The take without the groups and switches that are not wanted."""
    groups = {group: samples for group, samples in take.groups.items() if names(group)}
    return Take(groups, {name: keys for name, keys in take.switches.items() if names(name)})


def camera_alone(version: tuple[int, int] = V11, flags: bytes = b"\1\1\1", every: int = 11) -> Recording:
    """No hand is ever seen: ten keys of the camera."""
    take = only(lambda name: name.startswith("camera"), mrtk_motion.take(every=every))
    return record(take, mrtk_file.empty(version, flags))


def changed(made: Recording, name: str, change: Callable[[Curve], Curve]) -> Recording:
    """The recording with another curve."""
    return replace(made, curves={**made.curves, name: change(made.curves[name])})


def with_keys(made: Recording, name: str, keys: list[Words]) -> Recording:
    """The recording with other keys in a curve."""
    return changed(made, name, lambda curve: replace(curve, keys=keys))


def mapped(made: Recording, owner: str, change: Callable[[Curve], Curve]) -> Recording:
    """The recording with other curves of a joint or of the camera."""
    for part in (*POSITION, *ROTATION):
        made = changed(made, f"{owner}.{part}", change)
    return made
