# SPDX-License-Identifier: MIT
"""BVH files as new armatures: skeleton, poses, values, time."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_support import (
    DIALECTS,
    TURN,
    degrees_apart,
    import_bvh,
    read,
    real_files,
    rest_of,
    shown,
    world_of,
    write_bvh,
)
from helpers import curves_of, data_blocks, fcurves, operators, refused, reported, the_action, the_armature
from mathutils import Matrix
from tests.python.material import name_of
from tests.witness import rigs
from tests.witness.bvh_file import Bvh, Joint
from tests.witness.walk import Gait, walk
from window import begin_undo, undo_once, with_undo

pytestmark = pytest.mark.compat

ORDERS = DIALECTS / "rotation_orders.bvh"
SIX = DIALECTS / "six_everywhere.bvh"
CLASSIC = DIALECTS / "newline_lf.bvh"


def bones_of(rig: Any, bvh: Bvh) -> list[Any]:
    """The bones in the order of the joints."""
    assert len(rig.data.bones) == len(bvh.joints)
    return [rig.data.bones[index] for index in range(len(bvh.joints))]


def small(frame_time: float = 1 / 30, frames: int = 4) -> Bvh:
    """Two joints, both with an end."""
    joints = [
        Joint(
            "hip", None, (0.0, 90.0, 0.0), [f"{a}position" for a in "XYZ"] + [f"{a}rotation" for a in "ZXY"]
        ),
        Joint(
            "chest", 0, (0.0, 20.0, 0.0), ["Zrotation", "Xrotation", "Yrotation"], [("", (0.0, 10.0, 0.0))]
        ),
    ]
    motion = [
        [float(f), 90.0 - f, 2.0 * f, 5.0 * f, -7.0 * f, 3.0 * f, f, 20.0 * f, -f] for f in range(frames)
    ]
    return Bvh(joints, frame_time, motion)


# ---- the skeleton ----


@pytest.mark.parametrize("path", real_files(), ids=name_of)
def test_heads_and_parents(path: Path) -> None:
    bvh = read(path)
    rig = import_bvh(path)
    assert rig.name == rig.data.name == path.stem and rig.mode == "OBJECT"
    size = max(float(np.abs(rest_of(bvh)).max()), 1e-3)
    heads = rest_of(bvh)
    for bone, joint, head in zip(bones_of(rig, bvh), bvh.joints, heads, strict=True):
        assert np.abs(np.array(bone.head_local) - head).max() <= 2e-6 * size
        parent = bones_of(rig, bvh)[joint.parent] if joint.parent is not None else None
        assert bone.parent == parent
        assert bone.length > 0
        if bone.use_connect:
            assert not any(channel.endswith("position") for channel in joint.channels)


def test_tails_lie_at_children_and_ends() -> None:
    bvh = small()
    bvh.joints.append(Joint("left", 1, (6.0, 2.0, 0.0), ["Xrotation"], [("", (8.0, 0.0, 0.0))]))
    bvh.joints.append(Joint("right", 1, (-6.0, 4.0, 0.0), ["Xrotation"], [("", (-8.0, 0.0, 0.0))]))
    bvh.joints[1].end_sites = []
    bvh.motion = [[*row, 0.0, 0.0] for row in bvh.motion]
    path = write_bvh(Path(bpy.app.tempdir) / "tails.bvh", bvh)
    bones = import_bvh(path).data.bones
    tails = {name: np.array(bones[name].tail_local) for name in ("hip", "chest", "left", "right")}
    heads = {name: np.array(bones[name].head_local) for name in tails}
    assert tails["hip"] == pytest.approx(heads["chest"], abs=1e-5)
    assert tails["chest"] == pytest.approx((heads["left"] + heads["right"]) / 2, abs=1e-5)
    assert tails["left"] == pytest.approx(heads["left"] + TURN @ (8.0, 0.0, 0.0), abs=1e-5)
    assert bones["chest"].use_connect and not bones["left"].use_connect


def test_axes_of_the_file_for_bones() -> None:
    bones = import_bvh(CLASSIC, bone_axes="FILE").data.bones
    for bone in bones:
        assert np.abs(np.array(bone.matrix_local.to_3x3()) - TURN).max() < 1e-6
    assert [bone.length for bone in bones] == pytest.approx(
        [bone.length for bone in import_bvh(CLASSIC).data.bones], rel=1e-5
    )


def test_elbows_bend_about_x() -> None:
    """Z axes of bones that stand point forward, of those that point forward upward."""
    for bone in import_bvh(CLASSIC).data.bones:
        axis = bone.matrix_local.to_3x3().col[2]
        along = abs(bone.vector.normalized().y) >= 0.7
        assert (axis.z if along else -axis.y) > 0.0


# ---- the motion ----


@pytest.mark.parametrize("path", real_files(), ids=name_of)
@pytest.mark.parametrize("options", [{}, {"rotation_mode": "EULER"}, {"bone_axes": "FILE"}], ids=str)
def test_poses(path: Path, options: dict[str, Any]) -> None:
    bvh = read(path)
    rig = import_bvh(path, frame_rate="FILE", frame_start=3.0, **options)
    names = [bone.name for bone in bones_of(rig, bvh)]
    size = 1e-3
    for frame in sorted({0, 1, len(bvh.motion) // 2, len(bvh.motion) - 1}):
        if not 0 <= frame < len(bvh.motion):
            continue
        heads, turns = shown(rig, 3.0 + frame)
        order = [list(rig.pose.bones.keys()).index(name) for name in names]
        positions, rotations = world_of(bvh, frame)
        # A bone's turn from its rest is the joint's in Blender's axes.
        size = max(size, float(np.abs(positions).max()))
        assert np.abs(heads[order] - positions).max() <= 1e-5 * size, frame
        assert degrees_apart(turns[order], rotations) <= 2e-3, frame


def test_scale_and_other_axes() -> None:
    """A file with Z up and +X forward, in centimetres: +X becomes +Y, +Z stays up, +Y becomes -X."""
    turn = np.array(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    bvh = read(CLASSIC)
    rig = import_bvh(CLASSIC, axis_forward="X", axis_up="Z", global_scale=0.01, frame_rate="FILE")
    assert np.abs(np.array([b.head_local for b in rig.data.bones]) - 0.01 * rest_of(bvh, turn)).max() < 1e-6
    for frame in range(len(bvh.motion)):
        heads, turns = shown(rig, 1.0 + frame)
        positions, rotations = world_of(bvh, frame, turn)
        assert np.abs(heads - 0.01 * positions).max() < 1e-5
        assert degrees_apart(turns, rotations) < 2e-3


def test_a_body_that_stands_along_z_stands(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """As motion onto another skeleton does; and it goes back as it came."""
    rig = rigs.build("mixamo", rigs.load_tables()["mixamo"])
    path = write_bvh(tmp_path / "walk.bvh", walk(rig, Gait(seconds=0.2), y_up=False).bvh)
    import_bvh(path)
    assert "stands along Z, so that axis is up" in reported(capfd)
    heads = {bone.name: bone.head_local for bone in the_armature().data.bones}
    assert heads[rig.truth["head"]].z > heads[rig.truth["hips"]].z > heads[rig.truth["leftFoot"]].z + 0.5
    out = tmp_path / "out.bvh"
    operators.export_anim.animbridge_bvh(filepath=str(out))
    assert read(out).motion == read(path).motion and read(out).joints == read(path).joints


@pytest.mark.parametrize(
    ("chosen", "up"), [({"axis_forward": "-Z", "axis_up": "Y"}, "y"), ({"axis_up": "Z"}, "z")]
)
def test_axes_that_are_chosen_count_against_the_guess(
    chosen: dict[str, str], up: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The body stands along the file's Z. With Y up it lies on its back: Z becomes -Y."""
    rig = rigs.build("mixamo", rigs.load_tables()["mixamo"])
    path = write_bvh(tmp_path / "walk.bvh", walk(rig, Gait(seconds=0.2), y_up=False).bvh)
    import_bvh(path, **chosen)
    assert "so that axis is up" not in reported(capfd)
    heads = {bone.name: bone.head_local for bone in the_armature().data.bones}
    body = heads[rig.truth["head"]] - heads[rig.truth["leftFoot"]]
    assert (body.z if up == "z" else -body.y) > 1.0


