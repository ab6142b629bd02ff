# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch's report: a row per output, as a table with a summary line and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from ..package import counted, one_line, write_whole

OK: Final = "ok"
FAILED: Final = "failed"
#: The input's format cannot become the target.
SKIPPED: Final = "skipped"
_PLACE_WIDTH: Final = 60


@dataclass
class Row:
    """One output, or an input without one. The largest errors are None if nothing was encoded.

    `error`: why it failed or was skipped. `notes`: what an import decided by itself.

    `conversion`: the report of a conversion between two formats, as the command prints it; None without one.
    """

    input: str
    output: str | None = None
    status: str = FAILED
    error: str | None = None
    findings: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    conversion: dict[str, Any] | None = None
    max_rotation_error_degrees: float | None = None
    max_position_error_mm: float | None = None
    bytes_in: int = 0
    bytes_out: int = 0
    seconds: float = 0.0
    #: Whether it may work another time, because the file system failed.
    may_work_later: bool = False

    def as_json(self) -> dict[str, Any]:
        """As reports have it: `may_work_later` only where it is so."""
        row = asdict(self)
        if not self.may_work_later:
            del row["may_work_later"]
        return row


@dataclass(frozen=True)
class Stop:
    """Why a run ended early: the signal's name, and how many inputs were not converted completely."""

    signal: str
    inputs_left: int

    def __str__(self) -> str:
        return f"Stopped by {self.signal}: {counted(self.inputs_left, 'input')} not converted."


def totals(rows: Sequence[Row], seconds: float) -> dict[str, Any]:
    """The counts, sizes and time of the whole run."""
    sizes = {row.input: row.bytes_in for row in rows}
    return {
        "inputs": len(sizes),
        "outputs": sum(row.status == OK for row in rows),
        "failed": sum(row.status == FAILED for row in rows),
        "skipped": sum(row.status == SKIPPED for row in rows),
        "findings": sum(len(row.findings) for row in rows),
        "bytes_in": sum(sizes.values()),
        "bytes_out": sum(row.bytes_out for row in rows),
        "seconds": round(seconds, 3),
    }


def print_table(
    shown: Sequence[Row], rows: Sequence[Row], seconds: float, stop: Stop | None, out: TextIO
) -> None:
    """Prints a line for each row that is shown, failures in full, and a summary of all."""
    width = min(max((len(row.output or row.input) for row in shown), default=0), _PLACE_WIDTH)
    for row in shown:
        place = _shortened(row.output or row.input, width)
        details = row.error or f"{row.bytes_out:>10,} bytes  {_findings(row):<16}{_exactness(row)}".rstrip()
        print(one_line(f"{row.status:<7}  {place:<{width}}  {details}"), file=out)
        for line in (*row.notes, *row.warnings):
            print(one_line(f"         {line}"), file=out)
    if stop:
        print(stop, file=out)
    sums = totals(rows, seconds)
    print(
        f"{sums['outputs']} written, {sums['failed']} failed, {sums['skipped']} skipped, "
        f"{counted(sums['findings'], 'finding')}, "
        f"{sums['bytes_in']:,} bytes in, {sums['bytes_out']:,} bytes out, {sums['seconds']:.2f} s",
        file=out,
    )


def write_report(path: Path, rows: Sequence[Row], seconds: float, stop: Stop | None = None) -> None:
    """Writes the report beside its place and renames it."""
    report: dict[str, Any] = {"rows": [row.as_json() for row in rows], "totals": totals(rows, seconds)}
    if stop:
        report["stopped"] = asdict(stop)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(report, indent=1) + "\n").encode("ascii"))


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else "..." + text[3 - width :]


def _findings(row: Row) -> str:
    if not row.findings:
        return "no findings"
    return counted(len(row.findings), "finding")


def _exactness(row: Row) -> str:
    if row.max_rotation_error_degrees is None or row.max_position_error_mm is None:
        return ""
    return f"{row.max_rotation_error_degrees:.3f} degrees, {row.max_position_error_mm:.3f} mm off"
