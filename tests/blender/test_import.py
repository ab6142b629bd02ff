# SPDX-License-Identifier: MIT
"""What an import makes, and what it leaves alone."""

from __future__ import annotations

import os
from pathlib import Path

import bpy
import numpy as np
import pytest
from helpers import (
    data_blocks,
    export_file,
    fcurves,
    import_file,
    operators,
    put_in_a_row,
    random_rig,
    refused,
    reported,
    set_frame,
    the_action,
)
from tests.python.material import READABLE, UNREADABLE, demos
from tests.witness import anim_file
from tests.witness.anim_file import AnimFile, Joint, bits_of
from window import begin_undo, tweak, undo_once, with_undo

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
BROKEN = next(case.path for case in UNREADABLE if case.path.name == "cut_in_keys.anim")


def import_files(folder: Path, names: list[str], **options: object) -> set[str]:
    files = [{"name": name} for name in names]
    return operators.import_anim.secondlife(directory=f"{folder}/", files=files, **options)


def test_two_files_are_two_actions() -> None:
    assert import_files(WALK.parent, ["walk.anim", "wave.anim"]) == {"FINISHED"}
    assert sorted(action.name for action in bpy.data.actions) == ["walk", "wave"]
    assert all(action.use_fake_user for action in bpy.data.actions)
    assert the_action().name == "wave"


def test_what_is_imported_plays() -> None:
    """Action and slot are assigned: going to another frame moves the bones."""
    rig = import_file(WALK)
    animation = rig.animation_data
    if hasattr(animation, "action_slot"):
        assert animation.action_slot is not None
        assert animation.action_slot.name_display == rig.name
    poses = []
    for frame in (1, 7):
        set_frame(frame)
        poses.append(np.array([bone.matrix for bone in rig.pose.bones]))
    assert np.abs(poses[0] - poses[1]).max() > 0.01


def test_the_pose_is_shown_at_once() -> None:
    set_frame(7)
    rig = import_file(WALK)
    shown = np.array([bone.matrix for bone in rig.pose.bones])
    set_frame(7)
    assert np.array_equal(shown, np.array([bone.matrix for bone in rig.pose.bones]))


def test_no_stray_data_blocks() -> None:
    import_file(WALK)
    found = data_blocks()
    assert found["actions"] == ["walk"]
    assert found["armatures"] == ["SL Skeleton"] and found["meshes"] == ["SL Mannequin"]
    assert found["objects"] == ["SL Mannequin", "SL Skeleton"]
    assert not any(found[kind] for kind in ("collections", "texts", "images", "node_groups"))


