# SPDX-License-Identifier: GPL-3.0-or-later
"""Text properties, which may hold any bytes in a damaged file."""

from __future__ import annotations

from typing import Any

from ..package import AnimBridgeError


def text_of(holder: Any, name: str) -> str:
    """The value of a text property; an error that names it if Blender cannot read it as text."""
    try:
        return str(getattr(holder, name))
    except UnicodeDecodeError as fault:
        label = holder.bl_rna.properties[name].name
        raise AnimBridgeError(
            f"'{label}' in the AnimBridge tab is not text (UTF-8). Type it again, or empty it."
        ) from fault
