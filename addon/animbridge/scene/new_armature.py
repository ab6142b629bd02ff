# SPDX-License-Identifier: GPL-3.0-or-later
"""New armatures, made in one go, and taken away again when the making fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import bpy
from mathutils import Vector

from .armature import armature_of

#: Where a character looks that looks where Blender's front view expects it to.
FRONT: Final = Vector((0.0, -1.0, 0.0))
UP: Final = Vector((0.0, 0.0, 1.0))


@contextmanager
def made_armature(context: bpy.types.Context, name: str) -> Iterator[bpy.types.Object]:
    """A new armature object without bones, at the origin, active and selected; none if the body fails."""
    made: list[bpy.types.ID] = []
    try:
        armature = bpy.data.armatures.new(name)
        made.append(armature)
        armature_object = bpy.data.objects.new(name, armature)
        made.append(armature_object)
        context.collection.objects.link(armature_object)
        activate(context.view_layer, armature_object)
        yield armature_object
    except BaseException:
        bpy.data.batch_remove(made)
        raise


def edit_bones(armature_object: bpy.types.Object, add: Callable[[bpy.types.Armature], None]) -> None:
    """Lets `add` make the bones in Edit mode; the armature, which is active, is in Object mode afterwards."""
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        add(armature_of(armature_object))
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def remove_armature(armature_object: bpy.types.Object) -> None:
    """Removes an armature object and its data, if nothing else uses it."""
    armature = armature_of(armature_object)
    bpy.data.objects.remove(armature_object)
    if armature.users == 0:
        bpy.data.armatures.remove(armature)


def roll_axis(direction: Vector, forward: Vector) -> Vector:
    """The Z axis of a bone of a limb: forward, or upward where the bone itself points forward or back.

    Then elbows, knees, spine and tail bend about the bone's X axis, and left mirrors right.
    """
    return UP if abs(direction.normalized().dot(forward)) >= 0.7 else forward


def activate(view_layer: bpy.types.ViewLayer, thing: bpy.types.Object) -> None:
    """Makes an object active, and the only selected one; in Object mode."""
    active = view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for selected in list(view_layer.objects.selected):
        selected.select_set(False)
    view_layer.objects.active = thing
    thing.select_set(True)
