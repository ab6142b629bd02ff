# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes armatures of recordings: bones for joints, a camera, and an arrow for the gaze."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import Any, Final

import bpy
from mathutils import Quaternion, Vector

from ...compat.armatures import BoneGroup, ColouredBones, group_bones
from ...compat.bones import drive_hidden
from ...scene.armature.creation import edit_bones, made_armature
from ...scene.armature.reading import armature_of, pose_bones

CAMERA: Final = "Camera"
GAZE: Final = "Gaze"
GAZE_DIRECTION: Final = "GazeDirection"
#: {the hand: the property that says when it is tracked}
TRACKED: Final = {"left": "tracked_left", "right": "tracked_right"}
_GROUPS: Final = {
    "left": ("Left Hand", (0.32, 0.55, 0.95)),
    "right": ("Right Hand", (0.95, 0.45, 0.32)),
    None: ("Head", (0.85, 0.8, 0.35)),
}


def create_recording_armature(
    context: bpy.types.Context, name: str, skeleton: Mapping[str, Any]
) -> bpy.types.Object:
    """A new armature of what native.mrtk.recording_skeleton returns, in Object mode, active and selected.

    Its custom properties say whether a hand is tracked, which shows and hides the bones, and whether it
    pinches.
    """
    joints = skeleton["joints"]
    with made_armature(context, name) as armature_object:
        edit_bones(armature_object, lambda armature: _add_bones(armature, joints))
        for bone in pose_bones(armature_object):
            bone.rotation_mode = "QUATERNION"
        _group(armature_object, joints)
        for prop in skeleton["properties"]:
            armature_object[prop] = 1.0 if prop in TRACKED.values() else 0.0
            shown: Any = armature_object.id_properties_ui(prop)
            shown.update(min=0.0, max=1.0)
        _hide_untracked(armature_object, joints, skeleton["properties"])
        names = {joint["name"] for joint in joints}
        if CAMERA in names:
            _add_camera(context, armature_object)
        if {GAZE, GAZE_DIRECTION} <= names:
            _add_gaze(context, armature_object)
    return armature_object


def _add_bones(armature: bpy.types.Armature, joints: list[Mapping[str, Any]]) -> None:
    """Adds bones in Edit mode, parents first."""
    made: list[Any] = []
    for joint in joints:
        bone: Any = armature.edit_bones.new(joint["name"])
        turn = Quaternion(joint["rotation_wxyz"])
        bone.head = Vector(joint["head"])
        bone.tail = bone.head + turn @ Vector((0.0, float(joint["length"]), 0.0))
        bone.align_roll(turn @ Vector((0.0, 0.0, 1.0)))
        bone.parent = made[joint["parent"]] if joint["parent"] >= 0 else None
        made.append(bone)


def _group(armature_object: bpy.types.Object, joints: list[Mapping[str, Any]]) -> None:
    groups: list[BoneGroup] = []
    for hand, (title, colour) in _GROUPS.items():
        bones = tuple(joint["name"] for joint in joints if joint["hand"] == hand)
        if bones:
            groups.append(BoneGroup(title, (ColouredBones("", colour, bones),)))
    group_bones(armature_object, groups)


def _hide_untracked(
    armature_object: bpy.types.Object, joints: list[Mapping[str, Any]], properties: list[str]
) -> None:
    for joint in joints:
        prop = TRACKED.get(joint["hand"])
        if prop in properties:
            drive_hidden(armature_object, joint["name"], f'["{prop}"]')


def _add_camera(context: bpy.types.Context, armature_object: bpy.types.Object) -> None:
    """Adds a camera to the bone, along whose Y axis it looks: a camera of Blender looks along its own -Z."""
    camera = bpy.data.cameras.new(f"{armature_object.name} {CAMERA}")
    held = bpy.data.objects.new(camera.name, camera)
    context.collection.objects.link(held)
    held.parent, held.parent_type, held.parent_bone = armature_object, "BONE", CAMERA
    # Children of a bone stand at its tail.
    held.location = (0.0, -armature_of(armature_object).bones[CAMERA].length, 0.0)
    held.rotation_euler = (pi / 2, 0.0, 0.0)


def _add_gaze(context: bpy.types.Context, armature_object: bpy.types.Object) -> None:
    """Adds an arrow from where the ray begins to where it points."""
    ray = bpy.data.objects.new(f"{armature_object.name} {GAZE}", None)
    ray.empty_display_type = "SINGLE_ARROW"
    context.collection.objects.link(ray)
    ray.parent, ray.parent_type, ray.parent_bone = armature_object, "BONE", GAZE
    ray.location = (0.0, -armature_of(armature_object).bones[GAZE].length, 0.0)
    aim: Any = ray.constraints.new("DAMPED_TRACK")
    aim.target, aim.subtarget, aim.track_axis = armature_object, GAZE_DIRECTION, "TRACK_Z"
