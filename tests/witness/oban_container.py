# SPDX-License-Identifier: MIT
"""What .oni files and level .dat files have in common: header, descriptors, data and name block (spec 3).

`parse` follows the offsets and assumes no order of the blocks. It refuses what does not fit into the bytes
and what claims bytes that belong to something else: a block inside the tables, names inside the data, an OBAN
that shares a part of its bytes with another instance. The very same range twice is no error: duplicates may
share it. The raw part of a .oni is not looked at, as no OBAN has one.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from .anim_file import ParseError
from .oban_file import HEAD as RECORD_HEAD
from .oban_file import PRE_HEADER, Record
from .oban_file import parse as parse_record

PC_CHECKSUM = 0x0003BCDF33DC271F
MAC_CHECKSUM = 0x0003BCDF23C13061  # the PC demo's as well
PS2_CHECKSUM = 0x0003BA70A8D8AE11
CHECKSUMS = {"pc": PC_CHECKSUM, "mac": MAC_CHECKSUM, "ps2": PS2_CHECKSUM}
LEVEL_VERSION, ONI_VERSION = b"13RV", b"23RV"  # VR31 and VR32
SIZES = (64, 20, 16, 8)
OBAN = b"NABO"  # the tag as it is stored
UNNAMED, PLACEHOLDER, DUPLICATE, DUPLICATE_SOURCE = 1, 2, 4, 8
ALIGNMENT = 32

HEADER = struct.Struct("<Q4s4H3I4I4I")
INSTANCE = struct.Struct("<4s4I")
NAME = struct.Struct("<II")
TEMPLATE = struct.Struct("<Q4sI")
HEADER_FIELDS = (
    ("checksum", 0x00, 8),
    ("version", 0x08, 4),
    ("header_size", 0x0C, 2),
    ("instance_descriptor_size", 0x0E, 2),
    ("template_descriptor_size", 0x10, 2),
    ("name_descriptor_size", 0x12, 2),
    ("instance_count", 0x14, 4),
    ("name_count", 0x18, 4),
    ("template_count", 0x1C, 4),
    ("data_offset", 0x20, 4),
    ("data_size", 0x24, 4),
    ("name_offset", 0x28, 4),
    ("name_size", 0x2C, 4),
    ("raw_offset", 0x30, 4),
    ("raw_size", 0x34, 4),
    ("reserved", 0x38, 8),
)
AT = {name: at for name, at, _ in HEADER_FIELDS}


def aligned(number: int) -> int:
    """Rounded up to 32: A(n) of spec 3."""
    return -(-number // ALIGNMENT) * ALIGNMENT


@dataclass
class Header:
    """The 64 bytes; raw offset and size mean something in a .oni only."""

    checksum: int
    version: bytes
    sizes: tuple[int, ...] = SIZES
    instance_count: int = 1
    name_count: int = 0
    template_count: int = 0
    data_offset: int = 0
    data_size: int = 0
    name_offset: int = 0
    name_size: int = 0
    raw_offset: int = 0
    raw_size: int = 0
    reserved: tuple[int, int] = (0, 0)

    def pack(self) -> bytes:
        """The header's bytes."""
        counts = (self.instance_count, self.name_count, self.template_count)
        blocks = (self.data_offset, self.data_size, self.name_offset, self.name_size)
        tail = (self.raw_offset, self.raw_size, *self.reserved)
        return HEADER.pack(self.checksum, self.version, *self.sizes, *counts, *blocks, *tail)


@dataclass
class Instance:
    """A descriptor. The data offset points behind the 8-byte pre-header, the data size includes it."""

    tag: bytes = OBAN
    data_offset: int = 8
    name_offset: int = 0
    data_size: int = 0
    flags: int = 0

    @property
    def has_name(self) -> bool:
        """Whether the name offset means something."""
        return not self.flags & UNNAMED

    @property
    def has_data(self) -> bool:
        """Whether it is no placeholder."""
        return not self.flags & PLACEHOLDER and self.data_size != 0 and self.data_offset != 0

    @property
    def span(self) -> tuple[int, int]:
        """First byte and the byte behind the last, counted from the data block."""
        return self.data_offset - PRE_HEADER.size, self.data_offset - PRE_HEADER.size + self.data_size

    def pack(self) -> bytes:
        """The descriptor's bytes."""
        return INSTANCE.pack(self.tag, self.data_offset, self.name_offset, self.data_size, self.flags)


@dataclass
class Container:
    """The tables of a file, and the whole file."""

    data: bytes
    header: Header
    instances: list[Instance]
    names: list[tuple[int, int]]  # instance index, 0
    templates: list[tuple[int, bytes, int]]  # checksum, tag, count

    def name_of(self, index: int) -> bytes | None:
        """The name with its tag, or None."""
        instance = self.instances[index]
        if not instance.has_name:
            return None
        start = self.header.name_offset + instance.name_offset
        return self.data[start : self.data.index(b"\0", start)]

    def start_of(self, index: int) -> int:
        """Where in the file an instance's pre-header is."""
        return self.header.data_offset + self.instances[index].span[0]

    def obans(self) -> list[int]:
        """Indices of the OBANs that have data."""
        return [i for i, inst in enumerate(self.instances) if inst.tag == OBAN and inst.has_data]

    def placeholders(self) -> list[int]:
        """Indices of the OBANs that have none."""
        return [i for i, inst in enumerate(self.instances) if inst.tag == OBAN and not inst.has_data]

    def record(self, index: int) -> Record:
        """An OBAN's record; raises ParseError."""
        size, path = self.instances[index].data_size, f"instances[{index}]."
        if size < RECORD_HEAD.size:
            text = f"{size} bytes, an OBAN has {RECORD_HEAD.size} at least"
            raise ParseError(instance_at(index, "data_size"), path + "data_size", text)
        return parse_record(self.data, self.start_of(index), size, path)

    def tables(self) -> bytes:
        """Header and descriptors, as they stand at the front of the file."""
        rows = [instance.pack() for instance in self.instances]
        rows += [NAME.pack(*row) for row in self.names] + [TEMPLATE.pack(*row) for row in self.templates]
        return self.header.pack() + b"".join(rows)


