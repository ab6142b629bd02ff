# SPDX-License-Identifier: GPL-3.0-or-later
"""F-curves that repeat before or after their keys: Blender's modifier Cycles, without its finer settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import bpy

#: {the library's word: the modifier's}
_MODES: Final = {"none": "NONE", "repeat": "REPEAT", "mirror": "MIRROR"}
_WORDS: Final = {mode: word for word, mode in _MODES.items()}


@dataclass(frozen=True)
class Cycles:
    """What a curve does before and after its keys: "none", "repeat" or "mirror"."""

    before: str
    after: str


def add_cycles(curve: bpy.types.FCurve, cycles: Cycles) -> None:
    """Makes a curve without modifiers repeat."""
    modifier: Any = curve.modifiers.new("CYCLES")
    modifier.mode_before, modifier.mode_after = _MODES[cycles.before], _MODES[cycles.after]
    modifier.cycles_before = modifier.cycles_after = 0


def cycles_of(curve: bpy.types.FCurve) -> Cycles | None:
    """How a curve repeats if that is all that its modifiers do; else None."""
    active: list[Any] = [modifier for modifier in curve.modifiers if not modifier.mute]
    if len(active) != 1 or not _is_plain(active[0]):
        return None
    return Cycles(_WORDS[active[0].mode_before], _WORDS[active[0].mode_after])


def _is_plain(modifier: Any) -> bool:
    """Whether the modifier is one that add_cycles makes."""
    return (
        modifier.type == "CYCLES"
        and modifier.mode_before in _WORDS
        and modifier.mode_after in _WORDS
        and modifier.cycles_before == modifier.cycles_after == 0
        and not modifier.use_restricted_range
        and not (modifier.use_influence and modifier.influence < 1.0)
    )
