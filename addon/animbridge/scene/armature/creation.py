# SPDX-License-Identifier: GPL-3.0-or-later
"""New armatures, made as a whole or, on an error, not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import bpy
from mathutils import Vector

from ..activation import activate
from ..undo import undone_on_failure
from .reading import armature_of

#: Where a character looks that faces Blender's front view.
FRONT: Final = Vector((0.0, -1.0, 0.0))
UP: Final = Vector((0.0, 0.0, 1.0))


@contextmanager
def made_armature(context: bpy.types.Context, name: str) -> Iterator[bpy.types.Object]:
    """A new armature object without bones, at the origin, active and selected; none if the body fails."""
    with undone_on_failure() as undo:
        armature = undo.made(bpy.data.armatures.new(name))
        armature_object = undo.made(bpy.data.objects.new(name, armature))
        # Otherwise whatever stands at the origin, such as the default cube, would hide the bones.
        armature_object.show_in_front = True
        context.collection.objects.link(armature_object)
        activate(context.view_layer, armature_object)
        yield armature_object


def edit_bones(armature_object: bpy.types.Object, add: Callable[[bpy.types.Armature], None]) -> None:
    """Lets `add` make the bones in Edit mode, and returns the armature, which is active, to Object mode."""
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        add(armature_of(armature_object))
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def remove_armature(armature_object: bpy.types.Object) -> None:
    """Removes an armature object and what is parented to it, with their data if nothing else uses it."""
    for one in (*armature_object.children, armature_object):
        data = one.data
        bpy.data.objects.remove(one)
        if data is not None and data.users == 0:
            bpy.data.batch_remove([data])


def roll_axis(direction: Vector, forward: Vector) -> Vector:
    """The Z axis of a limb's bone: forward, or up if the bone itself points forward or back.

    Then elbows, knees, spine and tail bend about the bone's X axis, and left mirrors right.
    """
    return UP if abs(direction.normalized().dot(forward)) >= 0.7 else forward
