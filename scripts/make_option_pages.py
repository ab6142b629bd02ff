#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/options.md and the add-on's copy of the option tables, as the library has them.

scripts/make_option_pages.py          # after a change of a table, and a build
scripts/make_option_pages.py --check  # fails where one of them is not up to date
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
COMMAND: Final = ROOT / "build" / "bin" / "animbridge"
PAGE: Final = ROOT / "docs" / "options.md"
ADDON: Final = ROOT / "addon" / "animbridge"
DATA: Final = ADDON / "ui" / "option_tables.py"

Row = dict[str, Any]

#: {call: what people call it, the function}, in the page's order.
CALLS: Final = {
    "skeleton": ("Skeleton", "`ab_skeleton_json`"),
    "to_curves": ("Import", "`ab_curves_from_document`"),
    "from_curves": ("Export of curves", "`ab_document_from_curves`"),
    "from_samples": ("Export of samples", "`ab_document_from_samples`"),
    "reduce": ("Dropping keys", "`ab_document_reduce`"),
    # Between formats that have no exact conversion.
    "to_clip": (
        "Conversion from this format",
        "`ab_convert_file` from this format, unless the conversion is exact",
    ),
    "from_clip": (
        "Conversion to this format",
        "`ab_convert_file` to this format, unless the conversion is exact",
    ),
    "edited": ("Edit", "`ab_document_edit`"),
    "fixed": ("Fix", "`ab_document_fix`"),
    "joined": ("Join", "`ab_document_join`"),
}
_HEAD: Final = """\
# Options

`scripts/make_option_pages.py` writes this page from the library's tables, which `animbridge formats --json`
prints too.

Each option is a member of one JSON object: `options_json` in C, `options` in Python. The options of a
conversion are the member `"conversion"` of what `ab_convert_file` takes; those of an edit also its member
`"edits"`. Where an option has a flag, the
command takes it as well. An option that is not listed, or a value that is not allowed, is an error that lists
what is allowed.
"""


#: Before the table of reading.
_READ: Final = """\
Of `ab_document_read`, `ab_document_read_file` and `ab_convert_file`, and of every command that reads a file.
`ab_document_write` and `ab_document_write_file` take them too, for scenes that another program writes.
"""

#: Before the table of retargeting.
_RETARGET: Final = """\
Of `ab_curves_from_retargeting`, and of `ab_convert_file`, where they are the member `"retarget"`.
That function also takes `"onto"`, the path of a file whose skeleton gets the motion.
Rig files are passed as their text.
"""


#: Before the table of the clip's tools.
_TOOLS: Final = """\
Members of the same object as the options of an edit: of `ab_document_edit`, and of `"edits"` in
`ab_convert_file`, for every format. They are applied in this order, before the format's own.
"""