def instance_at(index: int, field_name: str) -> int:
    """Where in the file a field of a descriptor is."""
    fields = ("tag", "data_offset", "name_offset", "data_size", "flags")
    return HEADER.size + INSTANCE.size * index + 4 * fields.index(field_name)


def _header(data: bytes) -> Header:
    for name, at, length in HEADER_FIELDS:
        if at + length > len(data):
            raise ParseError(at, name, f"{length} bytes needed, {max(len(data) - at, 0)} left")
    v = HEADER.unpack_from(data)
    header = Header(v[0], v[1], v[2:6], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15:17])
    if header.version not in (LEVEL_VERSION, ONI_VERSION):
        raise ParseError(AT["version"], "version", f"{header.version!r} is neither VR31 nor VR32")
    for (name, at, _), found, right in zip(HEADER_FIELDS[2:6], header.sizes, SIZES, strict=True):
        if found != right:
            raise ParseError(at, name, f"{found}, {right} expected")
    return header


def _check_counts(header: Header, size: int) -> int:
    """The end of the tables."""
    end = HEADER.size
    rows = (
        ("instance_count", header.instance_count, INSTANCE.size),
        ("name_count", header.name_count, NAME.size),
        ("template_count", header.template_count, TEMPLATE.size),
    )
    for name, count, row_size in rows:
        if count * row_size > size - end:
            raise ParseError(AT[name], name, f"{count} descriptors cannot fit into {size - end} bytes")
        end += count * row_size
    return end


def _check_blocks(header: Header, tables_end: int, size: int) -> None:
    taken = [(0, tables_end)]
    for kind in ("data", "name"):
        offset, length = (header.data_offset, header.data_size)
        if kind == "name":
            offset, length = (header.name_offset, header.name_size)
        if offset > size:
            raise ParseError(AT[f"{kind}_offset"], f"{kind}_offset", f"{offset}, the file has {size} bytes")
        if length > size - offset:
            text = f"{length} bytes, {size - offset} left behind the offset"
            raise ParseError(AT[f"{kind}_size"], f"{kind}_size", text)
        if any(offset < end and start < offset + length for start, end in taken if length):
            raise ParseError(
                AT[f"{kind}_offset"], f"{kind}_offset", f"the block at {offset} overlaps another"
            )
        taken.append((offset, offset + length))


def _check_instance(container: Container, index: int) -> None:
    header, instance, path = container.header, container.instances[index], f"instances[{index}]."

    def fail(name: str, text: str) -> ParseError:
        return ParseError(instance_at(index, name), path + name, text)

    if instance.has_data:
        start, end = instance.span
        if start < 0 or start >= header.data_size:
            raise fail(
                "data_offset", f"{instance.data_offset} is outside the {header.data_size} bytes of data"
            )
        if instance.data_size < PRE_HEADER.size or end > header.data_size:
            raise fail("data_size", f"{instance.data_size} bytes, {header.data_size - start} left")
    if instance.has_name:
        start, end = header.name_offset + instance.name_offset, header.name_offset + header.name_size
        if instance.name_offset >= header.name_size or container.data.find(b"\0", start, end) < 0:
            raise fail("name_offset", f"no name at {instance.name_offset} of {header.name_size} bytes")


def _check_overlaps(container: Container) -> None:
    with_data = [(i, inst) for i, inst in enumerate(container.instances) if inst.has_data]
    for index in container.obans():
        start, end = container.instances[index].span
        for other, instance in with_data:
            if instance.span != (start, end) and instance.span[0] < end and start < instance.span[1]:
                later = max(index, other)
                text = f"instances {min(index, other)} and {later} share bytes"
                raise ParseError(instance_at(later, "data_offset"), f"instances[{later}].data_offset", text)


def parse(data: bytes) -> Container:
    """Reads the tables and checks every offset; raises ParseError."""
    header = _header(data)
    tables_end = _check_counts(header, len(data))
    _check_blocks(header, tables_end, len(data))
    names_at = HEADER.size + INSTANCE.size * header.instance_count
    templates_at = names_at + NAME.size * header.name_count
    instances = [Instance(*row) for row in INSTANCE.iter_unpack(data[HEADER.size : names_at])]
    names = list(NAME.iter_unpack(data[names_at:templates_at]))
    templates = list(TEMPLATE.iter_unpack(data[templates_at:tables_end]))
    container = Container(data, header, instances, names, templates)
    for index in range(len(instances)):
        _check_instance(container, index)
    _check_overlaps(container)
    return container
