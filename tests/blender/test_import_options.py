# SPDX-License-Identifier: MIT
"""Every option of the import by itself, from a script and without a window."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import (
    curves_of,
    data_blocks,
    export_file,
    fcurves,
    import_file,
    operators,
    random_rig,
    refused,
    reported,
    set_frame,
    the_action,
    the_armature,
)
from tests.python.material import FIXTURES, UNREADABLE, demos
from tests.witness import anim_file
from tests.witness import quantise as q
from tests.witness.anim_file import AnimFile, Joint, bits_of, float_of
from window import begin_undo, undo_once, with_undo

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
BROKEN = next(case.path for case in UNREADABLE if case.path.name == "cut_in_keys.anim")


def import_files(*paths: Path, **options: Any) -> set[str]:
    folder = paths[0].parent
    assert all(path.parent == folder for path in paths)
    files = [{"name": path.name} for path in paths]
    wanted = {"frame_rate": "SCENE", **options}
    return operators.import_anim.secondlife(directory=f"{folder}/", files=files, **wanted)


def duration_of(path: Path) -> float:
    return float(anim_file.parse(path.read_bytes()).duration)


def shown_pose(rig: Any) -> np.ndarray:
    return np.array([bone.matrix for bone in rig.pose.bones])


def rig_named(name: str, seed: int = 0) -> Any:
    rig = random_rig(np.random.default_rng(seed), "X")
    rig.name = name
    return rig


# ---- the target ----


def test_a_new_skeleton_beside_the_active_armature() -> None:
    rig = rig_named("Rig")
    import_file(WALK, target="NEW")
    assert rig.animation_data is None
    assert the_armature().name == "SL Skeleton"
    assert the_armature().animation_data.action.name == "walk"


def test_one_new_skeleton_for_several_files() -> None:
    import_files(WALK, WAVE, target="NEW")
    assert len(bpy.data.armatures) == 1
    import_files(WALK, WAVE, target="NEW")
    assert len(bpy.data.armatures) == 2


def test_from_pose_mode() -> None:
    rig = rig_named("Rig")
    bpy.ops.object.mode_set(mode="POSE")
    import_file(WALK)
    assert rig.mode == "POSE" and rig.animation_data.action.name == "walk"
    import_file(WAVE, target="NEW")
    assert the_armature() is not rig and the_armature().mode == "OBJECT"


def test_a_named_armature() -> None:
    wanted, active = rig_named("Wanted"), rig_named("Active", 1)
    import_file(WALK, target="NAMED", armature="Wanted")
    assert wanted.animation_data.action.name == "walk" and active.animation_data is None
    # A name that is left over from another time counts only where it is asked for.
    import_file(WAVE, target="ACTIVE", armature="Wanted")
    assert the_action().name == "wave"
    with refused("No armature is named"):
        import_file(WALK, target="NAMED")


@pytest.mark.parametrize("facing", ["X", "NEGATIVE_Y"])
def test_where_a_new_skeleton_looks(facing: str, tmp_path: Path) -> None:
    rig = import_file(WALK, skeleton_facing=facing)
    left = rig.data.bones["mShoulderLeft"].head_local
    assert (left.y if facing == "X" else left.x) > 0.1
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_nothing_is_left_of_a_skeleton_that_nothing_came_onto() -> None:
    before = data_blocks()
    scene = bpy.context.scene
    rate = (scene.render.fps, scene.render.fps_base)
    with refused(BROKEN.name):
        import_file(BROKEN, target="NEW", frame_rate="SET", frames_per_second=60.0, report_text=True)
    assert data_blocks() == before
    assert (scene.render.fps, scene.render.fps_base) == rate


# ---- time ----


@pytest.mark.parametrize(
    ("wish", "fps", "base"),
    [(29.97, 30, 1.001), (23.976, 24, 1.001), (59.94, 60, 1.001), (45.0, 45, 1.0), (12.5, 13, 13 / 12.5)],
)
def test_the_rate_is_set(wish: float, fps: int, base: float, tmp_path: Path) -> None:
    import_file(WALK, frame_rate="SET", frames_per_second=wish, frame_start=3.0)
    render = bpy.context.scene.render
    assert render.fps == fps and render.fps_base == pytest.approx(base, rel=1e-6)
    assert_keys_at(WALK, 3.0, fps / base)
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


@pytest.mark.parametrize(("fps", "base"), [(30, 1.001), (24, 1.001), (25, 1.0)])
@pytest.mark.parametrize("start", [-12.25, 0.0, 0.5, 1001.75])
def test_the_scenes_rate_and_any_start(fps: int, base: float, start: float, tmp_path: Path) -> None:
    render = bpy.context.scene.render
    render.fps, render.fps_base = fps, base
    import_file(WALK, frame_start=start, frames_per_second=99.0)
    assert (render.fps, render.fps_base) == (fps, pytest.approx(base))
    assert_keys_at(WALK, start, fps / base)
    end = start + duration_of(WALK) * fps / base
    assert tuple(the_action().frame_range) == pytest.approx((start, end), rel=1e-6)
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def keyed_file(folder: Path, seconds: list[float], duration: float) -> Path:
    """A file with keys at these times."""
    codes = [round(time / duration * 65535) for time in seconds]
    keys = np.array([[code, 30000 + 10 * i, 32767, 32767] for i, code in enumerate(codes)], np.uint16)
    path = folder / "keyed.anim"
    file = AnimFile(duration_bits=bits_of(duration), joints=[Joint(b"mHead", 3, keys)])
    path.write_bytes(anim_file.write(file))
    return path


@pytest.mark.parametrize(
    ("frames", "rate", "duration", "expected"),
    [
        (range(49), 15, 3.2, 15),  # the demo's dance
        (range(1800), 30, 60.0, 30),  # the longest one: a sixtieth of a frame is a step of the file
        ((0, 1, 5, 17, 40, 90), 24, 3.75, 24),  # most keys dropped
        (range(120), 60, 2.0, 60),
        ((0, 2, 4, 6, 8, 10), 60, 0.2, 30),  # on twos
        (range(6), 2, 2.5, None),  # poses, not frames
        ((0, 1, 2.4, 3.1, 4.7, 5), 30, 0.2, None),  # on no grid
        ((0, 1), 30, 1.0, None),  # too few to tell
    ],
)
def test_a_new_skeleton_takes_the_rate_of_the_keys(
    frames: Iterable[float], rate: int, duration: float, expected: int | None, tmp_path: Path
) -> None:
    path = keyed_file(tmp_path, [frame / rate for frame in frames], duration)
    operators.import_anim.secondlife(filepath=str(path))
    render = bpy.context.scene.render
    assert (render.fps, render.fps_base) == (expected or 24, 1.0)
    if expected:
        places = [point.co[0] for point in curves_of("mHead")[0].keyframe_points]
        assert places == pytest.approx([round(place) for place in places], abs=0.02)


def test_the_rate_stays_where_something_moves_already() -> None:
    bpy.data.actions.new("other")
    import_file(WALK, frame_rate="AUTO")
    assert bpy.context.scene.render.fps == 24
    bpy.data.actions.remove(bpy.data.actions["other"])
    bpy.data.actions.remove(bpy.data.actions["walk"])
    import_file(WALK, frame_rate="AUTO", target="ACTIVE")
    assert bpy.context.scene.render.fps == 24
    bpy.data.actions.remove(bpy.data.actions["walk"])
    import_file(WALK, frame_rate="AUTO", target="NEW")
    assert bpy.context.scene.render.fps == 20


def assert_keys_at(path: Path, start: float, rate: float) -> None:
    """Every key of the file is at start + seconds x rate."""
    file = anim_file.parse(path.read_bytes())
    checked = 0
    for joint in file.joints:
        curves = curves_of(joint.name.decode(), "rotation_quaternion")
        if not len(joint.rotation_keys) or not curves:
            continue
        seconds = q.decode_time(np.sort(joint.rotation_keys[:, 0]), file.duration).astype(float)
        own = [p.co[0] for p in curves[0].keyframe_points if p.type == "KEYFRAME"]
        assert own == pytest.approx(list(start + seconds * rate), abs=2e-4)
        checked += 1
    assert checked > 5


def test_the_scenes_range_is_that_of_what_plays() -> None:
    scene = bpy.context.scene
    import_files(WALK, WAVE, set_scene_range="ALWAYS")
    assert (scene.frame_start, scene.frame_end) == (1, math.ceil(1 + 24 * duration_of(WAVE)))
    longest = max(duration_of(WALK), duration_of(WAVE))
    import_files(WALK, WAVE, set_scene_range="ALWAYS", place="NLA", frame_start=5.5)
    assert (scene.frame_start, scene.frame_end) == (5, math.ceil(5.5 + 24 * longest))
    import_file(WALK, set_scene_range="ALWAYS", frame_start=-7.0)
    assert scene.frame_start == 0


def test_the_scenes_range_is_set_by_itself_with_a_new_skeleton_only() -> None:
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 3, 77
    import_file(WALK, set_scene_range="NEVER")
    assert (scene.frame_start, scene.frame_end) == (3, 77)
    import_file(WALK)
    assert (scene.frame_start, scene.frame_end) == (3, 77), (
        "a shorter animation on an armature that was there"
    )
    last = math.ceil(70 + 24 * duration_of(WALK))
    assert last > 77
    import_file(WALK, frame_start=70)
    assert (scene.frame_start, scene.frame_end) == (3, last), "a longer one moves the end"
    scene.frame_end = 77
    import_file(WALK, frame_start=70, set_scene_range="NEVER")
    assert (scene.frame_start, scene.frame_end) == (3, 77)
    import_file(WALK, target="NEW")
    assert (scene.frame_start, scene.frame_end) == (1, math.ceil(1 + 24 * duration_of(WALK)))


# ---- the new skeleton and its keys ----


def shown_bones(rig: Any) -> set[str]:
    """The bones of an armature that its collections or layers show."""
    if hasattr(rig.data, "collections"):
        return {bone.name for group in rig.data.collections if group.is_visible for bone in group.bones}
    layers = list(rig.data.layers)
    return {
        bone.name
        for bone in rig.data.bones
        if any(own and shown for own, shown in zip(bone.layers, layers, strict=True))
    }


def test_a_new_skeleton_hides_what_no_file_moves(capfd: pytest.CaptureFixture[str]) -> None:
    hideable = {"mWing1Left", "mTail1", "mHindLimb1Left", "PELVIS", "Chest"}
    kept = {"mPelvis", "mSpine1", "mFaceJaw", "mHandThumb1Left"}
    rig = import_file(WALK, skeleton_volumes=True, skeleton_attachments=True)
    shown = shown_bones(rig)
    assert kept <= shown and not hideable & shown
    assert "hidden (not animated): Wings, Tail, Hind Limbs, Collision Vol" in reported(capfd)
    both = WALK.with_name("wings_and_tail.anim")
    moved = {joint.name.decode() for joint in anim_file.parse(both.read_bytes()).joints}
    assert {"mWing1Left", "mTail1"} <= moved and "mHindLimb1Left" not in moved
    import_files(both, WALK, target="NEW")
    shown = shown_bones(the_armature())
    assert kept | {"mWing1Left", "mTail1"} <= shown and "mHindLimb1Left" not in shown


@pytest.mark.compat
@pytest.mark.parametrize("place", ["NEW", "MERGE", "NLA"])
def test_an_added_skeleton_shows_what_a_file_moves(place: str) -> None:
    operators.armature.secondlife_skeleton_add()
    rig = the_armature()
    before = shown_bones(rig)
    assert "mWing1Left" not in before and "mTail1" not in before
    import_file(WALK)
    import_file(WALK.with_name("wings_and_tail.anim"), place=place)
    shown = shown_bones(rig)
    assert the_armature() is rig and before | {"mWing1Left", "mTail1"} <= shown
    assert "mHindLimb1Left" not in shown


def test_keys_at_rest_show_nothing(tmp_path: Path) -> None:
    """A BVH of the whole skeleton has keys for its wings, too."""
    operators.armature.secondlife_skeleton_add()
    before = shown_bones(the_armature())
    import_file(WALK)
    path = tmp_path / "whole.bvh"
    operators.export_anim.animbridge_bvh(filepath=str(path))
    operators.import_anim.animbridge_bvh(filepath=str(path))
    assert the_action().name == "whole" and "mWing1Left" in {bone.name for bone in the_armature().data.bones}
    assert shown_bones(the_armature()) == before


def test_an_armature_that_is_there_stays_as_it_is_shown() -> None:
    operators.armature.secondlife_skeleton_add(skeleton_volumes=True)
    before = shown_bones(the_armature())
    import_file(WALK)
    assert shown_bones(the_armature()) == before and "PELVIS" in before


@pytest.mark.parametrize("place", ["NEW", "NLA"])
def test_no_new_key_is_selected(place: str) -> None:
    import_file(WALK, place=place)
    (action,) = bpy.data.actions
    the_armature().animation_data.action = action
    curves = fcurves()
    assert curves and not any(curve.select for curve in curves)
    for curve in curves:
        for key in curve.keyframe_points:
            assert not (key.select_control_point or key.select_left_handle or key.select_right_handle)


# ---- Actions ----


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{file}", "walk"),
        ("", "walk"),
        ("AO {file}", "AO walk"),
        ("{armature}: {file} {file}", "Rig: walk walk"),
        ("same", "same"),
        ("{other} {", "{other} {"),
    ],
)
def test_names_of_actions(pattern: str, expected: str) -> None:
    rig_named("Rig")
    import_file(WALK, action_name=pattern)
    assert the_action().name == expected


def test_long_names_are_cut_between_characters() -> None:
    import_file(WALK, action_name="ä" * 40 + "{file}")
    assert the_action().name == "ä" * 31


def test_fake_user() -> None:
    import_file(WALK, fake_user=False)
    assert not the_action().use_fake_user and the_action().users == 1
    import_file(WALK)
    assert the_action().use_fake_user


def test_nla_tracks() -> None:
    rig = rig_named("Rig")
    import_files(WALK, WAVE, place="NLA", frame_start=10.5)
    animation = rig.animation_data
    assert animation.action is None
    assert [track.name for track in animation.nla_tracks] == ["walk", "wave"]
    for track, path in zip(animation.nla_tracks, (WALK, WAVE), strict=True):
        (strip,) = track.strips
        assert strip.name == strip.action.name == path.stem
        frames = (10.5, 10.5 + 24 * duration_of(path))
        assert (strip.action_frame_start, strip.action_frame_end) == pytest.approx(frames, abs=1e-4)
        assert (strip.frame_start, strip.frame_end) == pytest.approx(frames, abs=1e-4)
        if hasattr(strip, "action_slot"):
            assert strip.action_slot is not None


def test_an_nla_track_plays_as_the_assigned_action_does() -> None:
    rig = rig_named("Rig")
    import_file(WALK, frame_start=4.25)
    poses = {}
    for frame in (4.25, 9.0, 15.625):
        set_frame(frame)
        poses[frame] = shown_pose(rig)
    rig.animation_data.action = None
    import_file(WALK, frame_start=4.25, place="NLA")
    assert rig.animation_data.action is None
    for frame, pose in poses.items():
        set_frame(frame)
        assert np.abs(shown_pose(rig) - pose).max() < 1e-5


def test_an_nla_track_of_a_single_pose() -> None:
    """Blender has no strip without length; the pose lasts a frame."""
    import_file(FIXTURES / "duration_0_no_loop.anim", place="NLA")
    strip = the_armature().animation_data.nla_tracks[0].strips[0]
    assert (strip.frame_start, strip.frame_end) == (1.0, 2.0)


def test_pose_markers_where_it_loops() -> None:
    path = FIXTURES / "loop_with_outro.anim"
    file = anim_file.parse(path.read_bytes())
    assert file.loop
    import_file(path, frame_start=2.25)
    first, last = (float(float_of(bits)) for bits in (file.loop_in_bits, file.loop_out_bits))
    expected = {
        "loop in": math.floor(2.25 + 24 * first + 0.5),
        "loop out": math.floor(2.25 + 24 * last + 0.5),
    }
    assert {marker.name: marker.frame for marker in the_action().pose_markers} == expected


def test_no_pose_markers_without_a_loop() -> None:
    import_file(FIXTURES / "loop_off_with_bad_points.anim")
    assert not the_action().pose_markers


def test_pose_markers_at_the_end_of_time(tmp_path: Path) -> None:
    """Loop points are any number; Blender's frames end somewhere."""
    keys = np.array([[0, 32767, 32767, 32767]], np.uint16)
    huge = anim_file.bits_of(3e38)
    path = tmp_path / "far.anim"
    file = AnimFile(loop=1, loop_out_bits=huge, joints=[Joint(b"mHead", 3, keys)])
    path.write_bytes(anim_file.write(file))
    import_file(path)
    assert the_action().pose_markers["loop out"].frame > 1_000_000


