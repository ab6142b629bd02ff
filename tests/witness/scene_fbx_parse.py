# SPDX-License-Identifier: MIT
"""FBX 7 files, binary and text, as a tree of elements: a name, values and elements inside."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .scene_math import Array, array
from .scene_read_gltf import SceneError

Value = int | float | bool | str | bytes | Array
_MAGIC = b"Kaydara FBX Binary  \0\x1a\0"
_SCALARS = {b"Y": "<h", b"C": "<?", b"I": "<i", b"F": "<f", b"D": "<d", b"L": "<q"}
_ARRAYS = {b"f": "<f4", b"d": "<f8", b"l": "<i8", b"i": "<i4", b"b": "<u1", b"c": "<u1"}


@dataclass
class Element:
    """An element of the tree."""

    name: str
    values: list[Value] = field(default_factory=list[Value])
    inside: list[Element] = field(default_factory=list["Element"])

    def all(self, name: str) -> Iterator[Element]:
        """Elements inside by name."""
        return (element for element in self.inside if element.name == name)

    def first(self, name: str) -> Element | None:
        """The first of them."""
        return next(self.all(name), None)

    def numbers(self, name: str) -> Array:
        """The array of the element `name` inside; empty if there is none."""
        found = self.first(name)
        if found is None or not found.values:
            return np.zeros(0)
        values = found.values
        return values[0] if isinstance(values[0], np.ndarray) else array([_as_float(v) for v in values])

    def integers(self, name: str) -> list[int]:
        """The same without loss."""
        found = self.first(name)
        if found is None:
            return []
        if len(found.values) == 1 and isinstance(found.values[0], np.ndarray):
            return [int(v) for v in found.values[0].tolist()]
        return [int(_as_float(v)) for v in found.values]


def _as_float(value: Value) -> float:
    if isinstance(value, (int, float)):
        return float(value)
    raise SceneError(f"{value!r} where a number belongs")


def parse(data: bytes) -> tuple[int, bool, Element]:
    """The version, whether the file is text, and the tree."""
    if data.startswith(_MAGIC):
        (version,) = struct.unpack_from("<I", data, len(_MAGIC))
        return version, False, Element("", [], _Binary(data, version >= 7500).elements())
    root = Element("", [], _Text(data.decode(errors="replace")).elements())
    header = root.first("FBXHeaderExtension")
    told = header.first("FBXVersion") if header else None
    if told is None:
        raise SceneError("neither binary FBX nor text with an FBXVersion")
    return int(_as_float(told.values[0])), True, root


def _unpacked(stored: bytes) -> bytes:
    try:
        return zlib.decompress(stored)
    except zlib.error as error:
        raise SceneError(f"an array: {error}") from error


class _Binary:
    def __init__(self, data: bytes, wide: bool) -> None:
        self.data, self.wide, self.at = data, wide, len(_MAGIC) + 4

    def _take(self, format_: str) -> tuple[int, ...]:
        size = struct.calcsize(format_)
        if self.at + size > len(self.data):
            raise SceneError(f"cut off at byte {self.at}")
        found = struct.unpack_from(format_, self.data, self.at)
        self.at += size
        return found

    def elements(self) -> list[Element]:
        """All elements up to the empty one that ends a list."""
        result: list[Element] = []
        while (element := self._element()) is not None:
            result.append(element)
        return result

    def _element(self) -> Element | None:
        end, count, _, length = self._take("<QQQB" if self.wide else "<IIIB")
        if end == 0:
            return None
        name = self._bytes(length).decode()
        element = Element(name, [self._value() for _ in range(count)])
        if self.at < end:
            element.inside = self.elements()
        if self.at != end:
            raise SceneError(f"{name} ends at byte {self.at}, not at {end}")
        return element

    def _bytes(self, size: int) -> bytes:
        if self.at + size > len(self.data):
            raise SceneError(f"cut off at byte {self.at}")
        self.at += size
        return self.data[self.at - size : self.at]

    def _value(self) -> Value:
        kind = self._bytes(1)
        if kind in _SCALARS:
            return self._take(_SCALARS[kind])[0]
        if kind == b"R":
            return self._bytes(self._take("<I")[0])
        if kind == b"S":
            text = self._bytes(self._take("<I")[0]).decode(errors="replace")
            name, mark, class_ = text.partition("\0\x01")
            return f"{class_}::{name}" if mark else text
        if kind not in _ARRAYS:
            raise SceneError(f"no such type of value: {kind!r}")
        count, packed, size = self._take("<III")
        dtype = np.dtype(_ARRAYS[kind])
        stored = self._bytes(size if packed else count * dtype.itemsize)
        found = np.frombuffer(_unpacked(stored) if packed else stored, dtype)
        if len(found) != count:
            raise SceneError(f"{len(found)} values, not {count}")
        # Times are 64-bit integers, which float64 does not always hold; objects keep them whole.
        return np.array(found.tolist(), dtype=object) if kind == b"l" else found.astype(np.float64)


_TOKEN = re.compile(
    r"""(?P<skip>[\s,]+|;[^\n]*)|(?P<open>\{)|(?P<close>\})|(?P<text>"[^"]*")|(?P<count>\*\d+)"""
    r"""|(?P<name>[A-Za-z_][\w|]*)\s*:|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<word>[A-Za-z]\w*)"""
)


class _Text:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise SceneError(f"line {text.count(chr(10), 0, at) + 1}: {text[at : at + 20]!r}")
            at = found.end()
            kind = found.lastgroup or ""
            if kind != "skip":
                self.tokens.append((kind, found.group(kind)))
        self.at = 0

    def elements(self, nested: bool = False) -> list[Element]:
        """The elements up to the closing brace, or the end."""
        result: list[Element] = []
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            self.at += 1
            if kind == "close":
                if nested:
                    return result
                raise SceneError("a } too many")
            if kind != "name":
                raise SceneError(f"{text!r} where a name belongs")
            result.append(self._element(text))
        if nested:
            raise SceneError("a } is missing: the file is cut off")
        return result

    def _element(self, name: str) -> Element:
        element = Element(name)
        counted = False
        while self.at < len(self.tokens) and self.tokens[self.at][0] not in ("name", "close"):
            kind, text = self.tokens[self.at]
            self.at += 1
            if kind == "open":
                element.inside = self.elements(nested=True)
                break
            counted = counted or kind == "count"
            element.values.append(_scalar(kind, text))
        if counted:
            inner = element.inside[0] if element.inside else Element("a")
            if len(inner.values) != element.values[0]:
                raise SceneError(f"{name} has {len(inner.values)} values, not {element.values[0]}")
            return Element(name, inner.values)
        return element


def _scalar(kind: str, text: str) -> Value:
    if kind == "text":
        return text[1:-1].replace("&quot;", '"')
    if kind == "count":
        return int(text[1:])
    if kind == "word":
        return text
    return float(text) if any(c in text for c in ".eE") else int(text)
