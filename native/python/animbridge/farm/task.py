# SPDX-License-Identifier: MIT
"""What a worker does: some of a plan's inputs, by one process of `animbridge batch`.

Doing a task twice, even at the same time, does no harm: outputs are replaced whole, by the same bytes.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final

from .. import command
from ..errors import LibraryError
from ..text import text_of_json
from .errors import FarmError
from .plan import Header, Row
from .staging import Staging, slices
from .storage import is_url

_USAGE: Final = 2
#: Exit codes with which the program ends itself; 130 and 143 after a signal, with the files in hand done.
_ENDED: Final = frozenset({0, 1, 130, 143})
_SECONDS_BETWEEN_LOOKS: Final = 2.0


@dataclass(frozen=True)
class Task:
    """Some inputs of a plan. `attempt`: how often one of them was tried before."""

    header: Header
    rows: tuple[Row, ...]
    attempt: int = 0


@dataclass
class Done:
    """What came of a task: rows of the ledger, and those of the report, as the program writes them."""

    ledger: list[dict[str, Any]] = field(default_factory=list)
    report: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    #: The run was cancelled, and some inputs were not done.
    is_cut_short: bool = False
    fault: TaskError | None = None


class Kind(Enum):
    """What keeps a task from being done."""

    WORKER = "this worker cannot do any task, and another may"
    RUN = "no worker can do any task"
    INPUT = "the program was killed, or crashed, perhaps because of an input"


class TaskError(Exception):
    """Why a task was not done. It travels in a result, for Dask prints exceptions with all their calls."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message


def convert(task: Task, must_stop: Callable[[], bool] = lambda: False) -> Done:
    """Does a task, as far as it goes."""
    start = time.monotonic()
    done = Done()
    try:
        _convert(task, must_stop, done)
    except TaskError as fault:
        done.fault = fault
    except FarmError as fault:  # a package that this worker lacks
        done.fault = TaskError(Kind.WORKER, str(fault))
    done.seconds = time.monotonic() - start
    return done


def _convert(task: Task, must_stop: Callable[[], bool], done: Done) -> None:
    remote = [is_url(task.header.out), *(is_url(text_of_json(row.input)) for row in task.rows)]
    if not all(remote) and not Path(task.header.folder).is_dir():
        raise TaskError(Kind.WORKER, f"there is no folder {task.header.folder}, where the plan was made")
    for part in slices(task.rows) if any(remote) else [list(task.rows)]:
        with tempfile.TemporaryDirectory(prefix="animbridge-farm-") as scratch:
            _convert_part(task.header, part, Path(scratch), must_stop, done)
        if done.is_cut_short:
            return


def _convert_part(
    header: Header, rows: Sequence[Row], scratch: Path, must_stop: Callable[[], bool], done: Done
) -> None:
    staging = Staging(scratch, header.out)
    fetched = staging.fetched(rows)
    plan = [header.line(), *(row.line() for row in fetched)]
    (scratch / "plan.jsonl").write_text("\n".join(plan) + "\n", encoding="utf-8")
    folder = header.folder if Path(header.folder).is_dir() else str(scratch)
    done.is_cut_short = _run(_words_for(header, staging.out, scratch), folder, scratch, must_stop)
    #: Inputs whose storage failed, and why; "": the program's own row says it.
    failures = {
        text_of_json(row.input): ""
        for row, copy in zip(rows, fetched, strict=True)
        if copy.fault != row.fault
    }
    for row, problem in staging.delivered(_lines(scratch / "ledger.jsonl", staging)):
        if problem:
            failures[text_of_json(row["input"])] = problem
        else:
            done.ledger.append(row)
    for row in _lines(scratch / "rows.jsonl", staging):
        if (problem := failures.get(text_of_json(row["input"]))) is not None:
            row |= {"output": None, "status": "failed", "bytes_out": 0, "may_work_later": True}
            row["error"] = f"{text_of_json(row['input'])}: {problem}." if problem else row["error"]
        done.report.append(row)


def _words_for(header: Header, out: str, scratch: Path) -> list[str]:
    words = list(header.arguments)
    words[words.index("--out") + 1] = out
    own = {"--planned": "plan.jsonl", "--ledger": "ledger.jsonl"}
    return [
        *words,
        *(word for option, name in own.items() for word in (option, str(scratch / name))),
        *("--jobs", "1", "--json-lines", "--quiet"),
    ]


def _run(words: Sequence[str], folder: str, scratch: Path, must_stop: Callable[[], bool]) -> bool:
    """Runs the program; whether it was stopped."""
    try:
        program = command.words()
    except LibraryError as fault:
        raise TaskError(Kind.WORKER, fault.message) from fault
    with (scratch / "rows.jsonl").open("wb") as rows, (scratch / "messages").open("wb") as messages:
        process = subprocess.Popen(
            [*program, "batch", *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=rows, stderr=messages
        )
        is_stopped = _wait(process, must_stop)
    said = (scratch / "messages").read_text(encoding="utf-8", errors="replace").strip()
    if process.returncode == _USAGE:
        raise TaskError(Kind.RUN, said)
    if process.returncode not in _ENDED and not is_stopped:
        raise TaskError(Kind.INPUT, f"animbridge ended with the code {process.returncode}. {said}".strip())
    if process.returncode == 1 and (scratch / "rows.jsonl").stat().st_size == 0:
        raise TaskError(Kind.WORKER, said)
    return is_stopped


def _wait(process: subprocess.Popen[bytes], must_stop: Callable[[], bool]) -> bool:
    """Waits for the program's end, and asks it to end if the run is cancelled; whether it was asked."""
    is_asked = False
    try:
        while True:
            try:
                process.wait(_SECONDS_BETWEEN_LOOKS)
                return is_asked
            except subprocess.TimeoutExpired:
                if not is_asked and must_stop():
                    process.terminate()  # it finishes the files in hand
                    is_asked = True
    finally:
        process.kill()  # does nothing if it has ended


def _lines(path: Path, staging: Staging) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    text = staging.with_urls(path.read_text(encoding="utf-8"))
    return [json.loads(line) for line in text.split("\n") if line.endswith("}")]
