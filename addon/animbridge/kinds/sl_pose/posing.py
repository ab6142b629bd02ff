# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses an armature without an Action, and lets scaled bones be as the viewers show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...compat import actions, keyframes
from ...scene.armature.reading import armature_of, pose_bones
from ...scene.channels import AXIS_ANGLE, EULER, LOCATION, QUATERNION, SCALE, property_of, split_path
from ...scene.import_.importer import FileCurves

#: What a pose is of, with its values at rest.
_PROPERTIES: Final = {
    LOCATION: (0.0, 0.0, 0.0),
    QUATERNION: (1.0, 0.0, 0.0, 0.0),
    EULER: (0.0, 0.0, 0.0),
    AXIS_ANGLE: (0.0, 0.0, 1.0, 0.0),
    SCALE: (1.0, 1.0, 1.0),
}


class Value(NamedTuple):
    """A number of a bone."""

    bone: str
    prop: str
    component: int
    number: float


def action_values(channels: actions.Channels) -> Iterator[Value]:
    """The values of an Action's first keys."""
    for curve in channels.fcurves:
        place = split_path(curve.data_path)
        if place is not None and place[1] in _PROPERTIES:
            yield Value(*place, curve.array_index, float(keyframes.read_co(curve)[0, 1]))


def curve_values(file: FileCurves) -> Iterator[Value]:
    """The values of a document's curves, which have one key each."""
    for curve in file.curves:
        name = file.armature.names[curve.bone]
        yield Value(name, property_of(curve.channel), curve.component, float(curve.co[0, 1]))


def take_pose(armature_object: bpy.types.Object, values: Iterable[Value]) -> list[str]:
    """Gives bones these values; the names of the bones. With auto keying, they get keys too."""
    bones, posed = pose_bones(armature_object), dict[str, set[str]]()
    for value in values:
        if value.bone in bones:
            getattr(bones[value.bone], value.prop)[value.component] = value.number
            posed.setdefault(value.bone, set()).add(value.prop)
    if bpy.context.scene.tool_settings.use_keyframe_insert_auto:
        for name, props in posed.items():
            for prop in props:
                bones[name].keyframe_insert(prop, group=name)
    bpy.context.view_layer.update()
    return list(posed)


def keep_scales_apart(armature_object: bpy.types.Object, channels: Sequence[actions.Channels]) -> None:
    """Lets the bones below scaled ones keep their own size: the viewer scales a joint alone."""
    armature = armature_of(armature_object)
    if armature.library is not None:
        return
    for one in channels:
        for curve in one.fcurves:
            place = split_path(curve.data_path)
            if place is None or place[1] != SCALE or place[0] not in armature.bones:
                continue
            if (keyframes.read_co(curve)[:, 1] != 1.0).any():
                for child in armature.bones[place[0]].children:
                    child.inherit_scale = "NONE"


def scales_of(armature_object: bpy.types.Object) -> dict[str, list[float]]:
    """{bone: its scale} of the bones that are scaled."""
    bones: Any = pose_bones(armature_object)
    scales = np.empty(3 * len(bones), np.float32)
    bones.foreach_get("scale", scales)
    rows = scales.reshape(-1, 3)
    names = bones.keys()
    return {names[at]: rows[at].tolist() for at in np.flatnonzero((rows != 1.0).any(axis=1))}


@contextmanager
def pose_kept(armature_object: bpy.types.Object) -> Iterator[None]:
    """Gives every bone the values back that it had, in the end."""
    bones: Any = pose_bones(armature_object)
    before = {prop: np.empty(len(rest) * len(bones), np.float32) for prop, rest in _PROPERTIES.items()}
    for prop, values in before.items():
        bones.foreach_get(prop, values)
    try:
        yield
    finally:
        _set_all(armature_object, before)
        bpy.context.view_layer.update()


@contextmanager
def at_rest(armature_object: bpy.types.Object) -> Iterator[None]:
    """Puts every bone to rest, and back again in the end."""
    count = len(pose_bones(armature_object))
    with pose_kept(armature_object):
        _set_all(
            armature_object,
            {prop: np.tile(np.array(rest, np.float32), count) for prop, rest in _PROPERTIES.items()},
        )
        yield


def _set_all(armature_object: bpy.types.Object, values: Mapping[str, NDArray[np.float32]]) -> None:
    bones: Any = pose_bones(armature_object)
    for prop, numbers in values.items():
        bones.foreach_set(prop, numbers)
    armature_object.update_tag()
