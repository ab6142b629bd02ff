# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports onto an armature that isn't the file's own rig: the motion is retargeted, not only renamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ...package import (
    AnimBridgeError,
    Armature,
    Curve,
    Document,
    RigFit,
    Timing,
    listed,
    own_curves,
    retarget,
    rig_fit,
    standing,
)
from ..armature.reading import stance_of
from ..retarget_choice import Retarget, refuse_contradictions
from .options import ImportOptions


@dataclass(frozen=True)
class RetargetedCurves:
    """The curves for the armature, and the library's report."""

    curves: list[Curve]
    made: dict[str, Any]

    def __iter__(self) -> Iterator[Curve]:
        return iter(self.curves)

    def report(self) -> dict[str, Any]:
        """What was matched and how exact it is."""
        return self.made


def needs_retargeting(
    document: Document,
    armature_object: bpy.types.Object,
    armature: Armature,
    options: ImportOptions,
    members: Mapping[str, Any] | None,
) -> bool:
    """Whether the file is retargeted; an error where the options contradict that, or too few limbs fit.

    `members`: the library's options for it; None: the file cannot be retargeted.
    """
    _refuse_contradictions(options, has_motion=members is not None)
    is_mapped = options.rig_map is not None and options.rig_file is None
    if members is None or is_mapped or (options.retarget is Retarget.NEVER and options.import_anyway):
        return False
    fit = rig_fit(document, armature, members, options.rig_file)
    is_wanted = options.retarget is Retarget.ALWAYS or options.rig_file is not None or fit.needs_retargeting
    retargets = is_wanted and options.retarget is not Retarget.NEVER
    if not options.import_anyway:
        _refuse_few_limbs(fit, armature_object.name, retargets=retargets)
    return retargets


def retargeted_curves(
    document: Document,
    armature_object: bpy.types.Object,
    armature: Armature,
    timing: Timing,
    options: ImportOptions,
    members: Mapping[str, Any],
) -> RetargetedCurves:
    """The curves by which the armature moves as the file's skeleton does."""
    stance = stance_of(armature_object)
    given = {**members, "force": options.import_anyway}
    if options.rig_file:
        given["target_rig"] = options.rig_file
    native = retarget(document, standing(armature, stance), timing, given)
    return RetargetedCurves(own_curves(list(native), armature, stance), native.report())


def _refuse_contradictions(options: ImportOptions, *, has_motion: bool) -> None:
    """An error if the options ask for a retargeting that cannot be, or for none and one at once."""
    refuse_contradictions(options.retarget, options.rig_map)
    if not has_motion and (options.retarget is Retarget.ALWAYS or options.rig_file is not None):
        raise AnimBridgeError(
            "The file has no frames, or no time between them, so its motion can't be retargeted. Set "
            "Retarget to Never, and choose no rig file."
        )


def _refuse_few_limbs(fit: RigFit, name: str, *, retargets: bool) -> None:
    """An error if under half of the limbs that the file moves have a bone."""
    if not retargets and fit.matched_joints == 0:
        return  # the import says that nothing matches
    if not (fit.few_found if retargets else fit.few_matched):
        return
    present = fit.found_limbs if retargets else fit.matched_limbs
    missing = [limb for limb in fit.limbs if limb not in present]
    raise AnimBridgeError(
        f"Choose another armature, or a rig file under Rig Map that names the bones of '{name}'. Import "
        f"Anyway moves the bones that were found. '{name}' has a bone for {len(present)} of the "
        f"{len(fit.limbs)} arms, hands, legs and feet that the file moves, but none for {listed(missing)}."
    )
