# SPDX-License-Identifier: MIT
"""OBANs inside .oni files and level packages, and levels in which one has been replaced (spec 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import oban_level, oban_oni
from ..oban_container import (
    AT,
    CHECKSUMS,
    DUPLICATE,
    DUPLICATE_SOURCE,
    LEVEL_VERSION,
    MAC_CHECKSUM,
    OBAN,
    PC_CHECKSUM,
    PLACEHOLDER,
    UNNAMED,
    Container,
    Header,
    Instance,
    aligned,
)
from ..oban_file import PRE_HEADER, Record, with_pre_header, write
from .oban_build import ObanCase, good, key, record, swing, turn
from .oban_records import camera_in_base, door, steep_camera

TWO = {"swing": swing(), "Door_A": door()}  # capitals sort before small letters
ONE_FILE = oban_oni.create(swing(), "swing")
TEXTURE, TEXTURE_CHECKSUM = b"PMXT", 0x000000891187581F  # another kind of instance; its checksum is made up
JUNK = 0x9C3F0000


def patched(data: bytes, at: int, value: int, size: int = 4) -> bytes:
    """A number replaced."""
    return data[:at] + value.to_bytes(size, "little") + data[at + size :]


def pieced(parts: list[tuple[Instance, bytes, bytes]], names_first: bool = False) -> bytes:
    """A level of any instances: descriptor with tag, flags and maybe a shared offset; name or b""; data."""
    names, data, instances = b"", b"", list[Instance]()
    for given, name, body in parts:
        instance = replace(given, name_offset=len(names) if name else 0)
        if body:
            instance = replace(instance, data_offset=len(data) + PRE_HEADER.size, data_size=len(body))
        names, data = names + name, data + body.ljust(aligned(len(body)), b"\0")
        instances.append(instance)
    by_name = sorted((name, i) for i, (_, name, _) in enumerate(parts) if name)
    tags = sorted({part[0].tag for part in parts})
    sums = {OBAN: oban_level.TEMPLATE_CHECKSUM, TEXTURE: TEXTURE_CHECKSUM}
    templates = [(sums[tag], tag, sum(p[0].tag == tag and bool(p[2]) for p in parts)) for tag in tags]
    header = Header(MAC_CHECKSUM, LEVEL_VERSION, instance_count=len(parts), name_count=len(by_name))
    header.template_count, header.data_size, header.name_size = len(templates), len(data), len(names)
    container = Container(b"", header, instances, [(i, 0) for _, i in by_name], templates)
    first = aligned(len(container.tables()))
    blocks = ((names, data), (data, names))[not names_first]
    header.data_offset = aligned(first + len(names)) if names_first else first
    header.name_offset = first if names_first else aligned(first + len(data))
    return b"".join(part.ljust(aligned(len(part)), b"\0") for part in (container.tables(), *blocks))


def stored(made: Record, index: int) -> bytes:
    """A record as instance of level 3."""
    return write(with_pre_header(made, oban_level.resource_id(index), 0x06000001))


def mixed(names_first: bool = False) -> bytes:
    """OBANs among textures: placeholders of both kinds, an unnamed one, junk in the flags."""
    texture = bytes.fromhex("0104000001000006") + bytes(range(56))
    return pieced(
        [
            (Instance(OBAN, flags=JUNK), b"OBANgate\0", stored(door(), 0)),
            (Instance(OBAN, 0, flags=PLACEHOLDER), b"OBANelsewhere\0", b""),
            (Instance(TEXTURE, 0, flags=PLACEHOLDER | JUNK), b"TXMPsky\0", b""),
            (Instance(OBAN, flags=UNNAMED), b"", stored(steep_camera(), 3)),
            (Instance(TEXTURE), b"TXMPwall\0", texture),
            (Instance(OBAN), b"OBANcamera\0", stored(camera_in_base(), 5)),
        ],
        names_first,
    )


def duplicates() -> bytes:
    """Two names for the same bytes."""
    body = stored(swing(), 0)
    return pieced(
        [
            (Instance(OBAN, flags=DUPLICATE_SOURCE), b"OBANfirst\0", body),
            (Instance(OBAN, PRE_HEADER.size, 0, len(body), DUPLICATE), b"OBANsecond\0", b""),
            (Instance(OBAN), b"OBANthird\0", stored(door(), 2)),
        ]
    )


def placeholders() -> bytes:
    """Each of the three marks of a placeholder alone, and an OBAN."""
    return pieced(
        [
            (Instance(OBAN, PRE_HEADER.size, 0, 64, PLACEHOLDER), b"OBANby_flag\0", b""),
            (Instance(OBAN, PRE_HEADER.size, 0, 0), b"OBANby_size\0", b""),
            (Instance(OBAN, 0, 0, 64), b"OBANby_offset\0", b""),
            (Instance(OBAN), b"OBANhere\0", stored(swing(), 3)),
        ]
    )


def single_files() -> list[ObanCase]:
    """Stand-alone files."""
    made = swing(padding=bytes(range(12)), flags=0x11)
    plain = ONE_FILE
    gap = oban_oni.create(swing(), "gap")
    gap = gap[:0x58] + b"\x11" * 8 + gap[0x60:0x6C] + b"\x22" * 20 + gap[0x80:]
    tail = replace(swing(), tail=b"behind the keys")
    long = oban_oni.create(swing(), "x" * 59)
    too_long = oban_oni.create_with_names(swing(), b"OBAN" + b"y" * 60 + b"\0")
    latin = oban_oni.create_with_names(swing(), b"OBANsw\xefng\0")
    outside = patched(patched(plain, AT["raw_offset"], len(plain)), AT["raw_size"], 32)
    return [
        good("oni_created.oni", "As -create writes it", plain),
        good("oni_exported.oni", "As -export writes it: 32 zeros behind", oban_oni.exported(made, "swing")),
        good("oni_older.oni", "Data before names", oban_oni.created_by_older_writer(made, "swing")),
        good("oni_mac.oni", "Another checksum", oban_oni.create(made, "swing", MAC_CHECKSUM)),
        good("oni_checksum_0.oni", "No checksum", oban_oni.create(made, "swing", 0), "checksum_unknown"),
        good("oni_flags_junk.oni", "High bits in the descriptor", patched(plain, 0x50, JUNK)),
        good("oni_unnamed.oni", "No name", patched(patched(plain, 0x50, UNNAMED), 0x48, 0xFFFFFFFF)),
        good("oni_gaps.oni", "Bytes between the blocks", gap),
        good("oni_reserved.oni", "Bytes in the header's rest", patched(plain, 0x38, 2**63 + 5, 8)),
        good("oni_trailing.oni", "Bytes behind the data", plain + b"the end"),
        good("oni_raw_outside.oni", "A raw part beyond the end", outside, "raw_part_outside"),
        good("oni_tail.oni", "Bytes behind the keys", oban_oni.create(tail, "tail"), "bytes_behind_keys"),
        good("oni_name_63.oni", "The longest name", long),
        good("oni_name_64.oni", "A name too long", too_long, "name_not_writable"),
        good("oni_name_not_ascii.oni", "A name in Latin-1", latin, "name_not_writable"),
    ]


def levels() -> list[ObanCase]:
    """Levels as they are found."""
    made = [
        good(
            f"level_{name}.dat",
            f"Two OBANs, checksum of {name}",
            oban_level.create(TWO, "level3_Final", checksum),
        )
        for name, checksum in CHECKSUMS.items()
    ]
    none = pieced([(Instance(TEXTURE), b"TXMPwall\0", bytes(64))])
    return [
        *made,
        good("level_empty.dat", "Nothing in it", oban_level.create({}, "level3_Final")),
        good("level_no_oban.dat", "No OBAN in it", none),
        good("level_mixed.dat", "Placeholders, other kinds, junk flags", mixed()),
        good("level_mixed_names_first.dat", "The same, names before data", mixed(names_first=True)),
        good("level_placeholders.dat", "Three marks of a placeholder", placeholders()),
        good("level_duplicates.dat", "Two names for the same bytes", duplicates()),
        good("level_unknown_checksum.dat", "Not a known game", patched(mixed(), 0, 5, 8), "checksum_unknown"),
    ]


def replacements() -> list[tuple[dict[str, Any], ObanCase]]:
    """A row for the manifest (file, name, with, gives), and the level after it."""
    longer = record(*(key(4 * i, turn((0, 0, 1), 9 * i), (i, 2 * i, 3)) for i in range(9)))
    longer.padding, longer.flags = b"PADDING 12 B", 0x21
    rows = [
        ("level_pc.dat", oban_level.create(TWO, "level3_Final"), "OBANDoor_A", "longer", longer),
        ("level_pc.dat", oban_level.create(TWO, "level3_Final"), "OBANswing", "shorter", camera_in_base()),
        ("level_mixed.dat", mixed(), "OBANgate", "longer", longer),
        ("level_mixed.dat", mixed(), "OBANgate", "same_size", swing(flags=0x20)),
        ("level_mixed_names_first.dat", mixed(True), "OBANgate", "shorter", camera_in_base()),
        ("level_duplicates.dat", duplicates(), "OBANthird", "longer", longer),
    ]
    made: list[tuple[dict[str, Any], ObanCase]] = []
    for file, data, name, what, new in rows:
        after = oban_level.replaced(data, name, new)
        expect = ["flags_unknown"] if new.flags & 0x20 else []
        gives = f"replaced/{file.removesuffix('.dat')}_{name[4:].lower()}_{what}.dat"
        source = f"replaced/{what}.oban"
        row = {"file": file, "name": name, "with": source, "gives": gives}
        made.append((row, good(gives, f"{name} replaced: {what}", after, *expect)))
        made.append(({}, good(source, "What a replacement is made of", write(new), *expect)))
    return made


def packages() -> dict[str, dict[str, bytes]]:
    """New packages by their folder: every file of each."""
    records = {"swing": swing(), "Door_A": door(), "camera": camera_in_base(), "Beta": steep_camera()}
    return {
        "package_pc": oban_level.package(records, "level7_Final", PC_CHECKSUM),
        "package_mac": oban_level.package(records, "level7_Final", MAC_CHECKSUM),
        "package_suffix": oban_level.package(records, "level19_Extra", PC_CHECKSUM),
    }


def all_cases() -> list[ObanCase]:
    """Every case of this module, the replaced levels too."""
    replaced = {case.file: case for _, case in replacements()}
    return [*single_files(), *levels(), *replaced.values()]
