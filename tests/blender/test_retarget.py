# SPDX-License-Identifier: MIT
"""Retargeting in Blender: where limbs point, what stays as it was, and every option of the panel.

Expected directions are those of the source's evaluated pose, turned from where the source looks to where the
target does; mathutils computes them, and nothing of the library.
"""

from __future__ import annotations

import base64
import json
import math
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import curves_of, data_blocks, fcurves, operators, refused, reported, select_bones, set_frame
from mathutils import Matrix, Quaternion, Vector
from retarget_support import (
    BOUND_DEGREES,
    FRAMES,
    TURN,
    animate,
    bento_names,
    bento_rig,
    choose,
    degrees_between,
    direction,
    head_of,
    largest_difference,
    mixamo_names,
    mixamo_rig,
    retarget,
    settings,
)
from window import begin_undo, undo_once, with_undo


def frame_range(action: str) -> Any:
    """First and last frame of the Action of this name."""
    return bpy.data.actions[action].frame_range


def curve_bytes(action: Any) -> bytes:
    """All keys of an Action with its paths."""
    if hasattr(action, "layers"):
        curves = action.layers[0].strips[0].channelbag(action.slots[0]).fcurves
    else:
        curves = action.fcurves
    parts = []
    for curve in curves:
        co = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", co)
        parts.append(f"{curve.data_path}{curve.array_index}".encode() + co.tobytes())
    return b"".join(parts)


@pytest.mark.compat
def test_limbs_point_as_the_sources_do() -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    retarget(source, target)
    assert largest_difference(source, target) < BOUND_DEGREES
    set_frame(6)
    still = direction(target, bento_names(), "leftUpperArm", "leftLowerArm")
    set_frame(9)
    assert degrees_between(still, direction(target, bento_names(), "leftUpperArm", "leftLowerArm")) > 1.0


def test_a_source_that_lies_at_rest_is_aligned_by_its_first_frame() -> None:
    """As in recordings whose hips turn the body up in each frame. The frame's turned chest stays turned."""
    source, target = mixamo_rig(), bento_rig()
    names = mixamo_names()
    hips, arm, chest = (source.pose.bones[names[slot]] for slot in ("hips", "leftLowerArm", "chest"))
    upright = hips.bone.matrix_local.copy()
    source.data.transform(Matrix.Rotation(math.radians(90.0), 4, "X"))
    source.animation_data_create().action = bpy.data.actions.new("stands")
    for bone in (hips, arm):
        bone.rotation_mode = "QUATERNION"
    for frame in (3, 12):
        hips.matrix = upright
        hips.keyframe_insert("rotation_quaternion", frame=frame)
        hips.keyframe_insert("location", frame=frame)
        arm.rotation_quaternion = Quaternion((1, 0, 0), 0.1 * (frame - 3))
        arm.keyframe_insert("rotation_quaternion", frame=frame)
    chest.rotation_mode = "QUATERNION"
    chest.rotation_quaternion = Quaternion((0, 1, 0), math.radians(25.0))
    chest.keyframe_insert("rotation_quaternion", frame=3)
    retarget(source, target)
    assert (settings().source_reference, settings().source_frame) == ("FRAME_TPOSE", 3)
    assert largest_difference(source, target) < BOUND_DEGREES
    shoulders = direction(target, bento_names(), "rightUpperArm", "leftUpperArm")
    wanted = TURN @ direction(source, names, "rightUpperArm", "leftUpperArm")
    assert degrees_between(wanted, TURN @ direction(source, names, "rightUpperLeg", "leftUpperLeg")) > 20.0
    assert degrees_between(shoulders, wanted) < 1.0


def test_without_alignment_arms_keep_the_difference_of_the_poses() -> None:
    source, target = mixamo_rig(), bento_rig(arms_down_degrees=40.0)
    animate(source)
    retarget(source, target, align=False)
    assert largest_difference(source, target) > 30.0