def test_one_axis_twice_is_refused() -> None:
    with refused("Forward", "Up", "line"):
        import_bvh(CLASSIC, axis_forward="Y", axis_up="-Y")
    assert not any(data_blocks().values())


@pytest.mark.parametrize("path", [ORDERS, SIX, CLASSIC], ids=name_of)
def test_euler_curves_have_the_files_own_angles(path: Path) -> None:
    """Value for value, to float32; and the order of the file, which Blender names the other way round."""
    bvh = read(path)
    rig = import_bvh(path, rotation_mode="EULER", frame_rate="FILE")
    column = 0
    checked = 0
    for joint, bone in zip(bvh.joints, rig.pose.bones, strict=True):
        letters = [name[0] for name in joint.channels if name.endswith("rotation")]
        values = np.array([row[column : column + len(joint.channels)] for row in bvh.motion])
        if len(set(letters)) == len(letters) == 3:
            assert bone.rotation_mode == "".join(reversed(letters))
        for place, name in enumerate(joint.channels):
            if not name.endswith("rotation") or len(set(letters)) != len(letters):
                continue
            curve = next(
                c for c in curves_of(bone.name, "rotation_euler") if c.array_index == "XYZ".index(name[0])
            )
            found = np.array([point.co[1] for point in curve.keyframe_points], np.float32)
            assert found.tolist() == np.radians(values[:, place]).astype(np.float32).tolist()
            checked += 1
        column += len(joint.channels)
    assert checked >= 6


