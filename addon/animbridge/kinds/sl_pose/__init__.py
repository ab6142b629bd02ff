# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of the Second Life viewers: what Firestorm's and Black Dragon's posers save (.xml)."""

from __future__ import annotations

from typing import Final

from ..kind import InBlender, Kind


def _in_blender() -> InBlender:
    from .blender import IN_BLENDER

    return IN_BLENDER


#: Files of a .blend file with the extension .xml are OBANs, so the batch makes poses of other files only.
KIND: Final = Kind(id="sl_pose", extensions=(".xml",), targets=(), in_blender=_in_blender)
