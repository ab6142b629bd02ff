# SPDX-License-Identifier: GPL-3.0-or-later
"""Blend Edit: how the armature is posed otherwise than its Action says, spread over the keys around."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import bpy
from mathutils import Euler, Quaternion

from ..package import AnimBridgeError
from ..scene import previews
from ..scene.armature.reading import pose_bones
from ..scene.channels import COMPONENTS, LOCATION, QUATERNION, sort_by_bone
from ..scene.export.curves import UsedCurves, used_curves
from .tools import playing_channels, span_of

#: What single precision loses in a pose: the sine of half an angle, and units of length.
_LEAST_SINE: Final = 5e-5
_LEAST_LENGTH: Final = 1e-5


def posed_otherwise(scene: bpy.types.Scene, thing: bpy.types.Object) -> dict[str, Any]:
    """The edit of the pose at the present frame, as the library takes it, but for the falloff.

    An error if there is none.
    """
    if previews.shown_preview(thing) is not None:
        raise AnimBridgeError(
            "The armature shows an upload. Click Show as Uploaded again to edit the Action."
        )
    channels = playing_channels(thing)
    frame = float(scene.frame_current_final)
    span = span_of(channels)
    if not span.first <= frame <= span.last:
        raise AnimBridgeError(
            f"The current frame {frame:g} is outside the Action, which goes from {span.first:g} to "
            f"{span.last:g}. Go to a frame of it and pose the bones there."
        )
    edits: dict[str, dict[str, Any]] = {}
    bones, _ = sort_by_bone(channels.fcurves)
    for used in used_curves(thing, bones.values(), None):
        change = _change_of(pose_bones(thing)[used.bone], used, frame)
        if change:
            edits.setdefault(used.bone, {}).update(change)
    if not edits:
        raise AnimBridgeError(
            "No bone with keyframes is posed otherwise than the Action says at this frame. Pose some bones "
            "without inserting keyframes (turn Auto Keying off) and try again."
        )
    names = [bone.name for bone in thing.data.bones]  # pyright: ignore
    rows = [{"bone": names.index(name), **change} for name, change in edits.items()]
    return {"frame": frame, "bones": rows}


def _change_of(bone: bpy.types.PoseBone, used: UsedCurves, frame: float) -> Mapping[str, Any]:
    now = list(getattr(bone, used.prop))
    said = list(now)
    for component in range(COMPONENTS[used.prop]):
        if component in used.curves:
            said[component] = used.curves[component].evaluate(frame)
    if used.prop == LOCATION:
        offset = [a - b for a, b in zip(now, said, strict=True)]
        return {"location": offset} if max(map(abs, offset)) > _LEAST_LENGTH else {}
    turn = _rotation(bone, used.prop, said).inverted() @ _rotation(bone, used.prop, now)
    sign = -1.0 if turn.w < 0.0 else 1.0
    wxyz = [sign * number for number in (turn.w, turn.x, turn.y, turn.z)]
    return {"rotation_wxyz": wxyz} if math.hypot(*wxyz[1:]) > _LEAST_SINE else {}


def _rotation(bone: bpy.types.PoseBone, prop: str, values: list[float]) -> Quaternion:
    if prop == QUATERNION:
        return Quaternion(values).normalized()
    if len(values) == 4:
        return Quaternion(values[1:], values[0])
    return Euler(values, bone.rotation_mode).to_quaternion()  # pyright: ignore
