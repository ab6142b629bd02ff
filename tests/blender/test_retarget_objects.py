# SPDX-License-Identifier: MIT
"""Retargeting between armatures whose objects turn, scale and move them."""

from __future__ import annotations

import math

import bpy
import pytest
from helpers import fcurves, operators, refused, set_frame
from mathutils import Matrix, Vector
from retarget_support import (
    BOUND_DEGREES,
    TURN,
    animate,
    bento_rig,
    choose,
    head_of,
    largest_difference,
    mixamo_rig,
    retarget,
)


@pytest.mark.compat
def test_objects_that_turn_and_scale_their_bones() -> None:
    """A Mixamo file's armature lies on its back in centimetres, and its object sets that right."""
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    upright = source.matrix_world.copy()
    lying = Matrix.Rotation(math.radians(-90.0), 4, "X") @ Matrix.Scale(100.0, 4)
    source.data.transform(lying)
    for curve in [curve for curve in fcurves(source) if curve.data_path.endswith("location")]:
        for key in curve.keyframe_points:
            key.co.y *= 100.0
        curve.update()
    source.matrix_world = upright @ lying.inverted()
    target.data.transform(Matrix.Rotation(math.radians(90.0), 4, "X") @ Matrix.Scale(10.0, 4))
    target.matrix_world = Matrix.Rotation(math.radians(-90.0), 4, "X") @ Matrix.Scale(0.1, 4)
    bpy.context.view_layer.update()
    retarget(source, target)
    assert largest_difference(source, target) < BOUND_DEGREES
    set_frame(1)
    starts = head_of(source, "mixamorig:Hips"), head_of(target, "mPelvis")
    set_frame(12)
    moved = TURN @ (head_of(source, "mixamorig:Hips") - starts[0])
    assert (head_of(target, "mPelvis") - starts[1] - 1.2 * moved).length < 1e-4


def test_motion_of_the_object_counts() -> None:
    source, target = mixamo_rig(), bento_rig()
    source.rotation_mode = "XYZ"
    for frame, angle, place in ((1, 0.0, 0.0), (12, 1.2, 2.0)):
        source.rotation_euler = (0.0, 0.0, angle)
        source.location = (place, 0.0, 0.0)
        source.keyframe_insert("rotation_euler", frame=frame)
        source.keyframe_insert("location", frame=frame)
    retarget(source, target, key_times="FRAMES")
    assert largest_difference(source, target) < BOUND_DEGREES
    set_frame(1)
    start = head_of(target, "mPelvis")
    set_frame(12)
    # 2 m along the source's +X, which is the target's +Y, by the ratio of the heights.
    assert (head_of(target, "mPelvis") - start - Vector((0.0, 2.4, 0.0))).length < 1e-4


@pytest.mark.parametrize("bad", [(1.0, 1.0, 2.0), (-1.0, 1.0, 1.0)])
def test_an_uneven_scale_is_refused(bad: tuple[float, float, float]) -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    source.scale = bad
    bpy.context.view_layer.update()
    choose(source, target)
    with refused("Walker", "mirrored or scaled unevenly", "Ctrl A"):
        operators.animbridge.retarget_auto()


def test_bones_without_local_location_on_a_turned_object() -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    target.data.bones["mPelvis"].use_local_location = False
    target.data.transform(Matrix.Rotation(math.radians(90.0), 4, "X"))
    target.matrix_world = Matrix.Rotation(math.radians(-90.0), 4, "X")
    bpy.context.view_layer.update()
    retarget(source, target)
    set_frame(1)
    starts = head_of(source, "mixamorig:Hips"), head_of(target, "mPelvis")
    set_frame(12)
    moved = TURN @ (head_of(source, "mixamorig:Hips") - starts[0])
    assert (head_of(target, "mPelvis") - starts[1] - 1.2 * moved).length < 1e-4
