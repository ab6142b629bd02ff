# SPDX-License-Identifier: GPL-3.0-or-later
"""One of the processes of `animbridge batch`: converts the inputs of a plan, each into a folder of its own.

The plan is a file of JSON lines: {"input": path, "place": number}. For each input, a line goes into the file
PLAN.rows as soon as it is done: {"place": number, "rows": [...]}. The outputs lie in OUT/number/, which the
command removes. native/batch/run/blender.cpp starts it, through start.py.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import IO, Final

from ..package import command, text_of_json
from .chatter import STANDARD_OUTPUT, silence
from .options import Options, parse_options
from .worker import Worker

FLAG: Final = "--planned"


class _Signals:
    """Ctrl-C and SIGTERM end the process after the output in hand.

    The second ends the command at once, and this process with it.
    """

    def __init__(self) -> None:
        self.first: int | None = None
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)
            if hasattr(signal, "siginterrupt"):  # not on Windows
                # Lets Blender's own reads and writes continue afterwards.
                signal.siginterrupt(number, False)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.first = self.first or number


def run(arguments: Sequence[str]) -> int:
    """Converts a plan; its path comes after FLAG, and then the batch's own words."""
    plan = Path(arguments[1])
    options = parse_options(arguments[2:])
    command.end_with_reader(STANDARD_OUTPUT)  # of the command, which holds it open and reads nothing
    silence()
    signals = _Signals()
    with plan.with_name(plan.name + ".rows").open("w", encoding="ascii") as rows:
        rows.flush()
        _convert(plan, options, signals, rows)
    return 0 if signals.first is None else 128 + signals.first


def _convert(plan: Path, options: Options, signals: _Signals, rows: IO[str]) -> None:
    worker = Worker(options, lambda: signals.first is not None)
    for place, path in _inputs_in(plan):
        made = worker.convert(path, options.out / str(place))
        if made is None:
            return
        rows.write(json.dumps({"place": place, "rows": [row.as_json() for row in made]}) + "\n")
        rows.flush()


def _inputs_in(plan: Path) -> Iterator[tuple[int, Path]]:
    for line in plan.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["place"], Path(text_of_json(row["input"]))
