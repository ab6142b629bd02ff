# SPDX-License-Identifier: MIT
"""One run: hands out shares until all are done, and says what became of them."""

from __future__ import annotations

import queue
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from .crew import Crew
from .errors import FarmError, UsageError
from .interruption import Interruption
from .share import Done, Share
from .storage import reason

_SECONDS_BETWEEN_LOOKS: Final = 0.5
_SECONDS_BETWEEN_COUNTS: Final = 2.0
_SECONDS_BETWEEN_LINES: Final = 10.0
_MOST_TRIES: Final = 3


class Run:
    """Does shares with a crew."""

    def __init__(self, crew: Crew, *, quiet: bool) -> None:
        self._crew = crew
        self._quiet = quiet
        self._start = self._said = time.monotonic()
        self._counted = self._start - _SECONDS_BETWEEN_COUNTS
        self._threads = 0
        self._refusals = 0
        self._waiting: deque[tuple[Share, int]] = deque()
        self._running: dict[Any, tuple[Share, int]] = {}
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._is_stopping = False
        self._counts = Counter[str]()  # of rows, by their status

    def threads(self, interruption: Interruption) -> int:
        """How many shares are done at once, as soon as there is a worker; 0: the run was stopped."""
        while not self._count_threads() and not interruption.name:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        return self._threads

    def run(self, shares: Sequence[Share], interruption: Interruption) -> int:
        """Does them, unless a signal stops it; the number of shares that are not done."""
        self._waiting.extend((share, 1) for share in shares)
        left = 0
        while self._running or (self._waiting and not self._is_stopping):
            if interruption.name and not self._is_stopping:
                self._is_stopping = True
                self._crew.event.set()
                say("Stopping after the files in hand. Press Ctrl-C again to stop at once.")
            threads = self._count_threads()
            while self._waiting and not self._is_stopping and len(self._running) < 2 * threads:
                share, attempt = self._waiting.popleft()
                future = self._crew.submit(share)
                self._running[future] = (share, attempt)
                future.add_done_callback(self._ended.put)
            with suppress(queue.Empty):
                left += self._take(self._ended.get(timeout=_SECONDS_BETWEEN_LOOKS))
            self._show(len(shares))
        return left + len(self._waiting)

    def _take(self, future: Any) -> int:
        """Takes what a share became; 1 if it was stopped."""
        share, attempt = self._running.pop(future)
        try:
            done: Done = future.result()
        except Exception as problem:  # a worker's death among them
            self._crew.threads()  # unless the whole cluster is lost
            done = Done(fault=f"its worker was lost ({reason(problem)})")
        if done.is_usage:
            raise UsageError(done.fault)
        self._refusals = self._refusals + 1 if done.is_refused else 0
        if self._refusals >= _MOST_TRIES:
            raise FarmError(f"a worker cannot do its share: {done.fault}")
        is_whole = not done.fault and not done.may_be_better_later
        if not is_whole and attempt < _MOST_TRIES and not self._is_stopping:
            self._waiting.append((share, attempt + 1))
            return 0
        self._say(done)
        if done.fault and not self._is_stopping:
            self._counts["failed"] += 1
            name = f"{share.number}/{share.count}"
            print(f"failed   the rest of the share {name}, after {attempt} tries: {done.fault}", flush=True)
        return int(bool(done.fault) and self._is_stopping)

    def take_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        """Rows of the report for inputs that are in no share."""
        done = Done()
        done.add(rows)
        self._say(done)

    def _say(self, done: Done) -> None:
        self._counts += done.counts
        for line in done.lines:
            print(line, flush=True)

    def _count_threads(self) -> int:
        now = time.monotonic()
        if now - self._counted >= _SECONDS_BETWEEN_COUNTS:
            self._counted = now
            self._threads = self._crew.threads()
        if not self._threads and now - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = now
            say("No worker is connected to the scheduler. The run goes on when there is one.")
        return self._threads

    def _show(self, shares: int) -> None:
        now = time.monotonic()
        if self._quiet or now - self._said < _SECONDS_BETWEEN_LINES:
            return
        self._said = now
        done = shares - len(self._waiting) - len(self._running)
        left = f"{(now - self._start) * (shares - done) / done / 60:.0f}" if done else "? "
        say(f"{done}/{shares} shares  {left} minutes left  {self._threads} threads of workers")

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
