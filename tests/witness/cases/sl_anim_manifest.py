# SPDX-License-Identifier: MIT
"""The .anim fixtures and their manifest.

The expectations in the cases were written by hand; the witness's rules must agree with them.
"""

from __future__ import annotations

import json
from typing import Any

from .. import anim_file, rules
from ..skeleton import load_emotes, load_skeleton
from . import constraints, content, header, hostile, joints, key_tables, legacy
from .build import Case

FOLDER = "sl_anim"
MODULES = (header, joints, key_tables, constraints, legacy, content, hostile)


def check_error(case: Case) -> None:
    """The witness's reader must fail where the case says."""
    try:
        anim_file.parse(case.data)
    except anim_file.ParseError as error:
        if (error.field, error.offset) == case.error:
            return
        raise SystemExit(f"{case.file}: fails at {error}, not at {case.error}") from error
    raise SystemExit(f"{case.file}: can be read, but {case.error} was expected")


def entry(case: Case) -> dict[str, Any]:
    """The manifest's row of a case, after the witness has agreed with it."""
    row: dict[str, Any] = {"file": case.file, "about": case.about, "read": "error" if case.error else "ok"}
    if case.error:
        check_error(case)
        row["error_field"], row["error_offset"] = case.error
        row["findings"] = {level: [] for level in rules.LEVELS}
        return row
    anim = anim_file.parse(case.data)
    if anim_file.write(anim) != case.data:
        raise SystemExit(f"{case.file}: does not survive a round trip")
    found = rules.findings(len(case.data), anim, load_skeleton(), load_emotes())
    if found ^ case.expect:
        raise SystemExit(f"{case.file}: rules {sorted(found)}, case {sorted(case.expect)}")
    row["findings"] = rules.by_level(found)
    return row


def all_files() -> dict[str, bytes]:
    """Contents by the path below FOLDER."""
    cases = sorted((c for module in MODULES for c in module.all_cases()), key=lambda c: c.file)
    files = {case.file: case.data for case in cases}
    if len(files) != len(cases):
        raise SystemExit("two fixtures have one name")
    manifest = json.dumps([entry(case) for case in cases], indent=1) + "\n"
    files["manifest.json"] = manifest.encode()
    return files
