# SPDX-License-Identifier: GPL-3.0-or-later
"""An Action, or whatever an armature shows, to a document of an animation file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

import bpy

from ..compat import actions
from ..compat.bones import selected_bones
from ..native.document import Document
from ..native.errors import AnimBridgeError
from . import export_checks, template
from .bvh_export import BvhExportKind
from .channels import sort_by_bone
from .curve_export import native_curves, used_curves
from .export_kind import ExportKind, Work
from .export_options import (
    BvhExportOptions,
    ExportOptions,
    ExportResult,
    FrameRange,
    Method,
    MotionOptions,
)
from .sampling import only_playing, sample_poses
from .sl_export import SlExportKind
from .spans import Span, span_of

_KINDS: Final[dict[type[MotionOptions], ExportKind[Any]]] = {
    ExportOptions: SlExportKind(),
    BvhExportOptions: BvhExportKind(),
}


def export_action(
    armature_object: bpy.types.Object,
    channels: actions.Channels,
    scene: bpy.types.Scene,
    options: MotionOptions,
    *,
    alone: bool,
) -> ExportResult:
    """Makes a document of an Action. `alone`: as the armature plays it, with NLA strips and all.

    What is untouched since an import keeps its bytes; the library measures the rest with the viewer's player.
    """
    work = _work(armature_object, channels, scene, options, alone=alone)
    obstacle = next(_obstacles(work, alone=alone), "")
    if options.method is Method.CURVES and obstacle:
        raise AnimBridgeError(obstacle)
    reason = _reason_to_sample(work, obstacle)
    if not reason:
        return _from_curves(work)
    with nullcontext() if alone else only_playing(armature_object, channels):
        return _from_samples(work, reason, alone=alone)


def export_shown(
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: MotionOptions,
    action_range: Span,
    *,
    alone: bool,
) -> ExportResult:
    """Makes a document of what the armature shows, whatever moves it; `action_range` is the range ACTION.

    `alone`: what plays has not been changed for this export.
    """
    work = _work(armature_object, None, scene, options, alone=alone)
    if options.frame_range is FrameRange.ACTION:
        work = replace(work, span=action_range)
    return _from_samples(work, "asked for", alone=alone)


def _work(
    armature_object: bpy.types.Object,
    channels: actions.Channels | None,
    scene: bpy.types.Scene,
    options: MotionOptions,
    *,
    alone: bool,
) -> Work[Any]:
    kind = _KINDS[type(options)]
    is_pose = options.frame_range is FrameRange.POSE
    action = channels.action if channels else None
    goes_on = not is_pose and kind.goes_on(options)
    kept = template.load_of(action, kind.format_id) if action and goes_on else None
    source = kept.document() if kept else None
    armature = kind.armature(armature_object, kept.facing if kept else kind.facing(options), options)
    bones, elsewhere = sort_by_bone(channels.fcurves if channels else [])
    only = _wanted_bones(armature_object) if options.selected_bones else None
    return Work(
        armature_object=armature_object,
        scene=scene,
        channels=channels,
        alone=alone,
        options=options,
        kept=kept,
        source=source,
        armature=armature,
        bones=bones,
        elsewhere=elsewhere,
        used=list(used_curves(armature_object, bones.values(), kind.bones_read(armature, only))),
        only=only,
        joint_of_bone=kind.joint_of_bone(armature, only),
        span=span_of(options.frame_range, action, bones.values(), kept, source, scene),
    )


def _wanted_bones(armature_object: bpy.types.Object) -> set[str]:
    names = selected_bones(armature_object)
    if not names:
        raise AnimBridgeError(
            f"No bone of the armature '{armature_object.name}' is selected. Select some in Pose mode, or "
            "turn Selected Bones off to export all."
        )
    return names


def _obstacles(work: Work[Any], *, alone: bool) -> Iterator[str]:
    """Why the F-curves do not tell what Blender shows."""
    if alone:
        yield from export_checks.nla_obstacles(work.armature_object)
    bones = {used.bone for used in work.used} | work.joints
    yield from export_checks.driver_obstacles(work.armature_object, bones)
    for used in work.used:
        for curve in used.curves.values():
            yield from export_checks.curve_obstacles(used.bone, curve, (work.span.first, work.span.last))


def _reason_to_sample(work: Work[Any], obstacle: str) -> str:
    """Why samples are taken; "" where the F-curves will do."""
    options = work.options
    reason = _KINDS[type(options)].reason_to_sample(work)
    if options.frame_range is FrameRange.POSE:
        return reason
    if options.method is Method.SAMPLES:
        return "asked for"
    if options.method is Method.CURVES:
        return ""
    return (
        reason
        or obstacle
        or next(export_checks.influences(work.armature_object, work.bones.values(), work.joints), "")
    )


def _from_curves(work: Work[Any]) -> ExportResult:
    if not work.used and work.kept is None:
        name = work.channels.action.name if work.channels else ""
        raise AnimBridgeError(
            f"The Action '{name}' has no rotation or location keys "
            f"on bones of the armature '{work.armature_object.name}'."
        )
    curves = native_curves(work.armature_object, work.used, work.armature, work.timing, work.kept)
    document, report = _KINDS[type(work.options)].from_curves(work, curves)
    left_out = [
        *export_checks.warnings_for(work.armature_object, work.bones.values(), work.elsewhere, work.joints)
    ]
    if work.options.object_motion:
        left_out.append("object motion goes with samples only (Method: Samples), and is left out")
    return _result(work, document, report, (*left_out,))


def _from_samples(work: Work[Any], reason: str, *, alone: bool) -> ExportResult:
    kind = _KINDS[type(work.options)]
    is_pose = work.options.frame_range is FrameRange.POSE
    frames = kind.sample_frames(work)
    poses = sample_poses(work.scene, work.armature_object, work.armature, frames, as_it_is=is_pose and alone)
    document, report = kind.from_samples(work, poses)
    return _result(work, document, report, (), reason)


def _result(
    work: Work[Any], document: Document, report: dict[str, Any], left_out: tuple[str, ...], reason: str = ""
) -> ExportResult:
    warnings = (*left_out, *(str(warning) for warning in report["warnings"]))
    return ExportResult(document, report, warnings, work.span.first, work.armature.facing, reason)
