# SPDX-License-Identifier: MIT
"""What a run reports: failures as they come, the JSON report, a summary, and the progress."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from ..text import one_line

_SECONDS_BETWEEN_LINES: Final = 10.0
_SECONDS_BETWEEN_DRAWINGS: Final = 0.5
_CLEAR_LINE: Final = "\r\x1b[K"


class Report:
    """Rows and sums of one run. `path`: of the JSON report, which is FILE.partial until the run ends."""

    def __init__(self, path: Path | None, *, json_lines: bool) -> None:
        self._path = path
        self._json_lines = json_lines
        self._file: IO[str] | None = None
        self._separator = "\n "
        self._start = time.monotonic()
        counts = ("inputs", "outputs", "failed", "skipped", "current", "refused", "findings")
        self.totals: dict[str, int] = dict.fromkeys((*counts, "bytes_in", "bytes_out"), 0)
        #: Outputs whose findings make the run fail.
        self.failing = 0
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.with_name(path.name + ".partial").open("w", encoding="utf-8")
            self._file.write('{"rows": [')

    def add(self, rows: Sequence[dict[str, Any]], progress: Progress) -> None:
        """The rows of finished inputs."""
        last = None
        for row in rows:
            row.pop("may_work_later", None)
            self._count(row, is_new=row["input"] != last)
            last = row["input"]
            text = json.dumps(row)
            if self._file is not None:
                self._file.write(self._separator + text)
                self._separator = ",\n "
            if self._json_lines:
                progress.print(text)
            elif row["status"] in ("failed", "skipped"):
                progress.print(one_line(f"{row['status']:<7}  {row['error']}"))
            elif row.get("refused"):
                progress.print(one_line(f"refused  {row['output']}  {row['refused']}"))

    def _count(self, row: dict[str, Any], *, is_new: bool) -> None:
        sums = self.totals
        sums["outputs" if row["status"] == "ok" else row["status"]] += 1
        sums["inputs"] += is_new
        sums["bytes_in"] += row["bytes_in"] if is_new else 0
        sums["bytes_out"] += row["bytes_out"]
        sums["refused"] += bool(row.get("refused"))
        self.failing += bool(row.get("fails"))
        sums["findings"] += len(row["findings"] or ())

    def finish(self, stopped: dict[str, Any] | None) -> None:
        """Puts the report in place. OSError: it cannot be written."""
        if self._file is None or self._path is None:
            return
        totals = {**self.totals, "seconds": round(self.seconds, 3)}
        more = f',\n"stopped": {json.dumps(stopped)}' if stopped else ""
        self._file.write(f'\n],\n"totals": {json.dumps(totals)}{more}}}\n')
        self._file.close()
        Path(self._file.name).replace(self._path)

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return time.monotonic() - self._start

    def summary(self) -> str:
        """One line, as `animbridge batch` has it."""
        sums = self.totals
        refused = f"{sums['refused']:,} refused, " if sums["refused"] else ""
        return (
            f"{sums['outputs']:,} written, {sums['failed']:,} failed, {sums['skipped']:,} skipped, {refused}"
            f"{sums['findings']:,} findings, {sums['bytes_in']:,} bytes in, {sums['bytes_out']:,} bytes out, "
            f"{self.seconds:.2f} s"
        )


class Progress:
    """Lines on standard error: one that changes on a terminal, else one every ten seconds."""

    def __init__(self, count: int, *, quiet: bool) -> None:
        self._count = count
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._start = time.monotonic()
        self._shown = self._start

    def show(self, done: int, threads: int) -> None:
        """How far the run is; does nothing if it has said so shortly before."""
        now = time.monotonic()
        pause = _SECONDS_BETWEEN_DRAWINGS if self._is_terminal else _SECONDS_BETWEEN_LINES
        if self._quiet or now - self._shown < pause:
            return
        self._shown = now
        rate = done / (now - self._start)
        left = f"{_clock((self._count - done) / rate)} left" if rate else "the time left is not known yet"
        self.say(f"{done:,}/{self._count:,} files  {rate:,.1f} files/s  {left}  {threads} threads of workers")

    def say(self, text: str) -> None:
        """Something that the user needs to know while the run goes on."""
        begin, end = (_CLEAR_LINE, "") if self._is_terminal else ("", "\n")
        print(begin + text, end=end, file=sys.stderr, flush=True)

    def print(self, text: str) -> None:
        """A line of the run's results, on standard output."""
        self.clear()
        with suppress(ValueError):  # standard output may be closed
            print(text, flush=True)

    def clear(self) -> None:
        """Removes the line that changes."""
        if self._is_terminal and not self._quiet:
            print(_CLEAR_LINE, end="", file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
