# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch as a command: arguments in, an exit code out."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import Final

from ..package import LibraryError, load
from .chatter import Chatter, held_back, silence
from .console import Console
from .inputs import Destination, Input, find_inputs
from .interruption import Interruption
from .jobs import Worker
from .options import Options, parse_options
from .outputs import Outputs
from .report import FAILED, SKIPPED, Row, Stop, write_report
from .temporary import TemporaryFolders

EXIT_OK: Final = 0
EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2


def run(arguments: Sequence[str], program: str = "blender --command animbridge") -> int:
    """Converts what the arguments say, reports on it and returns the exit code (see --help)."""
    try:
        options = parse_options(arguments, program)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else EXIT_USAGE
    try:
        load()
    except LibraryError as error:
        print(error.message, file=sys.stderr)
        return EXIT_FAILED
    return _Run(options).run()


def run_as_command(arguments: Sequence[str]) -> int:
    """Runs `blender --command animbridge`, after which Blender ends and need not say so.

    Where the add-on lies without the command, this one process does it all.
    """
    from . import processes

    try:
        code = processes.run(arguments)
    except LibraryError:
        code = run(arguments)
    silence()
    return code


class _Run:
    """One run, whose report can be written at any time, even by a thread."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._console = Console(options)
        self._start = time.perf_counter()
        self._rows: list[Row] = []
        self._folders = TemporaryFolders()
        self._interruption = Interruption(self._end_at_once)
        self._inputs_left = 0
        self._stop: Stop | None = None
        self._is_reported = threading.Lock()

    def run(self) -> int:
        """Converts everything, unless a signal stops it, and returns the exit code."""
        with self._interruption:
            try:
                with held_back() as chatter:
                    self._console.out = chatter.out
                    self._convert_all(chatter)
            finally:
                self._console.out = sys.stdout
                is_written = self._report()
        if self._stop:
            return self._interruption.exit_code
        statuses = {row.status for row in self._rows}
        has_failed = not is_written or FAILED in statuses or statuses == {SKIPPED}
        return EXIT_FAILED if has_failed else EXIT_OK

    def _convert_all(self, chatter: Chatter) -> None:
        options = self._options
        inputs = find_inputs(options.inputs, Destination(options.out, options.target, options.report))
        outputs = Outputs((one.path for one in inputs if not one.fault), options.report, options.out)
        worker = Worker(options, outputs, self._folders, lambda: bool(self._interruption.name))
        self._inputs_left = len(inputs)
        for number, one in enumerate(inputs, 1):
            if self._interruption.name:
                return
            self._convert(worker, one, number, len(inputs))
            chatter.pass_on()
            self._inputs_left -= not worker.is_cut_short

    def _convert(self, worker: Worker, one: Input, number: int, count: int) -> None:
        for row in worker.convert(one):
            self._rows.append(row)
            self._console.row(row, number, count)

    def _report(self) -> bool:
        """Writes the report and prints the table, once; returns whether the report was written."""
        if not self._is_reported.acquire(blocking=False):
            return True
        rows, seconds = list(self._rows), time.perf_counter() - self._start
        name = self._interruption.name
        self._stop = Stop(name, self._inputs_left) if name else None
        is_written = self._write_report(rows, seconds)
        self._console.end(rows, seconds, self._stop)
        return is_written

    def _write_report(self, rows: Sequence[Row], seconds: float) -> bool:
        if self._options.report is None:
            return True
        try:
            write_report(self._options.report, rows, seconds, self._stop)
        except OSError as fault:
            print(f"the report cannot be written: {fault}", file=sys.stderr)
            return False
        return True

    def _end_at_once(self, exit_code: int) -> None:
        """Ends the process while the main thread is still at work."""
        try:
            self._folders.remove_all()
            self._report()
        finally:
            os._exit(exit_code)
