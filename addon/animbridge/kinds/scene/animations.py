# SPDX-License-Identifier: GPL-3.0-or-later
"""The animations of a scene, as files or Actions of their own."""

from __future__ import annotations

from ...package import Document, animation_names, animation_option, readable
from ..kind import Animation


def animations_of(document: Document) -> list[Animation]:
    """The animations of a scene, in the file's order. One without a name is called by its number."""
    names = animation_names(document)
    return [
        Animation(called, {"animation": animation_option(names, index)}, {"animation_name": called})
        for index, name in enumerate(names)
        for called in (readable(name) or str(index + 1),)
    ]
