# SPDX-License-Identifier: GPL-3.0-or-later
"""An Action to a document of an animation file, straight from its F-curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ..compat import actions, keyframes
from ..native.abi import Channel, Encoder, Facing
from ..native.curves import Armature, Curve, SlExport, SlHeader, Timing, document_from_curves
from ..native.document import Document
from ..native.errors import AnimBridgeError
from ..native.rig_map import match_rig
from . import export_checks, template
from .armature import pose_bones, read_armature
from .channels import COMPONENTS, LOCATION, BoneCurves, native_channel, rotation_property, sort_by_bone
from .timing import scene_frames_per_second


@dataclass(frozen=True)
class ExportOptions:
    """`facing` and `header` are for Actions that were not imported; a loop spans the whole animation."""

    encoder: Encoder = Encoder.UPLOAD
    facing: Facing = Facing.AUTO
    header: SlHeader | None = None


@dataclass(frozen=True)
class ExportResult:
    """The new document, the library's report on it, and what was left out."""

    document: Document
    report: dict[str, Any]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class _Span:
    """The frames of the animation, and whether its duration is still the template's."""

    first: float
    last: float
    unchanged: bool


def export_action(
    armature_object: bpy.types.Object,
    channels: actions.Channels,
    scene: bpy.types.Scene,
    options: ExportOptions,
    *,
    alone: bool,
) -> ExportResult:
    """Makes a document of an Action. `alone`: as the armature plays it, so NLA strips must not interfere.

    What is untouched since an import keeps its bytes; the library measures the rest with the viewer's player.
    """
    kept = template.load(channels.action)
    armature = read_armature(armature_object, kept.facing if kept else options.facing)
    bones, elsewhere = sort_by_bone(channels.fcurves)
    span = _span(channels.action, bones.values(), kept, scene)
    used = list(_used_curves(armature_object, bones.values()))
    if alone:
        export_checks.refuse_nla(armature_object)
    joints = _joint_bones(armature)
    export_checks.refuse_drivers(armature_object, {name for name, _, _ in used} | joints)
    for name, _, curves in used:
        for curve in curves.values():
            export_checks.refuse_curve(name, curve, (span.first, span.last))
    if not used and kept is None:
        raise AnimBridgeError(
            f"The Action '{channels.action.name}' has no rotation or location keys on bones of the armature "
            f"'{armature_object.name}'."
        )
    timing = Timing(scene_frames_per_second(scene), span.first)
    native = [
        curve
        for name, prop, curves in used
        for curve in _native_curves(pose_bones(armature_object)[name], prop, curves, armature, timing, kept)
    ]
    document, report = document_from_curves(armature, timing, native, _settings(kept, span, timing, options))
    left_out = export_checks.warnings_for(armature_object, bones.values(), elsewhere, joints)
    return ExportResult(document, report, (*left_out, *(str(warning) for warning in report["warnings"])))


def _joint_bones(armature: Armature) -> set[str]:
    """The bones that show joints, whatever the rig calls them."""
    return {match.bone for match in match_rig(armature).matched}


def _used_curves(
    armature_object: bpy.types.Object, bones: Iterable[BoneCurves]
) -> Iterator[tuple[str, str, dict[int, bpy.types.FCurve]]]:
    """(bone, property, curves with keys) that move the armature, in the bones' own rotation modes."""
    for bone in bones:
        pose_bone = pose_bones(armature_object).get(bone.name)
        if pose_bone is None:
            continue
        for prop in (rotation_property(pose_bone.rotation_mode), LOCATION):
            curves = {
                component: curve
                for component, curve in bone.channels.get(prop, {}).items()
                if len(curve.keyframe_points) or len(curve.sampled_points)
            }
            if curves:
                yield bone.name, prop, curves


def _span(
    action: bpy.types.Action,
    bones: Iterable[BoneCurves],
    kept: template.Template | None,
    scene: bpy.types.Scene,
) -> _Span:
    """The Action's own frame range; else from the template's start, or the first key, to the last key."""
    frames_per_second = scene_frames_per_second(scene)
    if action.use_frame_range:
        first, last = (float(frame) for frame in action.frame_range)
        if kept and (first, last) == kept.action_range:
            # The exact start, of which the Action's range holds the single-precision value.
            same_speed = frames_per_second == kept.timing.frames_per_second
            return _Span(kept.timing.frame_start, last, same_speed)
        return _Span(first, last, unchanged=False)
    ends = [
        (float(co[0, 0]), float(co[-1, 0]))
        for bone in bones
        for curves in bone.channels.values()
        for co in (keyframes.read_co(curve) for curve in curves.values())
        if len(co)
    ]
    first = kept.timing.frame_start if kept else min((end[0] for end in ends), default=1.0)
    return _Span(first, max((end[1] for end in ends), default=first), unchanged=False)


def _native_curves(
    pose_bone: bpy.types.PoseBone,
    prop: str,
    curves: dict[int, bpy.types.FCurve],
    armature: Armature,
    timing: Timing,
    kept: template.Template | None,
) -> Iterator[Curve]:
    """One property's curves for the library; components without a curve hold the bone's present value."""
    bone = armature.names.index(pose_bone.name)
    channel = native_channel(prop, pose_bone.rotation_mode)
    if kept and _is_unchanged(pose_bone, prop, curves, armature, timing, kept):
        nothing = np.empty((0, 2), np.float32)
        for component in curves:
            yield Curve(bone, channel, component, nothing, unchanged=True)
        return
    marks_inserted = kept is not None and prop in kept.fingerprints.get(pose_bone.name, {})
    for component, curve in curves.items():
        yield _read_curve(curve, bone, channel, component, marks_inserted)
    present = getattr(pose_bone, prop)
    for component in set(range(COMPONENTS[prop])) - set(curves):
        co = np.array([[timing.frame_start, present[component]]], np.float32)
        yield Curve(bone, channel, component, co)


def _is_unchanged(
    pose_bone: bpy.types.PoseBone,
    prop: str,
    curves: dict[int, bpy.types.FCurve],
    armature: Armature,
    timing: Timing,
    kept: template.Template,
) -> bool:
    if timing != kept.timing:
        return False
    bone = armature.names.index(pose_bone.name)
    keys = {component: keyframes.read_keys(curve) for component, curve in curves.items()}
    state = template.fingerprint(keys, pose_bone.rotation_mode, int(armature.flags[bone]))
    return kept.is_unchanged(pose_bone.name, prop, state, template.rest_of(armature, bone))


def _read_curve(
    curve: bpy.types.FCurve, bone: int, channel: Channel, component: int, marks_inserted: bool
) -> Curve:
    codes = keyframes.read_interpolation(curve).astype(np.uint8)
    codes[-1] = min(codes[-1], keyframes.BEZIER)  # nothing comes after the last key
    left, right = keyframes.read_handles(curve) if (codes == keyframes.BEZIER).any() else (None, None)
    return Curve(
        bone=bone,
        channel=channel,
        component=component,
        co=keyframes.read_co(curve),
        interpolation=codes,
        handle_left=left,
        handle_right=right,
        inserted=keyframes.read_inserted(curve) if marks_inserted else None,
    )


def _settings(
    kept: template.Template | None, span: _Span, timing: Timing, options: ExportOptions
) -> SlExport:
    seconds = (span.last - span.first) / timing.frames_per_second
    header = replace(options.header or SlHeader(), loop_in_seconds=0.0, loop_out_seconds=seconds)
    return SlExport(
        frame_end=span.last,
        encoder=options.encoder,
        template=kept.document() if kept else None,
        keep_duration=kept is not None and span.unchanged,
        header=None if kept else header,
    )
