# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on needs: NumPy, and the Python package of the same version."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from types import ModuleType

#: Of the package (animbridge/__init__.py there), which this add-on is made for.
VERSION = "0.3.0"


class RestartNeededError(ImportError):
    """A restart of Blender puts it right."""


def check() -> None:
    """Raises an ImportError that says what to do."""
    _check_numpy()
    _check_package(_package())


def _check_numpy() -> None:
    """Debian's Blender takes modules from the first Python 3.11 on PATH; only Debian's own has NumPy."""
    try:
        # A folder of that name without modules can be imported too.
        has_numpy = hasattr(importlib.import_module("numpy"), "ndarray")
    except ImportError:
        has_numpy = False
    if not has_numpy:
        raise ImportError(
            f"AnimBridge needs NumPy, and Blender's Python ({sys.prefix}) does not have it. "
            "On Debian, install python3-numpy. If it is installed, another Python 3.11 comes first on PATH: "
            "start Blender with PATH=/usr/bin:$PATH."
        )


def _package() -> ModuleType:
    if importlib.util.find_spec(f"{__package__}.animbridge"):
        return importlib.import_module(f"{__package__}.animbridge")
    try:
        return importlib.import_module("animbridge")
    except ImportError as fault:
        raise ImportError(
            "The library of AnimBridge is missing. Disable AnimBridge in Preferences > Add-ons and enable it "
            "again. If that does not help, remove it and install it again."
        ) from fault


def _check_package(package: ModuleType) -> None:
    if hasattr(package, "bl_info"):
        raise RestartNeededError(
            "Remove the old add-on AnimBridge in Preferences > Add-ons, then restart Blender."
        )
    found = getattr(package, "__version__", "unknown")
    if _numbers(found) > _numbers(VERSION):  # of several packages, Blender takes the newest
        raise RestartNeededError(
            f"AnimBridge is installed twice. Remove version {VERSION} in Preferences > Add-ons, then restart "
            f"Blender. Version {found} stays."
        )
    if found != VERSION:
        raise RestartNeededError(
            f"Restart Blender to complete the update of AnimBridge from {found} to {VERSION}."
        )


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
