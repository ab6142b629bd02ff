# SPDX-License-Identifier: MIT
"""The animations of scene files (FBX, glTF, COLLADA and others)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .document import Document

#: The library shortens longer names where it shows them.
_LONGEST_SHOWN: Final = 255


def animation_names(document: Document) -> list[str | dict[str, str]]:
    """The names of a scene's animations, as its JSON has them; a name may be empty or occur twice."""
    return [row["name"] for row in document.info()["animations"]]


def animation_option(names: Sequence[str | dict[str, str]], index: int) -> str:
    """What the option "animation" is for one of a scene's animations: its number, or its name.

    A name goes before a number, so a number that is another animation's name will not do.
    """
    number, name = str(index + 1), names[index]
    if number not in names or names.index(number) == index:
        return number
    if isinstance(name, str) and len(name) <= _LONGEST_SHOWN and names.index(name) == index:
        return name
    return f"0{number}"
