# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own lines on standard output, which are not the batch's."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final

_STANDARD_OUTPUT: Final = 1
#: What Blender says of every file that it reads or writes, with the time in front from 5.0 on.
_CHATTER: Final = re.compile(
    r"(\d\d:\d\d\.\d+ +\S+ +\| )?"
    r"(Info: (Saved \"|Total files )|Saved \"|Read (prefs|blend): |AL lib|Blender quit|Blender \d+\.\d|$)"
)


class Chatter:
    """What Blender printed since the last call of `pass_on`."""

    def __init__(self, caught: BinaryIO | None) -> None:
        self._caught = caught

    def pass_on(self) -> None:
        """Prints what Blender printed, without chatter."""
        if self._caught is None:
            return
        ctypes.CDLL(None).fflush(None)
        self._caught.seek(0)
        text = self._caught.read().decode("utf-8", "replace")
        # Both ends of the descriptor share one place.
        self._caught.seek(0)
        self._caught.truncate()
        for line in text.splitlines():
            if not _CHATTER.match(line):
                print(line)


@contextmanager
def held_back() -> Iterator[Chatter]:
    """Holds back what Blender prints while the block runs; Python's own `print` is not touched."""
    if "bpy" not in sys.modules:
        yield Chatter(None)
        return
    # A file, not a pipe: a full pipe would stop Blender, whose one thread is busy.
    with tempfile.TemporaryFile() as caught:
        before = os.dup(_STANDARD_OUTPUT)
        stream = sys.stdout
        stream.flush()
        ctypes.CDLL(None).fflush(None)
        if _writes_to(stream, _STANDARD_OUTPUT):
            sys.stdout = os.fdopen(
                os.dup(before), "w", encoding=stream.encoding, errors=stream.errors, buffering=1
            )
        os.dup2(caught.fileno(), _STANDARD_OUTPUT)
        chatter = Chatter(caught)
        try:
            yield chatter
        finally:
            chatter.pass_on()
            os.dup2(before, _STANDARD_OUTPUT)
            os.close(before)
            if sys.stdout is not stream:
                sys.stdout.close()
                sys.stdout = stream


def silence() -> None:
    """Drops what Blender prints until the process ends."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _STANDARD_OUTPUT)
    os.close(nowhere)


def _writes_to(stream: object, descriptor: int) -> bool:
    try:
        return stream.fileno() == descriptor  # pyright: ignore[reportAttributeAccessIssue]
    except (AttributeError, OSError, ValueError):
        return False
