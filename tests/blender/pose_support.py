# SPDX-License-Identifier: MIT
"""Viewer poses in Blender: short words for imports and exports, and what the witness says of a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from helpers import SKELETON, operators, the_armature
from tests.python.material import ROOT
from tests.witness import pose_file
from tests.witness.quaternion import product, rotate

FIXTURES = ROOT / "fixtures" / "sl_pose"
#: Between matrices of single precision.
METRES = 3e-6


def samples() -> list[Path]:
    """Poses of other programs, where ANIMBRIDGE_SAMPLES names a folder of them."""
    folder = os.environ.get("ANIMBRIDGE_SAMPLES")
    return sorted((Path(folder) / "sl_pose").rglob("*.xml")) if folder else []


def import_pose(path: Path, **options: Any) -> Any:
    """Imports one file; the armature."""
    assert operators.import_anim.secondlife_pose(filepath=str(path), **options) == {"FINISHED"}
    return the_armature()


def import_poses(folder: Path, *names: str, **options: Any) -> Any:
    """Imports several files of a folder, as a drop does."""
    files = [{"name": name} for name in names]
    done = operators.import_anim.secondlife_pose(directory=str(folder), files=files, **options)
    assert done == {"FINISHED"}
    return the_armature()


def export_pose(path: Path, **options: Any) -> bytes:
    """Exports the current pose; the bytes written."""
    assert operators.export_anim.secondlife_pose(filepath=str(path), **options) == {"FINISHED"}
    return path.read_bytes()


def export_poses(folder: Path, **options: Any) -> dict[str, bytes]:
    """Exports several; the bytes by the files' names."""
    folder.mkdir()
    export = operators.export_anim.secondlife_pose
    assert export(filepath=str(folder / "poses.xml"), **options) == {"FINISHED"}
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def shown_in(data: bytes) -> dict[str, dict[str, Any]]:
    """What the witness says that the viewer shows."""
    return pose_file.shown(pose_file.pose_of(pose_file.parse(data)))


def heads_of(joints: dict[str, dict[str, Any]]) -> dict[str, np.ndarray]:
    """Where the joints are: a scale moves a joint's children, and not theirs."""
    places: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
    start = (np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), np.ones(3))
    for name, node in SKELETON.nodes.items():
        if node.kind != "bone":
            continue
        turn, place, scale = places.get(node.parent, start)
        own = joints.get(name, {"rotation": node.rotation, "position": node.position, "scale": np.ones(3)})
        where = place + rotate(turn, scale * np.array(own["position"]))
        places[name] = (product(turn, np.array(own["rotation"])), where, np.array(own["scale"]))
    return {name: place for name, (_, place, _) in places.items()}


def heads_in_blender(armature: Any) -> dict[str, np.ndarray]:
    """Where the bones are, relative to a pelvis that stands at 0."""
    bpy.context.view_layer.update()
    rest = np.array(armature.data.bones["mPelvis"].head_local)
    return {bone.name: np.array(bone.head) - rest for bone in armature.pose.bones}


def farthest(armature: Any, data: bytes) -> float:
    """Metres between the bones and the witness's joints."""
    wanted, found = heads_of(shown_in(data)), heads_in_blender(armature)
    return max(float(np.linalg.norm(found[name] - place)) for name, place in wanted.items())
