# SPDX-License-Identifier: MIT
"""Actions that were made in Blender, several at once, and everything that an export refuses or leaves out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import (
    SKELETON,
    bone_rotation,
    curves_of,
    degrees_to,
    export_file,
    fcurves,
    import_file,
    keyed_bone,
    operators,
    random_rig,
    random_turn,
    raw_properties,
    refused,
    reported,
    set_frame,
    the_action,
    the_armature,
    turn_of,
)
from mathutils import Quaternion
from tests.python.material import READABLE, demos
from tests.witness import anim_file, player

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
PROPERTIES = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}


def key_by_hand(rig: Any, bone: str, mode: str, random: np.random.Generator, kind: str) -> None:
    """Keys of a random rotation at frames 1, 7.5 and 20, as a user would set them."""
    pose_bone = rig.pose.bones[bone]
    pose_bone.rotation_mode = mode
    prop = PROPERTIES.get(mode, "rotation_euler")
    for frame in (1, 7.5, 20):
        # Well below half a turn, where the format's codes are fine enough to compare.
        turn = Quaternion().slerp(random_turn(random), 0.6)
        values = {
            "rotation_quaternion": turn,
            "rotation_axis_angle": (turn.to_axis_angle()[1], *turn.to_axis_angle()[0]),
            "rotation_euler": random.uniform(-1.2, 1.2, 3),
        }[prop]
        setattr(pose_bone, prop, values)
        pose_bone.keyframe_insert(prop, frame=frame)
    for curve in curves_of(bone, prop):
        for point in curve.keyframe_points:
            point.interpolation = kind
            point.handle_left_type = point.handle_right_type = "FREE"
            point.handle_right = (
                point.co[0] + random.uniform(0.5, 9),
                point.co[1] + random.uniform(-0.5, 0.5),
            )
            point.handle_left = (
                point.co[0] - random.uniform(0.5, 9),
                point.co[1] + random.uniform(-0.5, 0.5),
            )


@pytest.mark.parametrize("kind", ["BEZIER", "LINEAR"])
@pytest.mark.parametrize("mode", MODES)
def test_rotations_by_hand(mode: str, kind: str, tmp_path: Path) -> None:
    """At every whole frame the file shows what Blender shows, for any rotation mode.

    Between frames, these curves turn the fingertips farther than an export accepts.
    """
    random = np.random.default_rng(5)
    rig = random_rig(random, "NEGATIVE_Y")
    key_by_hand(rig, "mElbowLeft", mode, random, kind)
    data = export_file(tmp_path / "out.anim", facing="NEGATIVE_Y", write_anyway=True)
    file = anim_file.parse(data)
    assert [joint.name for joint in file.joints] == [b"mElbowLeft"]
    assert float(file.duration) == pytest.approx(19 / 24)
    for frame in (*range(1, 21), 7.5):
        set_frame(frame)
        shown = bone_rotation(rig, "mElbowLeft", "NEGATIVE_Y")
        wanted = player.joint_at(file.joints[0], file.duration, (frame - 1) / 24).rotation
        # The codes hold x, y and z: the nearer w is to 0, the coarser is the angle (spec 1.9).
        assert degrees_to(shown, wanted) < 0.06 + 0.005 / abs(shown.w), f"frame {frame}"


def test_locations_by_hand(tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    rig = random_rig(random, "X")
    for bone in ("mPelvis", "mHead"):
        for frame in (1, 13):
            rig.pose.bones[bone].location = random.uniform(-0.3, 0.3, 3)
            rig.pose.bones[bone].keyframe_insert("location", frame=frame)
    file = anim_file.parse(export_file(tmp_path / "out.anim"))
    for frame in range(1, 14):
        set_frame(frame)
        world = player.world_pose(file, SKELETON, (frame - 1) / 24)
        for bone in ("mPelvis", "mHead"):
            place = rig.pose.bones[bone].head
            wanted = np.array(turn_of("X") @ place)[:3] - (0, 0, 1.067)
            assert np.abs(world[bone].position - wanted).max() < 5e-4


def test_header_of_a_new_file(tmp_path: Path) -> None:
    rig = random_rig(np.random.default_rng(0), "X")
    key_by_hand(rig, "mHead", "QUATERNION", np.random.default_rng(1), "LINEAR")
    file = anim_file.parse(export_file(tmp_path / "a.anim"))
    assert (file.base_priority, file.loop, file.hand_pose, file.emote_name) == (2, 0, 1, b"")
    assert [float(file.ease_in), float(file.ease_out)] == pytest.approx([0.3, 0.3])
    shown = the_action().secondlife
    shown.base_priority, shown.loop, shown.emote, shown.hand_pose = 5, True, "express_smile", "TYPING"
    shown.ease_in_seconds, shown.ease_out_seconds = 0.1, 0.2
    file = anim_file.parse(export_file(tmp_path / "b.anim"))
    assert (file.base_priority, file.joints[0].priority, file.loop, file.hand_pose) == (5, 5, 1, 11)
    assert [float(v) for v in (file.ease_in, file.ease_out)] == pytest.approx([0.1, 0.2])
    assert (float(file.loop_in), float(file.loop_out)) == (0, pytest.approx(float(file.duration)))
    assert file.emote_name == b"express_smile"


def test_all_actions_into_a_folder(tmp_path: Path) -> None:
    """Original names first; a copy that cannot have the name gets its Action's."""
    import_file(WALK)
    copy = the_action().copy()
    copy.name = "walk/again: faster?"
    import_file(WAVE)
    out = tmp_path / "out"
    out.mkdir()
    operators.export_anim.secondlife(filepath=f"{out}/any.anim", actions="ALL")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {
        "walk.anim": WALK.read_bytes(),
        "walk_again_ faster_.anim": WALK.read_bytes(),
        "wave.anim": WAVE.read_bytes(),
    }