# ---- the report ----


def test_the_report_as_a_text() -> None:
    rig = rig_named("Rig")
    file = anim_file.parse(WALK.read_bytes())
    lost = [joint.name.decode() for joint in file.joints if len(joint.rotation_keys)][:8]
    for name in lost:
        rig.data.bones[name].name = f"no {name}"
    import_file(WALK, report_text=True)
    text = bpy.data.texts["AnimBridge Import"].as_string()
    assert all(name in text for name in lost), "a message names six at most, the text all of them"
    assert str(WALK) in text and "'walk'" in text and "1 imported, 0 failed" in text
    for name in lost:
        rig.data.bones[f"no {name}"].name = name
    import_file(WAVE, report_text=True)
    (text_block,) = bpy.data.texts
    text = text_block.as_string()
    assert "walk" not in text and str(WAVE) in text


def test_failures_are_in_the_text(tmp_path: Path) -> None:
    for path in (WALK, BROKEN):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    import_files(tmp_path / "walk.anim", tmp_path / BROKEN.name, report_text=True)
    text = bpy.data.texts["AnimBridge Import"].as_string()
    assert "1 imported, 1 failed" in text and BROKEN.name in text


def test_files_of_other_programs_are_named() -> None:
    with refused("Unity"):
        import_file(FIXTURES / "foreign_unity.anim")
    with refused("Maya"):
        import_file(FIXTURES / "foreign_maya.anim")


