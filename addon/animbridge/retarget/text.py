# SPDX-License-Identifier: GPL-3.0-or-later
"""How the panel says what was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..native.text import counted
from ..scene.retarget_text import exactness

#: An alignment beyond this may mean that the reference poses don't belong together.
LARGE_ANGLE_DEGREES: Final = 15.0
#: How a pair was found, for people.
WAYS: Final = {
    "given": "in the file",
    "convention": "by the rig's names",
    "name": "by its name",
    "structure": "by its place in the tree",
    "equal": "by the same name in both",
}


def summary(action_name: str, report: Mapping[str, Any]) -> str:
    """What was made and how exact it is, in one line."""
    retarget = report["retarget"]
    return f"'{action_name}': {counted(len(retarget['slots']), 'part')}, {exactness(retarget)}"
