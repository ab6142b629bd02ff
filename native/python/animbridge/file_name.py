# SPDX-License-Identifier: MIT
"""Words that stand in files as names of files: the library's rules, and no name twice."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from itertools import count
from typing import Final

from .library import call, take_bytes

#: Of what is written: with room for it, a name fits whatever its extension becomes.
LONGEST_EXTENSION: Final = ".blend"


def file_stem(words: str, ending: str = LONGEST_EXTENSION) -> str:
    """Any words as a file name without its ending: one name and no path, on every file system.

    A name that is fine stays as it is; "animation" if nothing is left.
    """
    data = _bytes_of(words)
    out = ctypes.c_void_p()
    call("ab_file_stem", data, len(data), ending.encode("utf-8"), ctypes.byref(out))
    return take_bytes(out).decode("utf-8")


def free_stem(wishes: Iterable[str], taken: set[str], ending: str = LONGEST_EXTENSION) -> str:
    """The first wish that is not taken, else the last one with a number; the choice is added to `taken`.

    Names that differ in case alone count as one, as some file systems have it.
    """
    wishes = list(wishes)
    for wish in wishes:
        if _take(stem := file_stem(wish, ending), taken):
            return stem
    for number in count(2):
        suffix = f"_{number}"
        if _take(stem := file_stem(wishes[-1], suffix + ending) + suffix, taken):
            return stem
    raise AssertionError("numbers do not end")


def _take(stem: str, taken: set[str]) -> bool:
    """Whether the stem was free; now it is not."""
    folded = stem.casefold()
    if folded in taken:
        return False
    taken.add(folded)
    return True


def _bytes_of(words: str) -> bytes:
    """UTF-8, with the bytes that surrogates stand for; those that stand for none as they are."""
    try:
        return words.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return words.encode("utf-8", "surrogatepass")
