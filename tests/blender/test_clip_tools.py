# SPDX-License-Identifier: MIT
"""The panel Clip: tools on the Action of an armature, against what their definitions say of the keys."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import fcurves, operators, refused, set_frame
from layered_actions import needs_two_layers, two_layers
from mathutils import Euler, Matrix, Quaternion, Vector
from window import begin_undo, undo_once, with_undo

#: name: (parent, head, tail); Z is up, the figure looks along -Y, its left side is at +X.
BONES = {
    "hips": ("", (0, 0, 1.0), (0, 0, 1.2)),
    "spine": ("hips", (0, 0, 1.2), (0, 0, 1.4)),
    "chest": ("spine", (0, 0, 1.4), (0, 0, 1.5)),
    "neck": ("chest", (0, 0, 1.5), (0, 0, 1.6)),
    "head": ("neck", (0, 0, 1.6), (0, 0, 1.8)),
}
for side, sign in (("L", 1.0), ("R", -1.0)):
    BONES |= {
        f"upper_arm.{side}": ("chest", (0.2 * sign, 0, 1.45), (0.5 * sign, 0, 1.45)),
        f"forearm.{side}": (f"upper_arm.{side}", (0.5 * sign, 0, 1.45), (0.75 * sign, 0, 1.45)),
        f"hand.{side}": (f"forearm.{side}", (0.75 * sign, 0, 1.45), (0.9 * sign, 0, 1.45)),
        f"thigh.{side}": ("hips", (0.1 * sign, 0, 1.0), (0.1 * sign, 0, 0.5)),
        f"shin.{side}": (f"thigh.{side}", (0.1 * sign, 0, 0.5), (0.1 * sign, 0, 0.1)),
        f"foot.{side}": (f"shin.{side}", (0.1 * sign, 0, 0.1), (0.1 * sign, -0.2, 0)),
    }
FPS = 24.0


def new_rig() -> Any:
    """A person with an empty Action."""
    armature = bpy.data.armatures.new("Person")
    rig: Any = bpy.data.objects.new("Person", armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (parent, head, tail) in BONES.items():
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = armature.edit_bones.get(parent)
        if name.endswith(".L"):
            bone.roll = 0.4
        elif name.endswith(".R"):
            bone.roll = -0.4
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return rig


def key(rig: Any, bone: str, prop: str, frame: float, value: Any) -> None:
    setattr(rig.pose.bones[bone], prop, value)
    rig.pose.bones[bone].keyframe_insert(prop, frame=frame)


def turned(degrees: float, axis: tuple[float, float, float]) -> Quaternion:
    return Quaternion(axis, math.radians(degrees))


@pytest.fixture
def rig() -> Any:
    """A rig whose Action has Bezier keys of a turn, a walk, Euler angles, and something else that plays."""
    made = new_rig()
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 49
    for frame, angle in ((1, 0), (13, 50), (25, -20), (49, 30)):
        key(made, "upper_arm.L", "rotation_quaternion", frame, turned(angle, (0.6, 0, 0.8)))
    for frame, y in ((1, 0.0), (25, 0.1), (49, 0.3)):
        key(made, "hips", "location", frame, (0.02 * frame / 49, y, 0.0))
    made.pose.bones["head"].rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (25, 0.5), (49, 0.1)):
        key(made, "head", "rotation_euler", frame, (angle, 0.2 * angle, 0.0))
    made["glow"] = 0.0
    for frame, value in ((1, 0.0), (31, 1.0)):
        made["glow"] = value
        made.keyframe_insert('["glow"]', frame=frame)
    curve = curve_of("head", "rotation_euler", 0)
    curve.keyframe_points[1].type = "EXTREME"
    modifier = curve.modifiers.new("NOISE")
    modifier.strength = 0.0
    bpy.context.view_layer.update()
    return made


def curve_of(bone: str, prop: str, index: int) -> Any:
    path = f'pose.bones["{bone}"].{prop}' if bone else prop
    return next(c for c in fcurves() if c.data_path == path and c.array_index == index)


def all_keys() -> dict[tuple[str, int], bytes]:
    """Everything that Blender stores of each curve's keys, bit for bit."""
    found = {}
    for curve in fcurves():
        rows = []
        for point in curve.keyframe_points:
            rows.append(np.array([*point.co, *point.handle_left, *point.handle_right], np.float32).tobytes())
            rows.append(
                "|".join(
                    (point.interpolation, point.type, point.handle_left_type, point.handle_right_type)
                ).encode()
            )
        found[curve.data_path, curve.array_index] = b"".join(rows)
    return found


