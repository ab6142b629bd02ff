# SPDX-License-Identifier: GPL-3.0-or-later
"""What the inputs of the command line stand for."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_SUFFIXES: Final = frozenset(
    {".anim", ".animatn", ".bvh", ".oni", ".dat", ".oban", ".xml", ".json", ".blend"}
)


@dataclass(frozen=True)
class Input:
    """A file, and the folder (relative to the output folder) that its outputs go to. `fault`: it is none."""

    path: Path
    folder: Path = Path()
    fault: str = ""

    @property
    def is_blend(self) -> bool:
        """A file of Blender's own."""
        return self.path.suffix.lower() == ".blend"


def find_inputs(arguments: tuple[str, ...], out: Path) -> list[Input]:
    """The files of all arguments, each once, in the order of the arguments and by name in folders."""
    found: dict[str, Input] = {}
    for argument in arguments:
        for one in _expand(argument, out):
            found.setdefault(os.path.realpath(one.path), one)
    return list(found.values())


def _expand(argument: str, out: Path) -> Iterator[Input]:
    path = Path(argument)
    if path.is_dir():
        files = list(_walk(path, path, out))
        yield from files or [Input(path, fault="the folder holds no animation, .json or .blend file")]
    elif path.exists():
        yield Input(path)
    elif glob.has_magic(argument):
        base = _fixed_part(path)
        # Path.glob takes no absolute pattern.
        matches = sorted(Path(name) for name in glob.glob(argument, recursive=True))  # noqa: PTH207
        files = [one for match in matches for one in _matched(match, base, out)]
        yield from files or [Input(path, fault="no file matches the pattern")]
    else:
        yield Input(path, fault="there is no such file")


def _matched(match: Path, base: Path, out: Path) -> Iterator[Input]:
    if match.is_dir():
        yield from _walk(match, base, out)
    elif not _is_inside(match, out):
        yield Input(match, match.parent.relative_to(base))


def _walk(folder: Path, base: Path, out: Path) -> Iterator[Input]:
    """The animation files below a folder, without those of the output folder."""
    faults: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=faults.append):
        here = Path(place)
        folders[:] = sorted(name for name in folders if not _is_inside(here / name, out))
        for name in sorted(names):
            if Path(name).suffix.lower() in _SUFFIXES and not (here == folder and _is_inside(here, out)):
                yield Input(here / name, here.relative_to(base))
    for fault in faults:
        yield Input(Path(str(fault.filename)), fault=f"the folder cannot be read ({fault.strerror})")


def _is_inside(path: Path, out: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(out))


def _fixed_part(pattern: Path) -> Path:
    """The folder before the first part of a pattern that is not plain text."""
    parts: list[str] = []
    for part in pattern.parts[:-1]:
        if glob.has_magic(part):
            break
        parts.append(part)
    return Path(*parts)
