# SPDX-License-Identifier: MIT
"""Two bodies with other names, sizes, postures, rolls and facings, and where their limbs point."""

from __future__ import annotations

import math
from typing import Any

import bpy
from helpers import operators, set_frame
from mathutils import Matrix, Quaternion, Vector

#: Heads in metres of a body in T-pose that looks along -Y, with its left along +X: slot -> (above, head).
_CENTRE = {
    "hips": ("", (0.0, 0.0, 1.0)),
    "spine": ("hips", (0.0, 0.0, 1.12)),
    "chest": ("spine", (0.0, 0.0, 1.25)),
    "upperChest": ("chest", (0.0, 0.0, 1.36)),
    "neck": ("upperChest", (0.0, 0.0, 1.52)),
    "head": ("neck", (0.0, -0.01, 1.61)),
}
_LEFT = {
    "Shoulder": ("upperChest", (0.06, 0.0, 1.46)),
    "UpperArm": ("Shoulder", (0.18, 0.0, 1.46)),
    "LowerArm": ("UpperArm", (0.46, 0.0, 1.46)),
    "Hand": ("LowerArm", (0.72, 0.0, 1.46)),
    "MiddleProximal": ("Hand", (0.82, 0.0, 1.46)),
    "UpperLeg": ("hips", (0.1, 0.0, 0.95)),
    "LowerLeg": ("UpperLeg", (0.1, -0.01, 0.52)),
    "Foot": ("LowerLeg", (0.1, 0.01, 0.09)),
    "Toes": ("Foot", (0.1, -0.13, 0.02)),
}
MIXAMO = {
    **{"hips": "Hips", "spine": "Spine", "chest": "Spine1", "upperChest": "Spine2"},
    **{"neck": "Neck", "head": "Head"},
}
_MIXAMO_SIDE = {
    **{"Shoulder": "Shoulder", "UpperArm": "Arm", "LowerArm": "ForeArm", "Hand": "Hand"},
    **{"MiddleProximal": "HandMiddle1", "UpperLeg": "UpLeg", "LowerLeg": "Leg", "Foot": "Foot"},
    "Toes": "ToeBase",
}
BENTO = {"hips": "mPelvis", "spine": "mTorso", "chest": "mChest", "neck": "mNeck", "head": "mHead"}
_BENTO_SIDE = {
    **{"Shoulder": "mCollar", "UpperArm": "mShoulder", "LowerArm": "mElbow", "Hand": "mWrist"},
    **{"MiddleProximal": "mHandMiddle1", "UpperLeg": "mHip", "LowerLeg": "mKnee", "Foot": "mAnkle"},
    "Toes": "mFoot",
}
#: A slot and the next one, to which it points.
LIMBS = {
    **{"Shoulder": "UpperArm", "UpperArm": "LowerArm", "LowerArm": "Hand", "Hand": "MiddleProximal"},
    **{"UpperLeg": "LowerLeg", "LowerLeg": "Foot", "Foot": "Toes"},
}

#: Of directions; single precision of Blender's curves leaves a hundredth of it.
BOUND_DEGREES = 0.01
#: The source looks along -Y, the target along +X.
TURN = Matrix.Rotation(math.radians(90.0), 3, "Z")
#: Those that `animate` keys.
FRAMES = range(1, 13)


def mixamo_names() -> dict[str, str]:
    """The bone of each slot."""
    names = dict(MIXAMO)
    for side in ("Left", "Right"):
        names |= {side.lower() + slot: side + name for slot, name in _MIXAMO_SIDE.items()}
    return {slot: f"mixamorig:{name}" for slot, name in names.items()}


def bento_names() -> dict[str, str]:
    """The bone of each slot."""
    names = dict(BENTO)
    for side in ("Left", "Right"):
        names |= {side.lower() + slot: name + side for slot, name in _BENTO_SIDE.items()}
    return names


def mixamo_rig() -> Any:
    """A body in T-pose that looks along -Y, 1.7 m high."""
    return _rig("Walker", mixamo_names(), Matrix.Identity(4), 0.0, 0.0)


def bento_rig(arms_down_degrees: float = 40.0) -> Any:
    """A larger body that looks along +X, its arms down as in an A-pose, its bones rolled."""
    turn = Matrix.Rotation(math.radians(90.0), 4, "Z") @ Matrix.Scale(1.2, 4)
    return _rig("Avatar", bento_names(), turn, arms_down_degrees, 0.7)


