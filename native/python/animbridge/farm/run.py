# SPDX-License-Identifier: MIT
"""One run: threads of this process or the workers of a Dask cluster do the shares.

Each share is a process of the command, so threads are enough on this machine. They need no connections,
through which other users of the machine could give them work.
"""

from __future__ import annotations

import importlib
import logging
import os
import queue
import signal
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

from ..errors import LibraryError
from .errors import FarmError, StorageError
from .share import Done, Share, convert
from .storage import reason

_SECONDS_BETWEEN_LOOKS: Final = 0.5
_SECONDS_BETWEEN_LINES: Final = 10.0


class Interruption:
    """Ctrl-C and SIGTERM: the first one asks the run to end, the second one ends it."""

    def __init__(self) -> None:
        self.number = 0  # of the first one
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._take)

    def _take(self, number: int, frame: FrameType | None) -> None:
        del frame
        if self.number:
            os._exit(128 + number)
        self.number = number


@dataclass(frozen=True)
class Crew:
    """Who does shares. `threads`: how many are done at once. `event`: asks to stop."""

    executor: Executor
    threads: Callable[[], int]
    event: Any


@contextmanager
def crew(scheduler: str | None, workers: int) -> Iterator[Crew]:
    """Threads of this process, or the workers of a Dask cluster. FarmError: it cannot be reached."""
    if not scheduler:
        event = threading.Event()
        with ThreadPoolExecutor(workers) as pool:
            try:
                yield Crew(pool, lambda: workers, event)
            finally:
                event.set()
        return
    dask = importlib.import_module("distributed")
    for logger in ("distributed.client", "tornado.application"):  # their errors are said here
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    try:
        client = dask.Client(scheduler, timeout=10)
    except (OSError, ValueError) as fault:
        raise FarmError(f"Dask's scheduler {scheduler} cannot be reached: {fault}") from fault
    with client:
        event = dask.Event(f"animbridge-{uuid.uuid4()}", client=client)
        yield Crew(client.get_executor(pure=False), lambda: sum(client.nthreads().values()), event)


class Run:
    """Has shares done, and says what became of them."""

    def __init__(self, crew: Crew, interruption: Interruption, *, quiet: bool) -> None:
        self._crew = crew
        self._interruption = interruption
        self._quiet = quiet
        self._start = self._said = time.monotonic()
        self._counts = Counter[str]()  # of rows, by their status

    def threads(self) -> int:
        """How many shares are done at once, as soon as there is a worker; 0: the run was stopped."""
        while not (threads := self._crew.threads()) and not self._interruption.number:
            self._say("No worker is connected to the scheduler. The run goes on when there is one.")
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        return threads

    def run(self, shares: Sequence[Share]) -> int:
        """Does them, unless a signal stops it; the number of shares that are not done."""
        left, ended = 0, queue.SimpleQueue[Future[Done]]()
        running = {self._crew.executor.submit(convert, share, self._crew.event): share for share in shares}
        for future in running:
            future.add_done_callback(ended.put)
        while running:
            if self._interruption.number and not self._crew.event.is_set():
                self._crew.event.set()
                say("Stopping after the files in hand. Press Ctrl-C again to stop at once.")
            with suppress(queue.Empty):
                future = ended.get(timeout=_SECONDS_BETWEEN_LOOKS)
                left += self._take(running.pop(future), future)
            self._say(f"{len(shares) - len(running)}/{len(shares)} shares")
        return left

    def take(self, done: Done) -> None:
        """Says and counts what came of inputs."""
        self._counts += done.counts
        for line in done.lines:
            print(line, flush=True)

    def _take(self, share: Share, future: Future[Done]) -> int:
        """Takes what a share became; 1 if it was stopped."""
        try:
            done = future.result()
        except CancelledError as fault:
            raise FarmError("Dask's scheduler is lost. Go on with the same command and --resume") from fault
        except StorageError as problem:
            done = Done(fault=str(problem))
        except (FarmError, LibraryError, ImportError, OSError):
            raise
        except Exception as problem:  # Dask's own: a worker's death
            done = Done(fault=f"its worker was lost ({reason(problem)})")
        self.take(done)
        if not done.fault or self._interruption.number:
            return int(bool(done.fault))
        self._counts["failed"] += 1
        print(f"failed   the rest of the share {share.number}/{share.count}: {done.fault}", flush=True)
        return 0

    def _say(self, text: str) -> None:
        now = time.monotonic()
        if not self._quiet and now - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = now
            say(text)

    def summary(self) -> str:
        """One line, as `animbridge batch` has it."""
        counts = self._counts
        others = "".join(f"{counts[name]:,} {name}, " for name in ("current", "refused") if counts[name])
        return (
            f"{counts['ok']:,} written, {counts['failed']:,} failed, {counts['skipped']:,} skipped, {others}"
            f"{time.monotonic() - self._start:.2f} s"
        )

    @property
    def has_failed(self) -> bool:
        """Whether an input failed, an output is refused, or everything was skipped."""
        counts = self._counts
        is_all_skipped = counts["skipped"] > 0 and not counts["ok"] + counts["current"]
        return bool(counts["failed"] or counts["failing"] or is_all_skipped)


def say(text: str) -> None:
    """Something that the user needs to know while the run goes on."""
    print(text, file=sys.stderr, flush=True)
