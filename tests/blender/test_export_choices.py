# SPDX-License-Identifier: MIT
"""What an export takes, and that Blender is as before afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from export_rigs import add_strip, busy_rig, keyed_rig
from helpers import (
    SKELETON,
    bone_rotation,
    curves_of,
    data_blocks,
    degrees_to,
    export_file,
    import_file,
    keyed_bone,
    operators,
    random_rig,
    refused,
    reported,
    set_frame,
    the_action,
    the_armature,
)
from mathutils import Quaternion
from tests.python.material import demos
from tests.witness import anim_file, player
from tests.witness.anim_file import AnimFile
from window import tweak

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")


def add_constraint(rig: Any) -> None:
    rig.pose.bones["mTail1"].constraints.new("LIMIT_ROTATION")


def add_driver(rig: Any) -> None:
    rig.pose.bones["mTail1"].driver_add("location", 1)
    rig.animation_data.action = rig.animation_data.action  # else Blender 3.4 crashes at the next frame


def add_modifier(_rig: Any) -> None:
    curves_of(keyed_bone(), "rotation_quaternion")[1].modifiers.new("NOISE")


def ask_for_object_motion(_rig: Any) -> None:
    """Nothing in the file: the option alone."""


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (add_constraint, ("constraints", "mTail1")),
        (add_driver, ("driver", "mTail1")),
        (add_modifier, ("modifier", "Noise")),
        (add_strip, ("NLA", "below")),
        (ask_for_object_motion, ("Object Motion",)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_automatic_samples_what_curves_do_not_tell(
    spoil: Callable[[Any], None], words: tuple[str, ...], tmp_path: Path
) -> None:
    """And says why, in the text and in the JSON; an untouched import beforehand keeps its bytes."""
    rig = import_file(WALK)
    report = tmp_path / "report.json"
    out = tmp_path / "out.anim"
    assert export_file(out, report_path=str(report)) == WALK.read_bytes()
    (row,) = json.loads(report.read_text())["files"]
    assert row["sampled_because"] == ""
    spoil(rig)
    moves = spoil is ask_for_object_motion
    export_file(out, report_path=str(report), report_text=True, object_motion=moves)
    (row,) = json.loads(report.read_text())["files"]
    text = bpy.data.texts["AnimBridge Export"].as_string()
    for word in words:
        assert word in row["sampled_because"]
        assert word in text
    assert "sampled:" in text


def rotation_at(file: AnimFile, joint: str, seconds: float) -> np.ndarray:
    turn = player.local_pose(file, SKELETON, seconds)[joint].rotation
    assert turn is not None
    return turn


@pytest.mark.parametrize("method", ["SAMPLES", "CURVES"])
def test_frames(method: str, tmp_path: Path) -> None:
    """Action, scene and markers: second 0 is the first frame of the range, and the end is its last."""
    rig = keyed_rig()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 5, 17
    with refused("markers"):
        export_file(tmp_path / "out.anim", frame_range="MARKERS", method=method)
    for frame in (20, 8, 11):
        scene.timeline_markers.new(f"at {frame}", frame=frame)
    for wanted, first, last in (("ACTION", 1, 25), ("SCENE", 5, 17), ("MARKERS", 8, 20)):
        data = export_file(
            tmp_path / "out.anim", frame_range=wanted, method=method, facing="X", encoder="NEAREST"
        )
        file = anim_file.parse(data)
        assert float(file.duration) == pytest.approx((last - first) / 24)
        for frame in (first, first + 4, last):
            set_frame(frame)
            for joint in ("mHead", "mElbowLeft"):
                turn = rotation_at(file, joint, (frame - first) / 24)
                assert degrees_to(bone_rotation(rig, joint, "X"), turn) < 0.06, (wanted, frame)


def test_the_actions_own_range(tmp_path: Path) -> None:
    keyed_rig()
    the_action().use_frame_range = True
    the_action().frame_start, the_action().frame_end = 3, 30
    for method in ("SAMPLES", "CURVES"):
        file = anim_file.parse(export_file(tmp_path / "out.anim", method=method))
        assert float(file.duration) == pytest.approx(27 / 24)


@pytest.mark.parametrize("method", ["AUTO", "SAMPLES", "CURVES"])
def test_a_pose(method: str, tmp_path: Path) -> None:
    """One frame long, looped, one key a joint: what is shown at the current frame, between frames too."""
    rig = keyed_rig()
    set_frame(7.375)
    bones = ("mHead", "mElbowLeft")
    wanted = {joint: bone_rotation(rig, joint, "X").copy() for joint in bones}
    data = export_file(
        tmp_path / "out.anim", frame_range="POSE", method=method, facing="X", encoder="NEAREST"
    )
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == (7, 0.375)
    file = anim_file.parse(data)
    assert float(file.duration) == pytest.approx(1 / 24)
    assert (file.loop, float(file.loop_in), float(file.loop_out)) == (1, 0, 0)
    assert {joint.name.decode() for joint in file.joints} == set(bones)
    for joint in file.joints:
        assert len(joint.rotation_keys) == 1 and len(joint.position_keys) <= 1
    for joint, turn in wanted.items():
        assert degrees_to(turn, rotation_at(file, joint, 0.0)) < 0.01


def test_a_pose_that_is_not_keyed(tmp_path: Path) -> None:
    """A bone that was turned but not keyed: the file has what is shown, and Blender shows it still."""
    rig = keyed_rig()
    set_frame(7)
    rig.pose.bones["mHead"].rotation_quaternion = Quaternion((0, 0, 1), 0.6)
    bpy.context.view_layer.update()
    wanted = bone_rotation(rig, "mHead", "X").copy()
    file = anim_file.parse(export_file(tmp_path / "out.anim", frame_range="POSE", facing="X"))
    assert degrees_to(wanted, rotation_at(file, "mHead", 0.0)) < 0.01
    assert bone_rotation(rig, "mHead", "X") == wanted


def test_a_pose_without_any_action(tmp_path: Path) -> None:
    """As a stand is made: bones are turned, nothing is keyed. Nothing else gets into file or scene."""
    rig = random_rig(np.random.default_rng(2), "X")
    for name in ("mElbowLeft", "mTail1"):
        rig.pose.bones[name].rotation_quaternion = Quaternion((0, 0.6, 0.8), 0.5)
    bpy.context.view_layer.update()
    before = data_blocks()
    file = anim_file.parse(
        export_file(tmp_path / "out.anim", frame_range="POSE", facing="X", encoder="NEAREST")
    )
    assert {joint.name for joint in file.joints} == {b"mElbowLeft", b"mTail1"}
    for joint in ("mElbowLeft", "mTail1"):
        assert degrees_to(bone_rotation(rig, joint, "X"), rotation_at(file, joint, 0.0)) < 0.01
    assert (file.loop, float(file.duration)) == (1, pytest.approx(1 / 24))
    assert data_blocks() == before and rig.animation_data is None
    for what in ("ALL", "NLA"):
        with refused("plays no Action" if what == "ALL" else "no NLA track"):
            export_file(tmp_path / "no.anim", frame_range="POSE", actions=what)


def select(rig: Any, *names: str) -> None:
    for bone in rig.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name in names


@pytest.mark.parametrize("method", ["SAMPLES", "CURVES"])
def test_selected_bones(method: str, tmp_path: Path) -> None:
    rig = keyed_rig(bones=("mHead", "mElbowLeft", "mTail1"))
    select(rig, "mTail1", "mHead")
    file = anim_file.parse(export_file(tmp_path / "out.anim", method=method, selected_bones=True))
    assert {joint.name for joint in file.joints} == {b"mTail1", b"mHead"}


def state(rig: Any) -> tuple[object, ...]:
    """Everything that an export might leave changed."""
    animation, scene = rig.animation_data, bpy.context.scene
    slot = getattr(animation, "action_slot", None)
    tracks = [(track.name, track.mute, track.is_solo) for track in animation.nla_tracks]
    return (
        animation.action,
        slot.identifier if slot else None,
        animation.use_nla,
        tracks,
        (scene.frame_current, scene.frame_subframe),
        data_blocks(),
    )


def moving_joints(path: Path) -> set[bytes]:
    """The joints whose keys differ."""
    file = anim_file.parse(path.read_bytes())
    return {joint.name for joint in file.joints if len(np.unique(joint.rotation_keys[:, 1:], axis=0)) > 1}


@pytest.mark.parametrize("method", ["AUTO", "SAMPLES"])
@pytest.mark.parametrize(
    ("what", "files"),
    [
        ("ALL", {"sit.anim": {b"mKneeLeft"}, "stand.anim": {b"mTorso"}, "wave.anim": {b"mElbowLeft"}}),
        ("MARKED", {"sit.anim": {b"mKneeLeft"}, "wave.anim": {b"mElbowLeft"}}),
        ("NLA", {"track stand.anim": {b"mTorso"}}),
    ],
)
def test_several_files(what: str, files: dict[str, set[bytes]], method: str, tmp_path: Path) -> None:
    """Each Action by itself, under its name, and Blender as it was before."""
    rig = busy_rig(np.random.default_rng(3))
    for name in ("sit", "wave"):
        action: Any = bpy.data.actions[name]
        action.secondlife.is_marked = True
    before = state(rig)
    operators.export_anim.secondlife(filepath=f"{tmp_path}/x.anim", actions=what, method=method)
    assert {path.name: moving_joints(path) for path in tmp_path.iterdir()} == files
    assert state(rig) == before


def test_tracks_that_are_not_soloed(tmp_path: Path) -> None:
    rig = busy_rig(np.random.default_rng(3))
    tracks = rig.animation_data.nla_tracks
    tracks["track stand"].is_solo = False
    tracks["track sit"].mute = False
    before = state(rig)
    operators.export_anim.secondlife(filepath=f"{tmp_path}/x.anim", actions="NLA")
    found = {path.name: moving_joints(path) for path in tmp_path.iterdir()}
    assert found == {"track sit.anim": {b"mKneeLeft"}, "track stand.anim": {b"mTorso"}}
    assert state(rig) == before


def test_an_imported_clip_on_a_track_stays_bit_for_bit(tmp_path: Path) -> None:
    """With its priorities and its loop: the track plays that Action and nothing else."""
    clips = {path.name: path.read_bytes() for path in demos() if path.name in ("walk.anim", "wave.anim")}
    files = [{"name": name} for name in clips]
    folder = f"{demos()[0].parent}/"
    assert operators.import_anim.secondlife(directory=folder, files=files, place="NLA") == {"FINISHED"}
    tracks = the_armature().animation_data.nla_tracks
    assert len(tracks) == len(clips)
    for track in tracks:
        track.mute = False
    out = tmp_path / "out"
    out.mkdir()
    operators.export_anim.secondlife(filepath=f"{out}/x.anim", actions="NLA")
    assert sorted(path.read_bytes() for path in out.iterdir()) == sorted(clips.values())


def test_a_strip_that_changes_its_action_is_sampled(tmp_path: Path) -> None:
    walk = next(path for path in demos() if path.name == "walk.anim")
    folder = f"{walk.parent}/"
    operators.import_anim.secondlife(directory=folder, files=[{"name": walk.name}], place="NLA")
    strip: Any = the_armature().animation_data.nla_tracks[-1].strips[0]
    strip.scale = 2.0
    operators.export_anim.secondlife(filepath=f"{tmp_path}/x.anim", actions="NLA")
    (made,) = tmp_path.iterdir()
    before, after = anim_file.parse(walk.read_bytes()), anim_file.parse(made.read_bytes())
    assert float(after.duration) == pytest.approx(2 * float(before.duration), rel=0.01)


def test_an_armature_that_never_played(tmp_path: Path) -> None:
    """All Actions for its bones, of which none is assigned, and no animation data left behind."""
    rig = keyed_rig()
    the_action().use_fake_user = True
    rig.animation_data_clear()
    operators.export_anim.secondlife(filepath=f"{tmp_path}/x.anim", actions="ALL", method="SAMPLES")
    (made,) = tmp_path.iterdir()
    assert moving_joints(made) == {b"mHead", b"mElbowLeft"}
    assert rig.animation_data is None


def test_curves_leave_object_motion_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An option that does nothing says so."""
    keyed_rig()
    plain = export_file(tmp_path / "plain.anim", method="CURVES")
    assert "object motion" not in reported(capfd)
    assert export_file(tmp_path / "out.anim", method="CURVES", object_motion=True) == plain
    assert "object motion" in reported(capfd)


