# SPDX-License-Identifier: MIT
"""Ctrl-C and SIGTERM: the first one asks the run to end, the second one ends it."""

from __future__ import annotations

import os
import signal
from types import FrameType, TracebackType
from typing import Any


class Interruption:
    """A context in which signals are counted. `name`: of the first one, "" if there was none."""

    def __init__(self) -> None:
        self.name = ""
        self.exit_code = 0
        self._old: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interruption:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._old[number] = signal.signal(number, self._take)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, old in self._old.items():
            signal.signal(number, old)

    def _take(self, number: int, frame: FrameType | None) -> None:
        del frame
        if self.name:
            os._exit(128 + number)
        self.name = signal.Signals(number).name
        self.exit_code = 128 + number