def _heads(arms_down_degrees: float) -> dict[str, tuple[str, Vector]]:
    heads = {slot: (above, Vector(head)) for slot, (above, head) in _CENTRE.items()}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        shoulder = Vector(_LEFT["UpperArm"][1])
        for slot, (above, place) in _LEFT.items():
            head = Vector(place)
            if slot in {"LowerArm", "Hand", "MiddleProximal"}:
                lower = Matrix.Rotation(math.radians(arms_down_degrees), 3, "Y")
                head = shoulder + lower @ (head - shoulder)
            heads[side + slot] = (above if above in _CENTRE else side + above, head * Vector((sign, 1, 1)))
    return heads


def _rig(name: str, names: dict[str, str], turn: Matrix, arms_down_degrees: float, roll: float) -> Any:
    """Bones without a slot of their own (upperChest on Bento) are left out; what they carry moves up."""
    armature = bpy.data.armatures.new(name)
    rig: Any = bpy.data.objects.new(name, armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    heads = _heads(arms_down_degrees)
    for number, (slot, (above, head)) in enumerate(heads.items()):
        if slot not in names:
            continue
        parent = above
        while parent and parent not in names:
            parent = heads[parent][0]
        bone = armature.edit_bones.new(names[slot])
        bone.head = turn @ head
        bone.parent = armature.edit_bones.get(names[parent]) if parent else None
        bone.tail = bone.head + turn.to_3x3() @ Vector((0.0, 0.0, 0.08))
        bone.roll = roll * number
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def animate(rig: Any, frames: int = 12, mode: str = "QUATERNION", speed: float = 0.5) -> Any:
    """Every bone turns in its own way on every frame, and the body walks; the Action."""
    action = bpy.data.actions.new("dance")
    rig.animation_data_create().action = action
    for number, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = mode
        for frame in range(1, frames + 1):
            angle = 0.4 * math.sin(speed * frame + number)
            axis = Vector((math.sin(number), math.cos(2.0 * number), 0.5 + number % 3))
            turn = Quaternion(axis, angle)
            if mode == "QUATERNION":
                bone.rotation_quaternion = turn
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            else:
                bone.rotation_euler = turn.to_euler(mode)  # pyright: ignore[reportArgumentType]
                bone.keyframe_insert("rotation_euler", frame=frame)
            if number == 0:
                bone.location = (0.02 * frame, 0.03 * math.sin(frame), 0.04 * frame)
                bone.keyframe_insert("location", frame=frame)
    return rig.animation_data.action


def settings() -> Any:
    """What the panel shows."""
    scene: Any = bpy.context.scene
    return scene.animbridge_retarget


def remove_bones(rig: Any, *words: str) -> None:
    """Removes the bones whose names contain one of the words."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in [bone for bone in rig.data.edit_bones if any(word in bone.name for word in words)]:
        rig.data.edit_bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")


def choose(source: Any, target: Any) -> Any:
    """Names source and target in the panel."""
    chosen = settings()
    chosen.source, chosen.target = source, target
    return chosen


def retarget(source: Any, target: Any, **options: Any) -> Any:
    """Auto and Retarget; the Action."""
    chosen = choose(source, target)
    assert operators.animbridge.retarget_auto() == {"FINISHED"}
    for name, value in options.items():
        setattr(chosen, name, value)
    assert operators.animbridge.retarget_apply() == {"FINISHED"}
    return target.animation_data.action


def head_of(rig: Any, bone: str) -> Vector:
    """Where a bone's head is in the world, as Blender evaluates it."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return shown.matrix_world @ shown.pose.bones[bone].head


def direction(rig: Any, names: dict[str, str], slot: str, toward: str) -> Vector:
    """Where a part of the body points in the world."""
    return (head_of(rig, names[toward]) - head_of(rig, names[slot])).normalized()


def degrees_between(one: Vector, other: Vector) -> float:
    """The angle between two unit vectors, by their chord."""
    return math.degrees(2.0 * math.asin(min((one - other).length / 2.0, 1.0)))


def largest_difference(source: Any, target: Any, turn: Matrix = TURN) -> float:
    """Over all limbs and frames."""
    worst = 0.0
    for frame in FRAMES:
        set_frame(frame)
        for side in ("left", "right"):
            for slot, toward in LIMBS.items():
                wanted = turn @ direction(source, mixamo_names(), side + slot, side + toward)
                found = direction(target, bento_names(), side + slot, side + toward)
                worst = max(worst, degrees_between(wanted, found))
    return worst
