# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch as a command: arguments in, an exit code out."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Final

from ..native.errors import LibraryError
from ..native.library import load
from .inputs import find_inputs
from .jobs import Worker
from .options import Options, parse_options
from .outputs import Outputs
from .report import FAILED, Row, print_table, write_report

EXIT_OK: Final = 0
EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2


def run(arguments: Sequence[str], program: str = "blender --command animbridge") -> int:
    """Converts what the arguments say, tells of it and gives the exit code (see --help)."""
    try:
        options = parse_options(arguments, program)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else EXIT_USAGE
    try:
        load()
    except LibraryError as error:
        print(error.message, file=sys.stderr)
        return EXIT_FAILED
    start = time.perf_counter()
    rows: list[Row] = []
    try:
        _convert_all(options, rows)
    finally:
        seconds = time.perf_counter() - start
        print_table(rows, seconds)
        told = _write_report(options, rows, seconds)
    return EXIT_FAILED if not told or any(row.status == FAILED for row in rows) else EXIT_OK


def _convert_all(options: Options, rows: list[Row]) -> None:
    inputs = find_inputs(options.inputs, options.out)
    outputs = Outputs((one.path for one in inputs if not one.fault), options.report)
    worker = Worker(options, outputs)
    for one in inputs:
        rows += worker.convert(one)


def _write_report(options: Options, rows: Sequence[Row], seconds: float) -> bool:
    if options.report is None:
        return True
    try:
        write_report(options.report, rows, seconds)
    except OSError as fault:
        print(f"the report cannot be written: {fault}", file=sys.stderr)
        return False
    return True