def test_the_body_walks_by_the_ratio_of_the_hips_heights() -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    retarget(source, target)
    set_frame(1)
    starts = head_of(source, "mixamorig:Hips"), head_of(target, "mPelvis")
    set_frame(12)
    moved = head_of(source, "mixamorig:Hips") - starts[0]
    found = head_of(target, "mPelvis") - starts[1]
    # The target is 1.2 times as large; hips and lowest foot point scale alike.
    assert (found - 1.2 * (TURN @ moved)).length < 1e-5
    assert moved.length > 0.1


@pytest.mark.parametrize("scale", [(2.0, 0.5), (0.0, 1.0)])
def test_a_given_scale(scale: tuple[float, float]) -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    options = dict(zip(("horizontal_scale", "vertical_scale"), scale, strict=True))
    retarget(source, target, scale_by_height=False, **options)
    set_frame(1)
    starts = head_of(source, "mixamorig:Hips"), head_of(target, "mPelvis")
    set_frame(12)
    moved = TURN @ (head_of(source, "mixamorig:Hips") - starts[0])
    wanted = Vector((scale[0] * moved.x, scale[0] * moved.y, scale[1] * moved.z))
    assert (head_of(target, "mPelvis") - starts[1] - wanted).length < 1e-5


def test_in_place_keeps_the_bob() -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    retarget(source, target, in_place=True)
    places = []
    for frame in FRAMES:
        set_frame(frame)
        places.append(head_of(target, "mPelvis"))
    assert max((place - places[0]).xy.length for place in places) < 1e-5
    assert max(abs(place.z - places[0].z) for place in places) > 0.01


@pytest.mark.compat
def test_the_source_and_the_frame_stay_as_they_are() -> None:
    source, target = mixamo_rig(), bento_rig()
    action = animate(source)
    before = curve_bytes(action)
    set_frame(3.25)
    pose = [bone.matrix_basis.copy() for bone in source.pose.bones]
    retarget(source, target)
    scene = bpy.context.scene
    assert (scene.frame_current, scene.frame_subframe) == (3, 0.25)
    assert curve_bytes(action) == before
    assert source.animation_data.action == action
    assert [bone.matrix_basis for bone in source.pose.bones] == pose
    assert not any(bone.constraints for rig in (source, target) for bone in rig.pose.bones)


def test_one_action_by_its_name_and_nothing_else() -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    before = data_blocks()
    action = retarget(source, target, action_name="{action} of {source} on {target}")
    assert action.name == "dance of Walker on Avatar"
    assert action.use_fake_user
    assert tuple(action.frame_range) == (1.0, 12.0)
    after = data_blocks()
    assert after.pop("actions") == sorted([*before.pop("actions"), action.name])
    assert after == before


def test_undo_is_one_step(window: None) -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    choose(source, target)
    operators.animbridge.retarget_auto()
    begin_undo()
    with_undo(operators.animbridge.retarget_apply)
    assert "dance Avatar" in bpy.data.actions
    undo_once()
    assert "dance Avatar" not in bpy.data.actions and "dance" in bpy.data.actions
    animation = bpy.data.objects["Avatar"].animation_data
    assert animation is None or animation.action is None


@pytest.mark.compat
@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE"])
@pytest.mark.parametrize("keep", [True, False])
def test_rotation_modes_of_the_target(mode: str, keep: bool, capfd: pytest.CaptureFixture[str]) -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    for bone in target.pose.bones:
        bone.rotation_mode = mode
    reported(capfd)
    retarget(source, target, keep_euler=keep)
    stays = keep and mode in {"XYZ", "ZXY"}
    assert target.pose.bones["mElbowLeft"].rotation_mode == (mode if stays else "QUATERNION")
    prop = "rotation_euler" if stays else "rotation_quaternion"
    assert len(curves_of("mElbowLeft", prop)) == (3 if stays else 4)
    assert ("changed to quaternions" in reported(capfd)) == (not stays and mode != "QUATERNION")
    assert largest_difference(source, target) < BOUND_DEGREES