# ---- what remains ----


def test_importing_again_adds_one_action_and_nothing_else() -> None:
    options = {"place": "NLA", "report_text": True, "set_scene_range": "ALWAYS"}
    import_file(WALK, **options)
    before = data_blocks()
    import_file(WALK, **options)
    assert data_blocks() == {**before, "actions": ["walk", "walk.001"]}


def test_save_and_reload_keep_everything(tmp_path: Path) -> None:
    path = FIXTURES / "loop_with_outro.anim"
    import_file(path, frame_start=-3.5, skeleton_facing="NEGATIVE_Y", skeleton_volumes=True)
    import_file(WALK, place="NLA")
    markers = {marker.name: marker.frame for marker in the_action().pose_markers}
    keys = [tuple(point.co) for curve in fcurves() for point in curve.keyframe_points]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    assert [tuple(point.co) for curve in fcurves() for point in curve.keyframe_points] == keys
    assert {marker.name: marker.frame for marker in the_action().pose_markers} == markers
    assert [track.name for track in the_armature().animation_data.nla_tracks] == ["walk"]
    assert sorted(action.name for action in bpy.data.actions) == ["loop_with_outro", "walk"]
    the_armature().animation_data.nla_tracks[0].mute = True
    assert export_file(tmp_path / "out.anim") == path.read_bytes()


