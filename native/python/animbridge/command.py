# SPDX-License-Identifier: MIT
"""The command `animbridge`, which is in the library."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from . import library, scene_reader
from .abi import words_array
from .errors import LibraryError

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


def run_instead(arguments: Sequence[str]) -> int:
    """Runs the command in the place of this process, whose threads would take its signals.

    Windows cannot do that: there, waits for its exit code. LibraryError: there is no library, or no Python
    that could be started.
    """
    started = [*words(), *arguments]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(started[0], started)
    with subprocess.Popen(started) as running:
        while True:
            try:
                return running.wait()
            except KeyboardInterrupt:  # which the command gets too: it ends what it began
                continue


def end_with_reader(descriptor: int) -> None:
    """Ends this process as soon as nobody can read from its pipe `descriptor`. Not on Windows."""
    library.load().ab_end_with_reader(descriptor)


def words() -> list[str]:
    """What starts the command in another process. LibraryError as in run_instead."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    if chosen:
        return [chosen]
    if not scene_reader.interpreter():
        raise LibraryError(
            f"No Python could be started: {sys.executable or 'sys.executable'} is none, and {sys.prefix} has "
            f"none. Set {ENVIRONMENT_VARIABLE} to the path of the program animbridge."
        )
    place = str(library.place())
    return [scene_reader.interpreter(), "-I", "-S", str(scene_reader.LAUNCHER), "command", place, _options()]


def _options() -> str:
    return json.dumps(scene_reader.options())
