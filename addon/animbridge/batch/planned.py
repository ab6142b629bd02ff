# SPDX-License-Identifier: GPL-3.0-or-later
"""One of the processes of `animbridge batch`: converts the inputs of a plan, each into a folder of its own.

The plan is a file of JSON lines: {"input": path, "place": number}. For each input, a line goes into the file
PLAN.rows as soon as it is done: {"place": number, "rows": [...]}. The outputs lie in OUT/number/.
native/batch/blender.cpp starts it, through start.py.
"""

from __future__ import annotations

import json
import os
import select
import stat
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

from ..package import json_text, text_of_json
from .chatter import silence
from .inputs import Input
from .interruption import Interruption
from .jobs import Worker
from .options import Options, parse_options
from .outputs import Outputs
from .temporary import TemporaryFolders

FLAG: Final = "--planned"
_STANDARD_OUTPUT: Final = 1
#: The members of a row that hold paths.
_PATHS: Final = ("input", "output", "error")


def run(arguments: Sequence[str], program: str) -> int:
    """Converts a plan; its path comes after FLAG, and then the batch's own words."""
    plan = Path(arguments[1])
    options = parse_options([str(plan), *arguments[2:]], program)
    folders = TemporaryFolders()

    def end_at_once(exit_code: int) -> None:
        folders.remove_all()
        os._exit(exit_code)

    _end_with_reader(lambda: end_at_once(1))
    silence()  # nobody reads standard output
    with Interruption(end_at_once) as interruption, _rows_of(plan).open("w", encoding="ascii") as rows:
        rows.flush()
        _convert(plan, options, folders, interruption, rows)
    return interruption.exit_code if interruption.name else 0


def _end_with_reader(end: Callable[[], None]) -> None:
    """Ends the process when the command that started it is gone, which holds the other end of the pipe."""
    if not hasattr(select, "poll") or not stat.S_ISFIFO(os.fstat(_STANDARD_OUTPUT).st_mode):
        return
    pipe = os.dup(_STANDARD_OUTPUT)

    def watch() -> None:
        closed = select.poll()
        closed.register(pipe, 0)
        closed.poll()
        end()

    threading.Thread(target=watch, daemon=True).start()


def _convert(
    plan: Path, options: Options, folders: TemporaryFolders, interruption: Interruption, rows: IO[str]
) -> None:
    outputs = Outputs((), None, options.out)
    worker = Worker(options, outputs, folders, lambda: bool(interruption.name))
    for place, path in _inputs_in(plan):
        if interruption.name:
            return
        made = [_as_json(row.as_json()) for row in worker.convert(Input(path, Path(str(place))))]
        if not worker.is_cut_short:
            rows.write(json.dumps({"place": place, "rows": made}) + "\n")
            rows.flush()


def _inputs_in(plan: Path) -> Iterator[tuple[int, Path]]:
    for line in plan.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["place"], Path(text_of_json(row["input"]))


def _rows_of(plan: Path) -> Path:
    return plan.with_name(plan.name + ".rows")


def _as_json(row: dict[str, Any]) -> dict[str, Any]:
    """Names of bytes that are not UTF-8 as the library has them."""
    return row | {name: None if row[name] is None else json_text(row[name]) for name in _PATHS}
