# SPDX-License-Identifier: MIT
"""Progress of long native work, and stopping it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from . import abi
from .errors import AnimBridgeError, Status

#: Called with a fraction 0..1; True stops the work, which then ends with an error of code CANCELLED.
Progress = Callable[[float], bool]


def part_of(progress: Progress | None, first: float, last: float) -> Progress | None:
    """The progress of a part of the work, which goes from the whole's share `first` to `last`."""
    if progress is None:
        return None
    return lambda share: progress(first + (last - first) * share)


def advance(progress: Progress | None, share: float) -> None:
    """Reports how far the work is; an error of code CANCELLED if it is to stop."""
    if progress is not None and progress(share):
        raise AnimBridgeError("cancelled", Status.CANCELLED)


@contextmanager
def native_job(progress: Progress | None) -> Generator[Any, None, None]:
    """The ab_job argument for `progress`; what the callback raises stops the work and is raised after it."""
    if progress is None:
        yield None
        return
    raised: list[BaseException] = []

    def report(_user: int | None, fraction: float) -> int:
        try:
            return int(progress(fraction))
        except BaseException as fault:  # nothing may unwind through the library
            raised.append(fault)
            return 1

    job = abi.AbJob(struct_size=ctypes.sizeof(abi.AbJob), progress=abi.PROGRESS(report), user=None)
    try:
        yield ctypes.byref(job)
    finally:
        if raised:
            raise raised[0]
