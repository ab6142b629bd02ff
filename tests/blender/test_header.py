# SPDX-License-Identifier: MIT
"""What a file says besides its motion: shown by the Action, edited there, and nothing else changed by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import (
    export_file,
    import_file,
    joint_records,
    keyed_bone,
    operators,
    raw_properties,
    refused,
    select_bones,
    the_action,
    the_armature,
    without_joints,
)
from tests.python.material import READABLE, demos
from tests.witness import anim_file
from tests.witness.anim_file import AnimFile

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
DANCE = next(path for path in demos() if path.name == "dance.anim")


def shown() -> Any:
    return the_action().secondlife


def header_of(data: bytes) -> AnimFile:
    return anim_file.parse(without_joints(data))


@pytest.mark.parametrize("path", demos(), ids=lambda path: path.name)
def test_the_action_shows_the_header(path: Path) -> None:
    import_file(path)
    file = anim_file.parse(path.read_bytes())
    assert shown().base_priority == file.base_priority
    assert shown().emote == file.emote_name.decode()
    assert shown().bl_rna.properties["hand_pose"].enum_items[shown().hand_pose].value == file.hand_pose
    assert shown().loop == bool(file.loop)
    for name, value in (
        ("ease_in_seconds", file.ease_in),
        ("ease_out_seconds", file.ease_out),
        ("loop_in_seconds", file.loop_in),
        ("loop_out_seconds", file.loop_out),
    ):
        assert np.float32(getattr(shown(), name)) == value, name
    assert [item.priority for item in shown().joint_priorities] == [joint.priority for joint in file.joints]
    assert len(shown().constraints) == len(file.constraints)


def test_an_edited_header_changes_nothing_else(tmp_path: Path) -> None:
    import_file(WALK)
    shown().base_priority = 5
    shown().emote = "express_smile"
    shown().hand_pose = "FIST_LEFT"
    shown().ease_in_seconds = 0.125
    shown().ease_out_seconds = 0.75
    data = export_file(tmp_path / "out.anim")
    file, before = anim_file.parse(data), anim_file.parse(WALK.read_bytes())
    assert (file.base_priority, file.emote_name, file.hand_pose) == (5, b"express_smile", 6)
    assert (float(file.ease_in), float(file.ease_out)) == (0.125, 0.75)
    assert (file.loop, file.loop_in, file.loop_out) == (before.loop, before.loop_in, before.loop_out)
    assert joint_records(data) == joint_records(WALK.read_bytes())


def test_values_set_back_are_no_edit(tmp_path: Path) -> None:
    import_file(WALK)
    priority = shown().base_priority
    shown().base_priority = 6
    shown().base_priority = priority
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_loop_of_a_part_and_of_the_whole(tmp_path: Path) -> None:
    import_file(WALK)
    duration = float(anim_file.parse(WALK.read_bytes()).duration)
    shown().loop = shown().use_loop_range = True
    shown().loop_in_seconds, shown().loop_out_seconds = 0.25, 0.5
    file = header_of(export_file(tmp_path / "part.anim"))
    assert (file.loop != 0, float(file.loop_in), float(file.loop_out)) == (True, 0.25, 0.5)
    shown().use_loop_range = False
    file = header_of(export_file(tmp_path / "whole.anim"))
    assert (float(file.loop_in), float(file.loop_out)) == (0.0, duration)
    shown().loop = False
    assert header_of(export_file(tmp_path / "none.anim")).loop == 0


def test_loop_points_from_frames_and_markers(tmp_path: Path) -> None:
    import_file(WALK, frame_start=11.0)
    scene = bpy.context.scene
    per_second = scene.render.fps / scene.render.fps_base
    scene.frame_set(17)
    operators.animbridge.set_loop_point(point="IN")
    scene.frame_set(20)
    operators.animbridge.set_loop_point(point="OUT")
    file = header_of(export_file(tmp_path / "frames.anim"))
    assert float(file.loop_in) == pytest.approx(6 / per_second)
    assert float(file.loop_out) == pytest.approx(9 / per_second)
    markers = the_action().pose_markers
    while len(markers):
        markers.remove(markers[0])
    with refused("loop in"):
        operators.animbridge.set_loop_point(point="MARKERS")
    for name, frame in (("loop in", 13), ("loop out", 23)):
        markers.new(name).frame = frame
    operators.animbridge.set_loop_point(point="MARKERS")
    file = header_of(export_file(tmp_path / "markers.anim"))
    assert float(file.loop_in) == pytest.approx(2 / per_second)
    assert float(file.loop_out) == pytest.approx(12 / per_second)


def test_priorities_of_selected_bones(tmp_path: Path) -> None:
    import_file(WALK)
    before = {joint.name: joint.priority for joint in anim_file.parse(WALK.read_bytes()).joints}
    first, second = sorted(name.decode() for name in before)[:2]
    select_bones()
    with refused("No bone is selected"):
        operators.animbridge.set_joint_priority(priority=6)
    select_bones(first, second)
    operators.animbridge.set_joint_priority(priority=6)
    select_bones(second)
    operators.animbridge.clear_joint_priority()
    data = export_file(tmp_path / "out.anim")
    after = {joint.name: joint.priority for joint in anim_file.parse(data).joints}
    assert after == {**before, first.encode(): 6, second.encode(): -1}
    assert without_joints(data) == without_joints(WALK.read_bytes())


def test_a_priority_for_a_joint_that_the_file_had_not(tmp_path: Path) -> None:
    import_file(WALK)
    known = {joint.name for joint in anim_file.parse(WALK.read_bytes()).joints}
    assert b"mTail1" not in known
    bone = the_armature().pose.bones["mTail1"]
    bone.rotation_quaternion = (0.9, 0.1, 0, 0)
    bone.keyframe_insert("rotation_quaternion", frame=1)
    select_bones("mTail1")
    operators.animbridge.set_joint_priority(priority=5)
    joints = {j.name: j for j in anim_file.parse(export_file(tmp_path / "out.anim")).joints}
    assert joints[b"mTail1"].priority == 5


def test_the_header_survives_saving_and_copying(tmp_path: Path) -> None:
    import_file(DANCE)
    shown().base_priority = 1
    copy = the_action().copy()
    assert copy.secondlife.base_priority == 1
    blend = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    data = export_file(tmp_path / "out.anim")
    assert anim_file.parse(data).base_priority == 1
    assert joint_records(data) == joint_records(DANCE.read_bytes())


def test_a_header_that_the_viewer_refuses(tmp_path: Path) -> None:
    import_file(WALK)
    raw_properties(the_action())["secondlife"]["base_priority"] = -5
    out = tmp_path / "out.anim"
    with refused("refuse"):
        export_file(out)
    assert not out.exists()


def test_check_lists_findings_with_their_bones() -> None:
    import_file(WALK)
    operators.animbridge.check()
    clean = {finding.name for finding in shown().findings}
    assert "joint_priority_too_high" not in clean
    assert shown().checked_bytes == WALK.stat().st_size
    bone = keyed_bone()
    select_bones(bone)
    row = shown().joint_priorities.find(bone)
    raw_properties(the_action())["secondlife"]["joint_priorities"][row]["priority"] = 7
    operators.animbridge.check()
    found = {finding.name: finding for finding in shown().findings}
    finding = found["joint_priority_too_high"]
    assert (finding.finding_class, finding.joint, finding.bone) == ("risky", bone, bone)
    assert finding.effect and finding.advice
    select_bones()
    operators.animbridge.show_finding(bone=finding.bone)
    assert the_armature().data.bones.active.name == bone
    with refused("no bone"):
        operators.animbridge.show_finding(bone="nobody")


def test_a_refused_upload_is_told() -> None:
    import_file(next(case.path for case in READABLE if case.path.name == "size_over_limit.anim"))
    before = list(bpy.data.actions)
    with refused("refused by Second Life: ", "250"):
        operators.animbridge.predict_upload()
    assert list(bpy.data.actions) == before


def test_the_panel_is_there_for_armatures_alone() -> None:
    """It would stand above the panel of somebody who works on an object."""
    panels = [
        panel
        for panel in bpy.types.Panel.__subclasses__()
        if panel.is_registered and panel.bl_label == "Second Life Animation"
    ]
    assert len(panels) == 2, "in the 3D view and in the dope sheet"
    bpy.ops.object.empty_add()
    assert not any(panel.poll(bpy.context) for panel in panels)
    import_file(WALK)
    assert all(panel.poll(bpy.context) for panel in panels)
    the_armature().animation_data.action = None
    assert all(panel.poll(bpy.context) for panel in panels), "a skeleton without an Action may get one"
