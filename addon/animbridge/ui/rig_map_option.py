# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice of a rig map, shared by import and export."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.props import StringProperty

from ..package import AnimBridgeError, check_rig_map, is_rig_file


def read_text_file(path: str, noun: str) -> tuple[Path, str]:
    """Where a file of the user is, and its text; an error that names the file if it cannot be read."""
    place = Path(bpy.path.abspath(path))
    try:
        return place, place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise AnimBridgeError(f"The {noun} {place} cannot be read: {fault}") from fault


class RigMapProperty:
    """The option, for operators to inherit."""

    rig_map: StringProperty(
        name="Rig Map",
        description="JSON file that assigns bones to joints, or a rig file, which says what the bones are. "
        "Empty: the built-in names and rigs",
        subtype="FILE_PATH",
    )

    def read_rig_map(self) -> str | None:
        """The text of the file; None if none is given, an error that names the file if it is no rig map.

        A rig file is checked when the bones are known.
        """
        if not self.rig_map:
            return None
        place, text = read_text_file(self.rig_map, "rig map")
        if is_rig_file(text):
            return text
        try:
            check_rig_map(text)
        except AnimBridgeError as fault:
            raise AnimBridgeError(f"The rig map {place}: {fault.message}", fault.code) from fault
        return text
