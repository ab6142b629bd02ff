#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the fixtures and the demo files from the witness's cases; --check compares instead of writing.

A module of tests/witness/cases that has a FOLDER makes that folder of fixtures/. --mpfb takes the bones of
MPFB's rigs from a table of them first (tests/witness/cases/mpfb_rigs.py says in what form).
The expectations in the cases were written by hand; the witness's rules must agree with them before anything
is written, so that a manifest holds what two readings of the specification say.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.witness import cases  # noqa: E402
from tests.witness.cases import mpfb_rigs  # noqa: E402


def folders() -> dict[str, ModuleType]:
    """What makes each folder of fixtures: the modules of tests/witness/cases that have a FOLDER."""
    modules = (
        importlib.import_module(f"{cases.__name__}.{m.name}") for m in pkgutil.iter_modules(cases.__path__)
    )
    return {module.FOLDER: module for module in modules if hasattr(module, "FOLDER")}


def build() -> dict[str, bytes]:
    """Every file to be written, by its path under fixtures/."""
    return {
        f"{folder}/{name}": data
        for folder, module in folders().items()
        for name, data in module.all_files().items()
    }


def differences(files: dict[str, bytes], folder: Path) -> list[str]:
    """Names that are missing, stale, or differ from what would be written."""
    there = {p.relative_to(folder).as_posix() for sub in folders() for p in (folder / sub).rglob("*.*")}
    wrong = [name for name, data in files.items() if name in there and (folder / name).read_bytes() != data]
    return sorted(wrong + list(there ^ files.keys()))


def main() -> int:
    """Returns 0, or 1 when --check finds a difference."""
    parser = argparse.ArgumentParser(description="Make the fixtures and the demo files.")
    parser.add_argument("--check", action="store_true", help="compare with the files there, write nothing")
    parser.add_argument("--mpfb", type=Path, metavar="FILE", help="a table of MPFB's rigs to take bones from")
    arguments = parser.parse_args()
    check_only = arguments.check
    if arguments.mpfb:
        mpfb_rigs.write_from(arguments.mpfb)
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
