# SPDX-License-Identifier: MIT
"""OBANs on objects: where Blender shows them is where the witness's player has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import data_blocks, operators, refused, reported, set_frame
from mathutils import Matrix
from oban_curves_support import curves_of
from oban_support import (
    OBAN,
    Case,
    activate,
    assert_near,
    assert_plays,
    cases,
    crowded_level,
    export_oban,
    frames_of,
    import_oban,
    new_camera,
    new_empty,
    new_mesh,
    odd_level,
    playable,
    played,
    record_of,
    set_rate,
    shown,
)
from tests.witness import oban_player

from animbridge.kinds.oban import files as oban_files
from animbridge.kinds.oban.files import names_in
from animbridge.kinds.oban.import_operator import _level_names
from animbridge.package import AnimBridgeError, Document

SWING = OBAN / "swing.oban"
DOOR = OBAN / "door.oban"
SCALED = OBAN / "scale_1_82.oban"
SHEARED = OBAN / "base_sheared_mirror.oban"
CAMERA = OBAN / "camera_in_base.oban"
LEVEL = OBAN / "level_pc.dat"


@pytest.mark.parametrize("axes", ["FILE", "BLENDER"])
@pytest.mark.parametrize("case", playable(), ids=str)
def test_every_playable_fixture_shows_what_the_player_has(case: Case, axes: str) -> None:
    set_rate(60)
    thing = new_mesh()
    assert import_oban(case.path, axes=axes, **case.options) == thing
    assert_plays(thing, case.record, axes)


@pytest.mark.parametrize("rate", [24, 30, 60, 29.97])
@pytest.mark.parametrize("path", [SWING, SCALED, SHEARED], ids=lambda path: path.stem)
def test_other_rates_keep_the_seconds(path: Path, rate: float) -> None:
    set_rate(rate)
    thing = new_mesh()
    import_oban(path, frame_start=10.25)
    record = record_of(path.read_bytes())
    assert_plays(thing, record, first=10.25)
    # Between frames the player blends as Blender does.
    for frame in (0.5, 3.25, 7.125):
        found = shown(thing, 10.25 + frame * (rate if rate != 29.97 else 30 / 1.001) / 60)
        assert_near(found, played(record, frame), frame)


def test_the_scene_gets_the_games_rate_on_request() -> None:
    set_rate(24)
    new_mesh()
    import_oban(SWING, frame_rate="GAME", set_scene_range="ALWAYS", frame_start=1)
    scene = bpy.context.scene
    assert (scene.render.fps, scene.render.fps_base) == (60, 1.0)
    last = oban_player.last_frame(record_of(SWING.read_bytes()))
    assert (scene.frame_start, scene.frame_end) == (1, 1 + last)


def test_a_scene_without_actions_gets_the_games_rate() -> None:
    scene = bpy.context.scene
    operators.import_anim.oni(filepath=str(SWING))
    assert (scene.render.fps, scene.render.fps_base) == (60, 1.0)
    set_rate(24)
    operators.import_anim.oni(filepath=str(SWING), target="EMPTY")
    assert (scene.render.fps, scene.render.fps_base) == (24, 1.0)


def test_keys_are_sparse_linear_quaternions() -> None:
    set_rate(60)
    thing = new_mesh()
    import_oban(SWING)
    assert thing.rotation_mode == "QUATERNION"
    curves = curves_of(thing)
    assert sorted(curves) == [
        *(("location", index) for index in range(3)),
        *(("rotation_quaternion", index) for index in range(4)),
    ]
    times = [1 + key.time for key in record_of(SWING.read_bytes()).keys]
    for curve in curves.values():
        assert [point.co[0] for point in curve.keyframe_points] == times
        assert {point.interpolation for point in curve.keyframe_points} == {"LINEAR"}


def test_a_diagonal_base_is_the_objects_scale() -> None:
    thing = new_mesh()
    import_oban(SCALED)
    assert thing.parent is None
    assert tuple(thing.scale) == pytest.approx((1.82, 1.82, 1.82), rel=1e-7)


def test_any_other_base_hangs_on_a_parent_that_is_seen() -> None:
    thing = new_mesh("Gate")
    import_oban(SHEARED)
    assert thing.parent.name == "Gate motion" and thing.parent.type == "EMPTY"
    assert thing.animation_data is None and thing.parent.animation_data.action is not None
    assert thing.matrix_basis == Matrix.Identity(4)
    assert list(thing.parent.users_collection) == list(thing.users_collection)


def test_the_next_import_uses_the_same_parent() -> None:
    set_rate(60)
    thing = new_mesh("Gate")
    import_oban(SHEARED)
    import_oban(SWING)
    assert len(bpy.data.objects) == 2 and thing.parent.name == "Gate motion"
    assert_plays(thing, record_of(SWING.read_bytes()))


def test_an_object_that_has_an_action_is_moved_by_the_new_one_alone(
    capfd: pytest.CaptureFixture[str],
) -> None:
    set_rate(60)
    thing = new_mesh("Gate")
    import_oban(SWING)
    own = thing.animation_data.action
    reported(capfd)
    import_oban(SHEARED)
    assert_plays(thing, record_of(SHEARED.read_bytes()))
    assert f"Action '{own.name}' was unlinked from" in reported(capfd)


def test_an_action_that_does_not_move_the_object_stays(tmp_path: Path) -> None:
    thing = new_mesh("Gate")
    thing.keyframe_insert("hide_render", frame=1)
    own = thing.animation_data.action
    import_oban(SHEARED)
    assert thing.animation_data.action == own
    assert export_oban(tmp_path / "out.oban") == SHEARED.read_bytes()


def test_drivers_and_tracks_of_an_object_that_hangs_are_told(capfd: pytest.CaptureFixture[str]) -> None:
    thing = new_mesh("Gate")
    thing.driver_add("location", 2).driver.expression = "frame"
    thing.keyframe_insert("location", index=0, frame=1)
    thing.animation_data.nla_tracks.new().strips.new("Own", 1, thing.animation_data.action)
    import_oban(SHEARED)
    told = reported(capfd)
    assert "drivers move the object too: location" in told and "NLA tracks move" in told


def test_a_parent_that_is_used_again_has_no_scale_and_its_delta_is_told(
    capfd: pytest.CaptureFixture[str],
) -> None:
    set_rate(60)
    thing = new_mesh("Gate")
    import_oban(SHEARED)
    thing.parent.scale = (2, 3, 4)
    import_oban(SHEARED)
    assert_plays(thing, record_of(SHEARED.read_bytes()))
    thing.parent.delta_location = (1, 0, 0)
    reported(capfd)
    import_oban(SHEARED)
    assert "delta transform" in reported(capfd)


def test_a_parent_that_hangs_on_another_is_refused() -> None:
    thing, other = new_mesh("Gate"), new_empty("Other")
    activate(thing)
    import_oban(SHEARED)
    thing.parent.parent = other
    with refused("'Gate motion' has the parent 'Other'"):
        operators.import_anim.oni(filepath=str(SWING))


def test_a_base_of_none_takes_the_scale_away() -> None:
    thing = new_mesh()
    thing.scale = (2, 3, 4)
    import_oban(SWING)
    assert tuple(thing.scale) == (1, 1, 1)


def test_new_objects(tmp_path: Path) -> None:
    empty = import_oban(SWING, target="EMPTY")
    assert (empty.type, empty.name) == ("EMPTY", "swing")
    camera = import_oban(CAMERA, target="CAMERA")
    assert (camera.type, camera.name) == ("CAMERA", "camera_in_base")
    bpy.context.view_layer.objects.active = None
    assert import_oban(SWING).type == "EMPTY"


def test_a_camera_has_the_files_axes_whatever_is_asked() -> None:
    set_rate(60)
    camera = new_camera()
    import_oban(CAMERA, axes="BLENDER")
    assert_plays(camera, record_of(CAMERA.read_bytes()), "FILE")


def test_what_stands_beside_the_keys_is_on_the_action() -> None:
    set_rate(30)
    new_mesh()
    thing = import_oban(DOOR, frame_start=11)
    record, action = record_of(DOOR.read_bytes()), thing.animation_data.action
    assert record.half_stop_frame > 0
    assert action.oni.half_stop_frame == record.half_stop_frame
    assert action.oni.frame_length == record.frame_length
    (marker,) = action.pose_markers
    assert (marker.name, marker.frame) == ("HalfStopFrame", int(11 + record.half_stop_frame / 2 + 0.5))


@pytest.mark.parametrize("case", [c for c in playable() if "flag" in c.path.stem], ids=str)
def test_flags(case: Case) -> None:
    oni = import_oban(case.path, **case.options).animation_data.action.oni
    bits = ("normal_loop", "back_to_back_loop", "random_start_frame", "autostart", "is_local")
    shown_flags = sum(1 << bit for bit, name in enumerate(bits) if getattr(oni, name))
    assert shown_flags | int(oni.other_flags, 16) == case.record.flags


def test_a_level_needs_a_choice() -> None:
    before = data_blocks()
    names = [case.name for case in cases() if case.path == LEVEL]
    assert len(names) > 1
    with refused("level_pc.dat", "OBAN", *names):
        operators.import_anim.oni(filepath=str(LEVEL))
    with refused("level_pc.dat", "no_such", *names):
        operators.import_anim.oni(filepath=str(LEVEL), oban="no_such")
    assert data_blocks() == before


def test_a_long_choice_is_shortened(tmp_path: Path) -> None:
    """Six names tell what is meant. Blender wraps no line of a popup, so the message does."""
    level = crowded_level(tmp_path)
    for options, rest in (({}, 18), ({"oban": "x" * 300}, 18)):
        with pytest.raises(RuntimeError) as caught:
            operators.import_anim.oni(filepath=str(level), **options)
        message = str(caught.value)
        assert message.count("animation_of_a_door_") == 6 and f"and {rest} more" in message
        lines = message.splitlines()
        assert len(lines) <= 5 + bool(options)
        assert all(len(line) <= 100 for line in lines if " " in line and "x" * 60 not in line), message


def test_the_list_of_a_levels_names(tmp_path: Path) -> None:
    """Blender asks for it with the operator's properties, which have none of its methods."""
    manager: Any = bpy.context.window_manager
    properties = manager.operator_properties_last("import_anim.oni")
    assert isinstance(properties, bpy.types.OperatorProperties) and not hasattr(properties, "paths")
    level = crowded_level(tmp_path)
    try:
        properties.filepath = str(level)
        assert len(_level_names(properties, bpy.context, "")) == 24
        assert _level_names(properties, bpy.context, "DOOR_07") == ["animation_of_a_door_07"]
        properties.filepath = str(tmp_path / "nothing.dat")
        assert _level_names(properties, bpy.context, "") == []
        properties.directory = str(tmp_path)
        properties.files.add().name = level.name
        assert len(_level_names(properties, None, "")) == 24
    finally:
        properties.files.clear()
        for name in ("filepath", "directory"):
            properties.property_unset(name)
    assert _level_names(properties, bpy.context, "") == []


