# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports armatures as Second Life animations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeVar

import bpy
import numpy as np
from numpy.typing import NDArray

from ...package import (
    SL_FORMAT,
    Armature,
    Curve,
    Document,
    Facing,
    Samples,
    listed,
    match_rig,
    skeleton_joints,
)
from ...scene.export.exporter import Exporter, Work
from ...scene.export.foreign import ForeignArmature, foreign_or_own, refuse_curves, retargeted_document
from ...scene.export.options import FrameRange
from ...scene.export.sampling import Poses, frames_between
from ...scene.retarget_choice import Retarget
from ...ui.option_property import option_row
from . import header
from .options import SlExportOptions

#: When a sampled export includes a bone (ab_samples).
_ALWAYS: Final = 1
_IF_IT_MOVES: Final = 2

_Work = Work[SlExportOptions]
_Place = TypeVar("_Place", str, int)


class SlExporter(Exporter[SlExportOptions]):
    """The rig map finds the joints; the Action's properties become the header."""

    format_id = SL_FORMAT

    def facing(self, options: SlExportOptions) -> Facing:
        return options.facing

    def continues_import(self, options: SlExportOptions) -> bool:
        return options.retarget is not Retarget.ALWAYS and options.rig_file is None

    def armature(
        self, armature_object: bpy.types.Object, facing: Facing, options: SlExportOptions, *, is_new: bool
    ) -> Armature:
        """The bones; a ForeignArmature if the avatar only moves like them."""
        mapped = replace(options, rig_map=None) if options.rig_file else options
        armature = super().armature(armature_object, facing, mapped, is_new=is_new)
        return foreign_or_own(armature_object, armature, options) if is_new else armature

    def joint_of_bone(self, armature: Armature, only: Collection[str] | None) -> dict[str, str]:
        if isinstance(armature, ForeignArmature):
            return armature.joint_of_bone
        return {match.bone: match.joint for match in match_rig(armature).matched}

    def reason_to_sample(self, work: _Work) -> str:
        if isinstance(work.armature, ForeignArmature):
            return "the bones aren't the avatar's, so the motion is retargeted"
        if work.options.frame_range is FrameRange.POSE:
            return "a pose is sampled as Blender shows it"
        reason = super().reason_to_sample(work)
        # What came from a file keeps its keys; a warning says what the viewer does with them.
        return reason or ("" if work.template else _parents_warning(work))

    def from_curves(self, work: _Work, curves: Iterable[Curve]) -> tuple[Document, dict[str, Any]]:
        if isinstance(work.armature, ForeignArmature):
            refuse_curves(work)
        document, report = super().from_curves(work, curves)
        warning = _parents_warning(work)
        if warning:
            report["warnings"].append(
                f"Set Method to Samples, or the viewer moves them differently: {warning}"
            )
        return document, report

    def sample_frames(self, work: _Work) -> NDArray[np.float64]:
        step = work.scene_rate / (work.options.samples_per_second or work.scene_rate)
        is_pose = work.options.frame_range is FrameRange.POSE
        return frames_between(work.span.first, work.span.first if is_pose else work.span.last, step)

    def from_samples(self, work: _Work, poses: Poses) -> tuple[Document, dict[str, Any]]:
        if isinstance(work.armature, ForeignArmature):
            # No key of these is an animator's.
            members = {**self.members(work), "free_keys": True}
            return retargeted_document(SL_FORMAT, work, poses, members, self.template(work))
        return super().from_samples(work, poses)

    def samples(self, work: _Work, poses: Poses) -> Samples:
        return Samples(poses.frames, poses.matrices, poses.object_motion(), _bone_uses(work))

    def template(self, work: _Work) -> Document | None:
        document, action = work.template_document, work.channels.action if work.channels else None
        return header.edited(document, action, work.joint_of_bone) if document and action else None

    def members(self, work: _Work) -> dict[str, Any]:
        document = work.template_document
        action = work.channels.action if work.channels else None
        members = {**super().members(work), **_bounds(work, keeps_keys=document is not None)}
        members["fit_bytes"] = work.options.fit_bytes
        if action:
            members["joint_priorities"] = header.new_priorities(action, work.joint_of_bone, document)
        if document is not None and work.span.is_unchanged:
            members["keep_duration"] = True
        else:
            members["frame_end"] = work.span.last
        if document is None:
            members["header"] = _new_header(work)
        return members

    def sample_members(self, work: _Work) -> dict[str, Any]:
        return _bounds(work)


def _bounds(work: _Work, *, keeps_keys: bool = False) -> dict[str, float]:
    """How far dropped keys may move joints. An edit of an imported file leaves its other keys alone."""
    chosen = work.options.library
    return {
        name: 0.0 if keeps_keys else chosen.get(name, option_row(SL_FORMAT, "from_samples", name).default)
        for name in ("max_position_mm", "max_rotation_degrees")
    }


def _parents_warning(work: _Work) -> str:
    """What to say if bones with keys carry others than their joints do; "" if they carry the same.

    The keys of such bones do not say what Blender shows.
    """
    found = match_rig(work.armature).matched
    bones, joints = {one.joint: one.bone for one in found}, {one.bone: one.joint for one in found}
    keyed = {used.bone for used in work.used} & set(joints)
    parents = {joint.name: joint.parent for joint in skeleton_joints()}
    names, above = work.armature.names, work.armature.parents
    index = {name: place for place, name in enumerate(names)}
    odd = []
    for bone in sorted(work.joints):
        by_joints = {bones[name] for name in _chain(joints[bone], parents.get) if name in bones}
        by_bones = {names[place] for place in _chain(index[bone], lambda at: _above(int(above[at])))}
        if (by_joints ^ by_bones) & keyed:
            odd.append(bone)
    return f"parents are not as the avatar's: {listed(odd)}" if odd else ""


def _above(parent: int) -> int | None:
    return parent if parent >= 0 else None


def _chain(start: _Place, parent_of: Callable[[_Place], _Place | None]) -> Iterator[_Place]:
    """Everything above, from the parent on."""
    at = parent_of(start)
    while at is not None:
        yield at
        at = parent_of(at)


def _bone_uses(work: _Work) -> NDArray[np.uint8]:
    """Joints that have keys, now or in the imported file, are always included; others if they move."""
    if work.only is not None:
        return np.array([name in work.only and name in work.joints for name in work.armature.names], np.uint8)
    keyed = {used.bone for used in work.used} | set(work.template.fingerprints if work.template else ())
    uses = {True: _ALWAYS, False: _IF_IT_MOVES}
    return np.array(
        [uses[name in keyed] if name in work.joints else 0 for name in work.armature.names], np.uint8
    )


def _new_header(work: _Work) -> dict[str, Any]:
    """A header from the Action's properties; a pose loops, so that it holds."""
    duration_seconds = (work.span.last - work.span.first) / work.timing.frames_per_second
    action = work.channels.action if work.channels else None
    made = header.new_header(action, duration_seconds) if action else header.PLAIN
    if work.options.frame_range is FrameRange.POSE:
        return {**made, "loop": True, "loop_in_seconds": 0.0, "loop_out_seconds": 0.0}
    return made
