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
from typing import BinaryIO, Final, TextIO

_STANDARD_OUTPUT: Final = 1
#: What Blender says of every file that it reads or writes, with the time in front from 5.0 on.
_CHATTER: Final = re.compile(
    r"(\d\d:\d\d\.\d+ +\S+ +\| )?"
    r"(Info: (Saved (copy as )?\"|Total files )|Saved \"|Read (prefs|blend): |AL lib|Blender quit|$)"
)


class Chatter:
    """What Blender printed since the last call of `pass_on`. `out`: standard output, for the batch alone."""

    def __init__(self, out: TextIO, caught: BinaryIO | None = None) -> None:
        self.out = out
        self._caught = caught

    def pass_on(self) -> None:
        """Prints what Blender printed, without chatter."""
        if self._caught is None:
            return
        _flush()
        self._caught.seek(0)
        text = self._caught.read().decode("utf-8", "replace")
        # Both ends of the descriptor share one place.
        self._caught.seek(0)
        self._caught.truncate()
        for line in text.splitlines():
            if not _CHATTER.match(line):
                print(line, file=self.out)


@contextmanager
def held_back() -> Iterator[Chatter]:
    """Holds back what Blender prints while the block runs."""
    if "bpy" not in sys.modules:
        yield Chatter(sys.stdout)
        return
    # A file, not a pipe: a full pipe would stop Blender, whose one thread is busy.
    with tempfile.TemporaryFile() as caught:
        _flush()
        before = os.dup(_STANDARD_OUTPUT)
        out = _standard_output(before)
        os.dup2(caught.fileno(), _STANDARD_OUTPUT)
        chatter = Chatter(out, caught)
        try:
            yield chatter
        finally:
            chatter.pass_on()
            out.flush()
            os.dup2(before, _STANDARD_OUTPUT)
            if out is sys.stdout:
                os.close(before)
            else:
                out.close()


def silence() -> None:
    """Drops what Blender prints until the process ends."""
    _flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _STANDARD_OUTPUT)
    os.close(nowhere)


def _standard_output(descriptor: int) -> TextIO:
    """A stream to the descriptor. If Python prints elsewhere, as in tests, it is Python's."""
    stream = sys.stdout
    try:
        is_standard = stream.fileno() == _STANDARD_OUTPUT
    except (AttributeError, OSError, ValueError):
        is_standard = False
    if not is_standard:
        return stream
    return os.fdopen(descriptor, "w", encoding=stream.encoding, errors=stream.errors, buffering=1)


def _flush() -> None:
    with suppress(OSError, ValueError):  # standard output may be closed
        sys.stdout.flush()
    # Windows has no handle for all that is loaded; every part of Blender shares its C runtime.
    (ctypes.CDLL("ucrtbase") if os.name == "nt" else ctypes.CDLL(None)).fflush(None)