def test_a_name_with_its_tag() -> None:
    name = next(case.name for case in cases() if case.path == LEVEL)
    thing = import_oban(LEVEL, oban=f"OBAN{name}")
    assert thing.animation_data.action.oni.oban_name == name
    assert thing.animation_data.action.name == name


def test_all_of_a_level() -> None:
    set_rate(60)
    bystander = new_mesh("Bystander")
    assert operators.import_anim.oni(filepath=str(LEVEL), all=True) == {"FINISHED"}
    assert bystander.animation_data is None
    for case in (case for case in playable() if case.path == LEVEL):
        assert_plays(bpy.data.objects[case.name], case.record)


def test_odd_names_of_a_level(tmp_path: Path) -> None:
    """What is found by its place has no name that is text, or none with the tag."""
    set_rate(60)
    path = odd_level(tmp_path)
    assert names_in(path) == ("XXANdelta", "#1", "slash/name", "tail")
    assert operators.import_anim.oni(filepath=str(path), all=True) == {"FINISHED"}
    things = list(bpy.data.objects)
    assert len(things) == 4
    for thing in things:
        assert_plays(thing, record_of(SWING.read_bytes()))
    for name, shown_name in (("XXANdelta", "XXANdelta"), ("#1", "g\\xff\\xfema"), ("#2", "slash/name")):
        thing = import_oban(path, oban=name, target="EMPTY")
        assert thing.animation_data.action.oni.oban_name == shown_name


