# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills the list with the pairs that two rigs have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ..package import (
    AnimBridgeError,
    RigFound,
    RigUse,
    bone_pairs,
    counted,
    listed,
    rig_files,
    standing_matrices,
)
from . import preview
from .poses import pose_at
from .properties import set_pairs
from .setup import Side, found_rig, found_rigs, sides_of
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
    stance = _take_stance(scene, settings, sides[0], found[0])
    turning = bone_pairs.turning_the_pelvis(found[1], sides[1].armature)
    set_pairs(settings, [replace(pair, is_on=pair.target not in turning) for pair in pairs])
    names = [
        rig_files.title_of(rig) if rig else one.convention or "no known names"
        for rig, one in zip((settings.source_rig, settings.target_rig), found, strict=True)
    ]
    angle, fault = _alignment(scene, settings)
    text = f"{counted(len(pairs), 'pair')} ({names[0]} to {names[1]}){angle}"
    # What was found in a pose in which no body stands says nothing about sides.
    warnings = _warnings(found[1:] if stance else found, turning)
    return Filled(text, [*stance, *warnings, *fault])


def _take_stance(scene: bpy.types.Scene, settings: Any, source: Side, found: RigFound) -> list[str]:
    """Makes the first frame the source's reference pose, if a body stands there and not at rest; says so."""
    action = source.thing.animation_data.action if source.thing.animation_data else None
    if found.stands_at_rest or action is None or settings.source_reference != "REST":
        return []
    frame = math.floor(action.frame_range[0])
    pose = standing_matrices(pose_at(scene, source.thing, source.armature, frame), source.stance)
    posed = replace(source.standing, rest_matrices=pose)
    if not found_rig(posed, RigUse.SOURCE, settings.source_rig, source.thing.name).stands_at_rest:
        return []
    settings.source_reference, settings.source_frame = "FRAME_TPOSE", frame
    return [
        f"'{source.thing.name}' doesn't stand at rest, so frame {frame} with straight limbs is its "
        "reference pose"
    ]


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
