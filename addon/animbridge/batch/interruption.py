# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C and SIGTERM: the first ends a run after the current file, the second ends it at once.

Handlers in Python wait until Blender or the library gives control back. So a thread reads what the signals
write into a pipe, and the second one ends the process from there.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_STANDARD_ERROR: Final = 2
_STOPPING: Final = "Stopping after the current file. Press Ctrl-C again to stop at once.\n"


class Interruption:
    """Handles the signals while the block runs.

    `end_at_once` is called in a thread with the exit code. It ends the process.
    """

    def __init__(self, end_at_once: Callable[[int], None]) -> None:
        self._end_at_once = end_at_once
        self._first: int | None = None
        self._before: dict[int, Any] = {}
        self._old_pipe = -1
        self._writer = -1

    @property
    def name(self) -> str:
        """The signal that asked the run to end; "" if there was none."""
        return "" if self._first is None else signal.Signals(self._first).name

    @property
    def exit_code(self) -> int:
        """What shells expect of a process that the signal ended."""
        return 0 if self._first is None else 128 + self._first

    def __enter__(self) -> Interruption:
        if threading.current_thread() is not threading.main_thread():
            return self  # only the main thread can set handlers
        if not hasattr(signal, "siginterrupt"):  # Windows, whose pipes cannot be told not to wait
            for number in _SIGNALS:
                self._before[number] = signal.signal(number, self._count)
            return self
        reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        self._old_pipe = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        for number in _SIGNALS:
            self._before[number] = signal.signal(number, self._note)
            # Lets Blender's own reads and writes continue afterwards.
            signal.siginterrupt(number, False)
        threading.Thread(target=self._watch, args=(reader,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            # None: Blender's own, which Python cannot put back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if self._writer >= 0:
            signal.set_wakeup_fd(self._old_pipe)
            os.close(self._writer)  # then the thread reads the end of the pipe, and ends

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._first = self._first or number

    def _count(self, number: int, _frame: FrameType | None) -> None:
        if self._first is not None:
            self._end_at_once(self.exit_code)
        self._first = number
        _say(_STOPPING)

    def _watch(self, reader: int) -> None:
        count = 0
        while signals := os.read(reader, 1):
            if signals[0] not in _SIGNALS:
                continue
            count += 1
            self._first = self._first or signals[0]
            if count > 1:
                self._end_at_once(self.exit_code)
            _say(_STOPPING)
        os.close(reader)


def _say(text: str) -> None:
    """Prints on standard error, unless nobody reads it: the thread must not wait."""
    with contextlib.suppress(OSError, ValueError):
        if select.select([], [_STANDARD_ERROR], [], 0)[1]:
            os.write(_STANDARD_ERROR, text.encode("ascii"))