def tables() -> dict[str, Any]:
    """The library's tables."""
    text = subprocess.run([COMMAND, "formats", "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(text)


# ---- the page ----


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(value: Any) -> str:
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _default(row: Row) -> str:
    if row["required"]:
        return "must be given"
    return row["without"] if row["default"] is None else _code(row["default"])


def _help(row: Row) -> str:
    zero = f". 0: {row['zero']}" if row["zero"] else ""
    return f"{row['help']}{zero}."


def _flag(row: Row) -> str:
    if not row["command"]:
        return ""
    if row.get("command_clears"):
        return f"{_code(row['command'])}, {_code(row['command_clears'])}"
    sets_false = row.get("command_sets") is False
    return _code(row["command"]) + (" sets it to false" if sets_false else "")


def _flattened(rows: list[Row], prefix: str = "") -> list[Row]:
    """The rows, each object followed by its members as `object.member`."""
    flat: list[Row] = []
    for row in rows:
        flat.append({**row, "name": prefix + row["name"]})
        flat += _flattened(row.get("members", []), f"{prefix}{row['name']}.")
    return flat


def _table(rows: list[Row]) -> str:
    flat = _flattened(rows)
    has_flags = any(row["command"] for row in flat)
    head = ["option", *(["flag"] if has_flags else []), "allowed", "default", "unit", "what it does"]
    lines = [head, ["---"] * len(head)]
    for row in flat:
        flag = [_flag(row)] if has_flags else []
        lines.append([_code(row["name"]), *flag, row["allowed"], _default(row), row["unit"], _help(row)])
    return "".join("| " + " | ".join(_cell(cell) for cell in line) + " |\n" for line in lines)


def _format_section(row: Row) -> str:
    shown: list[tuple[str, list[Row]]] = []
    section = f"\n## {row['title']} (`{row['id']}`)\n"
    for call, (title, function) in CALLS.items():
        rows = row["options"].get(call)
        if rows is None:
            continue
        section += f"\n### {row['title']}: {title[0].lower()}{title[1:]}\n\n"
        same = next((name for name, earlier in shown if earlier == rows), None)
        begun = next((one for one in shown if one[1] == rows[: len(one[1])]), None)
        if same:
            section += f"Of {function}: those of {same}.\n"
        elif begun:
            section += f"Of {function}: those of {begun[0]}, and\n\n{_table(rows[len(begun[1]) :])}"
        else:
            section += f"Of {function}:\n\n{_table(rows)}"
        shown.append((function, rows))
    return section


def page_of(everything: dict[str, Any]) -> str:
    """docs/options.md."""
    titles = {row["id"]: row["title"] for row in everything["formats"]}
    sections = [_format_section(row) for row in everything["formats"] if row["options"]]
    for row in everything["conversions"]:
        sections.append(f"\n## {titles[row['from']]} to {titles[row['to']]}\n\n{_table(row['options'])}")
    sections.append(f"\n## Reading a file\n\n{_READ}\n{_table(everything['read'])}")
    sections.append(f"\n## Onto another skeleton\n\n{_RETARGET}\n{_table(everything['retarget'])}")
    sections.append(f"\n## Clip tools\n\n{_TOOLS}\n{_table(everything['tools'])}")
    return _HEAD + "".join(sections)


# ---- the add-on's copy ----

_WIDTH: Final = 110
_DATA_HEAD: Final = '''\
# SPDX-License-Identifier: GPL-3.0-or-later
"""The library's options that properties show, which must be there without the library.

scripts/make_option_pages.py writes this file.
"""

from __future__ import annotations

from typing import Final

from .option_row import OptionRow

#: {format's id, or "clip": {call: {option: row}}}; "header.loop" is the member of an object.
TABLES: Final[dict[str, dict[str, dict[str, OptionRow]]]] = {
'''


def _quoted(text: str) -> str:
    """As `ruff format` writes it."""
    if '"' in text and "'" not in text:
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)


def _field(name: str, value: Any, indent: int) -> str:
    blanks = " " * indent
    if isinstance(value, list):
        value = tuple(value)
    shown = _quoted(value) if isinstance(value, str) else repr(value).replace("'", '"').replace("e+", "e")
    line = f"{blanks}{name}={shown},\n"
    if len(line) <= _WIDTH + 1 or not isinstance(value, str):
        return line
    parts = textwrap.wrap(value, _WIDTH - indent - 6, drop_whitespace=False)
    return (
        f"{blanks}{name}=(\n" + "".join(f"{blanks}    {_quoted(part)}\n" for part in parts) + f"{blanks}),\n"
    )


def _row_text(row: Row) -> str:
    fields = {
        "kind": row["type"],
        "help": row["help"],
        "default": row["default"],
        "low": row.get("low"),
        "high": row.get("high"),
        "unit": row["unit"],
        "zero": row["zero"],
        "choices": row.get("choices", []),
    }
    texts = [_field(name, value, 16) for name, value in fields.items() if value not in (None, "", [])]
    return f'            "{row["name"]}": OptionRow(\n{"".join(texts)}            ),\n'


def _used() -> set[tuple[str, str, str]]:
    """Format, call and option of the add-on's properties; one that ends in "." stands for its members."""
    found = re.compile(r'option_(?:row|property)\(\s*"(\w+)",\s*"(\w+)",\s*f?"([\w.]+)')
    files = (path for room in ("kinds", "ui") for path in sorted((ADDON / room).rglob("*.py")))
    texts = (path.read_text(encoding="utf-8") for path in files)
    return {(kind, call, option) for text in texts for kind, call, option in found.findall(text)}


def _is_named(option: str, name: str) -> bool:
    return option == name or (name.endswith(".") and option.startswith(name))


def data_of(everything: dict[str, Any]) -> str:
    """The module with the tables of formats."""
    used = _used()
    text = _DATA_HEAD
    tools = {"id": "clip", "options": {"tools": everything["tools"]}}
    for row in (*everything["formats"], tools):
        calls = ""
        for call, rows in row["options"].items():
            wanted = [name for kind, of, name in used if (kind, of) == (row["id"], call)]
            shown = [
                each for each in _flattened(rows) if any(_is_named(each["name"], name) for name in wanted)
            ]
            if shown:
                calls += f'        "{call}": {{\n{"".join(map(_row_text, shown))}        }},\n'
        if calls:
            text += f'    "{row["id"]}": {{\n{calls}    }},\n'
    return text + "}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where they differ")
    check = parser.parse_args().check
    everything = tables()
    outdated = 0
    for path, text in ((PAGE, page_of(everything)), (DATA, data_of(everything))):
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        outdated = 1
        print(
            f"{path.relative_to(ROOT)}: {'not up to date; run this without --check' if check else 'written'}"
        )
        if not check:
            path.write_text(text, encoding="utf-8")
    return outdated if check else 0


if __name__ == "__main__":
    sys.exit(main())
