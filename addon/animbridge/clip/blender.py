# SPDX-License-Identifier: GPL-3.0-or-later
"""What is registered with Blender."""

from __future__ import annotations

from typing import Any, Final

from . import numbers, operators, panel

#: In the order of registration.
CLASSES: Final[tuple[Any, ...]] = (*numbers.CLASSES, *operators.CLASSES, *panel.CLASSES)

#: After the classes are registered, and before they are unregistered.
attach: Final = numbers.attach
detach: Final = numbers.detach
