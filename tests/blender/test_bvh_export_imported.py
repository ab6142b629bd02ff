# SPDX-License-Identifier: MIT
"""BVH files through Blender and back: what is untouched keeps its numbers, what is touched shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_shown import errors_of, turn_of_axes
from bvh_support import DIALECTS, export_bvh, import_bvh, read, samples, write_bvh
from helpers import curves_of, fcurves, the_armature
from tests.python.material import name_of
from tests.witness.bvh_file import Bvh

#: An armature has a pose, so that a file without frames comes back with one.
NOT_KEPT = {"frames_0"}
FILES = [*samples(), *(path for path in sorted(DIALECTS.glob("*.bvh")) if path.stem not in NOT_KEPT)]
#: One file for what needs no many.
CLASSIC = DIALECTS / "newline_lf.bvh"
SOME = [CLASSIC, *samples()[2::4]]


def assert_same(found: Bvh, wanted: Bvh) -> None:
    """Joints, channels, offsets, end sites, frame time and motion, number for number."""
    assert found.joints == wanted.joints
    assert found.frame_time == wanted.frame_time
    assert found.motion == wanted.motion


@pytest.mark.parametrize("path", FILES, ids=name_of)
@pytest.mark.parametrize("mode", ["QUATERNION", "EULER"])
@pytest.mark.parametrize("rate", ["SCENE", "FILE", "FRAMES"])
def test_untouched(rate: str, mode: str, path: Path, tmp_path: Path) -> None:
    import_bvh(path, rotation_mode=mode, frame_rate=rate, frame_start=3.25)
    assert_same(export_bvh(tmp_path / "out.bvh"), read(path))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_untouched_after_a_reload(path: Path, tmp_path: Path) -> None:
    import_bvh(path)
    blend = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.open_mainfile(filepath=blend)
    assert_same(export_bvh(tmp_path / "out.bvh"), read(path))


@pytest.mark.parametrize("path", SOME, ids=name_of)
def test_untouched_whatever_the_options_for_new_files(path: Path, tmp_path: Path) -> None:
    import_bvh(path, axis_forward="X", axis_up="Z", global_scale=0.0254)
    found = export_bvh(
        tmp_path / "out.bvh",
        axis_forward="Y",
        axis_up="-Z",
        global_scale=3.0,
        frames_per_second=10.0,
        rotation_order="XYZ",
        positions="ALL",
        method="CURVES",
    )
    assert_same(found, read(path))


# ---- one thing is touched ----


def turning(bone: str) -> Any:
    """A curve that turns the bone, not the first component."""
    return curves_of(bone, "rotation")[1]


def change_a_key(bone: str) -> None:
    point = turning(bone).keyframe_points[1]
    point.co[1] += 0.3
    turning(bone).update()


def put_a_key_between(bone: str) -> None:
    """Between the file's frames, where another has been."""
    curve = turning(bone)
    first, second = (curve.keyframe_points[index].co[0] for index in (0, 1))
    curve.keyframe_points.remove(curve.keyframe_points[1])
    curve.keyframe_points.insert((first + 2 * second) / 3, 0.2)


def remove_a_key(bone: str) -> None:
    for curve in curves_of(bone, "rotation"):
        curve.keyframe_points.remove(curve.keyframe_points[1])


def make_curves_smooth(bone: str) -> None:
    remove_a_key(bone)
    for curve in curves_of(bone, "rotation"):
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
            point.handle_left_type = point.handle_right_type = "FREE"
            point.handle_right = (point.co[0] + 0.3, point.co[1] + 0.2)
            point.handle_left = (point.co[0] - 0.3, point.co[1] + 0.1)


def remove_all_curves(bone: str) -> None:
    """The bone keeps the pose that it has."""
    bpy.context.scene.frame_set(2)
    for curve in curves_of(bone):
        fcurves().remove(curve)


def change_the_mode(bone: str) -> None:
    """To one whose properties have no curves."""
    pose_bone = the_armature().pose.bones[bone]
    pose_bone.rotation_mode = "AXIS_ANGLE"
    pose_bone.rotation_axis_angle = (0.7, 0.0, 0.6, 0.8)


def move_a_key(bone: str) -> None:
    point = turning(bone).keyframe_points[1]
    point.co[0] += 0.4
    turning(bone).update()


TOUCHES = (
    change_a_key,
    put_a_key_between,
    remove_a_key,
    make_curves_smooth,
    remove_all_curves,
    change_the_mode,
    move_a_key,
)


