# SPDX-License-Identifier: MIT
"""Names of files and joints as people can read them, whatever their bytes are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

#: Letters of a name that a message shows.
_LONGEST_NAME: Final = 60


def readable(text: str | dict[str, str]) -> str:
    """A name of the library's JSON for people; bytes that are no UTF-8 come as {"hex": ...}."""
    return text if isinstance(text, str) else bytes.fromhex(text["hex"]).decode("utf-8", "backslashreplace")


def text_of_json(value: str | dict[str, str]) -> str:
    """Text of the library's JSON; bytes that are not UTF-8 as Python's paths have them."""
    return value if isinstance(value, str) else bytes.fromhex(value["hex"]).decode("utf-8", "surrogateescape")


def json_text(text: str) -> str | dict[str, str]:
    """The reverse of text_of_json()."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return {"hex": text.encode("utf-8", "surrogateescape").hex()}
    return text


def printable(text: str) -> str:
    """Text without surrogates, which stand for bytes of a path that are no UTF-8: they cannot be printed."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def one_line(text: str) -> str:
    """Printable text as one line that gives a terminal no orders: control characters as \\xNN or \\uNNNN."""
    return "".join(_shown(c) if _is_order(ord(c)) else c for c in printable(" ".join(text.splitlines())))


def _is_order(code: int) -> bool:
    return code < 0x20 or 0x7F <= code <= 0x9F or 0x2028 <= code <= 0x202E or 0x2066 <= code <= 0x2069


def _shown(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02X}" if code < 0x80 else f"\\u{code:04X}"


def counted(count: int, noun: str) -> str:
    """The count and what is counted: 1 finding, 2 findings."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listed(
    names: Sequence[str], most: int = 6, *, joint: str = ", ", longest: int | None = _LONGEST_NAME
) -> str:
    """Names for a message: no more than `most`, none longer than `longest`, and how many more there are."""
    shown = joint.join(_cut(name, longest) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def finding_line(finding: Mapping[str, Any]) -> str:
    """A finding of a check, in one line. One about many joints lists them in what was found."""
    joint = printable(readable(finding["joint"])) if finding["joint_count"] == 1 else ""
    place = f" {joint}:" if joint else ""
    return f"{finding['class']}:{place} {finding['effect']} ({printable(readable(finding['found']))})"


def finding_remedy(finding: Mapping[str, Any]) -> str:
    """What to do about a finding, and then why: for popups."""
    return f"{finding['advice']} {finding['effect']} ({printable(readable(finding['found']))})"


def finding_text(finding: Mapping[str, Any]) -> str:
    """The line, and what to do about it: for reports that have room."""
    return f"{finding_line(finding)} {finding['advice']}"


def _cut(name: str, longest: int | None) -> str:
    return name if longest is None or len(name) <= longest else f"{name[: longest - 3]}..."
