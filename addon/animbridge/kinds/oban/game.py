# SPDX-License-Identifier: GPL-3.0-or-later
"""Constants of the game."""

from __future__ import annotations

from typing import Final

#: The game's frame rate.
FRAMES_PER_SECOND: Final = 60.0
#: The largest value of the header's 16-bit fields.
LARGEST_FIELD: Final = 0xFFFF
