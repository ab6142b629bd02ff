# SPDX-License-Identifier: MIT
"""All OBAN fixtures and the manifest that tells what each of them is and what becomes of it.

"files": the field and byte offset of the error, or the kind of file, its records (findings, and poses: A(f)
as 12 numbers) and placeholders; a finding is id, class, place. The other sections are known answers:
"replacements" of an OBAN in a level, new "packages", "xml" that is written, "level_ids", "names", which
frames "loops" show, and where "blender" has the keys. An offset in XML is that of an element's "<", the BOM
counts.
"""

from __future__ import annotations

import json
from typing import Any

from .. import oban_axes, oban_level, oban_oni, oban_player
from ..oban_file import BACK_TO_BACK_LOOP, NORMAL_LOOP, Record
from . import oban_hostile, oban_packages, oban_published, oban_records, oban_text
from .oban_build import ObanCase, good, swing

FOLDER = "oban"

MODULES = (oban_records, oban_published, oban_packages, oban_text, oban_hostile)
BASE_NAMES = {
    "level7_Final": 0x0E000001,
    "level3_Final": 0x06000001,
    "level0_Final": 0x00000001,
    "level1_A": 0x02000003,  # 1 << 24 | 1 * 1
    "level1_aB": 0x0200000B,  # 1 * 1 + 2 * 2, upper case
    "level1_final": 0x02000105,  # 6*1 + 9*2 + 14*3 + 1*4 + 12*5 = 130: only "Final" is 0
    "level19_1": 0x27FFFFE3,  # "1" is 49: 49 - 64 = -15, cut to 24 bits
    "level1_": 0x02000001,
    "level7": 0x00000001,
    "level": 0x00000000,
    "x": 0x00000000,
}
FILE_NAMES = [  # file name, name when a .oni is read, name by -create
    ("OBANdoor.oni", "OBANdoor", "OBANdoor"),
    ("door.oni", "OBANdoor", "OBANdoor"),
    ("OBANa%2Fb.oni", "OBANa/b", "OBANa%2Fb"),
    ("100%25.oni", "OBAN100%", "OBAN100%25"),
    ("with.dot.oni", "OBANwith.dot", "OBANwith.dot"),
]
REFUSED_NAMES = ["", "OBAN", "x" * 60, "t\u00fcr", "a\nb", "nul\0"]
_PACKAGES = {
    "package_pc": ("pc", "level7_Final"),
    "package_mac": ("mac", "level7_Final"),
    "package_suffix": ("pc", "level19_Extra"),
}
_SOURCES = [
    ("OBANswing", "swing.oban"),
    ("OBANDoor_A", "door.oban"),
    ("OBANcamera", "camera_in_base.oban"),
    ("OBANBeta", "camera_steep.oban"),
]


def _package_rows() -> list[dict[str, Any]]:
    return [
        {
            "platform": platform,
            "base_name": base,
            "records": [{"name": name, "file": file} for name, file in _SOURCES],
            "gives": [f"{folder}/{name}" for name in oban_packages.packages()[folder]],
        }
        for folder, (platform, base) in _PACKAGES.items()
    ]


def _level_ids() -> list[dict[str, Any]]:
    for base, expected in BASE_NAMES.items():
        if oban_level.level_id(base) != expected:
            raise SystemExit(f"{base}: {oban_level.level_id(base):#010x}, by hand {expected:#010x}")
    return [{"base_name": base, "lev_id": value} for base, value in BASE_NAMES.items()]


def _names() -> dict[str, Any]:
    for file, read, created in FILE_NAMES:
        found = (oban_oni.name_of_file(file), oban_oni.name_of_file(file, decode=False))
        if found != (read, created):
            raise SystemExit(f"{file}: {found}")
    for name in REFUSED_NAMES:
        try:
            oban_oni.encoded_name(name)
        except oban_oni.UnwritableNameError:
            continue
        raise SystemExit(f"{name!r} can be written")
    files = [{"file": file, "read": read, "created": created} for file, read, created in FILE_NAMES]
    return {"files": files, "refused": REFUSED_NAMES}


def _loops() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for flags in (0, NORMAL_LOOP, BACK_TO_BACK_LOOP, NORMAL_LOOP | BACK_TO_BACK_LOOP):
        for count in (0, 1, 2, 31):
            made = Record(flags=flags, frame_count=count)
            times = [0, 0.25, 1, 1.5, 2, 15, 29.75, 30, 30.5, 31, 45, 59.75, 60, 60.5, 62, 91, 1000.125]
            frames = [oban_player.looped_frame(made, time) for time in times]
            rows.append({"flags": flags, "frame_count": count, "times": times, "frames": frames})
    return rows


def _blender() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name, made in (("swing.oban", swing()), ("camera_steep.oban", oban_records.steep_camera())):
        rows += [{"file": name, **oban_axes.row(one)} for one in made.keys]
    return rows


def all_cases() -> list[ObanCase]:
    """Every file that has a row, by name."""
    cases = [case for module in MODULES for case in module.all_cases()]
    for folder, files in oban_packages.packages().items():
        cases += [good(f"{folder}/{n}", "A new package", d) for n, d in files.items() if n.endswith(".dat")]
    return sorted(cases, key=lambda case: case.file)


def _section(name: str, value: Any) -> str:
    if isinstance(value, list):
        rows: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        text = "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"
    else:
        text = json.dumps(value)
    return f"{json.dumps(name)}: {text}"


def manifest(cases: list[ObanCase]) -> bytes:
    """The manifest; the witness must agree with every case."""
    sections: dict[str, Any] = {
        "files": [case.row() for case in cases],
        "replacements": [row for row, _ in oban_packages.replacements() if row],
        "packages": _package_rows(),
        "xml": oban_text.conversions(),
        "level_ids": _level_ids(),
        "names": _names(),
        "loops": _loops(),
        "blender": _blender(),
    }
    return ("{\n" + ",\n".join(_section(name, value) for name, value in sections.items()) + "\n}\n").encode()


def all_files() -> dict[str, bytes]:
    """Every file by its path under fixtures/oban/."""
    cases = all_cases()
    files = {case.file: case.data for case in cases}
    if len(files) != len(cases):
        raise SystemExit("two OBAN fixtures have one name")
    for folder, made in oban_packages.packages().items():
        files |= {f"{folder}/{name}": data for name, data in made.items()}
    files["manifest.json"] = manifest(cases)
    return files