def test_quaternions_do_not_jump() -> None:
    bvh = small(frames=80)
    for frame, row in enumerate(bvh.motion):
        row[3:6] = [11.0 * frame, 7.0 * frame, 0.0]
    import_bvh(write_bvh(Path(bpy.app.tempdir) / "turns.bvh", bvh))
    for bone in ("hip", "chest"):
        keys = np.array(
            [[p.co[1] for p in c.keyframe_points] for c in curves_of(bone, "rotation_quaternion")]
        )
        assert keys.shape == (4, 80)
        assert (np.sum(keys[:, 1:] * keys[:, :-1], axis=0) > 0.9).all()


def test_keys_are_linear_and_not_selected() -> None:
    import_bvh(CLASSIC)
    assert fcurves()
    for curve in fcurves():
        assert not curve.select and curve.group.name in the_armature().data.bones
        for key in curve.keyframe_points:
            assert key.interpolation == "LINEAR"
            assert not (key.select_control_point or key.select_left_handle or key.select_right_handle)


# ---- time ----


def key_frames(bone: str = "chest") -> list[float]:
    return [point.co[0] for point in curves_of(bone, "rotation")[0].keyframe_points]


def test_seconds_are_kept_between_the_scenes_frames(tmp_path: Path) -> None:
    bpy.context.scene.render.fps = 24
    import_bvh(write_bvh(tmp_path / "a.bvh", small(frame_time=1 / 120)), frame_start=2.5)
    assert key_frames() == pytest.approx([2.5 + frame * 24 / 120 for frame in range(4)], abs=1e-6)
    assert bpy.context.scene.render.fps == 24


@pytest.mark.parametrize("written", ["0.0333667", "0.033367", "0.03336666666666667"])
def test_television_rates_of_scene_and_file(written: str, tmp_path: Path) -> None:
    """30 / 1.001 frames per second, however the file rounds it: frames are frames to the last one."""
    render = bpy.context.scene.render
    render.fps, render.fps_base = 30, 1.001
    path = write_bvh(tmp_path / "a.bvh", small(frame_time=float(written), frames=400))
    import_bvh(path)
    assert key_frames() == pytest.approx(list(range(1, 401)), abs=1e-4)
    render.fps, render.fps_base = 30, 1.0
    import_bvh(path)
    assert key_frames()[-1] == pytest.approx(1 + 399 * float(written) * 30, abs=1e-3)
    import_bvh(path, frame_rate="FILE")
    assert (render.fps, render.fps_base) == (30, pytest.approx(1.001, rel=1e-6))
    assert key_frames() == pytest.approx(list(range(1, 401)), abs=1e-4)


@pytest.mark.parametrize(
    ("written", "rate"),
    [("0.041667", 24), ("0.0083333", 120), ("0.04", 25), ("0.0417083", 24 / 1.001), ("0.07", 1 / 0.07)],
)
def test_the_files_rate(written: str, rate: float, tmp_path: Path) -> None:
    import_bvh(write_bvh(tmp_path / "a.bvh", small(frame_time=float(written))), frame_rate="FILE")
    render = bpy.context.scene.render
    assert render.fps / render.fps_base == pytest.approx(rate, rel=1e-6)
    assert key_frames() == pytest.approx([1, 2, 3, 4], abs=1e-5)
    assert bpy.context.scene.frame_end == 4


def test_frame_by_frame(tmp_path: Path) -> None:
    render = bpy.context.scene.render
    import_bvh(write_bvh(tmp_path / "a.bvh", small(frame_time=0.1)), frame_rate="FRAMES", frame_start=10.0)
    assert key_frames() == pytest.approx([10, 11, 12, 13], abs=1e-5)
    assert (render.fps, render.fps_base) == (24, 1.0)


def test_a_rate_is_set(tmp_path: Path) -> None:
    path = write_bvh(tmp_path / "a.bvh", small(frame_time=0.1))
    import_bvh(path, frame_rate="SET", frames_per_second=59.94)
    render = bpy.context.scene.render
    assert (render.fps, render.fps_base) == (60, pytest.approx(1.001))
    assert key_frames() == pytest.approx([1 + frame * 6 / 1.001 for frame in range(4)], abs=1e-4)


# ---- several files ----


