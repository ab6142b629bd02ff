# SPDX-License-Identifier: GPL-3.0-or-later
"""Edit mode, in which an armature has no pose and takes no Action."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy


def leave_edit_mode(armature_object: bpy.types.Object) -> bool:
    """Changes to Object mode if the armature is in Edit mode; returns whether it was."""
    if armature_object.mode != "EDIT":
        return False
    bpy.ops.object.mode_set(mode="OBJECT")
    return True


def show_pose(view_layer: bpy.types.ViewLayer, armature_object: bpy.types.Object) -> None:
    """Changes to Pose mode if the armature is active, so that its selected bones are seen."""
    is_active = view_layer.objects.active is armature_object
    mode_set: Any = bpy.ops.object.mode_set
    if is_active and armature_object.mode != "POSE" and mode_set.poll():
        mode_set(mode="POSE")


@contextmanager
def out_of_edit_mode(armature_object: bpy.types.Object) -> Iterator[None]:
    """Leaves Edit mode while the block runs."""
    was_in_it = leave_edit_mode(armature_object)
    try:
        yield
    finally:
        if was_in_it:
            bpy.ops.object.mode_set(mode="EDIT")
