# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of armatures that aren't the avatar's rig: the avatar moves as the armature does."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final, NoReturn

import bpy
import numpy as np
from numpy.typing import NDArray

from ...package import (
    AnimBridgeError,
    Armature,
    Document,
    RigFound,
    RigUse,
    SampledMotion,
    Samples,
    avatar_armature,
    find_rig,
    from_curves,
    match_rig,
    part_of,
    retarget,
    standing,
)
from .. import retarget_text
from ..armature.reading import stance_of
from ..retarget_choice import Retarget, refuse_contradictions
from .exporter import Work
from .options import AvatarOptions
from .sampling import Poses
from .standing import first_stance, standing_poses

_LIMBS: Final = tuple(
    f"{side}{part}"
    for side in ("left", "right")
    for part in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")
)
#: When a bone's motion counts (ab_samples).
_NEVER: Final = 0
_ALWAYS: Final = 1
_IF_IT_MOVES: Final = 2
#: How much of the work that follows the samples is the retargeting; the rest drops keys.
_RETARGET_SHARE: Final = 0.3


@dataclass(frozen=True)
class ForeignArmature(Armature):
    """An armature that the export retargets, and what its bones are."""

    found: RigFound = field(kw_only=True)

    @property
    def parts(self) -> set[str]:
        """The bones that are parts of the body."""
        chained = {bone for bones in self.found.chains.values() for bone in bones}
        return chained | {slot.bone for slot in self.found.slots.values()}

    @property
    def joint_of_bone(self) -> dict[str, str]:
        """{bone: joint} of the parts that the avatar has too."""
        avatar, found = avatar_rig(), self.found
        joints: dict[str, str] = {}
        for name, bones in found.chains.items():
            joints.update(zip(bones, avatar.chains.get(name, ()), strict=False))
        joints.update(
            {one.bone: avatar.slots[slot].bone for slot, one in found.slots.items() if slot in avatar.slots}
        )
        return joints


@cache
def avatar_rig() -> RigFound:
    """Which joint of the avatar is which part of the body."""
    return find_rig(avatar_armature(), RigUse.TARGET)


def foreign_or_own(armature_object: bpy.types.Object, armature: Armature, options: AvatarOptions) -> Armature:
    """A ForeignArmature if the export is to retarget, else the armature as it is.

    An error if the options contradict each other.
    """
    refuse_contradictions(options.retarget, options.rig_map)
    is_mapped = options.rig_map is not None and options.rig_file is None
    if is_mapped or options.retarget is Retarget.NEVER:
        return armature
    is_asked = options.retarget is Retarget.ALWAYS or options.rig_file is not None
    named = set() if is_asked else _named_limbs(armature)
    if len(named) == len(_LIMBS):
        return armature
    found = find_rig(_standing_if_even(armature_object, armature), RigUse.SOURCE, options.rig_file)
    if is_asked or sum(limb in found.slots for limb in _LIMBS) > len(named):
        members = {one.name: getattr(armature, one.name) for one in fields(Armature)}
        return ForeignArmature(**{**members, "rig_map": None}, found=found)
    return armature


def retargeted_document(
    format_id: str,
    work: Work[Any],
    poses: Poses,
    members: Mapping[str, Any],
    template: Document | None = None,
) -> tuple[Document, dict[str, Any]]:
    """The document by which the avatar moves as the sampled armature does, and both reports in one.

    `members`: the library's options for curves of the format.
    """
    armature, options = work.armature, work.options
    if not isinstance(armature, ForeignArmature):
        raise TypeError("only armatures that aren't the avatar's rig are retargeted")
    name = work.armature_object.name
    samples = Samples(poses.frames, standing_poses(poses, name), bones=_bone_uses(work, armature))
    source = standing(armature, first_stance(poses, name))
    retargeting: dict[str, Any] = {"only_keyed": True, "force": options.stop_above_mm == 0.0}
    if options.rig_file is not None:
        retargeting["source_rig"] = options.rig_file
    motion, progress = SampledMotion(source, samples), options.progress
    sharing = part_of(progress, 0.0, _RETARGET_SHARE), part_of(progress, _RETARGET_SHARE, 1.0)
    curves = retarget(motion, avatar_armature(), work.timing, retargeting, progress=sharing[0])
    document, report = from_curves(
        format_id, avatar_armature(), work.timing, list(curves), members, template, sharing[1]
    )
    made = curves.report()
    report["warnings"] = [*retarget_text.warnings(made), *report["warnings"]]
    report["details"] = [*retarget_text.details(made, ()), *report.get("details", ())]
    report["retarget"] = made["retarget"]
    return document, report


def refuse_curves(work: Work[Any]) -> NoReturn:
    """An error, because F-curves of another rig mean nothing on the avatar."""
    raise AnimBridgeError(
        f"The bones of '{work.armature_object.name}' aren't the avatar's, so the export retargets the poses "
        "that Blender shows. Set Method to Automatic or Samples, or Retarget to Never."
    )


def _named_limbs(armature: Armature) -> set[str]:
    """The limbs whose joint has a bone by the built-in names."""
    joints = {match.joint for match in match_rig(armature).matched}
    return {limb for limb in _LIMBS if avatar_rig().slots[limb].bone in joints}


def _standing_if_even(armature_object: bpy.types.Object, armature: Armature) -> Armature:
    """As its object turns it. What an uneven scale makes of it is told when the motion is read."""
    try:
        return standing(armature, stance_of(armature_object))
    except AnimBridgeError:
        return armature


def _bone_uses(work: Work[Any], armature: ForeignArmature) -> NDArray[np.uint8]:
    """What has keys counts, and what moves; of selected bones only these, and bones that are no part."""
    parts, keyed = armature.parts, {used.bone for used in work.used}
    uses = [_use_of(name, parts, keyed, work.only) for name in armature.names]
    return np.array(uses, np.uint8)


def _use_of(bone: str, parts: Collection[str], keyed: Collection[str], only: Collection[str] | None) -> int:
    if only is not None and bone in parts:
        return _ALWAYS if bone in only else _NEVER
    return _ALWAYS if bone in keyed and bone in parts else _IF_IT_MOVES
