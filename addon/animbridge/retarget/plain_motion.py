# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether F-curves alone say what an armature shows, so that no frame needs to be evaluated.

An obstacle is a reason to sample the frames. In doubt there is one: samples are always right, only slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat import actions, keyframes
from ..package import Armature, Curve, Stance, abi
from ..scene.armature.reading import armature_of, pose_bones
from ..scene.channels import BoneCurves, property_at, split_path
from ..scene.export.checks import faults_of

#: How far a scale may be from 1: files of other programs have scale curves that are not quite 1.
_NO_SCALE: Final = 1e-6
#: Blender takes a key for one of the frame if it is this near, so a step may be at either side of it.
_AT_KEY: Final = 2e-4
#: Of two keys that are nearer than this, Blender's search may find either.
_NEAREST_KEYS: Final = 1e-3
#: Parents that move what hangs on them by their shape.
_SHAPED: Final = frozenset({"CURVE", "SURFACE", "FONT"})


def scene_obstacles(scene: bpy.types.Scene, thing: bpy.types.Object) -> Iterator[str]:
    """What moves an armature from outside its Action."""
    if scene.render.frame_map_old != scene.render.frame_map_new:
        yield "the scene remaps time"
    if bpy.app.handlers.frame_change_pre or bpy.app.handlers.frame_change_post:
        yield "something runs when the frame changes"
    yield from _play_obstacles(thing)
    data = armature_of(thing).animation_data
    if data is not None and _is_animated(data):
        yield f"'{thing.name}' has animated armature data"
    yield from _object_obstacles(thing)
    for child, parent in _parents(thing):
        if child.parent_type != "OBJECT" or parent.type in _SHAPED:
            yield f"'{child.name}' hangs on a part of '{parent.name}'"
        if parent.animation_data is not None and _is_animated(parent.animation_data):
            yield f"the parent '{parent.name}' is animated"
        yield from _object_obstacles(parent)


def bone_obstacles(thing: bpy.types.Object, armature: Armature, stance: Stance) -> Iterator[str]:
    """What moves bones besides their location and rotation."""
    bones: Any = pose_bones(thing)
    for bone in bones:
        if any(not constraint.mute for constraint in bone.constraints):
            yield f"a constraint moves the bone '{bone.name}'"
    scales = np.empty(3 * len(bones), np.float32)
    bones.foreach_get("scale", scales)
    if not _are_one(scales):
        yield "a bone is scaled"
    is_child = armature.parents >= 0
    if (is_child & ((armature.flags & abi.BONE_NO_INHERIT_ROTATION) != 0)).any():
        yield "a bone doesn't inherit rotation"
    lies_in_armature = ~is_child & ((armature.flags & abi.BONE_NO_LOCAL_LOCATION) != 0)
    if not stance.is_identity and lies_in_armature.any():
        yield "a bone's location is along the axes of an armature that is turned"


def action_obstacles(
    bones: dict[str, BoneCurves], elsewhere: list[bpy.types.FCurve], names: tuple[str, ...]
) -> Iterator[str]:
    """Curves of an Action that do something else than move and turn a bone; `names`: all bones there are."""
    for curve in elsewhere:
        if property_at(curve.data_path) is None:
            yield f"the Action has the curve {curve.data_path}"
    known = set(names)
    for curve in (curve for bone in bones.values() if bone.name in known for curve in bone.others):
        _, prop = split_path(curve.data_path) or ("", "")
        if prop == "scale":
            if not _stays_one(curve):
                yield f"the curve {curve.data_path} scales a bone"
        elif property_at(prop) is None:
            yield f"the Action has the curve {curve.data_path}"


def curve_obstacles(fcurve: bpy.types.FCurve, curve: Curve, frames: NDArray[np.float64]) -> Iterator[str]:
    """Why Blender may show something else at the frames than the keys of `fcurve` say, which `curve` has."""
    codes = curve.interpolation
    for fault in faults_of(fcurve, (float(frames[0]), float(frames[-1])), codes=codes):
        yield f"the curve {fcurve.data_path} {fault}"
    if not fcurve.is_valid:
        yield f"the curve {fcurve.data_path} is disabled"
    times = curve.co[:, 0].astype(np.float64)
    if not (np.isfinite(curve.co).all() and (np.diff(times) > _NEAREST_KEYS).all()):
        yield f"keys of the curve {fcurve.data_path} are at one time"
    if codes is not None and (codes[:-1] == keyframes.CONSTANT).any() and _near_steps(times, frames):
        yield f"a step of the curve {fcurve.data_path} is beside a frame"


def _play_obstacles(thing: bpy.types.Object) -> Iterator[str]:
    """Something else than one whole Action plays."""
    animation: Any = thing.animation_data
    if animation is None or animation.action is None:
        yield f"'{thing.name}' plays no Action"
        return
    if animation.use_tweak_mode or (animation.use_nla and len(animation.nla_tracks)):
        yield f"the NLA plays on '{thing.name}'"
    if animation.action_influence != 1.0 or animation.action_blend_type != "REPLACE":
        yield "the Action is blended"
    if len(animation.drivers):
        yield f"'{thing.name}' has drivers"
    if not actions.is_single(animation.action):
        yield "the Action has layers"


def _is_animated(animation: bpy.types.AnimData) -> bool:
    return animation.action is not None or len(animation.drivers) > 0 or len(animation.nla_tracks) > 0


def _object_obstacles(thing: bpy.types.Object) -> Iterator[str]:
    if any(not constraint.mute for constraint in thing.constraints):
        yield f"a constraint moves '{thing.name}'"
    if thing.rigid_body is not None:
        yield f"a simulation moves '{thing.name}'"


def _parents(thing: bpy.types.Object) -> Iterator[tuple[bpy.types.Object, bpy.types.Object]]:
    """Each object above with the one that hangs on it."""
    while thing.parent is not None:
        yield thing, thing.parent
        thing = thing.parent


def _are_one(scales: NDArray[np.float32]) -> bool:
    return bool((np.abs(scales - 1.0) <= _NO_SCALE).all())


def _stays_one(curve: bpy.types.FCurve) -> bool:
    """Whether a curve of a scale scales nothing: its keys, its handles and what is between them."""
    values = [keyframes.read_co(curve), *keyframes.read_handles(curve)]
    codes = keyframes.read_interpolation(curve)
    return (
        not len(curve.modifiers)
        and not len(curve.sampled_points)
        and bool((codes[:-1] <= keyframes.BEZIER).all())
        and all(_are_one(one[:, 1]) for one in values)
    )


def _near_steps(times: NDArray[np.float64], frames: NDArray[np.float64]) -> bool:
    """Whether a frame is not at a key, and so near to it that Blender takes it for being there."""
    after = np.searchsorted(frames, times)
    near = [np.abs(frames[np.clip(after + side, 0, len(frames) - 1)] - times) for side in (-1, 0)]
    return any(bool(((one > 0.0) & (one < _AT_KEY)).any()) for one in near)
