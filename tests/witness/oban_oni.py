# SPDX-License-Identifier: MIT
"""Stand-alone .oni files of one OBAN (VR32, spec 3): reading, the three layouts, and names.

Names. OniSplit names the instance after the file name; "prefix OBAN added" is read as: where it is missing.
The specification does not say which characters a writer escapes: here those that a Windows file name cannot
hold, and the percent sign, as % and two capital hex digits.
"""

from __future__ import annotations

import re

from .anim_file import ParseError
from .oban_container import (
    AT,
    INSTANCE,
    OBAN,
    ONI_VERSION,
    PC_CHECKSUM,
    Container,
    Header,
    Instance,
    aligned,
    instance_at,
)
from .oban_file import PRE_HEADER, Record, size_of, with_pre_header, write

TAG = "OBAN"
MAX_NAME = 63  # characters with the tag
TRAILER = bytes(32)
TABLES_END = 0x40 + INSTANCE.size
NAMES_AT = aligned(TABLES_END)  # 0x60
_NOT_IN_FILE_NAMES = re.compile(r'[%"*/:<>?\\|\x00-\x1f]')


class UnwritableNameError(ValueError):
    """A name that cannot be written."""


def encoded_name(name: str) -> bytes:
    """The name with its tag and NUL; raises UnwritableNameError."""
    whole = name if name.startswith(TAG) else TAG + name
    bad = [c for c in whole if not " " <= c <= "~"]
    if bad:
        raise UnwritableNameError(f"{bad[0]!r} in {name!r} is no printable ASCII character")
    if not len(TAG) < len(whole) <= MAX_NAME:
        raise UnwritableNameError(
            f"{name!r} has {len(whole)} characters with its tag, 5 to {MAX_NAME} are allowed"
        )
    return whole.encode("ascii") + b"\0"


def name_of_file(file_name: str, decode: bool = True) -> str:
    """The instance's name that OniSplit takes from a file name; -create does not decode %XX."""
    stem = file_name.rsplit(".", 1)[0]
    if decode:
        stem = re.sub("%([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), stem)
    return stem if stem.startswith(TAG) else TAG + stem


def file_name_of(name: str) -> str:
    """The file name that comes back as this name."""
    return _NOT_IN_FILE_NAMES.sub(lambda match: f"%{ord(match[0]):02X}", name) + ".oni"


def record_index(container: Container) -> int:
    """The OBAN of a stand-alone file: the first that has data; raises ParseError if there is none."""
    if not container.instances:
        raise ParseError(AT["instance_count"], "instance_count", "no instance")
    if container.obans():
        return container.obans()[0]
    name = "data_size" if container.placeholders() else "tag"
    raise ParseError(instance_at(0, name), f"instances[0].{name}", "no OBAN with data")


def _stored(record: Record) -> bytes:
    return write(with_pre_header(record, res_id=1, lev_id=0))


def _tables(header: Header, size: int) -> bytes:
    instance = Instance(OBAN, PRE_HEADER.size, 0, size, 0)
    return (header.pack() + instance.pack()).ljust(NAMES_AT, b"\0")


def create_with_names(record: Record, names: bytes, checksum: int = PC_CHECKSUM) -> bytes:
    """A new file with any bytes in its name block."""
    size = size_of(record)
    header = Header(checksum, ONI_VERSION, data_offset=aligned(NAMES_AT + len(names)), data_size=size)
    header.name_offset, header.name_size = NAMES_AT, len(names)
    return (_tables(header, size) + names).ljust(header.data_offset, b"\0") + _stored(record)


def create(record: Record, name: str, checksum: int = PC_CHECKSUM) -> bytes:
    """A new file: names, then data, byte for byte what OniSplit's -create writes."""
    return create_with_names(record, encoded_name(name), checksum)


def exported(record: Record, name: str) -> bytes:
    """What -export writes: a raw part of 32 zeros behind the data, told of in the header."""
    data = create(record, name)
    header = Header(PC_CHECKSUM, ONI_VERSION, data_offset=aligned(NAMES_AT + len(encoded_name(name))))
    header.data_size, header.name_offset, header.name_size = (
        size_of(record),
        NAMES_AT,
        len(encoded_name(name)),
    )
    header.raw_offset, header.raw_size = aligned(len(data)), len(TRAILER)
    return (header.pack() + data[0x40:]).ljust(header.raw_offset, b"\0") + TRAILER


def created_by_older_writer(record: Record, name: str) -> bytes:
    """The other order: data, then names."""
    names, size = encoded_name(name), size_of(record)
    header = Header(PC_CHECKSUM, ONI_VERSION, data_offset=NAMES_AT, data_size=size)
    header.name_offset, header.name_size = NAMES_AT + size, len(names)
    return _tables(header, size) + _stored(record) + names
