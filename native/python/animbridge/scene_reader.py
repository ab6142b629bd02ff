# SPDX-License-Identifier: MIT
"""How the library starts the reader of scenes, which is a library too: in a Python of its own.

Blender's own Python is not always a program that can be started, so it is tried once. Where none can, FBX and
COLLADA cannot be read or written; everything else works.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from . import library, platforms
from .text import json_text

LAUNCHER: Final = Path(__file__).with_name("launcher.py")


def options() -> dict[str, Any]:
    """The member "scene_reader" of a call's options; nothing where the program animbridge-scene is used."""
    words = _words()
    return {"scene_reader": [json_text(word) for word in words]} if words else {}


@functools.cache
def interpreter() -> str:
    """A Python that can be started without this process's settings."""
    return next((python for python in _candidates() if "bpy" not in sys.modules or _answers(python)), "")


@functools.cache
def _words() -> tuple[str, ...]:
    reader = library.place().parent / platforms.current().scene_library
    if not reader.is_file():
        return ()
    python = interpreter() or str(Path(sys.prefix) / "bin" / "python3")  # which the error then names
    return (python, "-I", "-S", str(LAUNCHER), "scene", str(reader))


def _candidates() -> Iterator[str]:
    if sys.executable and "blender" not in Path(sys.executable).stem.lower():
        yield sys.executable
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for place in (f"bin/{name}", "bin/python3", "python.exe", "bin/python.exe"):
        path = Path(sys.prefix) / place
        if path.is_file():
            yield str(path)


def _answers(python: str) -> bool:
    try:
        done = subprocess.run(
            [python, "-I", "-S", str(LAUNCHER), "probe"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout == b"animbridge"
