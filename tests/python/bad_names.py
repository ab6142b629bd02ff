# SPDX-License-Identifier: MIT
"""Names that somebody else gave: what each becomes as a file's, by the rules of animbridge.h alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.witness import oban_container, oban_level
from tests.witness.oban_file import Record

#: {the name's bytes: the stem of its file}; None: only what every name must be.
BAD_NAMES: Final[dict[bytes, str | None]] = {
    b".": "animation",
    b"..": "animation",
    b"...": "animation",
    b" ": "animation",
    b"../up": "_up",
    b"../../../up": "_.._.._up",
    b"/etc/passwd": "_etc_passwd",
    b"a/../../b": "a_.._.._b",
    b"back\\slash": "back_slash",
    b"C:drive": "C_drive",
    b'<>:"|?*': "_______",
    b"CON": "_CON",
    b"nul.txt": "_nul.txt",
    b"com1": "_com1",
    b"Aux .b": "_Aux .b",
    b"trailing.": "trailing",
    b"trailing ": "trailing",
    b".hidden": "hidden",
    b"line\nfeed": "line_feed",
    b"escape\x1b[2J": "escape_[2J",
    b"delete\x7f": "delete_",
    "c1\u009b".encode(): "c1_",
    "bidi\u202e".encode(): "bidi_",
    b"odd\xff\xfe": "odd__",
    b"x" * 255: None,
    b"y" * 250 + "\u6b69".encode(): None,
    b"z" * 251 + b"...": None,
    "\u6b69".encode() * 85: None,
}
_FORBIDDEN: Final = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u2028-\u202e\u2066-\u2069]')
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9]) *(\..*)?", re.IGNORECASE | re.DOTALL)


def assert_good(name: str) -> None:
    """What holds of every file name that comes of another's words."""
    data = name.encode("utf-8")  # fails for what is not UTF-8
    stem, _, _ = name.rpartition(".")
    assert 0 < len(data) <= 255, len(data)
    assert not _FORBIDDEN.search(name), ascii(name)
    assert not _DEVICES.fullmatch(stem), name
    assert stem and stem == stem.strip(" ."), ascii(name)


def level_with(names: list[bytes], record: Record) -> bytes:
    """A level with an animation of each name, in this order, whatever bytes the names are of."""
    plain = oban_container.parse(
        oban_level.create({f"{i:04}": record for i in range(len(names))}, "level1_A")
    )
    stored, instances = b"", []
    for instance, name in zip(plain.instances, names, strict=True):
        instances.append(replace(instance, name_offset=len(stored)))
        stored += b"OBAN" + name + b"\0"
    header = replace(plain.header, name_size=len(stored))
    moved = replace(plain, header=header, instances=instances)
    return moved.tables() + plain.data[len(plain.tables()) : header.name_offset] + stored


def files_anywhere(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path, but for a batch's own."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".animbridge" not in path.parts
    }