def test_files_with_one_skeleton_share_an_armature(tmp_path: Path) -> None:
    for name in ("a", "b", "other"):
        bvh = small()
        if name == "other":
            bvh.joints[1] = replace(bvh.joints[1], offset=(0.0, 33.0, 0.0))
        write_bvh(tmp_path / f"{name}.bvh", bvh)
    files = [{"name": f"{name}.bvh"} for name in ("a", "other", "b")]
    operators.import_anim.animbridge_bvh(directory=f"{tmp_path}/", files=files)
    assert sorted(obj.name for obj in bpy.data.objects) == ["a", "other"]
    assert sorted(action.name for action in bpy.data.actions) == ["a", "b", "other"]
    playing = {obj.name: obj.animation_data.action.name for obj in list[Any](bpy.data.objects)}
    assert playing == {"a": "b", "other": "other"}


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_bvh(tmp_path / "good.bvh", small())
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT hip\n{\n  OFFSET 0 0 here\n")
    files = [{"name": "bad.bvh"}, {"name": "good.bvh"}]
    operators.import_anim.animbridge_bvh(directory=f"{tmp_path}/", files=files, report_text=True)
    said = " ".join(reported(capfd).split())  # long messages have lines
    assert "bad.bvh" in said and "line 4" in said and "1 imported, 1 failed" in said
    assert [obj.name for obj in bpy.data.objects] == ["good"]
    assert "bad.bvh" in bpy.data.texts["AnimBridge Import"].as_string()


@pytest.mark.skipif(not hasattr(bpy.types, "FileHandler"), reason="files can be dropped since Blender 4.1")
def test_the_drop_handler() -> None:
    handler: Any = bpy.types.IO_FH_animbridge_bvh  # pyright: ignore[reportAttributeAccessIssue]
    assert handler.bl_import_operator == "import_anim.animbridge_bvh"
    assert handler.bl_file_extensions == ".bvh"


def test_nla_tracks(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_bvh(tmp_path / f"{name}.bvh", small())
    files = [{"name": "a.bvh"}, {"name": "b.bvh"}]
    operators.import_anim.animbridge_bvh(directory=f"{tmp_path}/", files=files, place="NLA")
    animation = the_armature().animation_data
    assert animation.action is None and [track.name for track in animation.nla_tracks] == ["a", "b"]


# ---- what is put up with, and what is not ----


def test_lenient_reading_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = DIALECTS / "count_too_large.bvh"
    import_bvh(path)
    assert "count_too_large.bvh: " in reported(capfd)
    frames = len(read(path).motion)
    assert len(key_frames(the_armature().data.bones[0].name)) == frames
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with refused("count_too_large.bvh"):
        import_bvh(path, lenient=False)
    assert not any(data_blocks().values())


@pytest.mark.parametrize("path", sorted(DIALECTS.glob("*.bvh")), ids=name_of)
def test_every_dialect_comes_in(path: Path) -> None:
    bvh = read(path)
    rig = import_bvh(path)
    assert len(rig.data.bones) == len(bvh.joints)
    moving = [joint for joint in bvh.joints if any(not c.endswith("scale") for c in joint.channels)]
    assert bool(fcurves()) == bool(moving and bvh.motion)
    assert the_action().name


def test_a_file_of_another_format_is_named(tmp_path: Path) -> None:
    from tests.python.material import demos

    with refused("Second Life animation", "walk.anim"):
        import_bvh(next(path for path in demos() if path.name == "walk.anim"))
    with refused("BVH", "newline_lf.bvh"):
        operators.import_anim.secondlife(filepath=str(CLASSIC))
    assert not any(data_blocks().values())


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "bad.bvh"
    bad.write_bytes(CLASSIC.read_bytes()[:-40] + b"rubbish\n")
    scene = bpy.context.scene
    with refused("bad.bvh"):
        import_bvh(bad, frame_rate="FILE", report_text=True)
    assert not any(data_blocks().values())
    assert (scene.render.fps, scene.frame_end) == (24, 250)


def test_undo_takes_all_of_it_back_at_once(window: None) -> None:
    begin_undo()
    with_undo(operators.import_anim.animbridge_bvh, filepath=str(CLASSIC), frame_rate="FILE")
    assert bpy.data.actions and bpy.context.scene.render.fps != 24
    undo_once()
    assert not any(data_blocks().values())
    assert bpy.context.scene.render.fps == 24


def test_names_that_blender_cannot_hold() -> None:
    """Each joint has a bone of its own, whatever its name; and all of them move."""
    for stem in ("name_long", "name_same", "name_utf8", "name_spaces"):
        path = DIALECTS / f"{stem}.bvh"
        bvh = read(path)
        rig = import_bvh(path)
        assert len(rig.data.bones) == len(bvh.joints)
        moved = {curve.data_path.split('"')[1] for curve in fcurves(rig)}
        assert len(moved) == len([joint for joint in bvh.joints if joint.channels])
        assert all(math.isfinite(value) for bone in rig.pose.bones for value in bone.head)


def test_an_armature_stands_at_the_origin() -> None:
    bpy.context.scene.cursor.location = (1, 2, 3)
    assert import_bvh(CLASSIC).matrix_world == Matrix.Identity(4)
