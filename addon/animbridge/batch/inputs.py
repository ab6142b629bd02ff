# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the files that the command line's inputs stand for.

Of the files in folders, only those without an extension are opened.
"""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .. import kinds
from .patterns import matches_of

#: Of AnimBridge's documents and of Blender's files.
_MORE_SUFFIXES: Final = (".json", ".blend")
_FILE_TYPES: Final[tuple[tuple[Callable[[int], bool], str], ...]] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe (FIFO)"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True)
class Input:
    """A file, and the folder for its outputs, below the output folder. `fault`: why it cannot be read."""

    path: Path
    folder: Path = Path()
    fault: str = ""

    @property
    def is_blend(self) -> bool:
        """A file of Blender's own."""
        return self.path.suffix.lower() == ".blend"


@dataclass(frozen=True)
class Destination:
    """Where the outputs go, so that they are not taken for inputs."""

    out: Path
    target: str
    report: Path | None = None

    def holds(self, path: Path, base: Path) -> bool:
        """Whether a file below `base` is an output of this run, or of an earlier one with the same arguments.

        In an output folder below `base` every file is one; in `base` itself, those with the target's ending.
        """
        real = Path(os.path.realpath(path))
        if self.report is not None and real == Path(os.path.realpath(self.report)):
            return True
        if self.is_same(base):
            return path.suffix.lower() == f".{self.target}"
        return self.is_below(base) and real.is_relative_to(os.path.realpath(self.out))

    def is_same(self, base: Path) -> bool:
        """Whether the inputs are searched for in the output folder itself."""
        return os.path.realpath(base) == os.path.realpath(self.out)

    def is_below(self, base: Path) -> bool:
        """Whether the output folder lies inside the folder that is searched."""
        out = Path(os.path.realpath(self.out))
        return not self.is_same(base) and out.is_relative_to(os.path.realpath(base))


def find_inputs(arguments: tuple[str, ...], destination: Destination) -> list[Input]:
    """The files of all arguments, each once, in the order of the arguments and by name in folders."""
    found: dict[str, Input] = {}
    for argument in arguments:
        for one in _expand(argument, destination):
            found.setdefault(os.path.realpath(one.path), one)
    return list(found.values())


def file_type_of(path: Path) -> str:
    """What a path leads to if it is not a file, such as "a folder"; "" for a file."""
    try:
        mode = path.stat().st_mode
    except OSError as fault:
        if not path.is_symlink():
            return f"unreadable ({fault.strerror})"
        if fault.errno == errno.ELOOP:
            return "a symbolic link that leads back to itself"
        return f"a symbolic link that leads nowhere ({path.readlink()})"
    return next((kind for is_kind, kind in _FILE_TYPES if is_kind(mode)), "")


def _expand(argument: str, destination: Destination) -> Iterator[Input]:
    path = Path(argument)
    if os.path.isdir(argument):  # noqa: PTH112 (Path raises an error if the path is too long)
        files = list(_walk(path, path, destination))
        yield from files or [Input(path, fault=_nothing_in(path, destination))]
    elif os.path.lexists(argument):
        yield _checked(path, Path())
    elif glob.has_magic(argument):
        base, matches = matches_of(path)
        files = [one for match in matches for one in _matched(match, base, destination)]
        yield from files or [Input(path, fault=_no_match(matches, destination))]
    else:
        yield Input(path, fault="there is no such file")


def _nothing_in(folder: Path, destination: Destination) -> str:
    if destination.is_same(folder):
        return (
            f"the folder is also the output folder, so its .{destination.target} files count as outputs; it "
            "has no other animation, .json or .blend file"
        )
    return "the folder contains no animation, .json or .blend file"


def _no_match(matches: list[Path], destination: Destination) -> str:
    if matches:
        return f"the pattern matches nothing but outputs in {destination.out}, which are not converted again"
    return "no file matches the pattern"


def _matched(match: Path, base: Path, destination: Destination) -> Iterator[Input]:
    if match.is_dir():
        yield from _walk(match, base, destination)
    elif not destination.holds(match, base):
        yield _checked(match, match.parent.relative_to(base))


def _walk(folder: Path, base: Path, destination: Destination) -> Iterator[Input]:
    """The animation files below a folder, without outputs. Links to folders are not followed."""
    faults: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=faults.append):
        here = Path(place)
        folders[:] = sorted(folders)
        if destination.is_below(base):
            folders[:] = [name for name in folders if not destination.holds(here / name, base)]
        for name in sorted(names):
            if _is_animation(here / name) and not destination.holds(here / name, base):
                yield _checked(here / name, here.relative_to(base))
    for fault in faults:
        yield Input(Path(str(fault.filename)), fault=f"the folder cannot be read ({fault.strerror})")


def _is_animation(path: Path) -> bool:
    """Whether a file in a folder is meant: by its extension or, if it has none, by its first bytes."""
    if path.suffix:
        return path.name.lower().endswith((*kinds.extensions(), *_MORE_SUFFIXES))
    signatures = kinds.signatures()
    if file_type_of(path):
        return False
    try:
        with path.open("rb") as file:
            return file.read(max(map(len, signatures), default=0)).startswith(signatures)
    except OSError:
        return False


def _checked(path: Path, folder: Path) -> Input:
    kind = file_type_of(path)
    return Input(path, folder, f"it is {kind}, and not a file" if kind else "")