def test_a_bad_file_among_good_ones(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for path in (WALK, BROKEN, WAVE):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert import_files(tmp_path, ["walk.anim", BROKEN.name, "wave.anim"]) == {"FINISHED"}
    assert sorted(action.name for action in bpy.data.actions) == ["walk", "wave"]
    said = reported(capfd)
    assert BROKEN.name in said and "byte " in said and "2 imported, 1 failed" in said


def test_only_bad_files_leave_nothing() -> None:
    before = data_blocks()
    with refused(BROKEN.name, "byte "):
        import_files(BROKEN.parent, [BROKEN.name, "empty.anim"])
    assert data_blocks() == before


@pytest.mark.parametrize("name", ["foreign_maya.anim", "foreign_unity.anim", "empty.anim", "zeros.anim"])
def test_files_of_other_programs(name: str) -> None:
    with refused(name):
        import_file(BROKEN.parent / name)
    assert not bpy.data.actions and not bpy.data.armatures


def test_missing_file() -> None:
    with refused("none.anim"):
        import_file(Path("/nowhere/none.anim"))
    with refused("No file"):
        operators.import_anim.secondlife()


def test_named_armature_gets_it_and_the_active_one_does_not() -> None:
    rig = random_rig(np.random.default_rng(0), "NEGATIVE_Y")
    other = random_rig(np.random.default_rng(1), "X")
    operators.import_anim.secondlife(filepath=str(WALK), armature=rig.name)
    assert rig.animation_data.action.name == "walk"
    assert other.animation_data is None
    assert len(bpy.data.armatures) == 2


def test_wrong_armature_names() -> None:
    bpy.context.collection.objects.link(bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT")))
    with refused("'nothing'"):
        import_file(WALK, armature="nothing")
    with refused("'Lamp'", "not an armature"):
        import_file(WALK, armature="Lamp")
    assert not bpy.data.actions


def test_an_armature_without_matching_bones() -> None:
    rig = random_rig(np.random.default_rng(0), "X")
    for number, bone in enumerate(rig.data.bones):
        bone.name = f"bone {number}"
    put_in_a_row(rig)
    before = data_blocks()
    with refused("no bone of the armature", "walk.anim"):
        import_file(WALK)
    assert data_blocks() == before
    assert rig.animation_data is None


def test_unmatched_joints_are_named_and_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = random_rig(np.random.default_rng(0), "X")
    rig.data.bones["mHead"].name = "something else"
    import_file(WALK)
    assert "mHead" in reported(capfd)
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_rotation_modes_are_switched_and_put_back_on_failure(capfd: pytest.CaptureFixture[str]) -> None:
    rig = random_rig(np.random.default_rng(0), "X")
    for bone in rig.pose.bones:
        bone.rotation_mode = "XZY"
    rejected = next(case.path for case in READABLE if case.path.name == "hand_pose_15.anim")
    with refused("hand"):
        import_file(rejected)
    assert {bone.rotation_mode for bone in rig.pose.bones} == {"XZY"}
    import_file(WALK)
    said = reported(capfd)
    assert "changed to quaternions" in said and "Warning" not in said
    turned = {curve.data_path.split('"')[1] for curve in fcurves() if curve.data_path.endswith("quaternion")}
    assert {bone.name for bone in rig.pose.bones if bone.rotation_mode == "QUATERNION"} == turned


def test_keys_that_blender_merges(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Two keys 0.003 frame apart: reported, and kept by an export, whatever this Blender does with them."""
    keys = np.array(
        [[100, 30000, 32767, 32767], [101, 40000, 32767, 32767], [60000, 32767, 32767, 32767]], np.uint16
    )
    path = tmp_path / "close.anim"
    file = AnimFile(duration_bits=bits_of(0.5), joints=[Joint(b"mHead", 3, keys)])
    path.write_bytes(anim_file.write(file))
    import_file(path)
    said = reported(capfd)
    assert "closer than 0.01 frame" in said and "mHead" in said
    assert "Warning" not in said and said.splitlines()[-1] == "Info: 1 imported; the Action 'close' plays"
    assert len(fcurves()[0].keyframe_points) in {2, 3}
    assert export_file(tmp_path / "out.anim") == path.read_bytes()


def test_long_and_odd_file_names(tmp_path: Path) -> None:
    for stem in ("ä" * 60, "a.b.c", "x y'z" if os.name == "nt" else "x y'z\"\\", "踊り"):
        path = tmp_path / f"{stem}.anim"
        path.write_bytes(WALK.read_bytes())
        import_file(path)
        name = the_action().name
        assert stem.startswith(name) and len(name.encode()) <= 63
        assert export_file(tmp_path / "out.bytes") == WALK.read_bytes()


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    """Bytes that are no UTF-8; on Windows, one half of a pair of UTF-16."""
    path, bad = (tmp_path / f"{name}.anim" for name in ("odd \udcff", "bad \udcfe"))
    try:
        path.write_bytes(WALK.read_bytes())
    except FileNotFoundError:
        pytest.skip("this system has no such names; Windows has them, Wine doesn't")
    bad.write_bytes(b"x")
    import_file(path)
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()
    blend = tmp_path / "odd.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    operators.export_anim.secondlife(filepath=f"{tmp_path}/x.anim", actions="ALL")
    assert WALK.read_bytes() in [found.read_bytes() for found in tmp_path.glob("odd*.anim") if found != path]
    with refused("bad "):
        import_file(bad)


def test_odd_bone_names(tmp_path: Path) -> None:
    """Alias names of joints, and others beside them that need escaping."""
    rig = random_rig(np.random.default_rng(0), "X")
    rig.data.bones["mHead"].name = "head"
    rig.data.bones["mTail6"].name = 'a "quoted\\ bone'
    import_file(WALK)
    assert any("head" in curve.data_path for curve in fcurves())
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_the_same_file_twice() -> None:
    import_file(WALK)
    import_file(WALK)
    assert sorted(action.name for action in bpy.data.actions) == ["walk", "walk.001"]
    assert len(bpy.data.armatures) == 1


def test_nla_tweak_mode_is_refused(window: None) -> None:
    rig = import_file(WALK)
    animation = rig.animation_data
    track = animation.nla_tracks.new()
    strip = track.strips.new("walk", 1, the_action())
    if hasattr(strip, "action_slot"):
        strip.action_slot = animation.action_slot
    animation.action = None
    tweak(rig, track)
    before = data_blocks()
    with refused("tweak"):
        import_file(WAVE)
    assert data_blocks() == before


def test_undo_takes_all_of_it_back(window: None) -> None:
    begin_undo()
    with_undo(operators.import_anim.secondlife, filepath=str(WALK))
    assert bpy.data.actions
    undo_once()
    assert not bpy.data.actions and not bpy.data.armatures