def test_nothing_marked_and_no_track(tmp_path: Path) -> None:
    keyed_rig()
    with refused("marked"):
        export_file(tmp_path / "x.anim", actions="MARKED")
    with refused("NLA track"):
        export_file(tmp_path / "x.anim", actions="NLA")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("what", ["ALL", "NLA", "ACTIVE"])
def test_a_failure_midway(what: str, tmp_path: Path) -> None:
    """A bone of no size at all cannot be placed: nothing is written, and Blender is as before."""
    rig = busy_rig(np.random.default_rng(4))
    rig.animation_data.nla_tracks["track stand"].is_solo = False
    rig.pose.bones["mElbowLeft"].scale = (0, 0, 0)
    bpy.context.view_layer.update()
    before = state(rig)
    with refused("mElbowLeft"):
        export_file(tmp_path / "x.anim", actions=what, method="SAMPLES")
    assert state(rig) == before
    assert not list(tmp_path.iterdir())


def test_while_a_strip_is_tweaked(window: None, tmp_path: Path) -> None:
    """Then Blender lets nobody assign Actions: a clear error."""
    rig = busy_rig(np.random.default_rng(5))
    animation = rig.animation_data
    tweak(rig, animation.nla_tracks["track stand"])
    for what in ("ALL", "NLA"):
        with refused("tweak"):
            export_file(tmp_path / "x.anim", actions=what, method="SAMPLES")
    animation.use_tweak_mode = False
    assert not list(tmp_path.iterdir())


def test_an_action_without_its_slot_stays_so(tmp_path: Path) -> None:
    """An assigned Action of which no slot plays is a state too (Blender 4.4 and later)."""
    rig = busy_rig(np.random.default_rng(6))
    if not hasattr(rig.animation_data, "action_slot"):
        pytest.skip("Actions have no slots here")
    rig.animation_data.action_slot = None
    before = state(rig)
    assert before[1] is None
    operators.export_anim.secondlife(filepath=f"{tmp_path}/x.anim", actions="ALL", method="SAMPLES")
    assert state(rig) == before
