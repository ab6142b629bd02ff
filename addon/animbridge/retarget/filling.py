# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills the list with the pairs that two rigs have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ..package import AnimBridgeError, RigFound, bone_pairs, counted, listed, rig_files
from . import preview
from .properties import set_pairs
from .setup import found_rigs, sides_of
from .text import LARGE_ANGLE_DEGREES


@dataclass(frozen=True)
class Filled:
    """What was found, in one line, and what to look at."""

    text: str
    problems: Sequence[str]


def fill(scene: bpy.types.Scene, settings: Any) -> Filled:
    """Replaces the list, by the rigs that are chosen; an error, and no change, if no bones can be paired."""
    preview.end(settings)
    sides = sides_of(settings)
    found = found_rigs(settings, *sides)
    pairs = bone_pairs.found_pairs(
        *((rig, side.armature.names) for rig, side in zip(found, sides, strict=True))
    )
    for side, rig in zip(sides, found, strict=True):
        if rig.looks_like:
            raise AnimBridgeError(
                f"'{side.thing.name}' has {rig.looks_like}, so it isn't paired as a person is. Choose its "
                "rig, such as Four legs, or add pairs."
            )
    if not pairs:
        raise AnimBridgeError(
            "No bones of the two armatures could be paired: their names and places don't say enough. Choose "
            "their rigs, add pairs, or load a file."
        )
    turning = bone_pairs.turning_the_pelvis(found[1], sides[1].armature)
    set_pairs(settings, [replace(pair, is_on=pair.target not in turning) for pair in pairs])
    names = [
        rig_files.title_of(rig) if rig else one.convention or "no known names"
        for rig, one in zip((settings.source_rig, settings.target_rig), found, strict=True)
    ]
    angle, fault = _alignment(scene, settings)
    text = f"{counted(len(pairs), 'pair')} ({names[0]} to {names[1]}){angle}"
    return Filled(text, [*_warnings(found, turning), *fault])


def _warnings(found: Sequence[RigFound], turning: Sequence[str]) -> list[str]:
    problems = [warning for rig in found for warning in rig.warnings]
    if turning:
        problems.append(
            f"{listed(turning)} would turn the target's pelvis and legs too, so the pair is switched off"
        )
    return problems


def _alignment(scene: bpy.types.Scene, settings: Any) -> tuple[str, list[str]]:
    """Measures the angles of the pairs. How far the poses differ, if that is much; why that isn't known."""
    try:
        angle = preview.measure(scene, settings)
    except AnimBridgeError as error:
        return "", [error.message]
    is_large = angle > LARGE_ANGLE_DEGREES
    return f"; the reference poses differ by up to {angle:.0f} degrees" if is_large else "", []
