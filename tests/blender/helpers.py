# SPDX-License-Identifier: MIT
"""Short words for what every test does in Blender.

Blender's data is Any here, for its type stubs know one version only.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from tests.witness import anim_file
from tests.witness.anim_file import AnimFile
from tests.witness.skeleton import Skeleton, load_skeleton

from animbridge.package import library

operators: Any = bpy.ops
SKELETON: Skeleton = load_skeleton()
#: The C library that Blender prints with.
C_LIBRARY = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
#: Where a standing avatar's pelvis is (spec 3): position 0 of mPelvis.
PELVIS_HEIGHT = 1.067
#: Degrees about +Z that bring +X to where the character looks.
FACINGS = {"X": 0.0, "NEGATIVE_Y": -90.0, "NEGATIVE_X": 180.0, "Y": 90.0}


def import_file(path: Path, **options: Any) -> Any:
    """Imports one file at the scene's rate, or as the options say; the armature that plays it."""
    wanted = {"frame_rate": "SCENE", **options}
    assert operators.import_anim.secondlife(filepath=str(path), **wanted) == {"FINISHED"}
    return the_armature()


def export_file(path: Path, **options: Any) -> bytes:
    """Exports the active Action; the bytes written."""
    assert operators.export_anim.secondlife(filepath=str(path), **options) == {"FINISHED"}
    return path.read_bytes()


def the_armature() -> Any:
    """The active armature."""
    active = bpy.context.view_layer.objects.active
    assert active is not None and active.type == "ARMATURE"
    return active


def the_action() -> Any:
    """What the active armature plays."""
    return the_armature().animation_data.action


def raw_properties(block: Any) -> Any:
    """The storage of a data-block's properties, which holds what their limits do not let through."""
    found = getattr(block, "bl_system_properties_get", None)
    return found() if found else block


def select_bones(*names: str) -> None:
    """Selects these bones of the active armature and no others."""
    for bone in the_armature().pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name in names


def fcurves(armature: Any = None) -> Any:
    """The collection of F-curves that an armature plays, on any Blender."""
    animation = (armature or the_armature()).animation_data
    action = animation.action
    if hasattr(action, "layers"):
        return action.layers[0].strips[0].channelbag(animation.action_slot).fcurves
    return action.fcurves


def curves_of(bone: str, prop: str = "") -> list[Any]:
    """The curves of one bone, or of one of its properties."""
    return [c for c in fcurves() if c.data_path.startswith(f'pose.bones["{bone}"].{prop}')]


def keyed_bone(prop: str = "rotation_quaternion", keys: int = 3) -> str:
    """A bone of the active Action with enough keys."""
    for curve in fcurves():
        if curve.data_path.endswith(prop) and len(curve.keyframe_points) >= keys:
            return curve.data_path.split('"')[1]
    raise AssertionError("no bone has so many keys")


def data_blocks() -> dict[str, list[str]]:
    """Names of everything that an import could leave behind."""
    kinds = ("actions", "armatures", "objects", "collections", "texts", "images", "node_groups", "meshes")
    return {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in kinds}


def set_frame(frame: float) -> None:
    """Goes to a frame and its fraction."""
    whole = math.floor(frame)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)


def joint_records(data: bytes) -> dict[bytes, bytes]:
    """Each joint's record as bytes, by name (of several the last)."""
    empty = len(anim_file.write(AnimFile()))
    file = anim_file.parse(data)
    return {
        joint.name: anim_file.write(AnimFile(version=file.version, joints=[joint]))[empty - 4 : -4]
        for joint in file.joints
    }


def without_joints(data: bytes) -> bytes:
    """The file with its joints taken out: header, constraints and tail."""
    file = anim_file.parse(data)
    file.joints = []
    return anim_file.write(file)


def put_in_a_row(rig: Any) -> None:
    """Moves the bones above each other, so that the shape of no body is left."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for place, bone in enumerate(rig.data.edit_bones):
        bone.use_connect = False
        bone.head, bone.tail = (0, 0, 0.1 * place), (0, 0, 0.1 * place + 0.05)
    bpy.ops.object.mode_set(mode="OBJECT")


@contextmanager
def refused(*words: str) -> Iterator[None]:
    """The operator inside must fail with a message that holds these words, and no traceback."""
    with pytest.raises(RuntimeError) as caught:
        yield
    message = " ".join(str(caught.value).split())  # popups have lines
    assert "Traceback" not in message, message
    for word in words:
        assert word in message, message


def reported(capfd: pytest.CaptureFixture[str]) -> str:
    """What operators reported since the last call."""
    C_LIBRARY.fflush(None)
    return capfd.readouterr().out


def with_this_library() -> dict[str, str]:
    """The environment of another Blender, which takes its add-on from the checkout."""
    return {**os.environ, library.ENVIRONMENT_VARIABLE: library.load()._name}


def turn_of(facing: str) -> Matrix:
    """From the avatar's frame to the armature's."""
    return Matrix.Rotation(math.radians(FACINGS[facing]), 4, "Z")


def rest_position(name: str) -> Vector:
    """A joint's place in the avatar's frame at rest, by the witness's skeleton; mPelvis at 0."""
    place, node = Vector(), SKELETON.nodes.get(name)
    while node is not None:
        place += Vector(node.position.tolist())
        node = SKELETON.nodes.get(node.parent)
    return place


def random_rig(random: np.random.Generator, facing: str) -> Any:
    """An armature with all bones of the skeleton: random directions, lengths and rolls, a turned object."""
    armature = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    rig.matrix_world = (
        Matrix.Translation(random.uniform(-3, 3, 3).tolist()) @ random_turn(random).to_matrix().to_4x4()
    )
    bpy.ops.object.mode_set(mode="EDIT")
    turn = turn_of(facing)
    for node in SKELETON.nodes.values():
        if node.kind != "bone":
            continue
        bone = armature.edit_bones.new(node.name)
        bone.head = turn @ rest_position(node.name) + Vector((0, 0, PELVIS_HEIGHT))
        bone.tail = bone.head + random_turn(random) @ Vector((float(random.uniform(0.01, 0.3)), 0, 0))
        bone.roll = float(random.uniform(-3, 3))
        bone.parent = armature.edit_bones.get(node.parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def random_turn(random: np.random.Generator) -> Quaternion:
    """Any rotation."""
    return Quaternion(random.normal(size=4).tolist()).normalized()


def bone_rotation(rig: Any, name: str, facing: str) -> Quaternion:
    """A bone's rotation against its rest, as the avatar's joint turns: C (R b R^-1) C^-1 (spec 3)."""
    rest = rig.data.bones[name].matrix_local.to_quaternion()
    basis = rig.pose.bones[name].matrix_basis.to_quaternion()
    turn = turn_of(facing).to_quaternion()
    return turn.inverted() @ (rest @ basis @ rest.inverted()) @ turn


def degrees_to(found: Quaternion, xyzw: np.ndarray | None) -> float:
    """The angle between a rotation and the witness's."""
    assert xyzw is not None
    x, y, z, w = (float(value) for value in xyzw)
    wanted = Quaternion((w, x, y, z)).normalized()
    found = found.normalized()
    apart = min((found - wanted).magnitude, (found + wanted).magnitude)
    return math.degrees(4 * math.asin(min(apart / 2, 1.0)))
