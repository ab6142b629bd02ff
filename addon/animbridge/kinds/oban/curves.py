# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether only curves move an object, and those curves for the library, which knows which it can export."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix

from ...compat import keyframes
from ...package import Curve, listed
from ...scene.channels import COMPONENTS, LOCATION, QUATERNION, BoneCurves, native_channel
from ...scene.export.checks import faults_of
from ...scene.export.options import FrameRange
from .object_motion import carrier_of, has_delta, moving_action
from .options import ObanExportOptions

#: How far a range may be off the keys, in frames and as a share, because Blender has single precision.
_FRAME_ROUNDING: Final = 1e-3
_SHARE: Final = 2.0**-22
_TRANSFORMS: Final = ("location", "rotation", "scale", "delta_")


def obstacle_to_curves(
    thing: bpy.types.Object,
    curves: BoneCurves,
    frame_range: tuple[float, float],
    options: ObanExportOptions,
) -> str:
    """Why the curves do not say what Blender shows at the wanted frames; "" if they do.

    Whether an OBAN can hold their keys is up to the library.
    """
    return next(_obstacles(thing, curves, frame_range, options), "")


def _obstacles(
    thing: bpy.types.Object,
    curves: BoneCurves,
    frame_range: tuple[float, float],
    options: ObanExportOptions,
) -> Iterator[str]:
    mover = carrier_of(thing)
    if not set(curves.channels) & {LOCATION, QUATERNION}:
        yield "no location or quaternion curves move it"
    if mover.parent is not None:
        yield f"its parent '{mover.parent.name}' may move it"
    if mover.rotation_mode != QUATERNION.removeprefix("rotation_").upper():
        yield "its rotation mode is not Quaternion"
    others = set(curves.channels) - {LOCATION, QUATERNION}
    if others:
        yield f"curves of its {listed(sorted(others))} may change it"
    yield from _influences(thing, mover)
    for prop in (LOCATION, QUATERNION):
        for curve in curves.channels.get(prop, {}).values():
            yield from (
                f"its curve {prop}[{curve.array_index}] {why}" for why in faults_of(curve, frame_range)
            )
    ends = [(co[0, 0], co[-1, 0]) for co in map(keyframes.read_co, _curves(curves)) if len(co)]
    wanted = (min(end[0] for end in ends), max(end[1] for end in ends)) if ends else frame_range
    # An Action is one frame long at least, but one key may be all that it has.
    is_still = wanted[0] == wanted[1] and options.frame_range is FrameRange.ACTION
    if not (_is_at(wanted[0], frame_range[0]) and (is_still or _is_at(wanted[1], frame_range[1]))):
        yield "its keys do not begin and end where the range does"


def _is_at(frame: float, place: float) -> bool:
    return abs(frame - place) <= max(_FRAME_ROUNDING, _SHARE * abs(place))


def _influences(thing: bpy.types.Object, mover: bpy.types.Object) -> Iterator[str]:
    for one in dict.fromkeys((thing, mover)):
        held = [constraint.name for constraint in one.constraints if not constraint.mute]
        if held:
            yield f"constraints move it: {listed(held)}"
        animation = one.animation_data
        if animation is not None:
            if animation.use_nla and any(not track.mute for track in animation.nla_tracks):
                yield "NLA tracks move it"
            driven = [driver.data_path for driver in animation.drivers if not driver.mute]
            if any(path.startswith(_TRANSFORMS) for path in driven):
                yield f"drivers move it: {listed(sorted(set(driven)))}"
            if animation.action is not None and animation.action_blend_type != "REPLACE":
                yield "its Action is blended"
        if one.rigid_body is not None:
            yield "the physics of a rigid body may move it"
        if has_delta(one):
            yield "it has a delta transform"
    if thing is not mover and moving_action(thing) is not None:
        yield "it has an Action of its own besides that of the parent that carries it"


def _curves(curves: BoneCurves) -> Iterator[bpy.types.FCurve]:
    for prop in (LOCATION, QUATERNION):
        yield from curves.channels.get(prop, {}).values()


def plain_curves(thing: bpy.types.Object, curves: BoneCurves) -> tuple[list[Curve], list[float]]:
    """The seven curves, and the object's matrix (column-major) in the space that they move.

    A component without a curve is constant, with the keys of the others.
    """
    mover = carrier_of(thing)
    frames = max((keyframes.read_co(curve)[:, 0] for curve in _curves(curves)), key=len)
    found = []
    for prop in (LOCATION, QUATERNION):
        channel, present = native_channel(prop, "QUATERNION"), getattr(mover, prop)
        for component in range(COMPONENTS[prop]):
            curve = curves.channels.get(prop, {}).get(component)
            if curve is not None and len(curve.keyframe_points):
                co = keyframes.read_co(curve)
                codes = keyframes.read_interpolation(curve).astype(np.uint8)
            else:
                value, codes = np.full(len(frames), present[component], np.float32), None
                co = np.ascontiguousarray(np.stack([frames, value], axis=1))
            found.append(Curve(-1, channel, component, co, codes))
    scale = np.diag([*mover.scale, 1.0])
    base = (
        scale
        if thing is mover
        else scale @ _doubles(thing.matrix_parent_inverse) @ _doubles(thing.matrix_basis)
    )
    return found, base.T.ravel().tolist()


def _doubles(matrix: Matrix) -> np.ndarray:
    return np.array(matrix, np.float64)