def test_a_success_is_one_line_without_a_warning_sign(capfd: pytest.CaptureFixture[str]) -> None:
    """The status bar shows the last report, and glues the lines of a longer one together."""
    source, target = mixamo_rig(), bento_rig(arms_down_degrees=40.0)
    animate(source)
    for bone in target.pose.bones:
        bone.rotation_mode = "AXIS_ANGLE"
    reported(capfd)
    retarget(source, target)
    lines = reported(capfd).splitlines()
    assert lines and all(line.startswith("Info: ") for line in lines), lines
    assert "changed to quaternions" in lines[-2] and lines[-1].startswith("Info: 'dance Avatar': ")


def test_two_selected_armatures_need_one_click() -> None:
    """The active one is the target; the bones are paired, and the target is shown."""
    target, source = bento_rig(), mixamo_rig()
    animate(source)
    activate(target)
    source.select_set(True)
    assert operators.animbridge.retarget_apply() == {"FINISHED"}
    assert (settings().source, settings().target) == (source, target) and len(settings().pairs) > 15
    assert largest_difference(source, target) < BOUND_DEGREES
    activate(source)
    target.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    operators.animbridge.retarget_auto()
    assert (settings().source, settings().target) == (source, target), "a choice stays"
    assert operators.animbridge.retarget_apply() == {"FINISHED"}
    assert bpy.context.view_layer.objects.active is target and target.select_get()
    assert source.mode == "OBJECT" and not source.select_get()


def test_one_selected_armature_is_not_enough() -> None:
    source, target = mixamo_rig(), bento_rig()
    for thing in (source, target):
        activate(thing)
        assert not operators.animbridge.retarget_auto.poll()


def activate(thing: Any) -> None:
    """Makes an object active, and the only one that is selected."""
    for other in bpy.context.view_layer.objects:
        other.select_set(other is thing)
    bpy.context.view_layer.objects.active = thing


def test_only_selected_bones() -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    bpy.context.view_layer.objects.active = target
    select_bones("mElbowLeft", "mWristLeft")
    chosen.only_selected = True
    operators.animbridge.retarget_apply()
    paths = {curve.data_path for curve in fcurves(target)}
    assert paths == {f'pose.bones["{name}"].rotation_quaternion' for name in ("mElbowLeft", "mWristLeft")}
    select_bones()
    with refused("No bone of 'Avatar'", "is selected", "Only Selected Bones"):
        operators.animbridge.retarget_apply()


@pytest.mark.parametrize(
    ("frame_range", "wanted"), [("ACTION", (1, 12)), ("SCENE", (3, 5)), ("CUSTOM", (4, 9))]
)
def test_ranges(frame_range: str, wanted: tuple[int, int]) -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 3, 5
    retarget(source, target, frame_range=frame_range, first_frame=4, last_frame=9)
    keys = fcurves(target)[0].keyframe_points
    assert [key.co.x for key in keys] == list(range(wanted[0], wanted[1] + 1))
    with refused("from 9 to 4", "Check the frame range"):
        retarget(source, target, frame_range="CUSTOM", first_frame=9, last_frame=4)


def test_keys_where_the_source_has_them() -> None:
    """A recording of another rate has keys between frames."""
    source, target = mixamo_rig(), bento_rig()
    bone = source.pose.bones["mixamorig:LeftArm"]
    times = [1.0 + 0.8 * number for number in range(11)]
    for time in times:
        bone.rotation_quaternion = Quaternion((0.0, 1.0, 0.0), 0.1 * time)
        bone.keyframe_insert("rotation_quaternion", frame=time)
    frames = [float(frame) for frame in range(1, 10)]
    retarget(source, target)
    assert [key.co.x for key in fcurves(target)[0].keyframe_points] == frames
    retarget(source, target, key_times="SOURCE")
    found = [key.co.x for key in fcurves(target)[0].keyframe_points]
    assert found == pytest.approx(times, abs=1e-5)
    retarget(source, target, key_times="EXACT")
    found = [key.co.x for key in fcurves(target)[0].keyframe_points]
    assert found == pytest.approx(sorted({*frames, *times}), abs=1e-5)
    with refused("no keys between", "Set Keys to Frames"):
        retarget(source, target, key_times="SOURCE", frame_range="CUSTOM", first_frame=20, last_frame=30)


