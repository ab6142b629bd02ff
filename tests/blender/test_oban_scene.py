# SPDX-License-Identifier: MIT
"""Scenes to OBANs: whatever moves an object, the witness's player has it where Blender shows it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import operators, refused, set_frame
from mathutils import Euler, Matrix, Quaternion
from oban_curves_support import curves_of, linear
from oban_support import (
    OBAN,
    activate,
    assert_plays,
    export_oban,
    import_oban,
    new_camera,
    new_empty,
    new_mesh,
    played,
    record_of,
    scene_rate,
    set_rate,
    shown,
)
from tests.witness import oban_player
from tests.witness.oban_file import Record, floats_of

from animbridge.kinds.oban.exporter import export_objects
from animbridge.kinds.oban.options import ObanExportOptions
from animbridge.package import AnimBridgeError

#: Millimetres that a vertex, at most 1.4 m from the origin, may be off: 1 mm and 0.05 degrees are the bounds.
BOUND_MM = 1.0 + 1400 * math.radians(0.05)


def keyed(thing: Any, last: int = 25, size: float = 1.0) -> Any:
    """A way with bends and turns, by Bezier keys at frames 1, 9, 17, ...; of this size it is a wild one."""
    thing.rotation_mode = "XYZ"
    random = np.random.default_rng(7)
    for frame in range(1, last + 1, 8):
        thing.location = (size * random.uniform(-2, 2, 3)).tolist()
        thing.rotation_euler = (size * random.uniform(-1.5, 1.5, 3)).tolist()
        thing.keyframe_insert("location", frame=frame)
        thing.keyframe_insert("rotation_euler", frame=frame)
    return thing


def assert_is_shown(
    record: Record,
    thing: Any,
    first: float = 1.0,
    millimetres: float = BOUND_MM,
    axes: str = "FILE",
) -> None:
    """The player has the vertices where Blender has them, at every frame of the file."""
    rate = scene_rate()
    worst = 0.0
    for frame in range(record.frame_count):
        apart = shown(thing, first + frame * rate / 60) - played(record, frame, axes)
        worst = max(worst, 1000 * float(np.linalg.norm(apart, axis=1).max()))
    assert worst <= millimetres


def exported(tmp_path: Path, thing: Any, **options: Any) -> Record:
    """The record of what moves the object."""
    activate(thing)
    return record_of(export_oban(tmp_path / f"{thing.name}.oban", **options))


@pytest.mark.parametrize("axes", ["FILE", "BLENDER"])
@pytest.mark.parametrize("rate", [24, 30, 60, 29.97])
def test_bezier_keys_of_euler_angles(rate: float, axes: str, tmp_path: Path) -> None:
    set_rate(rate)
    thing = keyed(new_mesh(), size=0.02)
    found = exported(tmp_path, thing, axes=axes)
    assert found.frame_count == math.floor(24 * 60 / scene_rate() + 1e-3) + 1
    assert len(found.keys) < found.frame_count
    assert_is_shown(found, thing, axes=axes)


def test_every_frame_is_a_key_on_request(tmp_path: Path) -> None:
    set_rate(60)
    thing = keyed(new_mesh())
    found = exported(tmp_path, thing, max_position_mm=0)
    assert len(found.keys) == found.frame_count == 25
    assert_is_shown(found, thing, millimetres=0.02)


def test_linear_quaternions_stay_the_keys_that_they_are(tmp_path: Path) -> None:
    set_rate(30)
    thing = new_mesh()
    thing.rotation_mode, random = "QUATERNION", np.random.default_rng(3)
    for frame in (1, 4, 11):
        thing.location = random.uniform(-2, 2, 3).tolist()
        thing.rotation_quaternion = Quaternion((1, frame / 20, 0, 0)).normalized()
        thing.keyframe_insert("location", frame=frame)
        thing.keyframe_insert("rotation_quaternion", frame=frame)
    linear(thing)
    found = exported(tmp_path, thing, method="CURVES")
    assert [key.time for key in found.keys] == [0, 6, 20]
    assert_is_shown(found, thing, millimetres=0.02)


def test_a_location_alone(tmp_path: Path) -> None:
    """A door that slides: its rotation has no curves."""
    set_rate(60)
    thing = new_mesh()
    thing.rotation_mode, thing.rotation_quaternion = "QUATERNION", (math.sqrt(0.5), 0, 0, math.sqrt(0.5))
    for frame, x in ((1, 0.0), (31, 2.0)):
        thing.location.x = x
        thing.keyframe_insert("location", index=0, frame=frame)
    linear(thing)
    found = exported(tmp_path, thing, method="CURVES")
    assert [key.time for key in found.keys] == [0, 30]
    assert_is_shown(found, thing, millimetres=0.02)


def test_curves_that_do_not_tell_all_are_refused_on_request(tmp_path: Path) -> None:
    with refused("Thing", "Method: Samples"):
        exported(tmp_path, keyed(new_mesh()), method="CURVES")


def test_the_library_says_which_curves_are_not_linear(tmp_path: Path) -> None:
    thing = new_mesh()
    thing.rotation_mode = "QUATERNION"
    for frame in (1, 11):
        thing.location.x = frame
        thing.keyframe_insert("location", frame=frame)
    with refused("the curve location[0] has keys that are not linear", "Method: Samples"):
        exported(tmp_path, thing, method="CURVES")


def test_parented(tmp_path: Path) -> None:
    set_rate(60)
    parent, thing = keyed(new_empty("Parent")), new_mesh()
    thing.parent, thing.location = parent, (0.3, 0.4, 0.5)
    bpy.context.scene.frame_end = 25
    found = exported(tmp_path, thing, frame_range="SCENE")
    assert_is_shown(found, thing)


def test_constrained(tmp_path: Path) -> None:
    set_rate(24)
    leader, thing = keyed(new_empty("Leader")), new_mesh()
    for kind in ("COPY_LOCATION", "COPY_ROTATION"):
        thing.constraints.new(kind).target = leader
    bpy.context.scene.frame_end = 25
    found = exported(tmp_path, thing)
    assert found.frame_count == 61
    assert_is_shown(found, thing)


def test_on_a_path(tmp_path: Path) -> None:
    set_rate(30)
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions, curve.use_path, curve.path_duration = "3D", True, 24
    spline: Any = curve.splines.new("BEZIER")
    spline.bezier_points.add(2)
    for point, place in zip(spline.bezier_points, ((0, 0, 0), (2, 1, 0.5), (3, -1, 1)), strict=True):
        point.co, point.handle_left_type, point.handle_right_type = place, "AUTO", "AUTO"
    for frame, value in ((1, 0), (25, 24)):
        curve.eval_time = value
        curve.keyframe_insert("eval_time", frame=frame)
    way = bpy.data.objects.new("Path", curve)
    bpy.context.collection.objects.link(way)
    thing = new_mesh()
    follow: Any = thing.constraints.new("FOLLOW_PATH")
    follow.target, follow.use_curve_follow = way, True
    bpy.context.scene.frame_end = 25
    found = exported(tmp_path, thing)
    assert np.ptp([floats_of(key.position_bits) for key in found.keys], axis=0).max() > 10
    assert_is_shown(found, thing)


def test_driven(tmp_path: Path) -> None:
    set_rate(60)
    thing = new_mesh()
    driver = thing.driver_add("location", 2).driver
    driver.expression = "sin(frame / 7)"
    bpy.context.scene.frame_end = 60
    found = exported(tmp_path, thing)
    assert found.frame_count == 60
    assert_is_shown(found, thing)


@pytest.mark.parametrize("axes", ["FILE", "BLENDER"])
@pytest.mark.parametrize("scale", [(2, 0.5, 3), (-1, 1, 1), (1.82, 1.82, 1.82)], ids=str)
def test_scale_goes_to_the_base(scale: tuple[float, ...], axes: str, tmp_path: Path) -> None:
    set_rate(60)
    thing = keyed(new_mesh())
    thing.scale = scale
    found = exported(tmp_path, thing, axes=axes)
    assert_is_shown(found, thing, millimetres=3 * BOUND_MM, axes=axes)
    lengths = [np.linalg.norm(floats_of(found.base_bits)[i : i + 3]) for i in (0, 3, 6)]
    wanted = [abs(one) for one in (scale if axes == "FILE" else (scale[0], scale[2], scale[1]))]
    assert lengths == pytest.approx(wanted, rel=1e-4)


def test_shear_through_a_parent(tmp_path: Path) -> None:
    """A turned child of an unevenly scaled parent that does not move; another one that does carries it."""
    set_rate(60)
    mover, stretched, thing = keyed(new_empty("Mover")), new_empty("Stretched"), new_mesh()
    stretched.parent, stretched.scale = mover, (1, 2, 1)
    thing.parent, thing.rotation_euler = stretched, (0, 0, 0.6)
    bpy.context.scene.frame_end = 25
    found = exported(tmp_path, thing)
    assert_is_shown(found, thing, millimetres=3 * BOUND_MM)


def test_a_scale_that_changes_is_an_error_that_names_the_frame(tmp_path: Path) -> None:
    set_rate(60)
    thing = keyed(new_mesh())
    for frame, scale in ((1, 1.0), (10, 1.0), (11, 1.5), (25, 1.5)):
        thing.scale.x = scale
        thing.keyframe_insert("scale", frame=frame)
    linear(thing)
    activate(thing)
    with refused("Thing", "scale", "frame 10", "frame N of the file is frame 1 + 1 N of the scene"):
        operators.export_anim.oni(filepath=str(tmp_path / "x.oni"))
    # The file's frames are other ones: 25 is frame 11 of the scene, where the scale is 1.5; 23 is 10.2.
    set_rate(24)
    with refused("Thing", "scale", "frame 23", "frame N of the file is frame 1 + 0.4 N of the scene"):
        operators.export_anim.oni(filepath=str(tmp_path / "x.oni"))
    assert not list(tmp_path.iterdir())


def test_a_camera_that_stands(tmp_path: Path) -> None:
    """Placed and not animated: one key at least, and the whole place."""
    set_rate(60)
    camera = new_camera()
    camera.location, camera.rotation_euler = (3, -7, 2), (1.2, 0, 0.4)
    bpy.context.scene.frame_end = 10
    found = exported(tmp_path, camera)
    assert found.frame_count == 10 and len(found.keys) <= 2
    assert_is_shown(found, camera, millimetres=0.05)
    # Its axes are the file's, whatever is asked.
    assert exported(tmp_path, camera, axes="BLENDER") == found


def test_a_camera_with_everything_in_its_base(tmp_path: Path) -> None:
    """Imported, then moved by its parent."""
    set_rate(60)
    path = OBAN / "camera_in_base.oban"
    camera = new_camera()
    import_oban(path)
    assert_plays(camera, record_of(path.read_bytes()))
    mover = camera.parent
    mover.animation_data_clear()
    keyed(mover)
    bpy.context.scene.frame_end = 25
    found = exported(tmp_path, camera, frame_range="SCENE")
    assert_is_shown(found, camera)


def test_a_door_closes_as_it_opened(tmp_path: Path) -> None:
    set_rate(60)
    thing = keyed(new_mesh())
    found = exported(tmp_path, thing, door=True)
    assert (found.frame_count, found.half_stop_frame) == (49, 24)
    for frame in range(25):
        wanted = shown(thing, 1 + frame)
        for at in (frame, 48 - frame):
            apart = np.linalg.norm(played(found, at) - wanted, axis=1)
            assert 1000 * apart.max() <= BOUND_MM, f"frame {at}"


def test_a_local_animation_is_relative_to_its_origin(tmp_path: Path) -> None:
    set_rate(60)
    thing = keyed(new_mesh())
    oni = thing.animation_data.action.oni
    oni.is_local, oni.origin_location, oni.origin_rotation = True, (4, -3, 2), (0.3, 0.2, 0.9)
    found = exported(tmp_path, thing)
    assert found.is_local
    place = Matrix.Translation(oni.origin_location) @ Euler((0.3, 0.2, 0.9)).to_matrix().to_4x4()
    back = np.array(place.inverted(), np.float64)
    for frame in range(25):
        wanted = shown(thing, 1 + frame) @ back[:3, :3].T + back[:3, 3]
        apart = np.linalg.norm(played(found, frame) - wanted, axis=1)
        assert 1000 * apart.max() <= BOUND_MM


def test_a_local_animation_comes_back_to_its_origin(tmp_path: Path) -> None:
    """Imported at an origin and exported again: the same bytes; moved to another, other keys."""
    set_rate(60)
    path = next(path for path in (OBAN / "flag_z_axis_up.oban",))
    origin = new_empty("Origin")
    origin.matrix_world = Matrix.Translation((3, -2, 1)) @ Matrix.Rotation(0.7, 4, (1, 2, 3))
    thing = new_mesh()
    import_oban(path, origin="Origin")
    assert export_oban(tmp_path / "same.oban") == path.read_bytes()
    thing.animation_data.action.oni.origin_location = (0, 0, 0)
    assert record_of(export_oban(tmp_path / "other.oban")).keys != record_of(path.read_bytes()).keys


def test_options_of_the_dialog_instead_of_the_actions(tmp_path: Path) -> None:
    set_rate(60)
    thing = keyed(new_mesh())
    thing.animation_data.action.oni.normal_loop = True
    found = exported(
        tmp_path, thing, use_action=False, back_to_back_loop=True, frame_length=80, half_stop_frame=7
    )
    assert (found.flags, found.frame_length, found.half_stop_frame) == (2, 80, 7)
    assert exported(tmp_path, thing).flags == 1


def test_ranges(tmp_path: Path) -> None:
    set_rate(60)
    thing, scene = keyed(new_mesh()), bpy.context.scene
    scene.frame_start, scene.frame_end = 3, 40
    for name, frame in (("a", 5), ("b", 12)):
        scene.timeline_markers.new(name, frame=frame)
    for frame_range, first, count in (("ACTION", 1, 25), ("SCENE", 3, 38), ("MARKERS", 5, 8)):
        found = exported(tmp_path, thing, frame_range=frame_range)
        assert found.frame_count == count
        assert_is_shown(found, thing, first=first)


def test_several_objects_are_sampled_in_one_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_rate(60)
    things = [keyed(new_mesh(f"Thing {index}"), last) for index, last in enumerate((25, 33))]
    activate(*things)
    from animbridge.kinds.oban import exporter

    frames: list[float] = []
    real = exporter.set_frame
    monkeypatch.setattr(exporter, "set_frame", lambda scene, at: (frames.append(at), real(scene, at)))
    operators.export_anim.oni(filepath=f"{tmp_path}/any.oban", objects="SELECTED")
    assert frames == list(range(1, 34))
    for thing, count in zip(things, (25, 33), strict=True):
        found = record_of((tmp_path / f"{thing.name}.oban").read_bytes())
        assert found.frame_count == count
        assert_is_shown(found, thing)


def test_the_frame_is_as_before(tmp_path: Path) -> None:
    thing = keyed(new_mesh())
    set_frame(7.5)
    exported(tmp_path, thing)
    scene = bpy.context.scene
    assert (scene.frame_current, scene.frame_subframe) == (7, 0.5)


def test_too_many_frames(tmp_path: Path) -> None:
    set_rate(1)
    thing = keyed(new_mesh())
    bpy.context.scene.frame_end = 600
    activate(thing)
    with refused("Thing", "32767"):
        operators.export_anim.oni(filepath=str(tmp_path / "x.oni"), frame_range="SCENE")


def test_what_is_not_evaluated_is_refused(tmp_path: Path) -> None:
    thing = keyed(new_mesh())
    thing.hide_viewport = True
    activate(thing)
    with refused("Thing", "disabled in viewports"):
        operators.export_anim.oni(filepath=str(tmp_path / "x.oni"))


def test_what_no_view_layer_shows_is_refused(tmp_path: Path) -> None:
    """Of those that an exclusion hides no matrix is there to be read."""
    thing, folder = keyed(new_mesh()), bpy.data.collections.new("Away")
    bpy.context.scene.collection.children.link(folder)
    folder.objects.link(thing)
    bpy.context.collection.objects.unlink(thing)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True
    with pytest.raises(AnimBridgeError, match=r"Thing.*view layer"):
        export_objects([(thing, "x")], bpy.context.scene, ObanExportOptions())


def test_objects_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """One of this file and one of another, which keeps its name."""
    set_rate(60)
    keyed(new_mesh(), 9)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "other.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    set_rate(60)
    here = keyed(new_mesh(), 17)
    library: Any = bpy.data.libraries.load(str(tmp_path / "other.blend"), link=True)
    with library as (_, wanted):
        wanted.objects = ["Thing"]
    other: Any = next(one for one in bpy.data.objects if one.library)
    bpy.context.collection.objects.link(other)
    bpy.context.view_layer.update()
    assert other.name == here.name
    activate(here, other)
    operators.export_anim.oni(filepath=f"{tmp_path}/any.oban", objects="SELECTED")
    for thing, stem, count in ((here, "Thing", 17), (other, "Thing_2", 9)):
        found = record_of((tmp_path / f"{stem}.oban").read_bytes())
        assert found.frame_count == count
        assert_is_shown(found, thing)


def test_a_looping_curve_is_sampled(tmp_path: Path) -> None:
    """Modifiers of curves are in what Blender shows."""
    set_rate(60)
    thing = keyed(new_mesh(), 9)
    for curve in curves_of(thing).values():
        curve.modifiers.new("CYCLES")
    bpy.context.scene.frame_end = 30
    found = exported(tmp_path, thing, frame_range="SCENE")
    assert oban_player.last_frame(found) == 29
    assert_is_shown(found, thing)
