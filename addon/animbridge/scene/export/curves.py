# SPDX-License-Identifier: GPL-3.0-or-later
"""The F-curves of an Action as arrays for the library."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...compat import keyframes
from ...package import Armature, Channel, Curve, Timing
from .. import templates
from ..armature.reading import pose_bones
from ..channels import (
    AXIS_ANGLE,
    COMPONENTS,
    LOCATION,
    OBJECT,
    QUATERNION,
    BoneCurves,
    native_channel,
    property_at,
    rotation_property,
)

#: Reads a curve's keys as an array of (frame, value).
ReadKeys = Callable[[bpy.types.FCurve], NDArray[np.float32]]
_READ_KEYS: Final[ReadKeys] = keyframes.read_co


@dataclass(frozen=True)
class UsedCurves:
    """The curves with keys of a property that moves a bone in its rotation mode, as {component: curve}.

    `bone` is channels.OBJECT for a custom property, whose data path is `prop`.
    """

    bone: str
    prop: str
    curves: dict[int, bpy.types.FCurve]


def used_curves(
    armature_object: bpy.types.Object, bones: Iterable[BoneCurves], only: Collection[str] | None
) -> Iterator[UsedCurves]:
    """The curves that move the armature; `only`: of these bones, or of all if it is None."""
    for bone in bones:
        pose_bone = pose_bones(armature_object).get(bone.name)
        if pose_bone is None or (only is not None and bone.name not in only):
            continue
        for prop in (rotation_property(pose_bone.rotation_mode), LOCATION):
            curves = {
                component: curve
                for component, curve in bone.channels.get(prop, {}).items()
                if len(curve.keyframe_points) or len(curve.sampled_points)
            }
            if curves:
                yield UsedCurves(bone.name, prop, curves)


def used_properties(elsewhere: Iterable[bpy.types.FCurve], names: Collection[str]) -> Iterator[UsedCurves]:
    """The curves with keys of custom properties of the object that have one of the names."""
    for curve in elsewhere:
        if property_at(curve.data_path) in names and len(curve.keyframe_points):
            yield UsedCurves(OBJECT, curve.data_path, {0: curve})


def native_curves(
    armature_object: bpy.types.Object,
    used: Iterable[UsedCurves],
    armature: Armature,
    timing: Timing,
    template: templates.Template | None,
    read_keys: ReadKeys = _READ_KEYS,
) -> Iterator[Curve]:
    """The curves for the library; components without a curve hold the bone's present value."""
    for one in used:
        if one.bone == OBJECT:
            yield _of_custom_property(one, timing, template)
        else:
            pose_bone = pose_bones(armature_object)[one.bone]
            yield from _of_property(pose_bone, one, armature, timing, template, read_keys)


def still_curves(
    armature_object: bpy.types.Object, used: Iterable[UsedCurves], armature: Armature, timing: Timing
) -> Iterator[Curve]:
    """Curves for bones without keys that are not at rest at present."""
    keyed = {(one.bone, one.prop) for one in used}
    for index, name in enumerate(armature.names):
        bone = pose_bones(armature_object)[name]
        for prop in (rotation_property(bone.rotation_mode), LOCATION):
            values = np.array(getattr(bone, prop), np.float32)
            if (name, prop) in keyed or (values == _at_rest(prop, values)).all():
                continue
            channel = native_channel(prop, bone.rotation_mode)
            for component, value in enumerate(values):
                yield Curve(index, channel, component, np.array([[timing.frame_start, value]], np.float32))


def _at_rest(prop: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The values that leave a bone at rest; if the angle is zero, any axis does."""
    rest = np.zeros_like(values)
    if prop == QUATERNION:
        rest[0] = 1.0
    elif prop == AXIS_ANGLE and values[0] == 0.0:
        return values
    return rest


def _of_custom_property(used: UsedCurves, timing: Timing, template: templates.Template | None) -> Curve:
    """The only curve of a custom property."""
    name = property_at(used.prop) or ""
    (curve,) = used.curves.values()
    if template is not None and timing == template.timing:
        state = templates.fingerprint({0: keyframes.read_keys(curve)}, "", 0)
        if template.is_unchanged(OBJECT, used.prop, state, np.zeros((2, 16), np.float32)):
            nothing = np.empty((0, 2), np.float32)
            return Curve(-1, Channel.PROPERTY, 0, nothing, unchanged=True, prop=name)
    return replace(_read_curve(curve, -1, Channel.PROPERTY, 0, marks_inserted=False), prop=name)


def _of_property(
    pose_bone: bpy.types.PoseBone,
    used: UsedCurves,
    armature: Armature,
    timing: Timing,
    template: templates.Template | None,
    read_keys: ReadKeys,
) -> Iterator[Curve]:
    prop, curves = used.prop, used.curves
    bone = armature.names.index(pose_bone.name)
    channel = native_channel(prop, pose_bone.rotation_mode)
    if template and _is_unchanged(pose_bone, prop, curves, armature, timing, template):
        nothing = np.empty((0, 2), np.float32)
        for component in curves:
            yield Curve(bone, channel, component, nothing, unchanged=True)
        return
    marks_inserted = template is not None and prop in template.fingerprints.get(pose_bone.name, {})
    for component, curve in curves.items():
        yield _read_curve(curve, bone, channel, component, marks_inserted, read_keys)
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
    template: templates.Template,
) -> bool:
    if timing != template.timing:
        return False
    bone = armature.names.index(pose_bone.name)
    keys = {component: keyframes.read_keys(curve) for component, curve in curves.items()}
    state = templates.fingerprint(keys, pose_bone.rotation_mode, int(armature.flags[bone]))
    return template.is_unchanged(pose_bone.name, prop, state, templates.rest_of(armature, bone))


def _read_curve(
    curve: bpy.types.FCurve,
    bone: int,
    channel: Channel,
    component: int,
    marks_inserted: bool,
    read_keys: ReadKeys = _READ_KEYS,
) -> Curve:
    codes = keyframes.read_interpolation(curve).astype(np.uint8)
    codes[-1] = min(codes[-1], keyframes.BEZIER)  # nothing comes after the last key
    left, right = keyframes.read_handles(curve) if (codes == keyframes.BEZIER).any() else (None, None)
    return Curve(
        bone=bone,
        channel=channel,
        component=component,
        co=read_keys(curve),
        interpolation=codes,
        handle_left=left,
        handle_right=right,
        inserted=keyframes.read_inserted(curve) if marks_inserted else None,
    )
