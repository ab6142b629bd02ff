# SPDX-License-Identifier: MIT
"""All MRTK fixtures and the manifest that says what each of them is and what becomes of it.

"files": whether strict and lenient reading takes a file, or the field and byte offset of the error (null
where the reader decides); else its version, layout, counts of keys, findings, "counts" of what is damaged,
and poses in Unity's space: each joint's position, its rotation as MRTK plays it (x, y, z, w, not normalised)
and as it is meant (null where the four curves do not share their times). "curves" are known values of single
curves: a key is time, value, in and out tangent, in and out weight, weightedMode.
"""

from __future__ import annotations

import json
from typing import Any

from . import mrtk_curves, mrtk_damaged, mrtk_hostile, mrtk_recordings
from .mrtk_build import MrtkCase

FOLDER = "mrtk"
MODULES = (mrtk_recordings, mrtk_damaged, mrtk_hostile)


def all_cases() -> list[MrtkCase]:
    """Every file that has a row, by name."""
    return sorted((case for module in MODULES for case in module.all_cases()), key=lambda case: case.file)


def _section(name: str, rows: list[dict[str, Any]]) -> str:
    return f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"


def manifest(cases: list[MrtkCase]) -> bytes:
    """The manifest; the witness must agree with every case."""
    sections = {"files": [case.row() for case in cases], "curves": mrtk_curves.rows()}
    return ("{\n" + ",\n".join(_section(name, rows) for name, rows in sections.items()) + "\n}\n").encode()


def all_files() -> dict[str, bytes]:
    """Every file by its path under fixtures/mrtk/."""
    cases = all_cases()
    files = {case.file: case.data for case in cases}
    if len(files) != len(cases):
        raise SystemExit("two MRTK fixtures have one name")
    missing = {case.original for case in cases if case.original} - files.keys()
    if missing:
        raise SystemExit(f"no such original: {sorted(missing)}")
    files["manifest.json"] = manifest(cases)
    return files
