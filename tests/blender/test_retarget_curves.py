# SPDX-License-Identifier: MIT
"""Where curves say all that a source does, Retarget reads them, and gets what Blender shows at the frames.

Blender itself is the witness: the same motion is retargeted once more from sampled frames.
"""

from __future__ import annotations

import random
from typing import Any

import bpy
import pytest
from helpers import fcurves
from mathutils import Euler, Matrix, Vector
from retarget_sampling import Recorder, assert_same, table_of
from retarget_support import animate, bento_rig, mixamo_rig, retarget

from animbridge.compat import actions

_EULERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
_PROPERTIES = {"QUATERNION": ("rotation_quaternion", 4), "AXIS_ANGLE": ("rotation_axis_angle", 4)}
_SCALES = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE")


def add_root(rig: Any) -> None:
    """A bone above the hips that no pair names."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    root = rig.data.edit_bones.new("carrier")
    root.head, root.tail, root.roll = (0.1, 0.2, 0.0), (0.1, 0.3, 0.3), 0.4
    rig.data.edit_bones["mixamorig:Hips"].parent = root
    bpy.ops.object.mode_set(mode="OBJECT")


def randomise_bones(rig: Any, chance: random.Random) -> None:
    """Rolls, connections, and how bones take over location and scale."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in rig.data.edit_bones:
        bone.tail = bone.head + Vector([chance.uniform(-0.1, 0.1) for _ in range(3)]).normalized() * 0.08
        bone.roll = chance.uniform(-3.0, 3.0)
    for bone in rig.data.edit_bones:
        if bone.parent and chance.random() < 0.15:
            bone.parent.tail = bone.head
            bone.use_connect = True
        elif not bone.parent:
            bone.use_connect = chance.random() < 0.2
        bone.use_local_location = chance.random() < 0.7
        bone.inherit_scale = chance.choice(_SCALES)
    bpy.ops.object.mode_set(mode="OBJECT")


def key_times(chance: random.Random) -> list[float]:
    """Ascending, some of them between frames and outside the range."""
    count = chance.choice((1, 2, 5, 9))
    whole = sorted(chance.sample(range(-3, 20), count))
    return [frame + chance.choice((0.0, 0.0, 0.25, 0.4)) for frame in whole]


def add_curve(holder: Any, path: str, index: int, start: float, chance: random.Random) -> None:
    """A curve about a value, with keys of any kind that the library knows."""
    curve = holder.fcurves.new(path, index=index)
    times = key_times(chance)
    curve.keyframe_points.add(len(times))
    kinds = chance.choice((("LINEAR",), ("BEZIER",), ("CONSTANT",), ("LINEAR", "BEZIER", "CONSTANT")))
    for key, time in zip(curve.keyframe_points, times, strict=True):
        key.co = (time, start + chance.uniform(-0.6, 0.6))
        key.interpolation = chance.choice(kinds)
    curve.update()
    for key in curve.keyframe_points:
        if chance.random() < 0.3:
            key.handle_left_type = key.handle_right_type = "FREE"
            key.handle_left = key.co - Vector((chance.uniform(0.0, 6.0), chance.uniform(-0.5, 0.5)))
            key.handle_right = key.co + Vector((chance.uniform(0.0, 6.0), chance.uniform(-0.5, 0.5)))


def animate_at_random(rig: Any, chance: random.Random) -> None:
    """Curves for some components of some bones; the other bones stand in a pose."""
    action = bpy.data.actions.new("anything")
    channels = actions.create_channels(action, rig.name)
    for bone in rig.pose.bones:
        bone.rotation_mode = chance.choice((*_EULERS, "QUATERNION", "QUATERNION", "AXIS_ANGLE"))
        prop, width = _PROPERTIES.get(bone.rotation_mode, ("rotation_euler", 3))
        present = [chance.uniform(-0.5, 0.5) for _ in range(width)]
        if prop == "rotation_quaternion":
            present[0] = 1.3
        setattr(bone, prop, present)
        if bone.parent is None or chance.random() < 0.3:
            bone.location = [chance.uniform(-0.1, 0.1) for _ in range(3)]
        path = f'pose.bones["{bone.name}"].'
        share = chance.choice((0.0, 0.6, 1.0))
        for index in range(width):
            if chance.random() < share:
                add_curve(channels.holder, path + prop, index, present[index], chance)
        for index in range(3):
            if chance.random() < 0.2:
                add_curve(channels.holder, path + "location", index, bone.location[index], chance)
    hips = 'pose.bones["mixamorig:Hips"].location'
    if not any(curve.data_path == hips for curve in channels.holder.fcurves):
        add_curve(channels.holder, hips, 0, 0.0, chance)
    actions.assign(rig.animation_data_create(), channels)


def place_at_random(rig: Any, chance: random.Random) -> None:
    """The same upright body in an object that turns, scales, and perhaps hangs on a parent.

    Not with roots whose locations are along the armature's axes.
    """
    lies = any(bone.parent is None and not bone.use_local_location for bone in rig.data.bones)
    if lies or chance.random() < 0.3:
        return
    scale = chance.choice((0.01, 0.5, 3.0))
    turn = Euler([chance.uniform(-3.0, 3.0) for _ in range(3)]).to_matrix().to_4x4()
    rig.data.transform(Matrix.Scale(1.0 / scale, 4) @ turn.inverted())
    for bone in rig.pose.bones:
        bone.location /= scale
    for curve in fcurves(rig):
        if curve.data_path.endswith("location"):
            for key in curve.keyframe_points:
                for part in (key.co, key.handle_left, key.handle_right):
                    part.y /= scale
    if chance.random() < 0.5:
        empty = bpy.data.objects.new("above", None)
        bpy.context.collection.objects.link(empty)
        empty.matrix_world = turn
        rig.parent = empty
        rig.scale = (scale, scale, scale)
    else:
        rig.matrix_world = turn @ Matrix.Scale(scale, 4)
    bpy.context.view_layer.update()


@pytest.mark.parametrize("seed", range(40))
def test_curves_give_what_blender_shows(seed: int, recorder: Recorder) -> None:
    chance = random.Random(seed)
    source, target = mixamo_rig(), bento_rig()
    add_root(source)
    randomise_bones(source, chance)
    animate_at_random(source, chance)
    place_at_random(source, chance)
    scene: Any = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 16
    options = {
        "frame_range": chance.choice(("SCENE", "ACTION")),
        "key_times": chance.choice(("FRAMES", "SOURCE")),
        "every_action": chance.random() < 0.3,
        "align": chance.random() < 0.5,
    }
    retarget(source, target, **options)
    assert recorder.samplings == 0
    found = table_of(target)
    with recorder.sampling():
        retarget(source, target, **options)
    assert recorder.samplings == 1
    assert_same(found, table_of(target))
    assert max(len(table) for table in found.values()) > 1


@pytest.mark.compat
def test_reports_are_the_same_too(recorder: Recorder, capfd: pytest.CaptureFixture[str]) -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    retarget(source, target)
    by_curves, frame = capfd.readouterr().out, bpy.context.scene.frame_current
    assert recorder.samplings == 0 and "parts" in by_curves
    bpy.data.actions.remove(target.animation_data.action)
    with recorder.sampling():
        retarget(source, target)
    assert capfd.readouterr().out == by_curves
    assert bpy.context.scene.frame_current == frame
