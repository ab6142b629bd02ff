# SPDX-License-Identifier: MIT
"""Oni's object animations. Options are the JSON members that animbridge.h lists for OBAN."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .curves import Curve, Timing
from .document import Document
from .job import Progress
from .library import call, encode_text
from .motion import DocumentCurves, Options, from_curves, from_samples
from .samples import Samples
from .text import readable

#: Ids of the table of formats: one animation, in whatever container; a level with any number of them.
OBAN_FORMAT: Final = "oban"
LEVEL_FORMAT: Final = "oban_level"
_LEVEL_VERSION: Final = b"13RV"
#: Of every file.
FRAMES_PER_SECOND: Final = 60.0
#: In front of the names in files.
TAG: Final = "OBAN"


def is_level_file(path: Path) -> bool:
    """Whether a file begins as levels of Oni do, whatever its name is."""
    try:
        with path.open("rb") as file:
            return file.read(12)[8:] == _LEVEL_VERSION
    except OSError:
        return False


@dataclass(frozen=True)
class LevelOban:
    """An animation of a level that has data. `name`: as lists show it, no other's."""

    name: str
    instance: int

    @property
    def selector(self) -> str:
        """What finds it in the level at once, whatever its name is."""
        return f"#{self.instance}"


def level_obans(level: Document) -> tuple[LevelOban, ...]:
    """The animations of a level that have data, by their names without tag.

    What has no name, or that of an earlier one, or one that is no text, goes by its place: "#12".
    """
    found: dict[str, LevelOban] = {}
    for row in level.info()["obans"]:
        if not row["placeholder"]:
            name, place = row["name"], f"#{row['instance']}"
            is_own = isinstance(name, str) and name and name[0] != "#" and name not in found
            shown = str(name) if is_own else place
            found[shown] = LevelOban(shown, int(row["instance"]))
    return tuple(found.values())


def level_names(level: Document) -> tuple[str, ...]:
    """The names of `level_obans`."""
    return tuple(one.name for one in level_obans(level))


def has_tail(oban: Document) -> bool:
    """Whether it is a level's record with bytes after its keys, which a raw record and XML cannot store."""
    told = oban.info()
    return told["container"] == "raw" and "tail" in told["lost_in_xml"]


def name_of(told: Mapping[str, Any]) -> str:
    """The name in a file's info or in the report of its curves, without the tag; "" where it has none."""
    return readable(told["name"] or "").removeprefix(TAG)


class ObanCurves(DocumentCurves):
    """The seven curves that play an OBAN on an object, a key for each of the file's.

    `options`: axes ("file" or "blender"), origin (16 numbers, column-major, or None).
    """

    def __init__(self, document: Document, timing: Timing, options: Options | None = None) -> None:
        super().__init__(document, None, timing, options)


def oban_from_level(level: Document, name: str | None = None) -> Document:
    """One animation out of a level; `name` with or without its tag, or a selector ("#12").

    None where the level has but one.
    """
    out = ctypes.c_void_p()
    text = None if name is None else encode_text(name)
    call("ab_document_child", level.pointer, text, ctypes.byref(out))
    return Document(out)


def replace_in_level(level: Document, name: str, oban: Document) -> Document:
    """The level with one animation in place of another; every other instance's bytes stay."""
    out = ctypes.c_void_p()
    call(
        *("ab_document_with_child", level.pointer, encode_text(name)),
        *(oban.pointer, ctypes.byref(out)),
    )
    return Document(out)


def document_from_curves(
    timing: Timing, curves: Sequence[Curve], options: Options, template: Document | None = None
) -> tuple[Document, dict[str, Any]]:
    """Linear curves of an object to an OBAN, key by key, and the report.

    An error of code INVALID_ARGUMENT where keys are not at the file's frames: then samples will do.
    """
    return from_curves(OBAN_FORMAT, None, timing, curves, options, template)


def document_from_samples(
    world_matrices: NDArray[np.float32],
    options: Options,
    template: Document | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """World matrices (samples x 16, column-major) at the file's frames to an OBAN, and the report."""
    samples = Samples(np.empty(len(world_matrices)), np.empty(0, np.float32), world_matrices)
    timing = Timing(frames_per_second=FRAMES_PER_SECOND, frame_start=0.0)
    return from_samples(OBAN_FORMAT, None, timing, samples, options, template, progress)
