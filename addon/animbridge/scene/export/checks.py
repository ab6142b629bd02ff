# SPDX-License-Identifier: GPL-3.0-or-later
"""Where F-curves do not say everything that Blender shows, an export samples, refuses or warns."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import bpy

from ...compat import keyframes
from ...package import listed
from ..armature.reading import pose_bones
from ..channels import LOCATION, OBJECT, ROTATIONS, BoneCurves, rotation_property, split_path

_SAMPLE = "Export samples instead (Method: Samples), or bake the Action (Pose > Animation > Bake Action)."


def nla_obstacles(armature_object: bpy.types.Object) -> Iterator[str]:
    """The NLA strips that play on the armature and so change what the Action shows."""
    animation = armature_object.animation_data
    if animation is None or not animation.use_nla:
        return
    soloed = any(track.is_solo for track in animation.nla_tracks)
    for track in animation.nla_tracks:
        if track.mute or (soloed and not track.is_solo):
            continue
        for strip in track.strips:
            if not strip.mute:
                yield (
                    f"The NLA strip '{strip.name}' of track '{track.name}' plays on the armature "
                    f"'{armature_object.name}' together with its Action. Mute the track. {_SAMPLE}"
                )


def driver_obstacles(armature_object: bpy.types.Object, bones: set[str]) -> Iterator[str]:
    """Drivers that move or turn one of these bones."""
    animation = armature_object.animation_data
    for driver in animation.drivers if animation else ():
        place = split_path(driver.data_path)
        if place and place[0] in bones and place[1] in {LOCATION, *ROTATIONS} and not driver.mute:
            yield (
                f"The bone '{place[0]}' of '{armature_object.name}' has a driver on its {place[1]}, which an "
                f"animation file cannot hold. {_SAMPLE}"
            )


def curve_obstacles(bone: str, curve: bpy.types.FCurve, frame_range: tuple[float, float]) -> Iterator[str]:
    """Why Blender shows something other than the curve's keys; `bone` may be OBJECT."""
    owner = f"[{curve.array_index}] of bone '{bone}'" if bone != OBJECT else " of the armature object"
    for fault in faults_of(curve, frame_range):
        yield f"The curve {curve.data_path}{owner} {fault}, which an animation file cannot hold. {_SAMPLE}"


def influences(
    armature_object: bpy.types.Object, bones: Collection[BoneCurves], joints: set[str]
) -> Iterator[str]:
    """What moves the bones that show joints, besides their own curves."""
    known = pose_bones(armature_object)
    held = [bone.name for bone in known if bone.name in joints and any(not c.mute for c in bone.constraints)]
    if held:
        yield f"constraints move {listed(sorted(held))}"
    strangers = {
        bone.name
        for bone in bones
        if bone.name in known and bone.name not in joints and any(map(_moves, _curves(bone)))
    }
    carrying = {
        parent.name
        for bone in known
        if bone.name in joints
        for parent in bone.parent_recursive
        if parent.name in strangers
    }
    if carrying:
        yield f"bones that belong to no joint move joints: {listed(sorted(carrying))}"


def _curves(bone: BoneCurves) -> Iterator[bpy.types.FCurve]:
    for components in bone.channels.values():
        yield from components.values()


def _moves(curve: bpy.types.FCurve) -> bool:
    return len(curve.keyframe_points) > 0 or len(curve.sampled_points) > 0


def faults_of(
    curve: bpy.types.FCurve,
    frame_range: tuple[float, float],
    *,
    codes: keyframes.Codes | None = None,
) -> Iterator[str]:
    """Why a curve's keys do not say everything ("is muted"); `codes`: its interpolation codes, if known."""
    if curve.mute:
        yield "is muted"
    if curve.group is not None and curve.group.mute:
        yield f"is in the muted group '{curve.group.name}'"
    for modifier in curve.modifiers:
        if not modifier.mute:
            yield f"has the modifier {modifier.type.title()}"
    if len(curve.sampled_points):
        yield "is made of samples, not keys"
    codes = keyframes.read_interpolation(curve) if codes is None else codes
    unknown = codes[:-1] > keyframes.BEZIER
    if unknown.any():
        point = curve.keyframe_points[int(unknown.argmax())]
        yield f"has the interpolation {point.interpolation.title()} at frame {point.co[0]:g}"
    # A single Bezier key is extrapolated along its handles.
    is_sloped = len(codes) > 1 or (len(codes) == 1 and codes[0] == keyframes.BEZIER)
    if curve.extrapolation == "LINEAR" and is_sloped:
        first, last = (curve.keyframe_points[index].co[0] for index in (0, -1))
        if first > frame_range[0] or last < frame_range[1]:
            yield "is extrapolated beyond its keys"


def left_out(
    armature_object: bpy.types.Object,
    bones: Collection[BoneCurves],
    elsewhere: list[bpy.types.FCurve],
    joints: set[str],
) -> Iterator[str]:
    """What is left out of the file, by name; `joints` are the bones that show joints."""
    known = pose_bones(armature_object)
    present = [bone for bone in bones if bone.name in known]
    missing = sorted({bone.name for bone in bones} - {bone.name for bone in present})
    if missing:
        yield f"left out: curves of bones that the armature does not have: {listed(missing)}"
    scaled = sorted(bone.name for bone in present if any(_is_scale(curve) for curve in bone.others))
    if scaled:
        yield f"left out: scale, which the format cannot hold: {listed(scaled)}"
    others = sorted(curve.data_path for bone in present for curve in bone.others if not _is_scale(curve))
    others += sorted({curve.data_path for curve in elsewhere})
    if others:
        yield f"left out: curves that move no bone: {listed(others)}"
    idle = sorted(bone.name for bone in present if _has_idle_rotation(bone, known[bone.name].rotation_mode))
    if idle:
        yield f"left out: rotation curves that the rotation mode does not use: {listed(idle)}"
    yield from (f"left out: {one}" for one in influences(armature_object, bones, joints))


def _is_scale(curve: bpy.types.FCurve) -> bool:
    place = split_path(curve.data_path)
    return place is not None and place[1] == "scale"


def _has_idle_rotation(bone: BoneCurves, rotation_mode: str) -> bool:
    used = rotation_property(rotation_mode)
    return any(prop in bone.channels and prop != used for prop in ROTATIONS)
