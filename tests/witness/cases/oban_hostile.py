# SPDX-License-Identifier: MIT
"""OBAN files that no reader accepts: cut, lying, or of something else (spec 1, 3)."""

from __future__ import annotations

from .. import oban_level, oban_oni
from ..oban_container import AT, HEADER_FIELDS, OBAN, PLACEHOLDER, Instance, instance_at
from ..oban_file import FIELDS, HEAD, KEY, KEY_COUNT_AT, write
from .oban_build import ObanCase, bad, key, record, swing
from .oban_packages import TEXTURE, TWO, patched, pieced, stored

MAX = 0xFFFFFFFF
RAW, ONI = write(swing()), oban_oni.create(swing(), "swing")
LEVEL = oban_level.create(TWO, "level3_Final")
DATA_AT = 0x80  # of ONI


def cut_records() -> list[ObanCase]:
    """The file ends inside each field, and inside the keys."""
    made = [
        bad(f"cut_in_{name}.oban", f"The file ends inside {name}", RAW[: at + length // 2], name, at)
        for name, at, length in FIELDS
    ]
    count = ("key_count", KEY_COUNT_AT)
    return [
        *made,
        bad("cut_in_keys.oban", "The last key is cut: the count is at fault", RAW[:-1], *count),
        bad("cut_before_keys.oban", "No key is there", RAW[: HEAD.size], *count),
        bad("key_count_65535.oban", "65,535 keys promised", patched(RAW, KEY_COUNT_AT, 0xFFFF, 2), *count),
        bad("key_count_one_more.oban", "A key too many promised", patched(RAW, KEY_COUNT_AT, 4, 2), *count),
        bad("key_count_one_less.oban", "A key behind the last", patched(RAW, KEY_COUNT_AT, 2, 2), *count),
        bad("trailing_byte.oban", "No raw record has this size", RAW + b"\0", *count),
    ]


def cut_headers() -> list[ObanCase]:
    """A container ends inside its header, tables or data; before VR32 it cannot be told from a raw record."""
    made = [
        bad(f"oni_cut_in_{name}.oni", f"The file ends inside {name}", ONI[: at + length // 2], name, at)
        for name, at, length in HEADER_FIELDS[2:]
    ]
    return [
        *made,
        bad("oni_cut_in_checksum.oni", "Four bytes: a raw record, cut", ONI[:4], "lev_id", 4),
        bad("oni_cut_in_version.oni", "Ten bytes: a raw record, cut", ONI[:10], "padding", 8),
        bad(
            "oni_cut_in_descriptor.oni",
            "No whole descriptor",
            ONI[:80],
            "instance_count",
            AT["instance_count"],
        ),
        bad(
            "oni_cut_in_names.oni", "The data is beyond the end", ONI[:0x64], "data_offset", AT["data_offset"]
        ),
        bad("oni_cut_in_data.oni", "The data is not whole", ONI[:-1], "data_size", AT["data_size"]),
        bad("level_cut_in_names.dat", "The names are not whole", LEVEL[:-1], "name_size", AT["name_size"]),
    ]


HEADER_LIES: tuple[tuple[str, int, str], ...] = (
    ("version", int.from_bytes(b"33RV", "little"), "33"),
    ("header_size", 60, "60"),
    ("instance_descriptor_size", 24, "24"),
    ("template_descriptor_size", 0, "0"),
    ("name_descriptor_size", 12, "12"),
    ("instance_count", 0, "0"),
    ("instance_count", MAX, "max"),
    ("instance_count", 0x0CCCCCCD, "wraps"),  # times 20 it is 4
    ("instance_count", 30, "30"),
    ("name_count", MAX, "max"),
    ("name_count", 0x20000000, "wraps"),
    ("name_count", 0x80000000, "negative"),
    ("template_count", MAX, "max"),
    ("template_count", 0x10000000, "wraps"),
    ("data_offset", len(ONI) + 1, "outside"),
    ("data_offset", MAX - 0x5F, "wraps"),
    ("data_offset", 0, "0"),
    ("data_offset", 0x40, "in_descriptors"),
    ("data_size", MAX, "negative"),
    ("data_size", len(ONI) - DATA_AT + 1, "one_more"),
    ("data_size", MAX - DATA_AT + 1, "wraps"),
    ("name_offset", len(ONI) + 1, "outside"),
    ("name_offset", 0x44, "in_descriptors"),
    ("name_offset", 0x90, "in_data"),
    ("name_offset", MAX - 9, "wraps"),
    ("name_size", MAX, "negative"),
)
DESCRIPTOR_LIES: tuple[tuple[str, int, str], ...] = (
    ("tag", int.from_bytes(TEXTURE, "little"), "other"),
    ("data_offset", 4, "in_pre_header"),
    ("data_offset", len(RAW) + 8, "outside"),
    ("data_offset", MAX, "negative"),
    ("data_size", len(RAW) + 1, "one_more"),
    ("data_size", MAX, "negative"),
    ("data_size", 4, "4"),
    ("data_size", HEAD.size - 1, "too_small"),
    ("data_size", 0, "0"),
    ("name_offset", len(b"OBANswing\0"), "outside"),
    ("name_offset", 0x80000000, "negative"),
)


def headers() -> list[ObanCase]:
    """Header fields that lie."""
    sizes = {name: length for name, _, length in HEADER_FIELDS}
    made = [
        bad(
            f"oni_{name}_{what}.oni",
            f"{name} is {value:#x}",
            patched(ONI, AT[name], value, sizes[name]),
            name,
            AT[name],
        )
        for name, value, what in HEADER_LIES
    ]
    vr30 = patched(ONI, AT["version"], int.from_bytes(b"03RV", "little"))
    longer, names = patched(ONI, AT["name_size"], 0x21), "name_offset"
    return [
        *made,
        bad("oni_version_30.oni", "VR30: taken for a raw record", vr30, "key_count", KEY_COUNT_AT),
        bad("oni_name_size_in_data.oni", "Names reach into the data", longer, names, AT[names]),
    ]


def descriptors() -> list[ObanCase]:
    """Descriptors that lie."""
    made = [
        bad(
            f"oni_instance_{name}_{what}.oni",
            f"The descriptor's {name} is {value:#x}",
            patched(ONI, instance_at(0, name), value),
            f"instances[0].{name}",
            instance_at(0, name),
        )
        for name, value, what in DESCRIPTOR_LIES
    ]
    size, name, count = instance_at(0, "data_size"), instance_at(0, "name_offset"), DATA_AT + KEY_COUNT_AT
    placeholder = patched(ONI, instance_at(0, "flags"), PLACEHOLDER)
    no_nul = oban_oni.create_with_names(swing(), b"OBANswing")
    many, few = patched(ONI, count, 0xFFFF, 2), patched(ONI, size, len(RAW) - KEY.size)
    about = "A key more than the data size has room for"
    return [
        *made,
        bad("oni_placeholder.oni", "The OBAN has no data", placeholder, "instances[0].data_size", size),
        bad("oni_name_without_nul.oni", "A name without end", no_nul, "instances[0].name_offset", name),
        bad("oni_key_count_max.oni", "65,535 keys promised", many, "instances[0].key_count", count),
        bad("oni_key_count_beyond_size.oni", about, few, "instances[0].key_count", count),
    ]


def levels() -> list[ObanCase]:
    """Levels whose instances reach into one another, or whose second instance lies."""
    data, names, size = (instance_at(1, field) for field in ("data_offset", "name_offset", "data_size"))
    small = stored(record(key(0)), 0)
    other = pieced([(Instance(OBAN), b"OBANa\0", small), (Instance(TEXTURE), b"TXMPb\0", bytes(64))])
    block, second = (int.from_bytes(LEVEL[at : at + 4], "little") for at in (AT["data_offset"], data))
    count = block + second - 8 + KEY_COUNT_AT
    rows = (
        ("overlap", "Two OBANs share bytes", patched(LEVEL, data, 0x28), "data_offset", data),
        ("overlap_other", "A texture inside an OBAN", patched(other, data, 0x48), "data_offset", data),
        ("name_outside", "The second name", patched(LEVEL, names, 0x7FFFFFFF), "name_offset", names),
        ("size_negative", "The second size", patched(LEVEL, size, 0x80000000), "data_size", size),
        ("key_count", "The second count", patched(LEVEL, count, 40000, 2), "key_count", count),
    )
    return [bad(f"level_{n}.dat", about, made, f"instances[1].{f}", at) for n, about, made, f, at in rows]


def foreign() -> list[ObanCase]:
    """No OBAN at all."""
    return [
        bad("empty.oban", "No bytes", b"", "res_id", 0),
        bad("zeros.oban", "300 zeros", bytes(300), "key_count", KEY_COUNT_AT),
        bad("text.oban", "Text", b"cm_anim both Camera_Intro\n" * 9, "key_count", KEY_COUNT_AT),
        bad("bvh.oban", "A BVH", b"HIERARCHY\nROOT hip\n{\n", "flags", 0x14),
    ]


def all_cases() -> list[ObanCase]:
    """Every case of this module."""
    return [*cut_records(), *cut_headers(), *headers(), *descriptors(), *levels(), *foreign()]
