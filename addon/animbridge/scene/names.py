# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of data-blocks and of files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, count
from typing import Final

#: Blender keeps this many bytes of a data-block's name (from 5.0 on 255, which older ones would cut).
_NAME_BYTES: Final = 63
#: What a file system takes, less room for a number and an extension.
_FILE_NAME_BYTES: Final = 200
_FORBIDDEN: Final = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def data_block_name(text: str) -> str:
    """The text as a data-block's name: at most 63 bytes, cut between characters."""
    return _cut(text, _NAME_BYTES) or "Animation"


def file_stem(text: str) -> str:
    """The text as a file name without its extension, on any file system; "animation" if nothing is left."""
    stem = _cut(_FORBIDDEN.sub("_", text), _FILE_NAME_BYTES).strip(" .")
    if not stem:
        return "animation"
    return f"_{stem}" if _RESERVED.fullmatch(stem) else stem


def free_stem(wishes: Iterable[str], taken: set[str]) -> str:
    """The first wish that is not taken, else the last one with a number; the choice is added to `taken`.

    Names that differ in case alone count as one, as some file systems have it.
    """
    stems = [file_stem(wish) for wish in wishes]
    numbered = (f"{stems[-1]}_{number}" for number in count(2))
    chosen = next(stem for stem in chain(stems, numbered) if stem.casefold() not in taken)
    taken.add(chosen.casefold())
    return chosen


def _cut(text: str, size: int) -> str:
    return text.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
