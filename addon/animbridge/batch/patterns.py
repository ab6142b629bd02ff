# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that a pattern matches, by the rules of shells."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path


def matches_of(pattern: Path) -> tuple[Path, list[Path]]:
    """The folder before the first part with a wildcard, and the matches, sorted by name."""
    base = _fixed_part(pattern)
    if "**" not in pattern.parts:
        # Path.glob takes no absolute pattern.
        return base, sorted(Path(name) for name in glob.glob(str(pattern)))  # noqa: PTH207
    parts = pattern.parts[len(base.parts) :]
    return base, sorted(path for path in _below(base) if _fits(path.relative_to(base).parts, parts))


def _fixed_part(pattern: Path) -> Path:
    parts: list[str] = []
    for part in pattern.parts[:-1]:
        if glob.has_magic(part):
            break
        parts.append(part)
    return Path(*parts)


def _below(base: Path) -> Iterator[Path]:
    """The folder and everything below it.

    A linked folder is entered once, and not at all if it lies in this one or contains it, so that links in
    circles come to an end.
    """
    yield base
    top, entered = Path(os.path.realpath(base)), set[Path]()
    for place, folders, names in os.walk(base, followlinks=True):
        here = Path(place)
        yield from (here / name for name in [*folders, *names])
        for name in [name for name in folders if (here / name).is_symlink()]:
            real = Path(os.path.realpath(here / name))
            if real in entered or real.is_relative_to(top) or top.is_relative_to(real):
                folders.remove(name)
            entered.add(real)


def _fits(names: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether a path matches. A name that begins with a dot needs a pattern that does."""
    if not pattern:
        return not names
    if pattern[0] == "**":
        return _fits(names, pattern[1:]) or (
            bool(names) and not names[0].startswith(".") and _fits(names[1:], pattern)
        )
    if not names or (names[0].startswith(".") and not pattern[0].startswith(".")):
        return False
    return fnmatchcase(names[0], pattern[0]) and _fits(names[1:], pattern[1:])
