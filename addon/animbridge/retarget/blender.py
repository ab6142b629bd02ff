# SPDX-License-Identifier: GPL-3.0-or-later
"""What is registered with Blender."""

from __future__ import annotations

from typing import Any, Final

from . import figures, file_operators, operators, pair_operators, panel, properties

#: In the order of registration.
CLASSES: Final[tuple[Any, ...]] = (
    *properties.CLASSES,
    *operators.CLASSES,
    *pair_operators.CLASSES,
    *file_operators.CLASSES,
    *panel.CLASSES,
)

_FIGURES: Final = figures.Figures()


def attach() -> None:
    """After the classes are registered."""
    properties.attach()
    _FIGURES.attach()


def detach() -> None:
    """Before they are unregistered."""
    _FIGURES.detach()
    properties.detach()