def test_one_of_a_level_that_cannot_be_read_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    real = oban_files.oban_from_level

    def failing(level: Document, name: str) -> Document:
        if name == "#2":
            raise AnimBridgeError("no such")
        return real(level, name)

    monkeypatch.setattr(oban_files, "oban_from_level", failing)
    operators.import_anim.oni(filepath=str(odd_level(tmp_path)), all=True)
    assert len(bpy.data.objects) == 3
    assert "slash/name: no such" in reported(capfd)


def test_several_files_are_several_objects() -> None:
    files = [{"name": "swing.oban"}, {"name": "door.oban"}, {"name": "cut_in_keys.oban"}]
    assert operators.import_anim.oni(directory=str(OBAN), files=files) == {"FINISHED"}
    assert sorted(bpy.data.objects.keys()) == ["door", "swing"]


@pytest.mark.parametrize("name", ["keys_0.oban", "cut_in_keys.oban", "level_no_oban.dat", "nan_in_key.oban"])
def test_what_cannot_be_played_leaves_nothing_behind(name: str) -> None:
    thing = new_mesh()
    thing.scale, before = (2, 2, 2), data_blocks()
    with refused(name):
        operators.import_anim.oni(filepath=str(OBAN / name))
    assert data_blocks() == before
    assert tuple(thing.scale) == (2, 2, 2) and thing.animation_data is None
    bpy.context.view_layer.objects.active = None
    with refused(name):
        operators.import_anim.oni(filepath=str(OBAN / name), target="CAMERA")
    assert data_blocks() == before and not bpy.data.cameras


