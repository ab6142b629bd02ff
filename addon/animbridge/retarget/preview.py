# SPDX-License-Identifier: GPL-3.0-or-later
"""The target in its aligned reference pose, before anything is written: a pose, never an Action."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..package import Armature, NativeCurves, SampledMotion, Samples, Timing, own_curves, readable, retarget
from ..scene.armature.modes import leave_edit_mode
from ..scene.armature.reading import pose_bones
from ..scene.channels import AXIS_ANGLE, EULER, LOCATION, QUATERNION, property_of, rotation_property
from ..scene.undo import Undo, undone_on_failure
from .control_rigs import Switch
from .figures import figure_beside
from .properties import UNKNOWN_ANGLE
from .setup import Setup, as_controlled, setup_of, source_pose, target_pose

Floats = NDArray[np.float32]

#: What moves the body along, which a reference pose doesn't have.
_NO_PATH: Final = {
    "in_place": False,
    "from_origin": False,
    "on_ground": False,
    "plant_feet": False,
    "keep_touch": False,
}
#: Where a stored pose has properties of control rigs.
_SWITCHES: Final = "switches"
_KEPT: Final = (LOCATION, QUATERNION, AXIS_ANGLE, EULER)


def aligned_pose(
    scene: bpy.types.Scene, settings: Any, undo: Undo
) -> tuple[Setup, NativeCurves, list[Switch]]:
    """The pose of the target when the source stands in its reference pose, as curves with one key each.

    The alignment is the same as that of the whole motion. The switches of a control rig that were set come
    with the values that they had; `undo` gets the steps that set them back.
    """
    for thing in (settings.source, settings.target):
        if thing is not None:
            leave_edit_mode(thing)
    setup, _, changed = as_controlled(undo, setup_of(settings))
    pose = source_pose(settings, setup.source, scene)
    armature, shown = _source_shown(scene, settings, setup)
    samples = Samples(np.array([1.0]), np.reshape(shown, (1, -1, 16)))
    motion = SampledMotion(armature, samples, pose)
    options = {**setup.options, **_NO_PATH}
    options.pop("slots", None)
    fitting = target_pose(settings, setup.target, scene)
    return setup, retarget(motion, setup.target.standing, Timing(24.0, 1.0), options, fitting), changed


def _source_shown(scene: bpy.types.Scene, settings: Any, setup: Setup) -> tuple[Armature, Floats]:
    """The source as it stands, and its reference pose; at rest, if the library makes that pose."""
    pose = source_pose(settings, setup.source, scene)
    armature = setup.source.standing
    return armature, armature.rest_matrices if pose is None else pose


def show_angles(settings: Any, report: Mapping[str, Any]) -> float:
    """Writes the angles of the alignment into the list; the largest one. A chain's bones share one."""
    angles: dict[str, float] = {}
    for row in report["retarget"]["slots"]:
        for bone in row["target"]:
            angles.setdefault(readable(bone), float(row["alignment_degrees"]))
    for item in settings.pairs:
        item.angle = angles.get(item.target, UNKNOWN_ANGLE) if item.is_on else UNKNOWN_ANGLE
    return max(angles.values(), default=0.0)


def measure(scene: bpy.types.Scene, settings: Any) -> float:
    """Fills the list's angles without a change of any pose; the largest one."""
    with Undo() as undo:
        return show_angles(settings, aligned_pose(scene, settings, undo)[1].report())


def begin(scene: bpy.types.Scene, settings: Any) -> float:
    """Shows the target in its aligned reference pose; the largest angle of the alignment.

    What can fail comes before the first change that stays.
    """
    with undone_on_failure() as undo:
        setup, curves, changed = aligned_pose(scene, settings, undo)
        angle = show_angles(settings, curves.report())
        shown, standing = _source_shown(scene, settings, setup), setup.target.standing
        figure = figure_beside(setup.pairs, shown, (standing, standing.rest_matrices))
    target, armature = setup.target.thing, setup.target.armature
    before = _pose_of(target)
    for one in changed:
        before[one.bone].setdefault(_SWITCHES, {})[one.prop] = one.value
    settings.pose_before = json.dumps(before)
    settings.previewed = target
    settings.figure = figure
    for bone in pose_bones(target):
        _rest(bone)
    for curve in own_curves(list(curves), armature, setup.target.stance):
        bone = pose_bones(target)[armature.names[curve.bone]]
        prop = property_of(curve.channel)
        if prop == QUATERNION and bone.rotation_mode != "QUATERNION":
            bone.rotation_mode = "QUATERNION"
        getattr(bone, prop)[curve.component] = float(curve.co[0, 1])
    return angle


def end(settings: Any) -> bool:
    """Puts the pose back that the target had; whether there was a preview."""
    target, text = settings.previewed, settings.pose_before
    settings.previewed, settings.pose_before, settings.figure = None, "", ""
    if target is None:
        return False
    # A damaged file may have any text here.
    with suppress(ValueError, TypeError, RecursionError):
        bones = pose_bones(target)
        for name, values in dict(json.loads(text)).items():
            if name in bones:
                _restore(bones[name], values)
    return True


def _restore(bone: Any, values: Any) -> None:
    """Gives a bone its rotation mode and values, as far as they make sense."""
    with suppress(ValueError, TypeError, KeyError):
        bone.rotation_mode = values["mode"]
        for prop in _KEPT:
            setattr(bone, prop, values[prop])
        for prop, value in values.get(_SWITCHES, {}).items():
            bone[prop] = type(bone[prop])(value)


def _pose_of(target: bpy.types.Object) -> dict[str, Any]:
    return {
        bone.name: {"mode": bone.rotation_mode, **{prop: list(getattr(bone, prop)) for prop in _KEPT}}
        for bone in pose_bones(target)
    }


def _rest(bone: Any) -> None:
    """Puts a bone to rest, but for its scale."""
    for prop in (LOCATION, rotation_property(bone.rotation_mode)):
        setattr(bone, prop, bone.bl_rna.properties[prop].default_array)
