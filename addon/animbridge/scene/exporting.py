# SPDX-License-Identifier: GPL-3.0-or-later
"""An Action, or whatever an armature shows, to a document of an animation file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat import actions
from ..compat.bones import selected_bones
from ..native.curves import Armature, SlExport, SlHeader, Timing, document_from_curves
from ..native.document import Document
from ..native.errors import AnimBridgeError
from ..native.rig_map import match_rig
from ..native.samples import Samples, document_from_samples
from . import export_checks, header, template
from .armature import read_armature
from .channels import BoneCurves, sort_by_bone
from .curve_export import UsedCurves, native_curves, used_curves
from .export_options import ExportOptions, ExportResult, FrameRange, Method
from .sampling import frames_between, only_playing, sample_poses
from .spans import Span, span_of
from .timing import scene_frames_per_second

#: How a bone goes into a sampled export (ab_sl_samples).
_ALWAYS: Final = 1
_IF_IT_MOVES: Final = 2


@dataclass(frozen=True)
class _Job:
    """One file to be made, and all that Blender says of it.

    `channels` None: whatever the armature shows. `source`: the file that the Action was imported from.
    `joints`: the bones that show joints. `only`: the bones that are wanted; None: all.
    """

    armature_object: bpy.types.Object
    scene: bpy.types.Scene
    channels: actions.Channels | None
    options: ExportOptions
    kept: template.Template | None
    source: Document | None
    armature: Armature
    bones: dict[str, BoneCurves]
    elsewhere: list[bpy.types.FCurve]
    used: list[UsedCurves]
    only: Collection[str] | None
    joint_of_bone: dict[str, str]
    span: Span

    @property
    def joints(self) -> set[str]:
        return set(self.joint_of_bone)

    @property
    def timing(self) -> Timing:
        return Timing(scene_frames_per_second(self.scene), self.span.first)


def export_action(
    armature_object: bpy.types.Object,
    channels: actions.Channels,
    scene: bpy.types.Scene,
    options: ExportOptions,
    *,
    alone: bool,
) -> ExportResult:
    """Makes a document of an Action. `alone`: as the armature plays it, with NLA strips and all.

    What is untouched since an import keeps its bytes; the library measures the rest with the viewer's player.
    """
    job = _job(armature_object, channels, scene, options)
    obstacle = next(_obstacles(job, alone=alone), "")
    if options.method is Method.CURVES and obstacle:
        raise AnimBridgeError(obstacle)
    reason = _reason_to_sample(job, obstacle)
    if not reason:
        return _from_curves(job)
    with nullcontext() if alone else only_playing(armature_object, channels):
        return _from_samples(job, reason, alone=alone)


def export_shown(
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: ExportOptions,
    action_range: Span,
    *,
    alone: bool,
) -> ExportResult:
    """Makes a document of what the armature shows, whatever moves it; `action_range` is the range ACTION.

    `alone`: what plays has not been changed for this export.
    """
    job = _job(armature_object, None, scene, options)
    if options.frame_range is FrameRange.ACTION:
        job = replace(job, span=action_range)
    return _from_samples(job, "asked for", alone=alone)


def _job(
    armature_object: bpy.types.Object,
    channels: actions.Channels | None,
    scene: bpy.types.Scene,
    options: ExportOptions,
) -> _Job:
    is_pose = options.frame_range is FrameRange.POSE
    kept = template.load(channels.action) if channels and not is_pose else None
    armature = read_armature(armature_object, kept.facing if kept else options.facing, options.rig_map)
    bones, elsewhere = sort_by_bone(channels.fcurves if channels else [])
    only = selected_bones(armature_object) if options.selected_bones else None
    return _Job(
        armature_object=armature_object,
        scene=scene,
        channels=channels,
        options=options,
        kept=kept,
        source=kept.document() if kept else None,
        armature=armature,
        bones=bones,
        elsewhere=elsewhere,
        used=list(used_curves(armature_object, bones.values(), only)),
        only=only,
        joint_of_bone={match.bone: match.joint for match in match_rig(armature).matched},
        span=span_of(options.frame_range, channels.action if channels else None, bones.values(), kept, scene),
    )


def _obstacles(job: _Job, *, alone: bool) -> Iterator[str]:
    """Why the F-curves do not tell what Blender shows."""
    if alone:
        yield from export_checks.nla_obstacles(job.armature_object)
    bones = {used.bone for used in job.used} | job.joints
    yield from export_checks.driver_obstacles(job.armature_object, bones)
    for used in job.used:
        for curve in used.curves.values():
            yield from export_checks.curve_obstacles(used.bone, curve, (job.span.first, job.span.last))


def _reason_to_sample(job: _Job, obstacle: str) -> str:
    """Why samples are taken; "" where the F-curves will do."""
    options = job.options
    if options.frame_range is FrameRange.POSE:
        return "a pose is taken as it is shown"
    if options.method is Method.SAMPLES:
        return "asked for"
    if options.method is Method.CURVES:
        return ""
    if options.object_motion:
        return "the armature object's own motion goes along"
    return obstacle or next(export_checks.influences(job.armature_object, job.bones.values(), job.joints), "")


def _from_curves(job: _Job) -> ExportResult:
    if not job.used and job.kept is None:
        name = job.channels.action.name if job.channels else ""
        raise AnimBridgeError(
            f"The Action '{name}' has no rotation or location keys "
            f"on bones of the armature '{job.armature_object.name}'."
        )
    curves = native_curves(job.armature_object, job.used, job.armature, job.timing, job.kept)
    document, report = document_from_curves(job.armature, job.timing, list(curves), _settings(job))
    left_out = [
        *export_checks.warnings_for(job.armature_object, job.bones.values(), job.elsewhere, job.joints)
    ]
    if job.options.object_motion:
        left_out.append("object motion goes with samples only (Method: Samples), and is left out")
    return _result(job, document, report, (*left_out,))


def _from_samples(job: _Job, reason: str, *, alone: bool) -> ExportResult:
    step = scene_frames_per_second(job.scene) / (
        job.options.samples_per_second or scene_frames_per_second(job.scene)
    )
    is_pose = job.options.frame_range is FrameRange.POSE
    last = job.span.first if is_pose else job.span.last
    poses = sample_poses(
        job.scene,
        job.armature_object,
        job.armature,
        frames_between(job.span.first, last, step),
        as_it_is=is_pose and alone,
    )
    samples = Samples(
        frames=poses.frames,
        matrices=poses.matrices,
        object_matrices=poses.object_motion() if job.options.object_motion else None,
        bones=_bone_uses(job),
        max_position_mm=job.options.max_position_mm,
        max_rotation_degrees=job.options.max_rotation_degrees,
    )
    document, report = document_from_samples(job.armature, job.timing, samples, _settings(job))
    return _result(job, document, report, (), reason)


def _bone_uses(job: _Job) -> NDArray[np.uint8]:
    """Joints with keys of their own, now or in the imported file, always; others if they move."""
    if job.only is not None:
        return np.array([name in job.only and name in job.joints for name in job.armature.names], np.uint8)
    keyed = {used.bone for used in job.used} | set(job.kept.fingerprints if job.kept else ())
    uses = {True: _ALWAYS, False: _IF_IT_MOVES}
    return np.array(
        [uses[name in keyed] if name in job.joints else 0 for name in job.armature.names], np.uint8
    )


def _settings(job: _Job) -> SlExport:
    """A new file's loop spans the whole, but for a pose, which holds."""
    duration_seconds = (job.span.last - job.span.first) / job.timing.frames_per_second
    made = None
    if job.source is None:
        made = header.new_header(job.channels.action, duration_seconds) if job.channels else SlHeader()
        if job.options.frame_range is FrameRange.POSE:
            made = replace(made, loop=True, loop_in_seconds=0.0, loop_out_seconds=0.0)
    return SlExport(
        frame_end=job.span.last,
        encoder=job.options.encoder,
        template=header.edited(job.source, job.channels.action, job.joint_of_bone)
        if job.source and job.channels
        else None,
        keep_duration=job.source is not None and job.span.is_unchanged,
        header=made,
        target=job.options.target,
        fit_bytes=job.options.fit_bytes,
    )


def _result(
    job: _Job, document: Document, report: dict[str, Any], left_out: tuple[str, ...], reason: str = ""
) -> ExportResult:
    if job.channels:
        document = header.with_new_priorities(document, job.channels.action, job.joint_of_bone, job.source)
    warnings = (*left_out, *(str(warning) for warning in report["warnings"]))
    return ExportResult(document, report, warnings, job.span.first, job.armature.facing, reason)
