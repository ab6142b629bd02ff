#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the fixtures and the demo files from the witness's cases; --check compares instead of writing.

The expectations in the cases were written by hand; the witness's rules must agree with them before anything
is written, so that manifest.json holds what two readings of the specification say.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.witness import anim_file, rules  # noqa: E402
from tests.witness.cases import (  # noqa: E402
    bvh_dialects,
    bvh_hostile,
    bvh_upload_motion,
    bvh_upload_text,
    constraints,
    demo,
    header,
    hostile,
    joints,
    key_tables,
    legacy,
    oban_manifest,
)
from tests.witness.cases.build import Case  # noqa: E402
from tests.witness.skeleton import load_emotes, load_skeleton  # noqa: E402

MODULES = (header, joints, key_tables, constraints, legacy, hostile)
FOLDERS = ("sl_anim", "bvh", "oban", "demo")


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
    if found != case.expect:
        raise SystemExit(f"{case.file}: rules {sorted(found)}, case {sorted(case.expect)}")
    row["findings"] = rules.by_level(found)
    return row


def build_bvh() -> dict[str, bytes]:
    """Files by their path under fixtures/bvh/; each case makes its own, and checks them."""
    skeleton = load_skeleton()
    made = [case.files() for case in [*bvh_dialects.all_cases(), *bvh_hostile.all_cases()]]
    rows: list[dict[str, Any]] = []
    for case in [*bvh_upload_text.all_cases(), *bvh_upload_motion.all_cases()]:
        files, row = case.files(skeleton)
        made.append(files)
        rows.append(row)
    manifest = "[\n" + ",\n".join(json.dumps(row) for row in sorted(rows, key=lambda r: r["name"])) + "\n]\n"
    made.append({"loader/manifest.json": manifest.encode()})
    merged = {name: data for files in made for name, data in files.items()}
    if len(merged) != sum(len(files) for files in made):
        raise SystemExit("two BVH fixtures have one name")
    return merged


def build() -> dict[str, bytes]:
    """Every file to be written, by its path under fixtures/."""
    cases = sorted((c for module in MODULES for c in module.all_cases()), key=lambda c: c.file)
    files = {f"sl_anim/{case.file}": case.data for case in cases}
    if len(files) != len(cases):
        raise SystemExit("two fixtures have one name")
    manifest = json.dumps([entry(case) for case in cases], indent=1) + "\n"
    files["sl_anim/manifest.json"] = manifest.encode()
    files.update({f"bvh/{name}": data for name, data in build_bvh().items()})
    files.update({f"oban/{name}": data for name, data in oban_manifest.all_files().items()})
    files.update({f"demo/{name}": data for name, data in demo.all_files().items()})
    return files


def differences(files: dict[str, bytes], folder: Path) -> list[str]:
    """Names that are missing, stale, or differ from what would be written."""
    there = {p.relative_to(folder).as_posix() for sub in FOLDERS for p in (folder / sub).rglob("*.*")}
    wrong = [name for name, data in files.items() if name in there and (folder / name).read_bytes() != data]
    return sorted(wrong + list(there ^ files.keys()))


def main() -> int:
    """Returns 0, or 1 when --check finds a difference."""
    parser = argparse.ArgumentParser(description="Make the .anim, .bvh and OBAN fixtures and the demo files.")
    parser.add_argument("--check", action="store_true", help="compare with the files there, write nothing")
    check_only = parser.parse_args().check
    folder, files = ROOT / "fixtures", build()
    if check_only:
        wrong = differences(files, folder)
        print(
            "\n".join(f"differs: {name}" for name in wrong) or f"{len(files)} fixtures are as they should be"
        )
        return 1 if wrong else 0
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    print(f"wrote {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