def shown(rig: Any, frames: Any) -> dict[str, np.ndarray]:
    """The bones' matrices as Blender evaluates them."""
    found: dict[str, list[Any]] = {bone.name: [] for bone in rig.pose.bones}
    for frame in frames:
        set_frame(float(frame))
        for bone in rig.pose.bones:
            found[bone.name].append(np.array(bone.matrix))
    return {name: np.array(rows) for name, rows in found.items()}


def far(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> float:
    return max(float(np.abs(a[name] - b[name]).max()) for name in a)


def test_reverse_plays_backwards_and_twice_is_as_before(rig: Any) -> None:
    frames = np.linspace(1, 49, 33)
    before, keys = shown(rig, frames), all_keys()
    assert operators.animbridge.clip_reverse() == {"FINISHED"}
    after = shown(rig, 50 - frames)
    assert far(before, after) < 2e-4
    # The property's last key was at 31: backwards its first is at 19.
    glow = curve_of("", '["glow"]', 0)
    assert [point.co[0] for point in glow.keyframe_points] == [19.0, 49.0]
    marked = curve_of("head", "rotation_euler", 0)
    assert [point.type for point in marked.keyframe_points] == ["KEYFRAME", "EXTREME", "KEYFRAME"]
    assert len(marked.modifiers) == 1
    assert operators.animbridge.clip_reverse() == {"FINISHED"}
    now = all_keys()
    assert set(now) == set(keys)
    assert far(before, shown(rig, frames)) < 2e-4


def test_speed_moves_keys_markers_and_ranges(rig: Any) -> None:
    action = rig.animation_data.action
    action.pose_markers.new("step").frame = 25
    frames = np.linspace(1, 49, 17)
    before = shown(rig, frames)
    assert operators.animbridge.clip_speed(by="speed", speed=2.0) == {"FINISHED"}
    assert far(before, shown(rig, 1 + (frames - 1) / 2)) < 2e-4
    assert action.pose_markers["step"].frame == 13
    assert bpy.context.scene.frame_end == 25
    glow = curve_of("", '["glow"]', 0)
    assert [point.co[0] for point in glow.keyframe_points] == [1.0, 16.0]
    numbers = action.animbridge_clip
    assert numbers.before.seconds == pytest.approx(2.0)
    assert numbers.after.seconds == pytest.approx(1.0)


def test_trim_keeps_what_is_shown_between(rig: Any) -> None:
    action = rig.animation_data.action
    for name, frame in (("early", 3), ("mid", 20)):
        action.pose_markers.new(name).frame = frame
    frames = np.linspace(7, 40, 34)
    before = shown(rig, frames)
    done = operators.animbridge.clip_trim(span="CUSTOM", first_frame=7, last_frame=40)
    assert done == {"FINISHED"}
    assert far(before, shown(rig, frames - 6)) < 2e-4
    assert tuple(action.frame_range) == (1.0, 34.0)
    assert {marker.name: marker.frame for marker in action.pose_markers} == {"mid": 14}
    times = [point.co[0] for point in curve_of("upper_arm.L", "rotation_quaternion", 0).keyframe_points]
    assert times == [1.0, 7.0, 19.0, 34.0]


def test_trim_to_one_frame_keeps_its_pose(rig: Any) -> None:
    before = shown(rig, [20.0])
    done = operators.animbridge.clip_trim(span="CUSTOM", first_frame=20, last_frame=20)
    assert done == {"FINISHED"}
    assert far(before, shown(rig, [1.0])) < 2e-4
    assert all(len(curve.keyframe_points) == 1 for curve in fcurves(rig))


def test_hold_keeps_the_ends(rig: Any) -> None:
    frames = np.linspace(1, 49, 17)
    before = shown(rig, frames)
    assert operators.animbridge.clip_hold(hold_first=0.5, hold_last=0.25) == {"FINISHED"}
    assert far(before, shown(rig, frames + 12)) < 2e-4
    assert far(shown(rig, [1.0]), shown(rig, [13.0])) < 1e-6
    assert bpy.context.scene.frame_end == 67


def test_retime_moves_one_moment(rig: Any) -> None:
    before = shown(rig, [1, 13, 25, 49])
    set_frame(13)
    assert operators.animbridge.clip_retime(by_frames=6.0) == {"FINISHED"}
    # 25 is a third of the way from 13 to 49, so from 19 it is at 29.
    assert far(before, shown(rig, [1, 19, 29, 49])) < 2e-4


def mirrored(matrix: np.ndarray, rest: np.ndarray, partner_rest: np.ndarray) -> np.ndarray:
    """The partner's matrix: what moves the bone from its rest, seen in the mirror, moves the partner."""
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    moved: np.ndarray = mirror @ (matrix @ np.linalg.inv(rest)) @ mirror @ partner_rest
    return moved


def test_mirror_is_the_mirrored_world(rig: Any) -> None:
    frames = np.linspace(1, 49, 17)
    before = shown(rig, frames)
    rest = {bone.name: np.array(bone.matrix_local) for bone in rig.data.bones}
    glow = all_keys()['["glow"]', 0]
    header = rig.animation_data.action.secondlife
    header.hand_pose = "FIST_LEFT"
    for name, priority in (("hand.L", 5), ("head", 1)):
        item = header.joint_priorities.add()
        item.name, item.priority = name, priority
    assert operators.animbridge.clip_mirror() == {"FINISHED"}
    assert header.hand_pose == "FIST_RIGHT"
    assert {item.name: item.priority for item in header.joint_priorities} == {"hand.R": 5, "head": 1}
    after = shown(rig, frames)
    for name, matrices in before.items():
        partner = name.replace(".L", ".X").replace(".R", ".L").replace(".X", ".R")
        wanted = np.array([mirrored(m, rest[name], rest[partner]) for m in matrices])
        assert np.abs(after[partner] - wanted).max() < 2e-3, name
    assert all_keys()['["glow"]', 0] == glow
    # The arm's keys are the other arm's now.
    times = [point.co[0] for point in curve_of("upper_arm.R", "rotation_quaternion", 0).keyframe_points]
    assert times == [1.0, 13.0, 25.0, 49.0]


def test_close_loop_changes_only_the_end_of_what_is_open(rig: Any) -> None:
    key(rig, "hand.L", "rotation_quaternion", 1, Quaternion())
    key(rig, "hand.L", "rotation_quaternion", 25, turned(20, (1, 0, 0)))
    key(rig, "hand.L", "rotation_quaternion", 49, Quaternion())
    closed = {place: keys for place, keys in all_keys().items() if "hand.L" in place[0]}
    frames = np.linspace(1, 36, 36)  # a quarter of the loop before its end is from 37 on
    before = shown(rig, frames)
    assert operators.animbridge.clip_close_loop() == {"FINISHED"}
    ends = shown(rig, [1, 49])
    for name, matrices in ends.items():
        assert np.abs(matrices[0] - matrices[1]).max() < 1e-3, name
    assert far(before, shown(rig, frames)) < 1e-3
    assert {place: keys for place, keys in all_keys().items() if "hand.L" in place[0]} == closed
    numbers = rig.animation_data.action.animbridge_clip
    assert numbers.before.seam_degrees == pytest.approx(30, abs=0.1)
    assert numbers.after.seam_degrees < 0.1


def test_remove_travel_takes_a_steady_way_out(rig: Any) -> None:
    key(rig, "hips", "location", 49, (0.0, 0.0, 2.0))  # the bone's Z is the world's -Y
    before = shown(rig, [1, 25, 37, 49])["hips"][:, :3, 3]
    turns = {place: keys for place, keys in all_keys().items() if "location" not in place[0]}
    assert operators.animbridge.clip_remove_travel() == {"FINISHED"}
    after = shown(rig, [1, 25, 37, 49])["hips"][:, :3, 3]
    way = before[3] - before[0]
    for place, now, share in zip(before, after, (0.0, 0.5, 0.75, 1.0), strict=True):
        wanted = place - np.array([way[0], way[1], 0.0]) * share
        assert np.abs(now - wanted).max() < 1e-4
    assert {place: keys for place, keys in all_keys().items() if "location" not in place[0]} == turns


def walk(rig: Any) -> None:
    """Four rounds of a second, the last one off by a little; a key at each frame."""
    rig.animation_data_clear()
    for frame in range(1, 98):
        angle = 30 * math.sin(2 * math.pi * (frame - 1) / FPS) + 0.02 * frame
        for name, sign in (("thigh.L", 1), ("thigh.R", -1), ("upper_arm.L", -1)):
            key(rig, name, "rotation_quaternion", frame, turned(sign * angle, (1, 0, 0)))
    for curve in fcurves():
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
        curve.update()


def test_find_loop_then_trim_close_and_start(rig: Any) -> None:
    walk(rig)
    assert operators.animbridge.clip_find_loop() == {"FINISHED"}
    shown_loop = rig.animation_data.action.secondlife
    assert shown_loop.loop and shown_loop.use_loop_range
    length = shown_loop.loop_out_seconds - shown_loop.loop_in_seconds
    assert min(abs(length - rounds) for rounds in (1, 2, 3)) < 0.05
    with refused("Trim to Loop"):
        set_frame(30)
        operators.animbridge.clip_start_here()
    assert operators.animbridge.clip_trim(span="LOOP") == {"FINISHED"}
    assert operators.animbridge.clip_close_loop() == {"FINISHED"}
    before = shown(rig, np.arange(1, 25))
    set_frame(7)
    assert operators.animbridge.clip_start_here() == {"FINISHED"}
    if abs(length - 1) < 0.05:
        after = shown(rig, np.arange(1, 19))
        assert far({n: m[6:24] for n, m in before.items()}, after) < 0.02


def test_smooth_is_within_its_bound(rig: Any) -> None:
    walk(rig)
    curves = [c for c in fcurves() if "upper_arm.L" in c.data_path]
    for curve in curves:
        curve.keyframe_points[40].co[1] += 0.02
        curve.update()
    before = [read_quaternion("upper_arm.L", frame) for frame in range(1, 98)]
    assert operators.animbridge.clip_smooth(smooth=0.5) == {"FINISHED"}
    after = [read_quaternion("upper_arm.L", frame) for frame in range(1, 98)]
    turns = [math.degrees(a.rotation_difference(b).angle) for a, b in zip(before, after, strict=True)]
    assert 0.1 < max(turns) <= 0.51
    assert len(curve_of("upper_arm.L", "rotation_quaternion", 0).keyframe_points) == 97


def read_co(curve: Any) -> np.ndarray:
    return np.array([tuple(point.co) for point in curve.keyframe_points], np.float32)


def read_quaternion(bone: str, frame: float) -> Quaternion:
    return Quaternion(
        [curve_of(bone, "rotation_quaternion", i).evaluate(frame) for i in range(4)]
    ).normalized()


# ---- Blend Edit ----


def test_blend_edit_spreads_over_keys_that_exist(rig: Any) -> None:
    walk(rig)
    keys, before = all_keys(), [read_quaternion("thigh.L", frame) for frame in range(1, 98)]
    places = [read_co(curve_of("thigh.L", "rotation_quaternion", i)) for i in range(4)]
    set_frame(40)
    bone = rig.pose.bones["thigh.L"]
    edit = turned(40, (0, 0.6, 0.8))
    bone.rotation_quaternion = bone.rotation_quaternion @ edit
    assert operators.animbridge.clip_blend_edit(falloff_frames=10) == {"FINISHED"}
    for frame in range(1, 98):
        u = min(abs(frame - 40) / 10, 1.0)
        share = 1 - u * u * (3 - 2 * u)
        wanted = before[frame - 1] @ turned(40 * share, (0, 0.6, 0.8))
        assert read_quaternion("thigh.L", frame).rotation_difference(wanted).angle < 1e-3, frame
    now = all_keys()
    assert {place for place in keys if keys[place] != now[place]} == {
        ('pose.bones["thigh.L"].rotation_quaternion', i) for i in range(4)
    }
    for i in range(4):
        points = read_co(curve_of("thigh.L", "rotation_quaternion", i))
        assert list(points[:, 0]) == list(range(1, 98))
        outside = np.r_[0:30, 49:97]
        assert points[outside].tobytes() == places[i][outside].tobytes()


def test_blend_edit_of_a_whole_action_with_curves(rig: Any) -> None:
    frames = np.linspace(1, 49, 25)
    before = shown(rig, frames)["upper_arm.L"]
    set_frame(20)
    bone = rig.pose.bones["upper_arm.L"]
    edit = turned(25, (0, 1, 0))
    bone.rotation_quaternion = bone.rotation_quaternion @ edit
    times = [point.co[0] for point in curve_of("upper_arm.L", "rotation_quaternion", 0).keyframe_points]
    assert operators.animbridge.clip_blend_edit(spread="WHOLE") == {"FINISHED"}
    after = shown(rig, frames)["upper_arm.L"]
    wanted = before @ np.array(edit.to_matrix().to_4x4())
    assert np.abs(after - wanted).max() < 2e-3
    points = curve_of("upper_arm.L", "rotation_quaternion", 0).keyframe_points
    assert [point.co[0] for point in points] == times


def test_blend_edit_of_euler_angles_and_places(rig: Any) -> None:
    set_frame(25)
    head, hips = rig.pose.bones["head"], rig.pose.bones["hips"]
    was = Euler([curve_of("head", "rotation_euler", i).evaluate(25) for i in range(3)]).to_quaternion()
    head.rotation_euler = (was @ turned(15, (0, 1, 0))).to_euler("XYZ")
    hips.location = hips.location + Vector((0.1, 0.2, 0.3))
    assert operators.animbridge.clip_blend_edit(falloff_frames=24) == {"FINISHED"}
    now = Euler([curve_of("head", "rotation_euler", i).evaluate(25) for i in range(3)]).to_quaternion()
    assert now.rotation_difference(was @ turned(15, (0, 1, 0))).angle < 1e-4
    assert [point.co[0] for point in curve_of("head", "rotation_euler", 0).keyframe_points] == [1, 25, 49]
    assert curve_of("hips", "location", 2).evaluate(25) == pytest.approx(0.3, abs=1e-5)
    for index in range(3):
        curve = curve_of("hips", "location", index)
        assert curve.evaluate(1) == pytest.approx((0.02 / 49, 0.0, 0.0)[index], abs=1e-6)
        assert curve.evaluate(49) == pytest.approx((0.02, 0.3, 0.0)[index], abs=1e-6)


def test_blend_edit_needs_an_edit(rig: Any) -> None:
    set_frame(20)
    with refused("No bone with keyframes is posed otherwise"):
        operators.animbridge.clip_blend_edit()


# ---- splitting ----


def test_split_by_markers_keeps_the_whole(rig: Any) -> None:
    action = rig.animation_data.action
    for frame in (13, 31):
        action.pose_markers.new("cut").frame = frame
    action.pose_markers.new("Left Foot Down").frame = 20  # of a retarget: no cut
    keys, before = all_keys(), shown(rig, np.arange(1, 50))
    assert operators.animbridge.clip_split(at="MARKERS", parts="LOOPS") == {"FINISHED"}
    names = [f"{action.name}-{number}" for number in (1, 2, 3)]
    assert [bpy.data.actions[name].use_fake_user for name in names] == [True] * 3
    assert action.use_fake_user and rig.animation_data.action.name == names[0]
    starts = (1, 13, 31, 49)
    for number, name in enumerate(names):
        part: Any = bpy.data.actions[name]
        rig.animation_data.action = part
        if hasattr(part, "slots"):
            rig.animation_data.action_slot = part.slots[0]
        first, last = starts[number], starts[number + 1]
        assert tuple(part.frame_range) == (1.0, 1.0 + last - first)
        wanted = {bone: rows[first - 1 : last] for bone, rows in before.items()}
        assert far(wanted, shown(rig, np.arange(1, last - first + 2))) < 3e-4
        assert part.secondlife.loop
    rig.animation_data.action = action
    if hasattr(action, "slots"):
        rig.animation_data.action_slot = action.slots[0]
    assert all_keys() == keys


def test_split_by_length_holds_between_parts(rig: Any) -> None:
    walk(rig)
    assert operators.animbridge.clip_split(most_seconds=2.3) == {"FINISHED"}
    first = rig.animation_data.action
    parts = [action for action in bpy.data.actions if action.name.startswith(first.name[:-1])]
    lengths = [part.frame_range[1] - part.frame_range[0] for part in parts]
    # The whole has 96 frames; each part but the last holds for 0.3 s, 7.2 frames.
    assert sum(lengths) == pytest.approx(96 + 7.2 * (len(parts) - 1), abs=0.01)
    assert max(lengths) <= 2.3 * 24 + 0.01
    assert first.secondlife.ease_out_seconds == pytest.approx(0.3)
    assert not first.secondlife.loop


# ---- what else there is ----


def test_the_object_may_lie_and_be_scaled(rig: Any) -> None:
    """Mirror and travel are the world's, whatever the axes of the armature."""
    turn = Matrix.Rotation(math.radians(90), 4, "X")
    rig.data.transform(turn.inverted())
    rig.matrix_world = turn @ Matrix.Scale(0.5, 4)
    bpy.context.view_layer.update()
    key(rig, "hips", "location", 49, (0.0, 0.0, 2.0))
    before = shown(rig, [1, 49])["hips"][:, :3, 3]
    assert operators.animbridge.clip_remove_travel() == {"FINISHED"}
    after = shown(rig, [1, 49])["hips"][:, :3, 3]
    world = np.array(rig.matrix_world)[:3, :3]
    now, was = world @ (after[1] - after[0]), world @ (before[1] - before[0])
    assert np.abs(now[:2]).max() < 1e-4 < abs(was[:2]).max()
    assert now[2] == pytest.approx(was[2], abs=1e-4)
    numbers = rig.animation_data.action.animbridge_clip
    assert numbers.before.way_metres == pytest.approx(float(np.hypot(*was[:2])), abs=1e-3)


def test_other_slots_keep_time_with_the_armature(rig: Any) -> None:
    """A slot for another object, such as a lamp that plays the same Action."""
    action = rig.animation_data.action
    if not hasattr(action, "slots"):
        pytest.skip("Actions have no slots in this Blender")
    lamp: Any = bpy.data.objects.new("Lamp", None)
    lamp.animation_data_create().action = action
    slot = action.slots.new(id_type="OBJECT", name="Lamp")
    lamp.animation_data.action_slot = slot
    lamp.location.x = 3.0
    lamp.keyframe_insert("location", index=0, frame=11)
    bag = action.layers[0].strips[0].channelbag(slot)
    kept = read_co(bag.fcurves[0])
    assert operators.animbridge.clip_mirror() == {"FINISHED"}
    assert np.array_equal(read_co(bag.fcurves[0]), kept)
    assert operators.animbridge.clip_reverse() == {"FINISHED"}
    assert read_co(bag.fcurves[0])[:, 0].tolist() == [39.0]


@needs_two_layers
def test_two_layers_are_refused(rig: Any) -> None:
    action = rig.animation_data.action
    other: Any = bpy.data.actions.new("other")
    other.layers.new("Layer").strips.new(type="KEYFRAME")
    with two_layers(action, other), refused("several layers"):
        operators.animbridge.clip_reverse()


def test_a_tool_is_one_undo_step(window: None, rig: Any) -> None:
    keys = all_keys()
    begin_undo()
    with_undo(operators.animbridge.clip_mirror)
    assert all_keys() != keys
    undo_once()
    assert all_keys() == keys


def test_without_sides_mirror_says_so_and_changes_nothing() -> None:
    armature = bpy.data.armatures.new("Snake")
    snake: Any = bpy.data.objects.new("Snake", armature)
    bpy.context.collection.objects.link(snake)
    bpy.context.view_layer.objects.active = snake
    bpy.ops.object.mode_set(mode="EDIT")
    armature.edit_bones.new("link").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    snake.pose.bones["link"].rotation_mode = "QUATERNION"
    key(snake, "link", "rotation_quaternion", 1, Quaternion())
    key(snake, "link", "rotation_quaternion", 20, turned(20, (1, 0, 0)))
    keys = all_keys()
    with refused("Mirror: no joint has a partner"):
        operators.animbridge.clip_mirror()
    assert all_keys() == keys
