# SPDX-License-Identifier: MIT
"""Level packages (VR31, spec 3): a new one, and one OBAN replaced inside an existing one.

Decisions where the specification is silent: "no underscore: 1" is the whole lev_id, as is the 0 of a short
name; a level number that is no number counts as 0; nothing is filled in behind the last block of a .dat; the
template counts the OBANs that have data.
A replacement keeps the instance's own pre-header, name and flags. Data behind it moves by the difference of
the sizes, which is a multiple of 32. An instance whose bytes another one shares is not replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .oban_container import (
    DUPLICATE,
    INSTANCE,
    LEVEL_VERSION,
    MAC_CHECKSUM,
    NAME,
    OBAN,
    PC_CHECKSUM,
    TEMPLATE,
    Container,
    Header,
    Instance,
    aligned,
    parse,
)
from .oban_file import PRE_HEADER, Record, size_of, with_pre_header, write
from .oban_oni import encoded_name

TEMPLATE_CHECKSUM = 0x00000000004E0C24
EMPTY_PART = bytes(32)
LONGEST_SHORT_NAME = 5  # "level" alone: no room for a number


class ReplaceError(ValueError):
    """An instance that cannot be replaced."""


def suffix_hash(suffix: str) -> int:
    """The 24 bits that tell apart packages of one level."""
    if suffix == "Final":
        return 0
    return sum((ord(c.upper()) - 64) * i for i, c in enumerate(suffix, start=1)) & 0xFFFFFF


def level_id(base_name: str) -> int:
    """The lev_id of every instance in a package, from the file's name without folder and extension."""
    if len(base_name) <= LONGEST_SHORT_NAME:
        return 0
    number, underscore, suffix = base_name[5:].partition("_")
    if not underscore:
        return 1
    level = int(number) if number.isascii() and number.isdigit() else 0
    return (((level << 24) | suffix_hash(suffix)) << 1 | 1) & 0xFFFFFFFF


def resource_id(index: int) -> int:
    """The res_id of an instance."""
    return (index << 8 | 1) & 0xFFFFFFFF


def _layout(instances: Sequence[Instance], names: bytes, templates: int, named: int) -> Header:
    header = Header(PC_CHECKSUM, LEVEL_VERSION, instance_count=len(instances))
    header.name_count, header.template_count = named, templates
    tables = 64 + INSTANCE.size * len(instances) + NAME.size * named + TEMPLATE.size * templates
    header.data_offset = aligned(tables)
    header.data_size = sum(instance.data_size for instance in instances)
    header.name_offset = aligned(header.data_offset + header.data_size)
    header.name_size = len(names)
    return header


def create(records: dict[str, Record], base_name: str, checksum: int = PC_CHECKSUM) -> bytes:
    """A new .dat: instances in ordinal order of their names; ids from their places and the file's name."""
    encoded = sorted((encoded_name(name), record) for name, record in records.items())
    instances: list[Instance] = []
    names, data = b"", b""
    for index, (name, record) in enumerate(encoded):
        size = size_of(record)
        instances.append(Instance(OBAN, len(data) + PRE_HEADER.size, len(names), size))
        names += name
        data += write(with_pre_header(record, resource_id(index), level_id(base_name)))
    templates = [(TEMPLATE_CHECKSUM, OBAN, len(instances))] if instances else []
    header = replace(_layout(instances, names, len(templates), len(instances)), checksum=checksum)
    rows = [(index, 0) for index in range(len(instances))]
    tables = Container(b"", header, instances, rows, templates).tables()
    return (tables.ljust(header.data_offset, b"\0") + data).ljust(header.name_offset, b"\0") + names


def package(records: dict[str, Record], base_name: str, checksum: int = PC_CHECKSUM) -> dict[str, bytes]:
    """Every file of a package without binary parts; Mac and demo packages have a .sep too."""
    files = {f"{base_name}.dat": create(records, base_name, checksum), f"{base_name}.raw": EMPTY_PART}
    if checksum == MAC_CHECKSUM:
        files[f"{base_name}.sep"] = EMPTY_PART
    return files


def find(container: Container, name: str) -> int:
    """The instance of that name; raises KeyError."""
    wanted = encoded_name(name)[:-1]
    for index in container.obans() + container.placeholders():
        if container.name_of(index) == wanted:
            return index
    raise KeyError(name)


def replaced(data: bytes, name: str, record: Record) -> bytes:
    """The file with another animation in place of one of that name; raises ReplaceError, KeyError."""
    container = parse(data)
    index = find(container, name)
    old = container.instances[index]
    if not old.has_data or old.flags & DUPLICATE:
        raise ReplaceError(f"{name} has no data of its own")
    if sum(inst.has_data and inst.span == old.span for inst in container.instances) > 1:
        raise ReplaceError(f"{name} shares its data with another instance")
    shift = size_of(record) - old.data_size
    if shift % 32:
        raise ReplaceError(f"the sizes of {name} differ by {shift} bytes")
    before = container.record(index)
    new = write(with_pre_header(record, before.res_id, before.lev_id))
    start = container.start_of(index)
    moved = data[:start] + new + data[start + old.data_size :]
    tables = _moved_tables(container, index, shift).tables()
    return tables + moved[len(tables) :]


def _moved_tables(container: Container, index: int, shift: int) -> Container:
    old, header = container.instances[index], container.header
    instances = [
        replace(inst, data_offset=inst.data_offset + shift)
        if inst.has_data and inst.data_offset > old.data_offset
        else inst
        for inst in container.instances
    ]
    instances[index] = replace(old, data_size=old.data_size + shift)
    header = replace(header, data_size=header.data_size + shift)
    if header.name_offset > header.data_offset:
        header = replace(header, name_offset=header.name_offset + shift)
    return replace(container, header=header, instances=instances)
