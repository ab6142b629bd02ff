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
    Armature,
    Curve,
    Document,
    Facing,
    Samples,
    SlExport,
    SlHeader,
    document_from_curves,
    document_from_samples,
    listed,
    match_rig,
)
from ...scene.avatar.joints import skeleton_joints
from ...scene.export.exporter import Exporter, Work
from ...scene.export.options import FrameRange
from ...scene.export.sampling import Poses, frames_between
from ...scene.retarget_choice import Retarget
from . import header
from .foreign import ForeignArmature, foreign_or_own, refuse_curves, retargeted_document
from .options import SlExportOptions

#: When a sampled export includes a bone (ab_samples).
_ALWAYS: Final = 1
_IF_IT_MOVES: Final = 2

_Work = Work[SlExportOptions]
_Place = TypeVar("_Place", str, int)


class SlExporter(Exporter[SlExportOptions]):
    """The rig map finds the joints; the Action's properties become the header."""

    format_id = "sl_anim"

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
        document, report = document_from_curves(
            work.armature, work.timing, list(curves), _settings(work), work.options.progress
        )
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
            return retargeted_document(work, poses, _settings(work))
        samples = Samples(
            frames=poses.frames,
            matrices=poses.matrices,
            object_matrices=poses.object_motion(),
            bones=_bone_uses(work),
            max_position_mm=work.options.max_position_mm,
            max_rotation_degrees=work.options.max_rotation_degrees,
        )
        return document_from_samples(
            work.armature, work.timing, samples, _settings(work), work.options.progress
        )


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


def _settings(work: _Work) -> SlExport:
    """The options as the library has them."""
    document, options = work.template_document, work.options
    drops_keys = document is None  # an edit of an imported file leaves its other keys alone
    action = work.channels.action if work.channels else None
    return SlExport(
        frame_end=work.span.last,
        encoder=options.encoder,
        template=header.edited(document, action, work.joint_of_bone) if document and action else None,
        keep_duration=document is not None and work.span.is_unchanged,
        header=None if document else _new_header(work),
        target=options.target,
        fit_bytes=options.fit_bytes,
        max_position_mm=options.max_position_mm if drops_keys else None,
        max_rotation_degrees=options.max_rotation_degrees if drops_keys else None,
        stop_above_mm=options.stop_above_mm,
        joint_priorities=header.new_priorities(action, work.joint_of_bone, document) if action else {},
    )


def _new_header(work: _Work) -> SlHeader:
    """A header from the Action's properties; a pose loops, so that it holds."""
    duration_seconds = (work.span.last - work.span.first) / work.timing.frames_per_second
    made = header.new_header(work.channels.action, duration_seconds) if work.channels else SlHeader()
    if work.options.frame_range is FrameRange.POSE:
        made = replace(made, loop=True, loop_in_seconds=0.0, loop_out_seconds=0.0)
    return made
