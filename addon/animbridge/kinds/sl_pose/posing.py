# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses an armature without an Action, and lets scaled bones be as the viewers show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import bpy
import numpy as np

from ...compat import actions, keyframes
from ...scene.armature.reading import armature_of, pose_bones
from ...scene.channels import SCALE, split_path

_PROPERTIES: Final = {
    "location": 3,
    "rotation_quaternion": 4,
    "rotation_euler": 3,
    "rotation_axis_angle": 4,
    SCALE: 3,
}


def take_pose(armature_object: bpy.types.Object, channels: actions.Channels) -> list[str]:
    """Gives bones the values of an Action's first keys; the names of the bones.

    With auto keying on, they get keys at the current frame.
    """
    bones, posed = pose_bones(armature_object), dict[str, set[str]]()
    for curve in channels.fcurves:
        place = split_path(curve.data_path)
        if place is not None and place[0] in bones and place[1] in _PROPERTIES:
            name, prop = place
            getattr(bones[name], prop)[curve.array_index] = keyframes.read_co(curve)[0, 1]
            posed.setdefault(name, set()).add(prop)
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
def at_rest(armature_object: bpy.types.Object) -> Iterator[None]:
    """Puts every bone to rest, and back again in the end."""
    bones: Any = pose_bones(armature_object)
    before: dict[str, Any] = {}
    for prop, width in _PROPERTIES.items():
        before[prop] = np.empty(width * len(bones), np.float32)
        bones.foreach_get(prop, before[prop])
    resting = {
        "location": (0.0, 0.0, 0.0),
        "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
        "rotation_euler": (0.0, 0.0, 0.0),
        "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
        SCALE: (1.0, 1.0, 1.0),
    }
    try:
        for prop, values in resting.items():
            bones.foreach_set(prop, np.tile(np.array(values, np.float32), len(bones)))
        armature_object.update_tag()
        yield
    finally:
        for prop, values in before.items():
            bones.foreach_set(prop, values)
        armature_object.update_tag()
        bpy.context.view_layer.update()
