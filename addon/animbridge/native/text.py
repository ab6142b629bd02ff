# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of files and joints as people can read them, whatever their bytes are."""

from __future__ import annotations


def readable(text: str | dict[str, str]) -> str:
    """A name of the library's JSON for people; bytes that are no UTF-8 come as {"hex": ...}."""
    return text if isinstance(text, str) else bytes.fromhex(text["hex"]).decode("utf-8", "backslashreplace")


def printable(text: str) -> str:
    """Text without surrogates, which stand for bytes of a path that are no UTF-8: they cannot be printed."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def counted(count: int, noun: str) -> str:
    """The count and what is counted: 1 finding, 2 findings."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
