# SPDX-License-Identifier: GPL-3.0-or-later
"""What the source does: by its F-curves where these say everything, and else by evaluating the frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat import actions
from ..package import Curve, CurveMotion, Progress, SampledMotion, Samples, Timing, part_of, standing_curves
from ..scene.armature.reading import pose_bones, stance_of
from ..scene.channels import native_channel, sort_by_bone
from ..scene.export.curves import ReadKeys, UsedCurves, native_curves, still_curves, used_curves
from ..scene.export.sampling import SAMPLING_SHARE, refuse_stale, sample_poses
from ..scene.export.standing import first_stance, standing_poses
from ..scene.timing import LAST_FRAME
from .plain_motion import action_obstacles, bone_obstacles, curve_obstacles, scene_obstacles
from .setup import Side

Doubles = NDArray[np.float64]


def motion_of(
    scene: bpy.types.Scene,
    source: Side,
    frames: Doubles,
    timing: Timing,
    read_keys: ReadKeys,
    progress: Progress | None,
) -> tuple[Side, CurveMotion | SampledMotion, float]:
    """The source as it stands at the first frame, its motion, and the share of `progress` that this took."""
    refuse_stale(scene, source.thing)
    placed = replace(source, stance=stance_of(source.thing))
    curves = curves_of_motion(scene, placed, frames, timing, read_keys)
    if not isinstance(curves, str):
        return placed, CurveMotion(placed.standing, curves, frames), 0.0
    poses = sample_poses(scene, source.thing, source.armature, frames, part_of(progress, 0.0, SAMPLING_SHARE))
    # The object may be animated too: the body looks where it looks at the first frame.
    placed = replace(source, stance=first_stance(poses, source.thing.name))
    matrices = standing_poses(poses, source.thing.name)
    samples = Samples(frames, matrices)
    return placed, SampledMotion(placed.standing, samples), SAMPLING_SHARE


def curves_of_motion(
    scene: bpy.types.Scene, source: Side, frames: Doubles, timing: Timing, read_keys: ReadKeys
) -> list[Curve] | str:
    """The curves that say all that the source does at the frames, as it stands; else why there are none."""
    thing, armature = source.thing, source.armature
    beyond = float(np.abs(frames).max()) > LAST_FRAME
    reason = "frames beyond Blender's" if beyond else next(_obstacles(scene, source), "")
    if reason:
        return reason
    bones, elsewhere = sort_by_bone(_playing(thing).fcurves)
    reason = next(action_obstacles(bones, elsewhere, armature.names), "")
    if reason:
        return reason
    used = list(used_curves(thing, bones.values(), None))
    if any(len(curve.sampled_points) for one in used for curve in one.curves.values()):
        return "a curve has no keys, but values of its own for all frames"
    curves = list(native_curves(thing, used, armature, timing, None, read_keys))
    reason = next(_faults(source, used, curves, frames), "")
    if reason:
        return reason
    curves += still_curves(thing, used, armature, timing)
    return standing_curves(curves, source.stance)


def _obstacles(scene: bpy.types.Scene, source: Side) -> Iterator[str]:
    return chain(
        scene_obstacles(scene, source.thing), bone_obstacles(source.thing, source.armature, source.stance)
    )


def _playing(thing: bpy.types.Object) -> actions.Channels:
    """The channels of the one Action that plays."""
    animation: Any = thing.animation_data
    channels = actions.assigned_channels(animation)
    assert channels is not None
    return channels


def _faults(source: Side, used: list[UsedCurves], curves: list[Curve], frames: Doubles) -> Iterator[str]:
    read = {(curve.bone, curve.channel, curve.component): curve for curve in curves}
    indices = {name: index for index, name in enumerate(source.armature.names)}
    for one in used:
        channel = native_channel(one.prop, pose_bones(source.thing)[one.bone].rotation_mode)
        for component, fcurve in one.curves.items():
            yield from curve_obstacles(fcurve, read[indices[one.bone], channel, component], frames)