@pytest.mark.parametrize("place", ["NEW", "NLA"])
def test_undo_takes_all_of_it_back_at_once(place: str, window: None) -> None:
    scene = bpy.context.scene
    rate = (scene.render.fps, scene.frame_start, scene.frame_end)
    begin_undo()
    with_undo(
        operators.import_anim.secondlife,
        directory=f"{WALK.parent}/",
        files=[{"name": WALK.name}, {"name": WAVE.name}],
        place=place,
        frame_rate="SET",
        frames_per_second=50.0,
        set_scene_range="ALWAYS",
        report_text=True,
    )
    assert len(bpy.data.actions) == 2
    undo_once()
    assert not any(data_blocks().values())
    scene = bpy.context.scene
    assert (scene.render.fps, scene.frame_start, scene.frame_end) == rate


def test_what_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    import_files(WALK, WAVE)
    assert "2 imported; the Action 'wave' plays" in reported(capfd)
    import_files(WALK, WAVE, place="NLA")
    assert "2 imported; each plays on an NLA track of its own" in reported(capfd)


@pytest.mark.compat
def test_a_part_of_a_file(tmp_path: Path) -> None:
    """A part is imported as if it were the file: from the start frame on, and it is exported so."""
    whole = anim_file.parse(WAVE.read_bytes())
    import_file(WAVE, trim="20%:70%")
    out = tmp_path / "part.anim"
    part = anim_file.parse(export_file(out))
    assert float(part.duration) == pytest.approx(0.5 * float(whole.duration), rel=1e-6)
    assert part.base_priority == whole.base_priority
    first, last = the_action().frame_range
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    assert first == 1.0
    assert (last - first) / rate == pytest.approx(float(part.duration), abs=2e-3)
    with refused("trim", "the animation ends at"):
        import_file(WAVE, trim="0:100")
