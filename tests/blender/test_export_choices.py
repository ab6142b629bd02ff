# SPDX-License-Identifier: MIT
"""What an export takes, which limits it keeps, what it reports, and that Blender is as before afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
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
    random_turn,
    refused,
    reported,
    set_frame,
    the_action,
)
from mathutils import Quaternion
from tests.python.material import demos
from tests.witness import anim_file, player
from tests.witness.anim_file import AnimFile

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
UPLOAD_BYTES = 250_000


def add_constraint(rig: Any) -> None:
    rig.pose.bones["mTail1"].constraints.new("LIMIT_ROTATION")


def add_driver(rig: Any) -> None:
    rig.pose.bones["mTail1"].driver_add("location", 1)
    rig.animation_data.action = rig.animation_data.action  # else Blender 3.4 crashes at the next frame


def add_modifier(_rig: Any) -> None:
    curves_of(keyed_bone(), "rotation_quaternion")[1].modifiers.new("NOISE")


def add_strip(rig: Any, name: str = "below") -> Any:
    animation = rig.animation_data
    strip = animation.nla_tracks.new().strips.new(name, 1, animation.action)
    strip.name = name  # which 3.4 takes from the Action
    if hasattr(strip, "action_slot"):
        strip.action_slot = animation.action_slot
    return strip


def ask_for_object_motion(_rig: Any) -> None:
    """Nothing in the file: the option alone."""


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (add_constraint, ("constraints", "mTail1")),
        (add_driver, ("driver", "mTail1")),
        (add_modifier, ("modifier", "Noise")),
        (add_strip, ("NLA", "below")),
        (ask_for_object_motion, ("object",)),
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


def keyed_rig(seed: int = 1, bones: tuple[str, ...] = ("mHead", "mElbowLeft")) -> Any:
    """A rig that looks along +X, with keys at frames 1 and 25 and one between."""
    random = np.random.default_rng(seed)
    rig = random_rig(random, "X")
    for name in bones:
        key(rig, name, random, (1, 12, 25))
    return rig


def key(rig: Any, name: str, random: np.random.Generator, frames: tuple[float, ...]) -> None:
    for frame in frames:
        turn = Quaternion().slerp(random_turn(random), 0.3)
        if turn.w < 0:
            turn.negate()
        rig.pose.bones[name].rotation_quaternion = turn
        rig.pose.bones[name].keyframe_insert("rotation_quaternion", frame=frame)


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


def busy_rig(random: np.random.Generator) -> Any:
    """Three Actions: two on NLA tracks (one muted, one solo), one assigned; and a frame between frames."""
    rig = random_rig(random, "X")
    animation = rig.animation_data_create()
    for name, bone in (("sit", "mKneeLeft"), ("stand", "mTorso"), ("wave", "mElbowLeft")):
        animation.action = bpy.data.actions.new(name)
        key(rig, bone, random, (1, 13))
        animation.action.name = name
        if name != "wave":
            add_strip(rig, name)
            animation.nla_tracks[-1].name = f"track {name}"
    animation.nla_tracks["track sit"].mute = True
    animation.nla_tracks["track stand"].is_solo = True
    set_frame(4.25)
    return rig


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


def test_while_a_strip_is_tweaked(tmp_path: Path) -> None:
    """Then Blender lets nobody assign Actions: a clear error."""
    rig = busy_rig(np.random.default_rng(5))
    animation = rig.animation_data
    track = animation.nla_tracks["track stand"]
    track.is_solo = False
    track.select = track.strips[0].select = True
    animation.nla_tracks.active = track
    try:
        animation.use_tweak_mode = True
    except (AttributeError, TypeError, RuntimeError):
        pytest.skip("no tweak mode without a window")
    if not animation.use_tweak_mode:
        pytest.skip("no tweak mode without a window")
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


def noisy_rig() -> Any:
    """Every joint turns about at every frame for 1200 frames: far too large a file."""
    rig = random_rig(np.random.default_rng(7), "X")
    animation = rig.animation_data_create()
    animation.action = bpy.data.actions.new("noise")
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
        bone.keyframe_insert("rotation_euler", frame=1)
    for number, curve in enumerate(curves_of_action(rig)):
        modifier = curve.modifiers.new("NOISE")
        modifier.scale, modifier.strength, modifier.phase = 2.0, 0.4, float(number)
    the_action().use_frame_range = True
    the_action().frame_start, the_action().frame_end = 1, 601
    return rig


def curves_of_action(rig: Any) -> list[Any]:
    return [curve for bone in rig.pose.bones for curve in curves_of(bone.name, "rotation_euler")]


def test_too_many_bytes(tmp_path: Path) -> None:
    """Refused for Second Life with nothing written, written for OpenSim, and made to fit when asked."""
    noisy_rig()
    out = tmp_path / "out.anim"
    with refused("250000"):
        export_file(out)
    assert not list(tmp_path.iterdir())
    assert len(export_file(out, target="OPENSIM")) > UPLOAD_BYTES
    report = tmp_path / "report.json"
    data = export_file(out, fits=True, report_path=str(report))
    assert 0.8 * UPLOAD_BYTES < len(data) <= UPLOAD_BYTES
    (row,) = json.loads(report.read_text())["files"]
    assert row["size_bytes"] == len(data)
    assert row["bound"]["max_position_mm"] > 0.5


@pytest.mark.parametrize("method", ["SAMPLES", "CURVES"])
def test_too_many_seconds(method: str, tmp_path: Path) -> None:
    rig = keyed_rig()
    key(rig, "mHead", np.random.default_rng(8), (24 * 60 + 2,))
    out = tmp_path / "out.anim"
    with refused("60"):
        export_file(out, method=method)
    assert not list(tmp_path.iterdir())
    file = anim_file.parse(export_file(out, method=method, target="OPENSIM"))
    assert float(file.duration) == pytest.approx(60 + 1 / 24)


def test_reports(tmp_path: Path) -> None:
    """A row per file in both, with what the files themselves say; and a place that cannot be written."""
    busy_rig(np.random.default_rng(9))
    report = tmp_path / "report.json"
    out = tmp_path / "out"
    out.mkdir()
    operators.export_anim.secondlife(
        filepath=f"{out}/x.anim", actions="ALL", report_path=str(report), report_text=True
    )
    rows = json.loads(report.read_text())["files"]
    assert [Path(row["file"]).name for row in rows] == ["sit.anim", "stand.anim", "wave.anim"]
    text = bpy.data.texts["AnimBridge Export"].as_string()
    for row in rows:
        data = Path(row["file"]).read_bytes()
        assert row["size_bytes"] == len(data)
        assert row["joints"] == len(anim_file.parse(data).joints)
        assert row["duration_seconds"] == pytest.approx(0.5)
        assert row["file"] in text and f"{len(data)} bytes" in text
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    import_file(WALK)
    with refused("report", "missing"):
        export_file(out / "again.anim", report_path=f"{tmp_path}/missing/report.json")
    export_file(out / "again.anim")
    assert "AnimBridge Export" not in bpy.data.texts


def test_a_rig_map(tmp_path: Path) -> None:
    """A bone with a name of its own shows the joint that the file says; bad maps are named."""
    rig = keyed_rig()
    rig.data.bones["mHead"].name = "Snout"
    good = tmp_path / "fox.json"
    good.write_text(
        json.dumps({"animbridge_rig_map": 1, "built_in": True, "names": {"mHead": "Snout"}}), encoding="utf-8"
    )
    out = tmp_path / "out.anim"
    for method in ("CURVES", "SAMPLES"):
        file = anim_file.parse(export_file(out, method=method, facing="X"))
        assert b"mHead" not in {joint.name for joint in file.joints}
        file = anim_file.parse(export_file(out, method=method, facing="X", rig_map=str(good)))
        assert {joint.name for joint in file.joints} == {b"mElbowLeft", b"mHead"}
    out.unlink()
    with refused("nowhere.json"):
        export_file(out, rig_map=f"{tmp_path}/nowhere.json")
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    with refused("bad.json", "not JSON"):
        export_file(out, rig_map=str(bad))
    assert not out.exists()


def hide(rig: Any) -> None:
    rig.hide_viewport = True


def rest(rig: Any) -> None:
    rig.data.pose_position = "REST"


def hide_collection(rig: Any) -> None:
    new_home(rig).hide_viewport = True


def exclude_collection(rig: Any) -> None:
    home = new_home(rig)
    bpy.context.view_layer.layer_collection.children[home.name].exclude = True


def new_home(rig: Any) -> Any:
    """A collection of its own."""
    home = bpy.data.collections.new("home")
    bpy.context.scene.collection.children.link(home)
    for collection in rig.users_collection:
        collection.objects.unlink(rig)
    home.objects.link(rig)
    return home


@pytest.mark.parametrize("spoil", [hide, rest, hide_collection, exclude_collection])
def test_what_blender_does_not_evaluate(spoil: Callable[[Any], None], tmp_path: Path) -> None:
    """Samples would be of an old pose: refused by name; the curves are there all the same."""
    rig = keyed_rig()
    curves = export_file(tmp_path / "curves.anim", method="CURVES", armature=rig.name)
    spoil(rig)
    with refused(rig.name, "sampled"):
        export_file(tmp_path / "out.anim", method="SAMPLES", armature=rig.name)
    assert not (tmp_path / "out.anim").exists()
    assert export_file(tmp_path / "again.anim", method="CURVES", armature=rig.name) == curves


def test_another_scene(tmp_path: Path) -> None:
    """Blender evaluates the active scene: what is in another one is refused."""
    rig = keyed_rig()
    bpy.context.window.scene = bpy.data.scenes.new("Other")
    with refused(rig.name, "not in the scene 'Other'"):
        export_file(tmp_path / "out.anim", method="SAMPLES", armature=rig.name)
    assert not list(tmp_path.iterdir())


def test_the_eye_hides_nothing(tmp_path: Path) -> None:
    """What is hidden in the view alone is evaluated, and can be sampled."""
    rig = keyed_rig()
    seen = export_file(tmp_path / "seen.anim", method="SAMPLES", armature=rig.name)
    rig.hide_set(True)
    assert export_file(tmp_path / "hidden.anim", method="SAMPLES", armature=rig.name) == seen


def test_a_linked_armature(tmp_path: Path) -> None:
    """Samples of what it plays are those of the armature in its own file."""
    rig = keyed_rig()
    wanted = export_file(tmp_path / "own.anim", method="SAMPLES", facing="X")
    library = tmp_path / "library.blend"
    name = rig.name
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    libraries: Any = bpy.data.libraries
    with libraries.load(str(library), link=True) as (_, found):
        found.objects = [name]
    linked: Any = found.objects[0]
    with refused(name, "not in the scene"):
        export_file(tmp_path / "out.anim", method="SAMPLES", armature=name, facing="X")
    bpy.context.collection.objects.link(linked)
    assert export_file(tmp_path / "out.anim", method="SAMPLES", armature=name, facing="X") == wanted


def test_the_message_says_that_samples_were_taken(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keyed_rig()
    export_file(tmp_path / "out.anim", method="SAMPLES")
    assert "sampled" in reported(capfd)
    export_file(tmp_path / "out.anim", method="CURVES")
    assert "sampled" not in reported(capfd)
