# SPDX-License-Identifier: MIT
"""Objects that armatures reach for or ride on."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Vector


def new_empty(name: str, place: Vector) -> Any:
    """An empty in the scene."""
    empty = bpy.data.objects.new(name, None)
    bpy.context.collection.objects.link(empty)
    empty.location = place
    return empty


def put_on_carrier(rig: Any, frames: tuple[int, ...]) -> None:
    """Hangs the armature on an object that moves and turns."""
    carrier = new_empty("carrier", Vector((1, 2, 3)))
    carrier.rotation_mode = "XYZ"
    random = np.random.default_rng(4)
    for frame in frames:
        carrier.location = random.uniform(-0.5, 0.5, 3)
        carrier.rotation_euler = random.uniform(-0.4, 0.4, 3)
        carrier.keyframe_insert("location", frame=frame)
        carrier.keyframe_insert("rotation_euler", frame=frame)
    rig.parent = carrier
