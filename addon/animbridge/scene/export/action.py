# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a document of an Action, or of whatever an armature shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import bpy

from ...compat import actions
from ...compat.bones import selected_bones
from ...package import AnimBridgeError, Document, part_of
from .. import previews, templates
from ..armature.modes import out_of_edit_mode
from ..channels import OBJECT, sort_by_bone
from ..playing import Playing
from . import checks
from .curves import native_curves, used_curves, used_properties
from .exporter import Exporter, Work
from .options import FrameRange, Method, MotionOptions
from .result import ExportResult
from .sampling import SAMPLING_SHARE, only_playing, sample_poses
from .spans import Span, span_of


def export_action(
    exporter: Exporter[Any],
    armature_object: bpy.types.Object,
    channels: actions.Channels,
    scene: bpy.types.Scene,
    options: MotionOptions,
    *,
    alone: bool,
) -> ExportResult:
    """Makes a document of an Action. `alone`: as the armature plays it, with NLA strips and all.

    What is unchanged since its import keeps its bytes; the library plays the rest and measures the errors.
    """
    with out_of_edit_mode(armature_object), previews.set_aside(armature_object):
        work = _work(exporter, armature_object, channels, scene, options, alone=alone)
        obstacle = next(_obstacles(work), "")
        if options.method is Method.CURVES and obstacle:
            raise AnimBridgeError(obstacle)
        reason = _reason_to_sample(exporter, work, obstacle)
        if not reason:
            return _from_curves(exporter, work)
        with nullcontext() if alone else only_playing(armature_object, channels):
            return _from_samples(exporter, work, reason)


def export_playing(exporter: Exporter[Any], playing: Playing, options: MotionOptions) -> ExportResult:
    """Makes a document of an Action by itself, at the frame rate of the armature's scene."""
    scenes = playing.thing.users_scene
    scene = scenes[0] if scenes else bpy.context.scene
    return export_action(exporter, playing.thing, playing.channels, scene, options, alone=False)


def export_shown(
    exporter: Exporter[Any],
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
    with out_of_edit_mode(armature_object), previews.set_aside(armature_object):
        work = _work(exporter, armature_object, None, scene, options, alone=alone)
        if options.frame_range is FrameRange.ACTION:
            work = replace(work, span=action_range)
        return _from_samples(exporter, work, "the export takes what Blender shows, not one Action")


def _work(
    exporter: Exporter[Any],
    armature_object: bpy.types.Object,
    channels: actions.Channels | None,
    scene: bpy.types.Scene,
    options: MotionOptions,
    *,
    alone: bool,
) -> Work[Any]:
    is_pose = options.frame_range is FrameRange.POSE
    action = channels.action if channels else None
    continues = not is_pose and exporter.continues_import(options)
    template = templates.load_of(action, exporter.format_id) if action and continues else None
    document = template.document() if template else None
    facing = template.facing if template else exporter.facing(options)
    armature = exporter.armature(armature_object, facing, options, is_new=template is None)
    bones, elsewhere = sort_by_bone(channels.fcurves if channels else [])
    only = _wanted_bones(armature_object) if options.selected_bones else None
    used = [
        *used_curves(armature_object, bones.values(), exporter.bones_read(armature, only)),
        *used_properties(elsewhere, exporter.properties),
    ]
    taken = {one.prop for one in used if one.bone == OBJECT}
    return Work(
        armature_object=armature_object,
        scene=scene,
        channels=channels,
        alone=alone,
        options=options,
        template=template,
        template_document=document,
        armature=armature,
        bones=bones,
        elsewhere=[curve for curve in elsewhere if curve.data_path not in taken],
        used=used,
        only=only,
        joint_of_bone=exporter.joint_of_bone(armature, only),
        span=span_of(options.frame_range, action, bones.values(), template, document, scene),
    )


def _wanted_bones(armature_object: bpy.types.Object) -> set[str]:
    names = selected_bones(armature_object)
    if not names:
        raise AnimBridgeError(
            f"No bone of the armature '{armature_object.name}' is selected. Select some in Pose mode, or "
            "turn Selected Bones off to export all."
        )
    return names


def _obstacles(work: Work[Any]) -> Iterator[str]:
    """Why the F-curves do not say what Blender shows."""
    if work.alone:
        yield from checks.nla_obstacles(work.armature_object)
    bones = {used.bone for used in work.used} | work.joints
    shown = (work.span.first, work.span.last)
    yield from checks.driver_obstacles(work.armature_object, bones)
    for used in work.used:
        for curve in used.curves.values():
            yield from checks.curve_obstacles(used.bone, curve, shown)


def _reason_to_sample(exporter: Exporter[Any], work: Work[Any], obstacle: str) -> str:
    """Why samples are taken; "" where the F-curves will do."""
    options = work.options
    reason = exporter.reason_to_sample(work)
    if options.frame_range is FrameRange.POSE:
        return reason
    if options.method is Method.SAMPLES:
        return "because you chose Samples"
    if options.method is Method.CURVES:
        return ""
    return (
        reason
        or obstacle
        or next(checks.influences(work.armature_object, work.bones.values(), work.joints), "")
    )


def _from_curves(exporter: Exporter[Any], work: Work[Any]) -> ExportResult:
    if not work.used and work.template is None:
        name = work.channels.action.name if work.channels else ""
        raise AnimBridgeError(
            f"The Action '{name}' has no rotation or location keys "
            f"on bones of the armature '{work.armature_object.name}'."
        )
    curves = native_curves(work.armature_object, work.used, work.armature, work.timing, work.template)
    document, report = exporter.from_curves(work, curves)
    if work.options.object_motion:
        report["warnings"].append("Set Method to Samples to export the object motion, which is left out")
    left_out = checks.left_out(work.armature_object, work.bones.values(), work.elsewhere, work.joints)
    return _result(work, document, report, tuple(left_out))


def _from_samples(exporter: Exporter[Any], work: Work[Any], reason: str) -> ExportResult:
    is_pose = work.options.frame_range is FrameRange.POSE
    frames, progress = exporter.sample_frames(work), work.options.progress
    poses = sample_poses(
        work.scene,
        work.armature_object,
        work.armature,
        frames,
        part_of(progress, 0.0, SAMPLING_SHARE),
        as_it_is=is_pose and work.alone,
    )
    if not work.options.object_motion:
        poses = poses.standing_still()
    rest = replace(work.options, progress=part_of(progress, SAMPLING_SHARE, 1.0))
    document, report = exporter.from_samples(replace(work, options=rest), poses)
    return _result(work, document, report, (), reason)


def _result(
    work: Work[Any], document: Document, report: dict[str, Any], left_out: tuple[str, ...], reason: str = ""
) -> ExportResult:
    warnings = tuple(str(warning) for warning in report["warnings"])
    return ExportResult(
        document=document,
        report=report,
        warnings=warnings,
        frame_start=work.span.first,
        facing=work.armature.facing,
        sampled_because=reason,
        joint_of_bone=work.joint_of_bone,
        details=(*left_out, *report.get("details", ())),
    )
