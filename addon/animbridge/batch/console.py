# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run prints: progress on standard error; rows, or a table of them, on standard output."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from ..package import one_line
from .options import Options
from .report import OK, Row, Stop, print_table

_BAR_WIDTH: Final = 24
_CLEAR_LINE: Final = "\r\x1b[K"


class Console:
    """The printed side of one run."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._start = time.monotonic()
        self._has_bar = not options.quiet and _is_terminal()
        #: While Blender's own lines are held back, standard output is somewhere else.
        self.out = sys.stdout

    def row(self, row: Row, number: int, count: int) -> None:
        """Prints what is known once an output is done; `number`: of its input."""
        if self._options.json_lines:
            with suppress(ValueError):  # standard output may be closed
                print(json.dumps(row.as_json()), file=self.out, flush=True)
        if self._has_bar:
            self._draw_bar(row, number, count)
        elif not self._options.quiet:
            place = one_line(row.output or row.input)
            _say(f"{number:>{len(str(count))}}/{count}  {row.status:<7}  {place}\n")

    def end(self, rows: Sequence[Row], seconds: float, stop: Stop | None) -> None:
        """Prints the table; with --quiet, only what is not ok, and the summary."""
        if self._has_bar:
            _say(_CLEAR_LINE)
        if self._options.json_lines:
            return
        shown = [row for row in rows if row.status != OK] if self._options.quiet else rows
        print_table(shown, rows, seconds, stop, self.out)
        self.out.flush()

    def _draw_bar(self, row: Row, number: int, count: int) -> None:
        """The inputs before this one are done, and it may have more outputs."""
        seconds = time.monotonic() - self._start
        left = seconds / number * (count - number)
        filled = _BAR_WIDTH * number // count
        bar = "#" * filled + "." * (_BAR_WIDTH - filled)
        minutes, rest = divmod(round(left), 60)
        text = f"[{bar}] {number}/{count}  {minutes}:{rest:02} left  {one_line(row.output or row.input)}"
        _say(f"{_CLEAR_LINE}{text[: _columns() - 1]}")


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _say(text: str) -> None:
    with suppress(OSError, ValueError):  # standard error may be closed
        print(text, end="", file=sys.stderr, flush=True)
