# SPDX-License-Identifier: GPL-3.0-or-later
"""How the panel says what was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..package import counted, listed
from ..scene.retarget_text import exactness, planting
from .control_rigs import Switch

#: An alignment beyond this may mean that the reference poses don't belong together.
LARGE_ANGLE_DEGREES: Final = 15.0
#: How a pair was found, for people.
WAYS: Final = {
    "given": "in the file",
    "convention": "by the rig's names",
    "name": "by its name",
    "structure": "by its place in the tree",
    "shape": "by the shape of the body",
    "equal": "by the same name in both",
    "chain": "as the first bone of a chain",
}
#: The icon of each way in the list; "": the user chose the pair.
WAY_ICONS: Final = {
    "given": "FILE",
    "convention": "OUTLINER_OB_ARMATURE",
    "name": "SORTALPHA",
    "structure": "OUTLINER",
    "shape": "ARMATURE_DATA",
    "equal": "LINKED",
    "chain": "CONSTRAINT_BONE",
    "": "GREASEPENCIL",
}


#: Ways that deserve a look, and the yellow icon that marks their pairs.
UNSURE_WAYS: Final = frozenset({"name", "structure", "shape", "chain"})
UNSURE_ICON: Final = "COLORSET_09_VEC"


def summary(action_name: str, report: Mapping[str, Any]) -> str:
    """What was made and how exact it is, in one line."""
    retarget = report["retarget"]
    return f"'{action_name}': {counted(len(retarget['slots']), 'part')}, {exactness(retarget)}"


def planted_summary(action_name: str, planted: Mapping[str, Any]) -> str:
    """What planting feet changed, in one line; of a report's "planted"."""
    feet = [foot for foot in planted["feet"] if foot["contacts"]]
    if not feet:
        return f"'{action_name}': the feet never stand still, so nothing was changed"
    before, now = (
        max(foot["slide_mm_per_second"] for foot in each) for each in ([f["unplanted"] for f in feet], feet)
    )
    return (
        f"'{action_name}': feet slide {now:.0f} mm/s while they stand (before: {before:.0f}), "
        f"{planting(feet, planted['body_moved_mm'])}"
    )


def switch_notes(switches: Sequence[Switch]) -> Iterator[str]:
    """What was set in a control rig so that the keys show."""
    by_prop: dict[str, list[str]] = {}
    for one in switches:
        by_prop.setdefault(one.prop, []).append(one.bone)
    for prop, bones in by_prop.items():
        yield f"{prop} of {listed(bones)} is now 1 and has a key, so that the rig follows its FK controls"
