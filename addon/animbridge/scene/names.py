# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of data-blocks. For names of files see `native.file_name`, for lists in messages `native.text`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

#: Blender keeps this many bytes of a data-block's name (from 5.0 on 255, which older ones would cut).
_NAME_BYTES: Final = 63


def data_block_name(text: str) -> str:
    """The text as a data-block's name: at most 63 bytes, cut between characters."""
    return text.encode("utf-8", "replace")[:_NAME_BYTES].decode("utf-8", "ignore") or "Animation"


def filled_in(pattern: str, names: Mapping[str, str]) -> str:
    """Replaces each {mark} of the pattern by its name, all at once: names may contain marks."""
    marks = "|".join(re.escape(f"{{{mark}}}") for mark in names)
    return re.sub(marks, lambda found: names[found[0][1:-1]], pattern)