def test_all_means_the_armatures_own(tmp_path: Path) -> None:
    import_file(WALK)
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.collection.objects.link(lamp)
    lamp.keyframe_insert("location", frame=1)
    operators.export_anim.secondlife(filepath=f"{tmp_path}/x.anim", actions="ALL")
    assert [path.name for path in tmp_path.iterdir()] == ["walk.anim"]


@pytest.mark.parametrize("encoder", ["UPLOAD", "NEAREST", "VIEWER"])
def test_encoders_leave_the_untouched_alone(encoder: str, tmp_path: Path) -> None:
    import_file(WALK)
    assert export_file(tmp_path / "out.anim", encoder=encoder) == WALK.read_bytes()


def test_report_of_an_export(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    import_file(WALK)
    curve = curves_of(keyed_bone(), "rotation_quaternion")[1]
    curve.keyframe_points[1].co[1] += 0.1
    curve.update()
    data = export_file(tmp_path / "out.anim")
    said = reported(capfd)
    size = f"Ready to upload, {len(data):,} of 250,000 bytes, "
    for words in (size, "1 of them changed", "degrees", "mm off"):
        assert words in said


def test_one_finding_and_two_findings(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """walk.anim is fine; a joint's priority of 7 is a finding, and an animation's of 9 another."""
    import_file(WALK)
    reported(capfd)
    operators.animbridge.check()
    size = f"{len(WALK.read_bytes()):,} of 250,000 bytes"
    assert f"Info: Ready to upload, {size}\n" in reported(capfd)
    stored = raw_properties(the_action())["secondlife"]
    stored["joint_priorities"][0]["priority"] = 7
    operators.animbridge.check()
    assert f"Info: 1 finding, {size}\n" in reported(capfd)
    export_file(tmp_path / "out.anim")
    assert ": 1 finding, " in reported(capfd)
    stored["base_priority"] = 9
    operators.animbridge.check()
    assert "Info: 2 findings, " in reported(capfd)


def add_modifier(curve: Any) -> None:
    curve.modifiers.new("NOISE")


def add_driver(curve: Any) -> None:
    bone = curve.data_path.split('"')[1]
    the_armature().pose.bones[bone].driver_add("location", 1)
    # Blender 3.4 crashes at the next frame if nothing but driver_add has changed what depends on what.
    animation = the_armature().animation_data
    animation.action = animation.action


def add_strip(_curve: Any) -> None:
    animation = the_armature().animation_data
    strip = animation.nla_tracks.new().strips.new("layered", 1, animation.action)
    strip.name = "layered"
    if hasattr(strip, "action_slot"):
        strip.action_slot = animation.action_slot


def mute_group(curve: Any) -> None:
    curve.group.mute = True


def bounce(curve: Any) -> None:
    curve.keyframe_points[1].interpolation = "BOUNCE"


def extrapolate(curve: Any) -> None:
    curve.extrapolation = "LINEAR"
    first, last = the_action().frame_range
    the_action().frame_range = (first, last + 10)


def mute(curve: Any) -> None:
    curve.mute = True


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (mute, ["muted", "Samples"]),
        (mute_group, ["muted", "group", "Samples"]),
        (add_modifier, ["Noise", "Samples"]),
        (bounce, ["Bounce", "frame", "Samples"]),
        (extrapolate, ["extrapolated", "Samples"]),
        (add_driver, ["driver", "location", "Samples"]),
        (add_strip, ["NLA", "layered", "Mute", "Samples"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_a_file_cannot_hold(spoil: object, words: list[str], tmp_path: Path) -> None:
    """Refused by name when F-curves are asked for, and an existing file stays as it was."""
    import_file(WALK)
    bone = keyed_bone()
    spoil(curves_of(bone, "rotation_quaternion")[1])  # type: ignore[operator]
    out = tmp_path / "out.anim"
    out.write_bytes(b"old")
    with refused(*words, *([] if spoil is add_strip else [bone])):
        export_file(out, method="CURVES")
    assert out.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.anim"]


def test_muted_strips_and_modifiers_do_not_matter(tmp_path: Path) -> None:
    import_file(WALK)
    curve = curves_of(keyed_bone(), "rotation_quaternion")[1]
    curve.modifiers.new("NOISE").mute = True
    add_strip(curve)
    the_armature().animation_data.nla_tracks[0].mute = True
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_what_is_left_out_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = import_file(WALK)
    bone = keyed_bone()
    pose_bone = rig.pose.bones[bone]
    pose_bone.keyframe_insert("scale", frame=1)
    rig.pose.bones["mTail1"]["stiffness"] = 0.5
    rig.pose.bones["mTail1"].keyframe_insert('["stiffness"]', frame=1)
    rig.keyframe_insert("location", frame=1)
    rig.pose.bones["mTail2"].constraints.new("LIMIT_ROTATION")
    rig.pose.bones["mTail2"].keyframe_insert("rotation_quaternion", frame=1)
    rig.pose.bones["mTail5"].constraints.new("COPY_ROTATION")  # moved by it alone
    export_file(tmp_path / "out.anim", method="CURVES")
    said = reported(capfd)
    for words in ("scale", bone, "stiffness", "location", "constraints", "mTail2", "mTail5"):
        assert words in said


@pytest.mark.parametrize("method", ["CURVES", "SAMPLES"])
def test_what_needs_no_decision_is_no_warning(
    method: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A bone of the user's and a joint's size: Info, and no popup."""
    rig = import_file(WALK)
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("Helper", "Another"):
        bone = rig.data.edit_bones.new(name)
        bone.tail = (0.0, 0.0, 0.1)
    bpy.ops.object.mode_set(mode="OBJECT")
    # A position, also one that a size gives to children, would stay with its wearer: that is a finding.
    for name in ("Helper", "Another"):
        rig.pose.bones[name].location = (0.02, 0.0, 0.0)
        rig.pose.bones[name].keyframe_insert("location", frame=1)
    rig.pose.bones["mSkull"].scale = (1.2, 1.2, 1.2)
    reported(capfd)
    export_file(tmp_path / "out.anim", method=method)
    said = " ".join(reported(capfd).split())
    assert "Warning:" not in said and "Ready to upload" in said
    if method == "CURVES":
        assert "left out: curves of bones that aren't joints of the avatar: Another, Helper" in said
    else:
        assert "is scaled by 1.2" in said


def test_no_armature_and_no_action(tmp_path: Path) -> None:
    with refused("No armature"):
        export_file(tmp_path / "a.anim")
    rig = random_rig(np.random.default_rng(0), "X")
    with refused("plays no Action", rig.name):
        export_file(tmp_path / "a.anim")
    with refused("'other'"):
        export_file(tmp_path / "a.anim", armature="other")
    rig.keyframe_insert("location", frame=1)
    with refused("no rotation or location keys"):
        export_file(tmp_path / "a.anim")
    with refused("No file"):
        operators.export_anim.secondlife()
    assert not list(tmp_path.iterdir())


def test_unwritable_target(tmp_path: Path) -> None:
    import_file(WALK)
    with refused("missing"):
        export_file(tmp_path / "missing" / "out.anim")
    assert not list(tmp_path.iterdir())


def test_armature_by_name(tmp_path: Path) -> None:
    rig = import_file(WALK)
    random_rig(np.random.default_rng(0), "X")
    assert export_file(tmp_path / "out.anim", armature=rig.name) == WALK.read_bytes()


def test_a_new_joint_in_an_imported_action(tmp_path: Path) -> None:
    """What was imported stays bit for bit; the new joint comes with it."""
    rig = import_file(WAVE)
    before = anim_file.parse(WAVE.read_bytes())
    assert b"mTail3" not in [joint.name for joint in before.joints]
    key_by_hand(rig, "mTail3", "XYZ", np.random.default_rng(3), "BEZIER")
    after = anim_file.parse(export_file(tmp_path / "out.anim", write_anyway=True))  # its tip moves fast
    assert [joint.name for joint in after.joints] == [*(joint.name for joint in before.joints), b"mTail3"]
    after.joints = after.joints[:-1]
    assert anim_file.write(after) == WAVE.read_bytes()


def test_linked_action(tmp_path: Path) -> None:
    """An Action of another file can be exported; importing onto a linked armature is refused."""
    import_file(WALK)
    library = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    libraries: Any = bpy.data.libraries
    with libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = ["SL Skeleton"]
    rig: Any = wanted.objects[0]
    bpy.context.collection.objects.link(rig)
    assert export_file(tmp_path / "out.anim", armature=rig.name) == WALK.read_bytes()
    with refused("linked"):
        import_file(WAVE, armature=rig.name)
    assert [action.name for action in bpy.data.actions] == ["walk"]


def test_curves_without_keys_do_not_count(tmp_path: Path) -> None:
    rig = import_file(WALK)
    fcurves().new('pose.bones["mTail4"].rotation_quaternion', index=0)
    assert export_file(tmp_path / "out.anim", armature=rig.name) == WALK.read_bytes()


def test_a_driven_bone_is_refused_whatever_the_rig_calls_it(tmp_path: Path) -> None:
    """Which bones show joints is told by the rig map: also one with a side in Blender's spelling."""
    import_file(WALK)
    rig = the_armature()
    rig.data.bones["mToeLeft"].name = "Toe.L"
    assert not curves_of("Toe.L")
    rig.pose.bones["Toe.L"].driver_add("location", 1)
    with refused("driver", "Toe.L"):
        export_file(tmp_path / "out.anim", method="CURVES")


def test_samples_of_an_animation_without_duration(tmp_path: Path) -> None:
    """Blender 3.4 makes two frames of a range of one."""
    source = next(case.path for case in READABLE if case.path.name == "duration_0_no_loop.anim")
    import_file(source)
    file = anim_file.parse(export_file(tmp_path / "out.anim", method="SAMPLES"))
    assert float(file.duration) == 0.0
    assert all(len(joint.rotation_keys) <= 1 for joint in file.joints)
