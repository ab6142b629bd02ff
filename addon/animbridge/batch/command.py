# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands a batch to the command, which starts as many Blenders like this one as it needs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import bpy

from ..package import LibraryError, command
from .chatter import silence

_START: Final = Path(__file__).with_name("start.py")


def run(arguments: Sequence[str]) -> int:
    """Runs `animbridge batch` in the place of this process, which is to end after it; the exit code."""
    words = ["batch", *arguments]
    for word in own_words():
        words += ["--blender", word]
    try:
        code = command.run_instead(words)
    except LibraryError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    silence()  # Blender's farewell
    return code


def own_words() -> list[str]:
    """The command line that starts this Blender without a window, and a part of a batch in it."""
    if not bpy.app.binary_path:  # Blender as a Python module
        return [sys.executable, str(_START), "--"]
    python = ["--python-exit-code", "1", "--python", str(_START), "--"]
    return [bpy.app.binary_path, "--background", "-noaudio", "--factory-startup", *python]
