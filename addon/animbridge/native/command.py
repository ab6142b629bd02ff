# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the command `animbridge`, which lies beside the library."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from . import platforms, programs
from .errors import LibraryError

ENVIRONMENT_VARIABLE: Final = "ANIMBRIDGE_COMMAND"
_PACKAGE: Final = Path(__file__).resolve().parent.parent


def candidates() -> list[Path]:
    """Where the command may lie, best first. The environment variable, when it is set, is the only place."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    if chosen:
        return [Path(chosen)]
    platform = platforms.current()
    return [
        _PACKAGE / "lib" / platform.id / platform.command,
        _PACKAGE.parent.parent / "build" / "bin" / platform.command,
    ]


def find() -> Path:
    """The command's path; LibraryError with the places that were looked at when there is none."""
    places = candidates()
    for place in places:
        if place.is_file():
            programs.allow(place)
            return place
    looked = ", ".join(str(place) for place in places)
    raise LibraryError(
        f"The command animbridge for {platforms.current().id} was not found; looked at: {looked}. "
        f"Install the Python package for this system, or set {ENVIRONMENT_VARIABLE} to the command's path."
    )
