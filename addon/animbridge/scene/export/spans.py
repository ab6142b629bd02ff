# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames an export takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import bpy

from ...compat import keyframes
from ...package import AnimBridgeError, Document, Timing
from ..channels import BoneCurves
from ..templates import Template, duration_of
from ..timing import scene_frames_per_second
from .options import FrameRange


@dataclass(frozen=True)
class Span:
    """The frames of the animation, and whether its duration is still the template's."""

    first: float
    last: float
    is_unchanged: bool = False


def span_of(
    wanted: FrameRange,
    action: bpy.types.Action | None,
    bones: Iterable[BoneCurves],
    template: Template | None,
    document: Document | None,
    scene: bpy.types.Scene,
) -> Span:
    """The wanted frames; the scene's if there is no Action. `document`: the template's."""
    if wanted is FrameRange.POSE:
        frame = scene.frame_current_final
        return Span(frame, frame + 1)
    if wanted is FrameRange.MARKERS:
        return _marked(scene)
    if wanted is FrameRange.SCENE or action is None:
        return Span(scene.frame_start, scene.frame_end)
    return _of_action(action, bones, template, document, scene)


def timing_of(scene: bpy.types.Scene, template: Template | None, span: Span) -> Timing:
    """The template's rate as long as it holds in the scene, else the scene's."""
    rate = scene_frames_per_second(scene)
    if template is not None and template.is_of_rate(rate):
        rate = template.timing.frames_per_second
    return Timing(rate, span.first)


def _marked(scene: bpy.types.Scene) -> Span:
    frames = sorted(marker.frame for marker in scene.timeline_markers)
    if len(frames) < 2 or frames[0] == frames[-1]:
        raise AnimBridgeError(
            f"The scene '{scene.name}' has {len(frames)} markers, but a range needs two on different frames. "
            "Set them in the timeline (M), or choose another range."
        )
    return Span(frames[0], frames[-1])


def _of_action(
    action: bpy.types.Action,
    bones: Iterable[BoneCurves],
    template: Template | None,
    document: Document | None,
    scene: bpy.types.Scene,
) -> Span:
    """The Action's own frame range, or else from the template's start, or the first key, to the last key."""
    if action.use_frame_range:
        first, last = (float(frame) for frame in action.frame_range)
        if template and document and (first, last) == template.action_range:
            return _of_template(template, document, last, scene)
        return Span(first, last)
    ends = [
        (float(co[0, 0]), float(co[-1, 0]))
        for bone in bones
        for curves in bone.channels.values()
        for co in (keyframes.read_co(curve) for curve in curves.values())
        if len(co)
    ]
    first = template.timing.frame_start if template else min((end[0] for end in ends), default=1.0)
    return Span(first, max((end[1] for end in ends), default=first))


def _of_template(template: Template, document: Document, last: float, scene: bpy.types.Scene) -> Span:
    """The exact frames: the Action's range is in single precision and at least one frame long."""
    start = template.timing.frame_start
    if not template.is_of_rate(scene_frames_per_second(scene)):
        return Span(start, last)
    frames = duration_of(document) * template.timing.frames_per_second
    return Span(start, start + frames, is_unchanged=True)
