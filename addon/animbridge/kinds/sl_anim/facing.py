# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice of where a character looks, shared by import and export."""

from __future__ import annotations

from typing import Final

FACING_ITEMS: Final = (
    ("AUTO", "Automatic", "Found from the left and right bones of the rest pose"),
    ("X", "+X", "The character looks along +X, as Second Life's own skeleton does"),
    ("NEGATIVE_Y", "-Y", "The character looks along -Y, as Blender's front view expects"),
    ("NEGATIVE_X", "-X", "The character looks along -X"),
    ("Y", "+Y", "The character looks along +Y"),
)
