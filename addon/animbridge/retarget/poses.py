# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference poses: those in which source and target stand alike."""

from __future__ import annotations

import base64
import json
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..package import AnimBridgeError, Armature
from ..scene.armature.reading import pose_bones
from ..scene.export.sampling import sample_poses, stale_reason

Floats = NDArray[np.float32]


def shown_pose(scene: bpy.types.Scene, armature_object: bpy.types.Object, armature: Armature) -> Floats:
    """Bones x 16: the pose that the armature shows at present."""
    frames = np.array([scene.frame_current_final])
    return sample_poses(scene, armature_object, armature, frames, as_it_is=True).matrices[0]


def pose_at(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, armature: Armature, frame: float
) -> Floats:
    """Bones x 16: the pose at a frame of the scene."""
    return sample_poses(scene, armature_object, armature, np.array([frame])).matrices[0]


def packed_pose(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> str:
    """The pose that the armature shows, as text for a property."""
    reason = stale_reason(scene, armature_object)
    if reason:
        raise AnimBridgeError(f"The armature '{armature_object.name}' {reason}, so its pose can't be read.")
    bones: Any = pose_bones(armature_object)
    matrices = np.empty(16 * len(bones), np.float32)
    bones.foreach_get("matrix", matrices)
    data = base64.b64encode(matrices.astype("<f4").tobytes()).decode("ascii")
    return json.dumps({"bones": list(bones.keys()), "matrices": data})


def unpacked_pose(text: str, armature: Armature, name: str) -> Floats:
    """Bones x 16: the pose of the text; bones that it doesn't have are at rest."""
    try:
        stored = json.loads(text)
        names = [str(bone) for bone in stored["bones"]]
        data = base64.b64decode(stored["matrices"], validate=True)
        matrices = np.frombuffer(data, "<f4").reshape(len(names), 16)
        if not np.isfinite(matrices).all():
            raise ValueError(text)
    except (ValueError, TypeError, KeyError, RecursionError) as fault:
        raise AnimBridgeError(
            f"No pose was taken of '{name}'. Pose it and press Use Current Pose, or choose another reference."
        ) from fault
    places = {bone: row for row, bone in enumerate(names)}
    pose = np.array(armature.rest_matrices, np.float32).reshape(-1, 16).copy()
    for row, bone in enumerate(armature.names):
        if bone in places:
            pose[row] = matrices[places[bone]]
    return pose
