# SPDX-License-Identifier: MIT
"""OBAN files that no reader accepts: cut, lying, or of something else (spec 1, 3)."""

from __future__ import annotations

from dataclasses import replace

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


def headers() -> list[ObanCase]:
    """Header fields that lie."""

    def lie(name: str, value: int, what: str, size: int = 4, field: str = "") -> ObanCase:
        file = f"oni_{name}_{what}.oni"
        wrong = field or name
        return bad(file, f"{name} is {value:#x}", patched(ONI, AT[name], value, size), wrong, AT[wrong])

    vr33, vr30 = int.from_bytes(b"33RV", "little"), int.from_bytes(b"03RV", "little")
    return [
        lie("version", vr33, "33"),
        bad(
            "oni_version_30.oni",
            "VR30: taken for a raw record",
            patched(ONI, 8, vr30),
            "key_count",
            KEY_COUNT_AT,
        ),
        lie("header_size", 60, "60", 2),
        lie("instance_descriptor_size", 24, "24", 2),
        lie("template_descriptor_size", 0, "0", 2),
        lie("name_descriptor_size", 12, "12", 2),
        lie("instance_count", 0, "0"),
        lie("instance_count", MAX, "max"),
        lie("instance_count", 0x0CCCCCCD, "wraps"),
        lie("instance_count", 30, "30"),
        lie("name_count", MAX, "max"),
        lie("name_count", 0x20000000, "wraps"),
        lie("name_count", 0x80000000, "negative"),
        lie("template_count", MAX, "max"),
        lie("template_count", 0x10000000, "wraps"),
        lie("data_offset", len(ONI) + 1, "outside"),
        lie("data_offset", MAX - 0x5F, "wraps"),
        lie("data_offset", 0, "0"),
        lie("data_offset", 0x40, "in_descriptors"),
        lie("data_size", MAX, "negative"),
        lie("data_size", len(ONI) - DATA_AT + 1, "one_more"),
        lie("data_size", MAX - DATA_AT + 1, "wraps"),
        lie("name_offset", len(ONI) + 1, "outside"),
        lie("name_offset", 0x44, "in_descriptors"),
        lie("name_offset", 0x90, "in_data"),
        lie("name_offset", MAX - 9, "wraps"),
        lie("name_size", MAX, "negative"),
        lie("name_size", 0x21, "in_data", field="name_offset"),
    ]


def descriptors() -> list[ObanCase]:
    """Descriptors that lie."""

    def lie(name: str, value: int, what: str) -> ObanCase:
        at = instance_at(0, name)
        about = f"The descriptor's {name} is {value:#x}"
        return bad(
            f"oni_instance_{name}_{what}.oni", about, patched(ONI, at, value), f"instances[0].{name}", at
        )

    size, count = len(RAW), "instances[0].key_count"
    no_nul = oban_oni.create_with_names(swing(), b"OBANswing")
    return [
        lie("tag", int.from_bytes(TEXTURE, "little"), "other"),
        lie("data_offset", 4, "in_pre_header"),
        lie("data_offset", size + 8, "outside"),
        lie("data_offset", MAX, "negative"),
        lie("data_size", size + 1, "one_more"),
        lie("data_size", MAX, "negative"),
        lie("data_size", 4, "4"),
        lie("data_size", HEAD.size - 1, "too_small"),
        lie("data_size", 0, "0"),
        lie("name_offset", len(b"OBANswing\0"), "outside"),
        lie("name_offset", 0x80000000, "negative"),
        bad(
            "oni_placeholder.oni",
            "The OBAN has no data",
            patched(ONI, 0x50, PLACEHOLDER),
            "instances[0].data_size",
            0x4C,
        ),
        bad("oni_name_without_nul.oni", "A name without end", no_nul, "instances[0].name_offset", 0x48),
        bad(
            "oni_key_count_max.oni",
            "65,535 keys promised",
            patched(ONI, DATA_AT + KEY_COUNT_AT, 0xFFFF, 2),
            count,
            DATA_AT + KEY_COUNT_AT,
        ),
        bad(
            "oni_key_count_beyond_size.oni",
            "A key more than the data size has room for",
            patched(ONI, instance_at(0, "data_size"), size - KEY.size),
            count,
            DATA_AT + KEY_COUNT_AT,
        ),
    ]


def levels() -> list[ObanCase]:
    """Levels whose instances reach into one another, or that lie in their second instance."""
    second = instance_at(1, "data_offset")
    small = replace(record(key(0)), flags=1)
    other = pieced(
        [(Instance(OBAN), b"OBANa\0", stored(small, 0)), (Instance(TEXTURE), b"TXMPb\0", bytes(64))]
    )
    size_at, data_at = instance_at(1, "data_size"), int.from_bytes(LEVEL[0x20:0x24], "little")
    count_at = data_at + int.from_bytes(LEVEL[second : second + 4], "little") - 8 + KEY_COUNT_AT
    return [
        bad(
            "level_overlap.dat",
            "Two OBANs share bytes",
            patched(LEVEL, second, 0x28),
            "instances[1].data_offset",
            second,
        ),
        bad(
            "level_overlap_other.dat",
            "A texture inside an OBAN",
            patched(other, second, 0x48),
            "instances[1].data_offset",
            second,
        ),
        bad(
            "level_name_outside.dat",
            "The second name",
            patched(LEVEL, second + 4, 0x7FFFFFFF),
            "instances[1].name_offset",
            second + 4,
        ),
        bad(
            "level_size_negative.dat",
            "The second size",
            patched(LEVEL, size_at, 0x80000000),
            "instances[1].data_size",
            size_at,
        ),
        bad(
            "level_key_count.dat",
            "The second count",
            patched(LEVEL, count_at, 40000, 2),
            "instances[1].key_count",
            count_at,
        ),
    ]


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
