# SPDX-License-Identifier: MIT
"""Short words for the tests of BVH in Blender; expectations are the witness's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from helpers import operators, set_frame, the_armature
from tests.python.material import ROOT
from tests.witness import bvh_file, bvh_pose
from tests.witness.bvh_file import Bvh

DIALECTS = ROOT / "fixtures" / "bvh" / "dialects"
#: From the file's axes to Blender's with the options' defaults: +Y up becomes +Z, +Z becomes -Y.
TURN = np.array(((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)))


def samples() -> list[Path]:
    """Files of other programs, where the environment variable ANIMBRIDGE_SAMPLES names a folder of them."""
    folder = os.environ.get("ANIMBRIDGE_SAMPLES")
    return sorted((Path(folder) / "bvh").iterdir()) if folder else []


def real_files() -> list[Path]:
    """Files as users have them, and fixtures whose poses the witness gives."""
    fixtures = sorted(DIALECTS.glob("*.world.json"))
    return [*samples(), *(path.with_name(path.name.replace(".world.json", ".bvh")) for path in fixtures)]


def import_bvh(path: Path, **options: Any) -> Any:
    """Imports one file, a unit as a metre and onto a new armature where no option says otherwise.

    The active armature.
    """
    if not {"target", "armature"} & options.keys():
        options = {**options, "target": "NEW"}
    options = options if {"global_scale", "scaling"} & options.keys() else {**options, "global_scale": 1.0}
    assert operators.import_anim.animbridge_bvh(filepath=str(path), **options) == {"FINISHED"}
    return the_armature()


def export_bvh(path: Path, **options: Any) -> Bvh:
    """Exports what the active armature plays; the file's values, as the witness reads them."""
    assert operators.export_anim.animbridge_bvh(filepath=str(path), **options) == {"FINISHED"}
    return bvh_file.parse(path.read_bytes())


def read(path: Path) -> Bvh:
    """A file's values."""
    return bvh_file.parse(path.read_bytes())


def write_bvh(path: Path, bvh: Bvh) -> Path:
    """The witness's text of these values."""
    path.write_bytes(bvh_file.write(bvh))
    return path


def world_of(bvh: Bvh, frame: int, turn: np.ndarray = TURN) -> tuple[np.ndarray, np.ndarray]:
    """Where each joint is in Blender's axes (joints, 3) and how it is turned there (joints, 3, 3)."""
    pose = bvh_pose.pose(bvh, frame)
    rotations = np.array([_matrix(q) for q in pose.rotations])
    return pose.positions @ turn.T, turn @ rotations @ turn.T


def _matrix(xyzw: np.ndarray) -> np.ndarray:
    x, y, z, w = xyzw
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
        )
    )


def rest_of(bvh: Bvh, turn: np.ndarray = TURN) -> np.ndarray:
    """Heads at rest in Blender's axes (joints, 3)."""
    heads = np.zeros((len(bvh.joints), 3))
    for index, joint in enumerate(bvh.joints):
        above = heads[joint.parent] if joint.parent is not None else np.zeros(3)
        heads[index] = above + turn @ np.array(joint.offset)
    return heads


def shown(rig: Any, frame: float) -> tuple[np.ndarray, np.ndarray]:
    """World positions of the bones' heads at a frame, and how the bones are turned from their rest."""
    set_frame(frame)
    bpy.context.view_layer.update()
    bones = rig.pose.bones
    heads = np.array([rig.matrix_world @ bone.head for bone in bones])
    turns = [bone.matrix.to_3x3() @ bone.bone.matrix_local.to_3x3().inverted() for bone in bones]
    return heads, np.array(turns)


def degrees_apart(first: np.ndarray, second: np.ndarray) -> float:
    """The largest angle between rotations (n, 3, 3): by the sine, which is exact for small ones."""
    between = first @ np.swapaxes(second, 1, 2)
    skew = between - np.swapaxes(between, 1, 2)
    sine = np.sqrt(skew[:, 0, 1] ** 2 + skew[:, 0, 2] ** 2 + skew[:, 1, 2] ** 2) / 2
    cosine = (np.trace(between, axis1=1, axis2=2) - 1) / 2
    return float(np.degrees(np.arctan2(sine, cosine)).max(initial=0.0))
