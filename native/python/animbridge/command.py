# SPDX-License-Identifier: MIT
"""The command `animbridge`, which is in the library."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

from . import library, scene_reader
from .abi import words_array

#: A program in place of the library's own command, for `words`.
ENVIRONMENT_VARIABLE: Final = "ANIMBRIDGE_COMMAND"


def run(words: Sequence[str]) -> int:
    """Runs the command in this process, which is to end after it; the exit code.

    Ctrl-C and a closed pipe end the process, as they end a program. LibraryError: there is no library.
    """
    functions = library.load()
    for name in ("SIGINT", "SIGPIPE"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    sys.stdout.flush()
    sys.stderr.flush()
    code: int = functions.ab_command(words_array(words), len(words), _options().encode())
    return code


def words() -> list[str]:
    """What starts the command in another process. LibraryError: there is no library."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    if chosen:
        return [chosen]
    place = str(library.place())
    return [scene_reader.interpreter(), "-I", "-S", str(scene_reader.LAUNCHER), "command", place, _options()]


def _options() -> str:
    return json.dumps(scene_reader.options())
