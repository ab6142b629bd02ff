# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package `animbridge`: in a wheel from Blender 4.2 on, inside this folder before that."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

if TYPE_CHECKING or importlib.util.find_spec(f"{__package__}.animbridge"):
    from .animbridge.api import *  # noqa: F403  (its __all__ is the list)
else:
    from animbridge.api import *  # noqa: F403
