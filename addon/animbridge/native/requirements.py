# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on needs of the Python that it runs in."""

from __future__ import annotations

import importlib
import sys


def check() -> None:
    """Raises an ImportError that says what to do when NumPy is missing.

    Debian's Blender takes its modules from the first Python 3.11 on PATH, and only Debian's own has NumPy.
    """
    if _has_numpy():
        return
    raise ImportError(
        f"AnimBridge needs NumPy, and Blender's Python ({sys.prefix}) does not have it. "
        "On Debian, install python3-numpy. If it is installed, another Python 3.11 comes first on PATH: "
        "start Blender with PATH=/usr/bin:$PATH."
    )


def _has_numpy() -> bool:
    try:
        # A folder of that name without modules can be imported too.
        return hasattr(importlib.import_module("numpy"), "ndarray")
    except ImportError:
        return False
