# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of the files that Actions become."""

from __future__ import annotations

from pathlib import PurePosixPath

import bpy

from ...package import LONGEST_EXTENSION, AnimBridgeError, free_stem
from .. import templates


def stem_for(action: bpy.types.Action, taken: set[str], ending: str = LONGEST_EXTENSION) -> str:
    """A file name without extension, not yet `taken`: the imported file's own first, then the Action's."""
    template = templates.load(action)
    # By the same rules on every system: a name from elsewhere may hold a backslash or a colon.
    wishes = [PurePosixPath(template.name).stem] if template else []
    return free_stem([*wishes, action.name], taken, ending)


def suggested_stem(action: bpy.types.Action) -> str:
    """The file name that a dialog begins with."""
    try:
        return stem_for(action, set())
    except AnimBridgeError:
        return free_stem([action.name], set())
