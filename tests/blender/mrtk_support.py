# SPDX-License-Identifier: MIT
"""Short words for the tests of MRTK recordings in Blender; the witness says what is expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from helpers import operators, set_frame, the_armature
from tests.python.material import ROOT
from tests.witness import mrtk_axes, mrtk_file
from tests.witness.mrtk_file import Recording

MRTK = ROOT / "fixtures" / "mrtk"
PREFIXES = {"left": "L_", "right": "R_"}
#: Blender's poses are products of matrices in single precision, within 2 m of the origin.
METRES = 1e-5
DEGREES = 2e-3

Row = dict[str, Any]


def rows() -> list[Row]:
    """The manifest's files that can be read."""
    files: list[Row] = json.loads((MRTK / "manifest.json").read_text())["files"]
    return [row for row in files if row["lenient"] == "ok"]


def stem_of(row: Row) -> str:
    """A test's name."""
    return Path(row["file"]).stem


def row_of(stem: str) -> Row:
    """One file of the manifest."""
    return next(row for row in rows() if stem_of(row) == stem)


def with_keys() -> list[Row]:
    """Files of which Blender shows something: numbers everywhere, and at least one key."""
    return [row for row in rows() if row.get("poses") and sum(row["keys"].values())]


def path_of(row: Row | str) -> Path:
    """Where a fixture is."""
    return MRTK / (f"{row}.bin" if isinstance(row, str) else row["file"])


def read(path: Path) -> Recording:
    """What the witness reads."""
    return mrtk_file.parse(path.read_bytes(), lenient=True)


def import_mrtk(path: Path, **options: Any) -> Any:
    """Imports one recording; its armature."""
    assert operators.import_anim.mrtk(filepath=str(path), **options) == {"FINISHED"}
    return the_armature()


def export_mrtk(path: Path, **options: Any) -> bytes:
    """Exports what the active armature plays; the bytes written."""
    assert operators.export_anim.mrtk(filepath=str(path), **options) == {"FINISHED"}
    return path.read_bytes()


def frame_at(seconds: float, first: float = 1.0) -> float:
    """The scene's frame at a moment of the recording."""
    render = bpy.context.scene.render
    return first + seconds * render.fps / render.fps_base


def show(seconds: float, first: float = 1.0) -> None:
    """Goes to a moment of the recording."""
    set_frame(frame_at(seconds, first))


def world(armature: Any, bone: str) -> np.ndarray:
    """A pose bone's matrix in the world, as the depsgraph has it."""
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(evaluated.matrix_world @ evaluated.pose.bones[bone].matrix, np.float64)


def meant(pose: Row) -> np.ndarray:
    """A manifest's pose in Blender's axes, as a matrix."""
    made = np.eye(4)
    w, x, y, z = mrtk_axes.blender_rotation(pose["meant"])
    made[:3, :3] = np.array(mrtk_axes.matrix((x, y, z, w))).T
    made[:3, 3] = mrtk_axes.blender_vector(pose["position"])
    return made


def poses_in(moment: Row) -> dict[str, Row]:
    """The poses of a manifest's moment, by the names of bones."""
    found = {"Camera": moment["camera"]} if "camera" in moment else {}
    for hand, prefix in PREFIXES.items():
        for joint, pose in moment.get(hand, {}).get("joints", {}).items():
            found[prefix + joint] = pose
    return found


def apart(found: np.ndarray, wanted: np.ndarray) -> tuple[float, float]:
    """Metres and degrees between two matrices without scale."""
    metres = float(np.linalg.norm(found[:3, 3] - wanted[:3, 3]))
    # The distance of two rotations' matrices is 2 sqrt(2) sin(angle / 2).
    chord = float(np.linalg.norm(found[:3, :3] - wanted[:3, :3])) / (2 * 2**0.5)
    return metres, float(np.degrees(2 * np.arcsin(min(chord, 1.0))))