def test_an_object_that_hangs_on_another_is_refused() -> None:
    parent, thing = new_empty("Parent"), new_mesh("Child")
    thing.parent = parent
    with refused("'Child' has the parent 'Parent'"):
        operators.import_anim.oni(filepath=str(SWING))


def test_other_formats_are_refused(tmp_path: Path) -> None:
    path = OBAN.parent / "bvh" / "dialects" / "newline_lf.bvh"
    with refused("newline_lf.bvh", "not an animation of Oni"):
        operators.import_anim.oni(filepath=str(path))


def test_what_moves_the_object_besides_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    thing = new_mesh()
    thing.constraints.new("COPY_LOCATION").name = "Holder"
    thing.delta_location = (1, 0, 0)
    import_oban(SWING)
    told = reported(capfd)
    assert "constraints move the object too: Holder" in told and "delta transform" in told


LOCAL = next(case for case in playable() if case.record.is_local)


def test_a_local_animation_is_seen_from_its_origin() -> None:
    set_rate(60)
    origin = new_empty("Origin")
    origin.matrix_world = Matrix.Translation((3, -2, 1)) @ Matrix.Rotation(0.7, 4, (1, 2, 3))
    thing = new_mesh()
    import_oban(LOCAL.path, origin="Origin", **LOCAL.options)
    place = np.array(origin.matrix_world, np.float64)
    for frame in frames_of(LOCAL.record):
        wanted = played(LOCAL.record, frame) @ place[:3, :3].T + place[:3, 3]
        assert_near(shown(thing, 1.0 + frame), wanted, f"frame {frame}")
    oni = thing.animation_data.action.oni
    assert tuple(oni.origin_location) == pytest.approx((3, -2, 1))


def test_an_origin_means_nothing_to_an_animation_of_the_world() -> None:
    set_rate(60)
    new_empty("Origin").location = (3, -2, 1)
    thing = new_mesh()
    import_oban(SWING, origin="Origin")
    assert_plays(thing, record_of(SWING.read_bytes()))
    with refused("Nowhere"):
        operators.import_anim.oni(filepath=str(SWING), origin="Nowhere")


def test_names_of_actions() -> None:
    new_mesh("Box")
    thing = import_oban(SWING, action_name="{object}: {file}")
    assert thing.animation_data.action.name == "Box: swing"
    assert thing.animation_data.action.use_fake_user


def test_the_half_stop_is_set_from_the_timeline() -> None:
    """The panel's button: the current frame of the scene as one of the file, and the only marker there."""
    set_rate(30)
    new_mesh()
    thing = import_oban(DOOR, frame_start=11)
    set_frame(18.5)
    assert operators.animbridge.set_half_stop() == {"FINISHED"}
    action = thing.animation_data.action
    assert action.oni.half_stop_frame == 15
    assert [(marker.name, marker.frame) for marker in action.pose_markers] == [("HalfStopFrame", 19)]
    set_frame(5)
    with refused("frame -12"):
        operators.animbridge.set_half_stop()
    assert action.oni.half_stop_frame == 15


def test_the_marker_of_the_half_stop_follows_the_number(tmp_path: Path) -> None:
    set_rate(24)
    new_mesh()
    thing = import_oban(DOOR, frame_start=11)
    action = thing.animation_data.action
    action.oni.half_stop_frame = 20
    assert [(marker.name, marker.frame) for marker in action.pose_markers] == [("HalfStopFrame", 19)]
    # The number counts, wherever the marker is.
    action.pose_markers[0].frame = 12
    assert record_of(export_oban(tmp_path / "out.oban")).half_stop_frame == 20
    action.oni.half_stop_frame = 0
    assert not action.pose_markers
    assert operators.export_anim.oni(
        filepath=str(tmp_path / "other.oban"), use_action=False, half_stop_frame=7
    ) == {"FINISHED"}
    assert not action.pose_markers
    assert record_of((tmp_path / "other.oban").read_bytes()).half_stop_frame == 7


@pytest.mark.skipif(not hasattr(bpy.types, "FileHandler"), reason="files can be dropped since Blender 4.1")
def test_dropped_files_are_imported() -> None:
    window = bpy.context.window_manager.windows[0]
    view = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    names = [{"name": name} for name in ("swing.oban", "door.oban")]
    with bpy.context.temp_override(window=window, area=view):
        operators.wm.drop_import_file(directory=f"{OBAN}/", files=names)
    assert sorted(bpy.data.objects.keys()) == ["door", "swing"]
