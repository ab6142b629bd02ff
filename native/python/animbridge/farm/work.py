# SPDX-License-Identifier: MIT
"""What is left to do, cut into tasks of about the same time; and what becomes of tasks that fail."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from ..text import text_of_json
from .plan import Header, Plan, Row
from .task import Done, Task

#: The first tasks are small, for nobody knows yet how long they take.
_FIRST_ROWS: Final = 32
_MOST_ROWS: Final = 20_000
_MOST_ATTEMPTS: Final = 3


class Work:
    """Hands out tasks, and takes back what was not done."""

    def __init__(self, plan: Plan, task_seconds: float) -> None:
        self._header: Header = plan.header
        self._groups = deque(plan.groups())
        self._again = deque[Task]()
        self._task_seconds = task_seconds
        self._rows_per_second = 0.0
        #: Inputs that are in no task.
        self.left = sum(map(len, self._groups))

    def next(self, threads: int) -> Task | None:
        """The next task; None if there is none now."""
        if self._again:
            task = self._again.popleft()
            self.left -= len(task.rows)
            return task
        rows: list[Row] = []
        most = self._size(threads)
        while self._groups and len(rows) < most:
            rows += self._groups.popleft()
        self.left -= len(rows)
        return Task(self._header, tuple(rows)) if rows else None

    def _size(self, threads: int) -> float:
        """Rows for the task's time; fewer at the end, for all workers to end together."""
        if not self._rows_per_second:
            return _FIRST_ROWS
        least = self._rows_per_second * self._task_seconds / 10
        share = self.left / (2 * max(threads, 1))
        return max(1.0, min(self._rows_per_second * self._task_seconds, max(share, least), _MOST_ROWS))

    def learn(self, task: Task, done: Done) -> None:
        """How long tasks take, from the newest ones above all."""
        if done.is_cut_short or done.seconds <= 0:
            return
        rate = len(task.rows) / done.seconds
        self._rows_per_second = (self._rows_per_second + rate) / 2 if self._rows_per_second else rate

    def retry(self, task: Task, rows: Sequence[Row]) -> bool:
        """Puts some inputs of a task back; False if they were tried often enough."""
        if task.attempt + 1 >= _MOST_ATTEMPTS:
            return False
        self._put(Task(task.header, tuple(rows), task.attempt + 1))
        return True

    def halve(self, task: Task) -> bool:
        """Puts a task that died back, in two halves: the file that ends the program is alone in the end.

        False if it is alone, and was tried often enough.
        """
        groups = list(Plan(task.header, list(task.rows)).groups())
        if len(groups) == 1:
            return self.retry(task, task.rows)
        middle = len(groups) // 2
        for half in (groups[:middle], groups[middle:]):
            self._put(Task(task.header, tuple(row for group in half for row in group), task.attempt))
        return True

    def _put(self, task: Task) -> None:
        self._again.append(task)
        self.left += len(task.rows)


def undone(task: Task, done: Done) -> Iterator[Row]:
    """Inputs that failed for a reason outside them, such as a full disk, or of which nothing is known."""
    is_final = {text_of_json(row["input"]): not row.get("may_work_later") for row in done.report}
    yield from (row for row in task.rows if not is_final.get(text_of_json(row.input)))