@pytest.mark.compat
def test_every_action_of_the_source() -> None:
    source, target = mixamo_rig(), bento_rig()
    first = animate(source)
    first.name = "walk"
    first.use_fake_user = True
    second = animate(source, frames=5, speed=1.3)
    second.name = "wave"
    retarget(source, target, every_action=True)
    assert {"walk Avatar", "wave Avatar"} <= {action.name for action in bpy.data.actions}
    assert tuple(frame_range("walk Avatar")) == (1.0, 12.0)
    assert tuple(frame_range("wave Avatar")) == (1.0, 5.0)
    assert target.animation_data.action.name == "wave Avatar"
    assert source.animation_data.action == second
    for action in (first, second):
        source.animation_data.action = action
        if hasattr(action, "slots"):
            source.animation_data.action_slot = action.slots[0]
        alone = retarget(source, target, every_action=False)
        assert curve_bytes(alone) == curve_bytes(bpy.data.actions[f"{action.name} Avatar"])
    source.animation_data.action = second


def test_every_action_leaves_out_those_made_for_the_target() -> None:
    """Two armatures with the same bones: all Actions have curves for both."""
    source, target = bento_rig(), bento_rig()
    animate(source)
    for _ in range(2):
        retarget(source, target, every_action=True, action_name="{action}!")
    assert sorted(action.name for action in bpy.data.actions) == ["dance", "dance!", "dance!.001"]


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("way", ["FRAME", "POSE"])
def test_a_reference_pose(side: str, way: str) -> None:
    """Arms posed alike beforehand need no alignment, and none happens: what is given counts as alike."""
    source, target = mixamo_rig(), bento_rig(arms_down_degrees=40.0)
    rig, name = {"source": (source, "mixamorig:{}Arm"), "target": (target, "mShoulder{}")}[side]
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    arms = [pair for pair in chosen.pairs if pair.slot.endswith("UpperArm")]
    assert [pair.angle for pair in arms] == pytest.approx([40.0, 40.0], abs=1e-3)
    for word, sign in (("Left", 1.0), ("Right", -1.0)):
        bone = rig.pose.bones[name.format(word)]
        # The source's arms go down, those of the target, which looks along +X, up.
        turn = Matrix.Rotation(math.radians(40.0 * sign), 4, "Y" if side == "source" else "X")
        bone.matrix = Matrix.Translation(bone.head) @ turn @ Matrix.Translation(-bone.head) @ bone.matrix
        if way == "FRAME":
            bone.keyframe_insert("rotation_quaternion", frame=7)
    bpy.context.view_layer.update()
    if way == "POSE":
        assert operators.animbridge.retarget_use_pose(side=side.upper()) == {"FINISHED"}
        for bone in rig.pose.bones:
            bone.matrix_basis = Matrix.Identity(4)
    else:
        setattr(chosen, f"{side}_reference", "FRAME")
        setattr(chosen, f"{side}_frame", 7)
    operators.animbridge.retarget_preview()
    assert [pair.angle for pair in arms] == pytest.approx([0.0, 0.0], abs=1e-2)
    operators.animbridge.retarget_preview()


@pytest.mark.parametrize(("reference", "wanted_degrees"), [("FRAME", 40.0), ("FRAME_TPOSE", 0.0)])
def test_a_frame_that_is_made_straight(reference: str, wanted_degrees: float) -> None:
    """The source stands in T-pose, and the target's arms are 40 degrees lower."""
    chosen = choose(mixamo_rig(), bento_rig(arms_down_degrees=40.0))
    chosen.target_reference, chosen.target_frame = reference, 1
    operators.animbridge.retarget_auto()
    arms = [pair for pair in chosen.pairs if pair.slot.endswith("UpperArm")]
    assert [pair.angle for pair in arms] == pytest.approx([wanted_degrees] * 2, abs=1e-2)


