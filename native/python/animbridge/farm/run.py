# SPDX-License-Identifier: MIT
"""One run on Dask: hands out tasks, and alone writes the ledger."""

from __future__ import annotations

import hashlib
import queue
import time
import uuid
from typing import Any, Final

from ..text import text_of_json
from . import packages
from .errors import FarmError
from .interruption import Interruption
from .ledger import Ledger
from .plan import Key, Plan, Row, key_of
from .report import Progress, Report
from .task import Done, Kind, Task, TaskError, convert
from .work import Work, undone

_SECONDS_BETWEEN_LOOKS: Final = 0.5
_SECONDS_WITHOUT_WORKERS: Final = 10.0
#: So many workers may refuse before the run gives up.
_MOST_REFUSALS: Final = 3
_AGAIN: Final = "Go on with the same command and --resume"
_UNKNOWN: Final = "no worker reported what became of it"
_DIED: Final = "the conversion ended its program, or its machine, each time that it was tried"


def on_worker(task: Task, run: str) -> Done:
    """Runs in a worker's process; `run` names the event that asks to stop."""
    event = packages.distributed().Event(run)

    def must_stop() -> bool:
        return bool(event.is_set())

    return Done(is_cut_short=True) if must_stop() else convert(task, must_stop)


class Run:
    """Converts a plan with the workers of a client of Dask."""

    def __init__(
        self, client: Any, plan: Plan, ledger: Ledger, report: Report, progress: Progress, task_seconds: float
    ) -> None:
        self._client = client
        self._ledger = ledger
        self._report = report
        self._progress = progress
        self._work = Work(plan, task_seconds)
        self._count = len(plan.rows)
        self._name = f"animbridge-{uuid.uuid4()}"
        self._event = packages.distributed().Event(self._name, client=client)
        self._tasks: dict[Any, Task] = {}
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._recorded = set[Key]()
        self._owners: dict[bytes, str] = {}
        self._refusals = 0
        self._done = 0
        #: What is wrong besides rows: inputs with the same output.
        self.conflicts = 0

    def run(self, interruption: Interruption) -> int:
        """Does everything, unless a signal stops it; the number of inputs that were not done."""
        workers = _Workers(self._client, self._progress)
        is_stopping = False
        while True:
            threads = workers.threads()
            if not interruption.name:
                self._submit(threads)
            elif not is_stopping:
                is_stopping = True
                self._event.set()
                self._progress.say("Stopping after the files in hand. Press Ctrl-C again to stop at once.")
            if not self._tasks:
                return self._count - self._done
            self._take_ended()
            self._ledger.append([])  # what waits may be due
            self._progress.show(self._done, threads)

    def _submit(self, threads: int) -> None:
        """Each thread of a worker has one task, and another one waits for it."""
        while len(self._tasks) < 2 * max(threads, 1):
            task = self._work.next(threads)
            if task is None:
                return
            future = self._client.submit(on_worker, task, self._name, pure=False)
            self._tasks[future] = task
            future.add_done_callback(self._ended.put)

    def _take_ended(self) -> None:
        try:
            future = self._ended.get(timeout=_SECONDS_BETWEEN_LOOKS)
        except queue.Empty:
            return
        task = self._tasks.pop(future)
        try:
            done = future.result()
        except Exception as fault:  # a worker's death among them
            if self._client.status != "running":
                raise FarmError(f"Dask's scheduler was lost. {_AGAIN}") from fault
            self._divide(task, _first_line(fault))
            return
        if done.fault is None:
            self._take(task, done)
        elif done.fault.kind is Kind.INPUT:
            self._divide(task, done.fault.message)
        else:
            self._refuse(task, done.fault)

    def _divide(self, task: Task, reason: str) -> None:
        if not self._work.halve(task):
            self._report.add([_failed(row, f"{_DIED} ({reason})") for row in task.rows], self._progress)
            self._done += len(task.rows)

    def _refuse(self, task: Task, fault: TaskError) -> None:
        self._refusals += 1
        if fault.kind is Kind.RUN:
            raise FarmError(fault.message)
        if self._refusals >= _MOST_REFUSALS or not self._work.retry(task, task.rows):
            raise FarmError(f"a worker cannot do its task: {fault.message}")
        self._progress.say(f"A worker cannot do its task, so another one tries it: {fault.message}")

    def _take(self, task: Task, done: Done) -> None:
        self._work.learn(task, done)
        again = [] if done.is_cut_short else list(undone(task, done))
        if again and not self._work.retry(task, again):
            known = {text_of_json(row["input"]) for row in done.report}
            done.report += [_failed(row, _UNKNOWN) for row in again if text_of_json(row.input) not in known]
            again = []
        waiting = {text_of_json(row.input) for row in again}
        self._record(task, done)
        rows = [row for row in done.report if text_of_json(row["input"]) not in waiting]
        self._report.add(rows, self._progress)
        self._done += len({text_of_json(row["input"]) for row in rows})

    def _record(self, task: Task, done: Done) -> None:
        """Stores the rows of this task's inputs, each input's once."""
        expected = {row.key for row in task.rows}
        new = [row for row in done.ledger if (key := key_of(row)) in expected and key not in self._recorded]
        self._recorded.update(map(key_of, new))
        for row in new:
            for output in row["outputs"]:
                self._own(text_of_json(output["path"]), text_of_json(row["path"]))
        if new:
            self._ledger.append(new)

    def _own(self, output: str, path: str) -> None:
        """A digest stands for an output, for there may be millions."""
        digest = hashlib.blake2b(output.encode("utf-8", "surrogateescape"), digest_size=12).digest()
        owner = self._owners.setdefault(digest, path)
        if owner != path:
            self.conflicts += 1
            self._progress.print(
                f"failed   two inputs have the same output, so one of them is lost: {output}: {owner} and "
                f"{path}. Convert one of them into another folder"
            )


class _Workers:
    """How many threads there are; reports when there are none."""

    def __init__(self, client: Any, progress: Progress) -> None:
        self._client = client
        self._progress = progress
        self._looked = -1.0
        self._threads = 0
        self._seen = time.monotonic()

    def threads(self) -> int:
        now = time.monotonic()
        if now - self._looked < 2.0 and self._looked >= 0:
            return self._threads
        self._looked = now
        try:
            self._threads = sum(self._client.nthreads().values())
        except Exception as fault:
            raise FarmError(f"Dask's scheduler is lost: {_first_line(fault)}. {_AGAIN}") from fault
        if self._threads:
            self._seen = now
        elif now - self._seen >= _SECONDS_WITHOUT_WORKERS:
            self._seen = now
            self._progress.say("No worker is connected to the scheduler. The run goes on when there is one.")
        return self._threads


def _failed(row: Row, reason: str) -> dict[str, Any]:
    """A row of the report for an input of which no worker could report."""
    return {
        "input": row.input,
        "output": None,
        "status": "failed",
        "error": f"{text_of_json(row.input)}: {reason}.",
        "findings": [],
        "warnings": [],
        "notes": [],
        "conversion": None,
        "max_rotation_error_degrees": None,
        "max_position_error_mm": None,
        "bytes_in": row.size,
        "bytes_out": 0,
        "seconds": 0.0,
    }


def _first_line(fault: Exception) -> str:
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]