def changed_joints(found: Bvh, wanted: Bvh) -> set[str]:
    """The joints with other numbers; all else must be the same."""
    assert found.joints == wanted.joints
    assert found.frame_time == wanted.frame_time and len(found.motion) == len(wanted.motion)
    names = [joint.name for joint in wanted.joints for _ in joint.channels]
    rows = zip(found.motion, wanted.motion, strict=True)
    return {name for a, b in rows for name, x, y in zip(names, a, b, strict=True) if x != y}


def frames_of(bvh: Bvh, first: float, rate: float) -> list[float]:
    return [first + frame * bvh.frame_time * rate for frame in range(len(bvh.motion))]


def assert_shows(rig: Any, bvh: Bvh, frames: list[float], **options: Any) -> None:
    errors = errors_of(rig, bvh, frames, **options)
    assert errors.degrees <= 1e-4 and errors.share <= 1e-6, errors


@pytest.mark.parametrize("path", SOME, ids=name_of)
@pytest.mark.parametrize("mode", ["QUATERNION", "EULER"])
@pytest.mark.parametrize("touch", TOUCHES, ids=lambda touch: touch.__name__)
def test_one_joint_is_touched(touch: Callable[[str], None], mode: str, path: Path, tmp_path: Path) -> None:
    """It shows what Blender shows; the others keep their very numbers."""
    wanted = read(path)
    rig = import_bvh(path, rotation_mode=mode, frame_rate="FILE")
    name = wanted.joints[len(wanted.joints) // 2].name
    touch(name)
    found = export_bvh(tmp_path / "out.bvh")
    assert changed_joints(found, wanted) == {name}
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    assert_shows(rig, found, [1.0 + round(frame) for frame in frames_of(wanted, 0.0, rate)])


def test_between_the_scenes_frames(tmp_path: Path) -> None:
    wanted = read(CLASSIC)
    rig = import_bvh(CLASSIC, frame_start=2.5)
    change_a_key("chest")
    found = export_bvh(tmp_path / "out.bvh")
    assert changed_joints(found, wanted) == {"chest"}
    assert_shows(rig, found, frames_of(wanted, 2.5, 24.0))


@pytest.mark.parametrize("mode", ["QUATERNION", "EULER"])
def test_places_of_the_root_and_its_rotations_are_kept_apart(mode: str, tmp_path: Path) -> None:
    wanted = read(CLASSIC)
    rig = import_bvh(CLASSIC, rotation_mode=mode, frame_rate="FILE")
    curve = curves_of("hip", "location")[2]
    curve.keyframe_points[1].co[1] += 2.0
    curve.update()
    found = export_bvh(tmp_path / "out.bvh")
    assert found.joints == wanted.joints
    assert [row[3:] for row in found.motion] == [row[3:] for row in wanted.motion]
    assert [row[:3] for row in found.motion] != [row[:3] for row in wanted.motion]
    assert_shows(rig, found, [1.0, 2.0, 3.0])


def test_a_joint_that_begins_to_move_gets_positions(tmp_path: Path) -> None:
    wanted = read(CLASSIC)
    rig = import_bvh(CLASSIC, frame_rate="FILE")
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["arm"].use_connect = False  # else it would stay
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.pose.bones["arm"].location = (0.5, -1.0, 0.25)
    rig.pose.bones["arm"].keyframe_insert("location", frame=2)
    found = export_bvh(tmp_path / "out.bvh")
    assert found.joints[:2] == wanted.joints[:2]
    arm = [f"{axis}position" for axis in "XYZ"] + wanted.joints[2].channels
    assert found.joints[2].channels == arm
    assert [row[:9] for row in found.motion] == [row[:9] for row in wanted.motion]
    assert_shows(rig, found, [1.0, 2.0, 3.0])


def test_another_rest_pose(tmp_path: Path) -> None:
    """A bone rolled and a leaf moved in Edit mode: the curves mean something else, and that is what comes."""
    wanted = read(CLASSIC)
    rig = import_bvh(CLASSIC, frame_rate="FILE")
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["chest"].roll += 0.5
    rig.data.edit_bones["arm"].head.x += 1.0
    bpy.ops.object.mode_set(mode="OBJECT")
    found = export_bvh(tmp_path / "out.bvh")
    assert [joint.offset for joint in found.joints[:2]] == [joint.offset for joint in wanted.joints[:2]]
    assert found.joints[2].offset[0] == pytest.approx(wanted.joints[2].offset[0] + 1.0)
    assert [row[:6] for row in found.motion] == [row[:6] for row in wanted.motion]
    assert_shows(rig, found, [1.0, 2.0, 3.0])


@pytest.mark.parametrize("path", SOME, ids=name_of)
@pytest.mark.parametrize("method", ["AUTO", "SAMPLES"])
def test_not_as_imported(method: str, path: Path, tmp_path: Path) -> None:
    """A new file, with the options' axes, unit, order and rate."""
    wanted = read(path)
    rig = import_bvh(path, global_scale=0.0254, frame_rate="FILE", frame_start=1.0)
    scene = bpy.context.scene
    found = export_bvh(
        tmp_path / "out.bvh",
        as_imported=False,
        axis_forward="Y",
        axis_up="Z",
        rotation_order="YXZ",
        positions="ROOT",
        method=method,
    )
    assert found.frame_time == pytest.approx(scene.render.fps_base / scene.render.fps, rel=1e-12)
    assert len(found.motion) == len(wanted.motion)
    orders = {"".join(name[0] for name in joint.channels[-3:]) for joint in found.joints}
    assert orders == {"YXZ"}
    frames = [1.0 + frame for frame in range(len(wanted.motion))]
    assert_shows(rig, found, frames, turn=np.eye(3))


@pytest.mark.parametrize("rate", ["SCENE", "FILE", "FRAMES"])
def test_sampled_imports_keep_axes_unit_time_and_names(rate: str, tmp_path: Path) -> None:
    wanted = read(CLASSIC)
    wanted.joints[0].name = "a" * 70  # more than a bone can be called
    path = write_bvh(tmp_path / "in.bvh", wanted)
    rig = import_bvh(path, axis_forward="X", axis_up="Z", global_scale=0.5, frame_rate=rate, frame_start=4.5)
    found = export_bvh(tmp_path / "out.bvh", method="SAMPLES")
    assert [joint.name for joint in found.joints] == [joint.name for joint in wanted.joints]
    assert found.frame_time == wanted.frame_time
    found.joints[0].name = rig.data.bones[0].name
    step = 24 * wanted.frame_time if rate == "SCENE" else 1.0
    frames = [4.5 + step * frame for frame in range(3)]
    assert_shows(rig, found, frames, turn=turn_of_axes("X", "Z"), scale=0.5)


@pytest.mark.parametrize("stem", ["newline_lf", "rotation_orders", "end_site_none", "roots_2"])
def test_sampled_imports_keep_their_joints(stem: str, tmp_path: Path) -> None:
    """Offsets to the digit, channels in their order, and no end site that the file has not."""
    path = DIALECTS / f"{stem}.bvh"
    rig = import_bvh(path, frame_rate="FILE")
    wanted = read(path)
    found = export_bvh(tmp_path / "out.bvh", method="SAMPLES")
    assert found.joints == wanted.joints and found.frame_time == wanted.frame_time
    assert_shows(rig, found, [1.0 + frame for frame in range(len(wanted.motion))])


def test_a_file_without_frames_comes_back_with_its_pose(tmp_path: Path) -> None:
    wanted = read(DIALECTS / "frames_0.bvh")
    import_bvh(DIALECTS / "frames_0.bvh")
    found = export_bvh(tmp_path / "out.bvh")
    assert found.joints == wanted.joints
    assert len(found.motion) == 1 and not any(found.motion[0][3:])


def test_long_names_come_back(tmp_path: Path) -> None:
    for stem in ("name_long", "name_same", "name_utf8", "name_spaces"):
        path = DIALECTS / f"{stem}.bvh"
        import_bvh(path)
        for method in ("CURVES", "SAMPLES"):
            found = export_bvh(tmp_path / "out.bvh", method=method)
            assert [joint.name for joint in found.joints] == [joint.name for joint in read(path).joints]


def test_another_rate_of_the_scene(tmp_path: Path) -> None:
    """Frames last longer then, and the file says so."""
    wanted = read(CLASSIC)
    rig = import_bvh(CLASSIC, frame_rate="FILE")
    bpy.context.scene.render.fps = 10
    found = export_bvh(tmp_path / "out.bvh")
    assert found.frame_time == pytest.approx(0.1, rel=1e-12)
    assert len(found.motion) == len(wanted.motion)
    assert_shows(rig, found, [1.0, 2.0, 3.0])


def test_bones_that_the_file_has_not(tmp_path: Path) -> None:
    """A bone more and a bone less: what the others do stays as it is."""
    wanted = read(CLASSIC)
    rig = import_bvh(CLASSIC, frame_rate="FILE")
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    bones.remove(bones["arm"])
    new = bones.new("hat")
    new.head, new.tail, new.parent = (0.0, 1.0, 7.0), (0.0, 1.0, 8.0), bones["chest"]
    bpy.ops.object.mode_set(mode="OBJECT")
    found = export_bvh(tmp_path / "out.bvh")
    assert [joint.name for joint in found.joints] == ["hip", "chest", "hat"]
    assert found.joints[:2] == wanted.joints[:2]
    assert [row[:9] for row in found.motion] == [row[:9] for row in wanted.motion]
    assert_shows(rig, found, [1.0, 2.0, 3.0])
