# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that a .blend file stores as JSON or bytes, which anybody may have changed.

Each has the type and range that it must have, or a ValueError says what was found instead.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping
from typing import Any, Final, NoReturn

_MISSING: Final = object()
_LONGEST_SHOWN: Final = 40


class StoredMembers:
    """The members of an object. A member with a default may be missing."""

    def __init__(self, members: Any, name: str) -> None:
        if not isinstance(members, dict):
            _refuse(name, members, "an object")
        self._members: dict[str, Any] = members

    @classmethod
    def parse(cls, text: Any, name: str, most_characters: int) -> StoredMembers:
        """Of JSON text."""
        if not isinstance(text, str) or len(text) > most_characters:
            _refuse(name, text, f"at most {most_characters:,} characters of JSON")
        return cls(json.loads(text, parse_constant=_not_finite), name)

    def text(self, name: str) -> str:
        """Text that can be encoded as UTF-8."""
        return _text(name, self._value(name, _MISSING))

    def choice(self, name: str, allowed: Collection[str]) -> str:
        """One of a few texts."""
        value = self.text(name)
        return value if value in allowed else _refuse(name, value, f"one of {', '.join(allowed)}")

    def number(self, name: str, default: Any = _MISSING) -> float:
        """A finite number."""
        return _number(name, self._value(name, default))

    def rate(self, name: str, default: Any = _MISSING) -> float:
        """A number that frames can be divided by and multiplied with."""
        value = self.number(name, default)
        return value if 1e-12 <= value <= 1e12 else _refuse(name, value, "a rate above 0")

    def whole(self, name: str, low: int, high: int) -> int:
        """A whole number between the two."""
        value = self._value(name, _MISSING)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            _refuse(name, value, f"a whole number from {low} to {high}")
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """True or false."""
        value = self._value(name, default)
        return value if isinstance(value, bool) else _refuse(name, value, "true or false")

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        return [_text(name, value) for value in self._list(name)]

    def pair(self, name: str) -> tuple[float, float]:
        """Two finite numbers."""
        values = self._list(name)
        if len(values) != 2:
            _refuse(name, values, "two numbers")
        return _number(name, values[0]), _number(name, values[1])

    def object(self, name: str) -> StoredMembers | None:
        """An object; None where it is missing or null."""
        value = self._value(name, None)
        return None if value is None else StoredMembers(value, name)

    def text_tables(self, name: str) -> dict[str, dict[str, str]]:
        """{text: {text: text}}."""
        tables = StoredMembers(self._value(name, _MISSING), name)
        return {
            _text(name, key): {_text(name, one): _text(name, other) for one, other in _items(table, name)}
            for key, table in tables._members.items()
        }

    def plain(self, name: str) -> dict[str, Any]:
        """An object of texts and numbers; {} where it is missing."""
        members = StoredMembers(self._value(name, {}), name)._members
        for key, value in members.items():
            if isinstance(value, str):
                _text(f"{name}.{key}", value)
            elif value is not None:
                _number(f"{name}.{key}", value)
        return dict(members)

    def _value(self, name: str, default: Any) -> Any:
        value = self._members.get(name, default)
        return _refuse(name, None, "a value") if value is _MISSING else value

    def _list(self, name: str) -> list[Any]:
        value = self._value(name, _MISSING)
        return value if isinstance(value, list) else _refuse(name, value, "a list")


def unpacked(data: Any, size: int, name: str) -> bytes:
    """Decompresses exactly `size` bytes, and never takes more memory than that."""
    # One byte more shows that there are too many; 0 would mean no limit.
    plain = zlib.decompressobj().decompress(plain_bytes(data, name), size + 1)
    if len(plain) != size:
        least = "more than " if len(plain) > size else ""
        raise ValueError(f"{name}: found {least}{min(len(plain), size)} bytes; announced are {size}")
    return plain


def plain_bytes(data: Any, name: str) -> bytes:
    """The data if it is bytes, rather than a number or a list that Python would convert."""
    return data if isinstance(data, bytes) else _refuse(name, data, "bytes")


def _items(table: Any, name: str) -> Any:
    if not isinstance(table, Mapping):
        _refuse(name, table, "an object")
    return table.items()


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        _refuse(name, value, "text")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        _refuse(name, value, "text of whole characters")
    return value


def _number(name: str, value: Any) -> float:
    # A whole number may have more digits than a float can say.
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 1e300:
        return float(value)
    return _refuse(name, value, "a finite number")


def _not_finite(text: str) -> NoReturn:
    raise ValueError(f"found the number {text}; allowed are finite ones")


def _refuse(name: str, value: Any, allowed: str) -> NoReturn:
    kind = type(value).__name__
    shown = f"{value:g}" if isinstance(value, float) else ""
    if isinstance(value, int) and abs(value) < 10**15:
        shown = str(value)
    if isinstance(value, str):
        shown = ascii(value[:_LONGEST_SHOWN])
    raise ValueError(f"{name}: found {kind} {shown}".rstrip() + f"; allowed is {allowed}")