def test_a_figure_of_the_source_beside_the_preview() -> None:
    """As large as the target, with its heading, and with limbs that point like those of the preview."""
    source, target = mixamo_rig(), bento_rig(arms_down_degrees=40.0)
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    assert chosen.figure == ""
    operators.animbridge.retarget_preview()
    bpy.context.view_layer.update()
    lines = np.reshape(json.loads(chosen.figure)["source"], (-1, 2, 3)) + target.matrix_world.translation
    heads = {bone.name: np.array(target.matrix_world @ bone.head) for bone in target.pose.bones}
    paired = np.array([heads[pair.target] for pair in chosen.pairs])
    assert len(paired) - 3 < len(lines) < len(paired)
    assert np.ptp(lines[..., 2]) == pytest.approx(np.ptp(paired[:, 2]), rel=0.1)
    assert lines[..., 1].min() > paired[:, 1].max() or lines[..., 1].max() < paired[:, 1].min()
    directions = (lines[:, 1] - lines[:, 0]) / np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)[:, None]
    limbs = [("mShoulder", "mElbow"), ("mElbow", "mWrist"), ("mHip", "mKnee"), ("mKnee", "mAnkle")]
    for upper, lower in [(a + side, b + side) for a, b in limbs for side in ("Left", "Right")]:
        limb = heads[lower] - heads[upper]
        assert (directions @ (limb / np.linalg.norm(limb))).max() > math.cos(math.radians(2.0)), upper
    operators.animbridge.retarget_preview()
    assert chosen.figure == ""


def test_a_pose_that_was_not_taken() -> None:
    source, target = mixamo_rig(), bento_rig()
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    chosen.target_reference = "POSE"
    endless = base64.b64encode(np.full(16, np.nan, "<f4").tobytes()).decode()
    for text in (
        "",
        "{",
        '{"bones": ["a"], "matrices": "AAAA"}',
        '{"bones": 3}',
        f'{{"bones": ["mPelvis"], "matrices": "{endless}"}}',
    ):
        chosen.target_pose = text
        with refused("No pose was taken of 'Avatar'", "Use Current Pose"):
            operators.animbridge.retarget_apply()


def test_what_cannot_be_retargeted() -> None:
    source, target = mixamo_rig(), bento_rig()
    animate(source)
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    for pair in chosen.pairs:
        pair.is_on = False
    with refused("no pair that is switched on", "Auto"):
        operators.animbridge.retarget_apply()
    operators.animbridge.retarget_auto()
    chosen.pairs[3].target = "nothing"
    with refused("'Avatar' has no bone 'nothing'", "switch the pair off"):
        operators.animbridge.retarget_apply()
    chosen.pairs[3].target = chosen.pairs[4].target
    with refused("is in two pairs"):
        operators.animbridge.retarget_apply()
    chosen.pairs[3].is_on = False
    operators.animbridge.retarget_apply()
    chosen.target = source
    with refused("both source and target"):
        operators.animbridge.retarget_apply()
    assert not operators.animbridge.retarget_apply.poll() or settings().target is not None


def test_a_failure_leaves_nothing_behind() -> None:
    source, target = mixamo_rig(), bento_rig()
    first = animate(source)
    first.use_fake_user = True
    animate(source, frames=5).name = "far"
    chosen = choose(source, target)
    operators.animbridge.retarget_auto()
    for bone in target.pose.bones:
        bone.rotation_mode = "AXIS_ANGLE"
    chosen.every_action = True
    chosen.frame_range, chosen.key_times = "CUSTOM", "SOURCE"
    chosen.first_frame, chosen.last_frame = 6, 12
    before = data_blocks()
    with refused("no keys between the frames 6 and 12"):
        operators.animbridge.retarget_apply()
    assert data_blocks() == before
    assert {bone.rotation_mode for bone in target.pose.bones} == {"AXIS_ANGLE"}
    assert target.animation_data is None or target.animation_data.action is None
