# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own lines on standard output, which are not the batch's."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

STANDARD_OUTPUT: Final = 1


def silence() -> None:
    """Drops what Blender prints until the process ends."""
    with suppress(OSError, ValueError):  # standard output may be closed
        sys.stdout.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, STANDARD_OUTPUT)
    os.close(nowhere)
