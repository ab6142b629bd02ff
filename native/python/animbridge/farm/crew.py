# SPDX-License-Identifier: MIT
"""Who does the shares: threads of this process, or the workers of a Dask cluster.

Each share is a process of the command, so threads are enough on this machine. They need no connections,
through which other users of the machine could give them work.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from . import packages
from .errors import FarmError
from .share import Share, convert
from .storage import reason


@dataclass(frozen=True)
class Crew:
    """`submit`: a future of a share's Done. `threads`: how many are done at once. `event`: asks to stop."""

    submit: Callable[[Share], Any]
    threads: Callable[[], int]
    event: Any


@contextmanager
def threads_here(count: int) -> Iterator[Crew]:
    """Threads of this process, which end with the context after the files in hand."""
    event = threading.Event()
    with ThreadPoolExecutor(count) as pool:
        try:
            yield Crew(lambda share: pool.submit(convert, share, event), lambda: count, event)
        finally:
            event.set()


@contextmanager
def dask_workers(address: str) -> Iterator[Crew]:
    """The workers of a scheduler. FarmError: it cannot be reached, or is lost later."""
    dask = packages.distributed()
    try:
        client = dask.Client(address, timeout=10)
    except (OSError, ValueError) as fault:
        raise FarmError(f"Dask's scheduler {address} cannot be reached: {fault}") from fault

    def count() -> int:
        try:
            return sum(client.nthreads().values())
        except Exception as fault:
            raise FarmError(
                f"Dask's scheduler is lost ({reason(fault)}). Go on with the same command and --resume"
            ) from fault

    with client:
        event = dask.Event(f"animbridge-{uuid.uuid4()}", client=client)
        yield Crew(lambda share: client.submit(convert, share, event, pure=False), count, event)
