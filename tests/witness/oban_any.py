# SPDX-License-Identifier: MIT
"""A file with OBANs of whatever kind, told from its content and never from its name (spec 3).

A container is known by VR31 or VR32 at byte 8, XML by its first sign behind a BOM and blanks; all else is
taken for a raw record, whose size must be that of its keys. VR33 has never been seen and is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from . import oban_container, oban_file, oban_oni, oban_xml
from .anim_file import ParseError
from .oban_file import Record

Kind = Literal["raw", "oni", "dat", "xml"]
UNSEEN_VERSION = b"33RV"


@dataclass
class Found:
    """A record, the name that the file gives it (with its tag), and its instance in a container."""

    name: bytes | None
    record: Record
    index: int = 0


@dataclass
class File:
    """What a file holds; `container` for .oni and .dat."""

    kind: Kind
    found: list[Found]
    container: oban_container.Container | None = None


def kind_of(data: bytes) -> Kind:
    """Told from the content; raises ParseError for VR33."""
    version = data[8:12]
    if version == oban_container.LEVEL_VERSION:
        return "dat"
    if version == oban_container.ONI_VERSION:
        return "oni"
    if version == UNSEEN_VERSION:
        raise ParseError(8, "version", "VR33 is not known")
    if data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith((b"<?xml", b"<Oni", b"<!")):
        return "xml"
    return "raw"


def read(data: bytes) -> File:
    """Reads any kind; raises ParseError."""
    kind = kind_of(data)
    if kind == "raw":
        return File(kind, [Found(None, oban_file.parse_raw(data))])
    if kind == "xml":
        name = oban_xml.name_in(data)
        return File(kind, [Found(None if name is None else name.encode(), oban_xml.parse(data))])
    container = oban_container.parse(data)
    indices = [oban_oni.record_index(container)] if kind == "oni" else container.obans()
    found = [Found(container.name_of(i), container.record(i), i) for i in indices]
    return File(kind, found, container)


def written(file: File) -> bytes:
    """The file again, from what was read: tables and records over the bytes that nobody looked at."""
    if file.kind == "raw":
        return oban_file.write(file.found[0].record)
    if file.kind == "xml" or file.container is None:
        return oban_xml.write(file.found[0].record)
    data = bytearray(file.container.data)
    tables = file.container.tables()
    data[: len(tables)] = tables
    for found in file.found:
        raw, start = oban_file.write(found.record), file.container.start_of(found.index)
        data[start : start + len(raw)] = raw
    return bytes(data)
