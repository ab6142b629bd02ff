# SPDX-License-Identifier: MIT
"""Short words for tests of scenes in Blender: expectations of the witness, and what an armature shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from helpers import operators, set_frame, the_armature
from tests.python.material import ROOT

SCENES = ROOT / "fixtures" / "scene"

#: A rest is read in single precision; the figures are at most 2 m tall.
HEAD_METRES = 2e-6
#: Between keys: slerp is followed within 0.002 degrees, and curves of FBX within 0.01 mm.
BETWEEN_METRES = 1e-4
#: The same where curves became keys at frames.
SAMPLED_METRES = 6e-4


def expectation(name: str) -> dict[str, Any]:
    """What the witness says about a fixture."""
    return json.loads((SCENES / f"{name}.expect.json").read_text(encoding="utf-8"))


def import_scene(name: str | Path, **options: Any) -> Any:
    """Imports a fixture or another file; the armature that plays it."""
    path = SCENES / name
    assert operators.import_anim.animbridge_scene(filepath=str(path), **options) == {"FINISHED"}
    return the_armature()


def export_scene(path: Path, **options: Any) -> bytes:
    """Exports what the active armature plays; the bytes written."""
    assert operators.export_anim.animbridge_scene(filepath=str(path), **options) == {"FINISHED"}
    return path.read_bytes()


def shown_heads(armature: Any, names: list[str], seconds: float, first: float = 1.0) -> np.ndarray:
    """The heads of bones in the world at a time of the file, which begins at the frame `first`."""
    render = bpy.context.scene.render
    set_frame(first + seconds * render.fps / render.fps_base)
    return np.array([armature.matrix_world @ armature.pose.bones[name].head for name in names])


def expected_heads(animation: dict[str, Any]) -> np.ndarray:
    """World heads [time][joint]."""
    return np.array(animation["world_heads"])


def joint_names(expected: dict[str, Any], animation: dict[str, Any]) -> list[str]:
    """The names of the joints whose poses an animation lists."""
    return [expected["nodes"][joint]["name"] for joint in animation["joints"]]


def largest_errors(armature: Any, expected: dict[str, Any], index: int) -> tuple[float, float]:
    """How far bones are from the expectation, in metres: at keys, and between them."""
    animation = expected["animations"][index]
    names, heads = joint_names(expected, animation), expected_heads(animation)
    shift = min(0.0, animation["start_seconds"])
    worst = {True: 0.0, False: 0.0}
    for row, seconds in enumerate(animation["times_seconds"]):
        off = np.abs(shown_heads(armature, names, seconds - shift) - heads[row]).max()
        on_key = bool(animation["on_key"][row])
        worst[on_key] = max(worst[on_key], float(off))
    return worst[True], worst[False]
