# SPDX-License-Identifier: MIT
"""MRTK recordings in this Blender: bones are where the witness has the poses, at the manifest's moments."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import curves_of, data_blocks, fcurves, operators, refused, reported
from mrtk_support import (
    DEGREES,
    METRES,
    MRTK,
    Row,
    apart,
    frame_at,
    import_mrtk,
    meant,
    path_of,
    poses_in,
    read,
    row_of,
    show,
    stem_of,
    with_keys,
    world,
)
from tests.witness import mrtk_axes, mrtk_curve, mrtk_file, mrtk_player
from window import begin_undo, undo_once, with_undo

TWO_HANDS = path_of("two_hands_v11")
#: Curves without any pose make no bone.
SHOWN = [row for row in with_keys() if stem_of(row) != "switches_alone"]
#: Their curves repeat before and after their keys, where Blender holds a value.
REPEATING = ("wrap_loop", "wrap_loop_then_ping_pong", "wrap_ping_pong")


def key_range(path: Path) -> tuple[float, float]:
    """From the last first key of a curve to the first last one."""
    times = [curve.times() for curve in read(path).curves.values() if len(curve.times())]
    return max(float(one[0]) for one in times), min(float(one[-1]) for one in times)


def moments_of(row: Row) -> list[Row]:
    """The manifest's moments that Blender's curves can show."""
    if stem_of(row) == "tiny_times":
        # Its keys at 0 are a denormal apart, on one frame of Blender, which shows one of them.
        return [moment for moment in row["poses"] if moment["time"] > 0]
    if stem_of(row) in REPEATING:
        first, last = key_range(path_of(row))
        return [moment for moment in row["poses"] if first <= moment["time"] <= last]
    return list(row["poses"])


def assert_shows(armature: Any, moment: Row, metres: float, degrees: float) -> int:
    """The bones that the moment has poses for are there; how many were compared."""
    show(moment["time"])
    compared = 0
    for name, pose in poses_in(moment).items():
        if pose["meant"] is None or name not in armature.pose.bones or not any(pose["played"]):
            continue
        away = apart(world(armature, name), meant(pose))
        assert away[0] <= metres and away[1] <= degrees, (name, moment["time"], away)
        compared += 1
    return compared


@pytest.mark.parametrize("row", SHOWN, ids=stem_of)
def test_exact_bones_are_where_the_witness_has_the_poses(row: Row) -> None:
    armature = import_mrtk(path_of(row))
    assert moments_of(row)
    for moment in moments_of(row):
        assert_shows(armature, moment, METRES, DEGREES)
    missing = [name for name in poses_in(row["poses"][0]) if name not in armature.pose.bones]
    assert not missing
    assert all(bone.parent is None for bone in armature.data.bones if bone.name != "GazeDirection")


#: In metres and degrees, what docs/mrtk.md promises of hands, and what single precision adds.
BETWEEN_KEYS = (0.5e-3 + METRES, 0.25 + DEGREES)
HANDS = (
    "single_frame",
    "one_hand",
    "two_hands_v11",
    "two_hands_v10",
    "negative_times",
    "no_metacarpals",
    "hands_come_and_go",
    "hermite",
)


@pytest.mark.parametrize("stem", HANDS)
def test_hands_are_where_the_witness_has_the_poses(stem: str) -> None:
    row = row_of(stem)
    armature = import_mrtk(path_of(row), rig="HANDS")
    assert sum(assert_shows(armature, moment, *BETWEEN_KEYS) for moment in row["poses"])


def test_keys_that_the_hand_does_not_have_are_jitter_keys() -> None:
    made = read(path_of("two_hands_v10"))
    import_mrtk(path_of("two_hands_v10"), rig="HANDS", frame_start=0)
    curves = [curve for name, curve in made.curves.items() if name.startswith("left.")]
    frames = np.array([frame_at(time, 0.0) for curve in curves for time in curve.times()])
    added = {True: 0, False: 0}
    for point in curves_of("L_IndexTip", "location")[0].keyframe_points:
        is_of_file = bool(np.abs(frames - point.co[0]).min() < 1e-4)
        assert (point.type == "JITTER") is not is_of_file, point.co[0]
        added[not is_of_file] += 1
    assert all(added.values())


@pytest.mark.parametrize("stem", ["two_hands_v10", "two_hands_v11", "no_metacarpals"])
def test_hands_are_exact_at_each_key_of_the_hand(stem: str) -> None:
    made = read(path_of(stem))
    armature = import_mrtk(path_of(stem), rig="HANDS")
    keys = {t for name, c in made.curves.items() if name.startswith("left.Index") for t in c.times()}
    for time in sorted(keys)[::3]:
        show(time)
        for joint in ("Wrist", "IndexKnuckle", "IndexTip", "PinkyTip"):
            pose = mrtk_player.pose_of(made, f"left.{joint}", time)
            wanted = meant({"position": pose.position, "meant": pose.meant})
            away = apart(world(armature, f"L_{joint}"), wanted)
            # A chain of six joints in single precision, and keys that are 1e-6 frames from their times.
            assert away[0] <= 1e-4 and away[1] <= 0.02, (joint, time, away)


def test_hands_hang_on_the_wrist_and_rest_as_tracked() -> None:
    armature = import_mrtk(TWO_HANDS, rig="HANDS")
    bones = armature.data.bones
    assert bones["L_Wrist"].parent is None
    assert bones["L_IndexTip"].parent_recursive[-1] == bones["L_Wrist"]
    assert [bone.name for bone in bones["L_IndexTip"].parent_recursive] == [
        "L_IndexDistalJoint",
        "L_IndexMiddleJoint",
        "L_IndexKnuckle",
        "L_IndexMetacarpal",
        "L_Wrist",
    ]
    pose = mrtk_player.pose_of(read(TWO_HANDS), "right.PinkyKnuckle", 0.0)
    away = apart(
        np.array(bones["R_PinkyKnuckle"].matrix_local),
        meant({"position": pose.position, "meant": pose.meant}),
    )
    # Blender keeps bones as heads, tails and rolls.
    assert away[0] <= METRES and away[1] <= 0.01, away


@pytest.mark.parametrize("stem", ["hermite", "weights", "weights_0_and_1", "steps", "steps_weighted"])
def test_curves_are_unitys_between_keys_too(stem: str) -> None:
    """Blender's own evaluation of F-curves against the witness's of Unity's curves."""
    # Handles as long as the segment make Blender's cubic in single precision steep: 5.2 is 3.3e-5 m off.
    within = 1e-4 if stem == "weights_0_and_1" else 1e-5
    made = read(path_of(stem))
    armature = import_mrtk(path_of(stem))
    curves = {curve.array_index: curve for curve in curves_of("Camera", "location")}
    rest = np.array(armature.data.bones["Camera"].matrix_local, np.float64)
    parts = [made.curves[f"camera.position.{axis}"] for axis in "xyz"]
    keys = np.array(sorted({time for part in parts for time in part.times()}))
    for time in np.linspace(keys[0] - 0.1, keys[-1] + 0.1, 301):
        # Keys of Blender are in single precision, so a jump is within 1e-6 frames of its time.
        if np.abs(keys - time).min() < 1e-4:
            continue
        basis = [curves[index].evaluate(frame_at(float(time))) for index in range(3)]
        found = rest[:3, :3] @ basis + rest[:3, 3]
        wanted = mrtk_axes.blender_vector([mrtk_curve.value(part, float(time)) for part in parts])
        assert np.abs(found - wanted).max() <= within, time


@pytest.mark.parametrize("stem", REPEATING)
def test_curves_that_repeat_in_the_file_hold_in_blender_and_the_import_says_so(
    stem: str, capfd: pytest.CaptureFixture[str]
) -> None:
    made = read(path_of(stem))
    repeating = sum(
        len(curve.times()) > 1 and bool({curve.pre_wrap, curve.post_wrap} & {2, 4})
        for curve in made.curves.values()
    )
    armature = import_mrtk(path_of(stem))
    summary = reported(capfd)
    assert f"{repeating} curves of the file repeat before or after the keys" in summary
    assert "hold the first and last value in Blender. An export keeps that" in summary
    assert not any(len(curve.modifiers) for curve in fcurves(armature))
    for curve in curves_of("Camera", "location"):
        stored = made.curves["camera.position." + "xzy"[curve.array_index]]
        first, last = mrtk_curve.keys_of(stored)[0], mrtk_curve.keys_of(stored)[-1]
        for time, key in ((first.time - 0.7, first), (last.time + 0.7, last)):
            assert curve.evaluate(frame_at(time)) == pytest.approx(key.value, abs=1e-6)


def test_other_imports_say_nothing_of_repeats(capfd: pytest.CaptureFixture[str]) -> None:
    import_mrtk(TWO_HANDS)
    assert "repeat" not in reported(capfd)


def test_keys_keep_their_times_and_interpolation() -> None:
    made = read(path_of("steps"))
    import_mrtk(path_of("steps"), frame_start=11)
    for curve in curves_of("Camera", "location"):
        # The bone rests without a turn: Unity's Y is Blender's Z.
        stored = made.curves["camera.position." + "xzy"[curve.array_index]]
        found = [point.co[0] for point in curve.keyframe_points]
        assert found == pytest.approx([frame_at(time, 11.0) for time in stored.times()], abs=1e-5)
        steps = [
            math.isinf(left.out_tangent) or math.isinf(right.in_tangent)
            for left, right in itertools.pairwise(mrtk_curve.keys_of(stored))
        ]
        held = [point.interpolation == "CONSTANT" for point in curve.keyframe_points[:-1]]
        assert held == steps and any(steps)


def test_the_camera_looks_along_the_recorded_forward() -> None:
    armature = import_mrtk(TWO_HANDS)
    (camera,) = [thing for thing in bpy.data.objects if thing.type == "CAMERA"]
    made = read(TWO_HANDS)
    for time in (0.0, 0.4, 1.1):
        show(time)
        pose = mrtk_player.pose_of(made, "camera", time)
        held = np.array(camera.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
        for own, recorded in ((-held[:3, 2], (0, 0, 1)), (held[:3, 1], (0, 1, 0)), (held[:3, 0], (1, 0, 0))):
            wanted = mrtk_axes.blender_vector(mrtk_axes.rotated(pose.meant or (), recorded))
            assert np.abs(own - wanted).max() <= METRES
        assert np.abs(held[:3, 3] - mrtk_axes.blender_vector(pose.position)).max() <= METRES
    assert camera.parent == armature and camera.parent_bone == "Camera"


@pytest.mark.parametrize("rig", ["EXACT", "HANDS"])
def test_the_gaze_is_an_arrow(rig: str) -> None:
    path = path_of("flags_camera_hands_gaze")
    import_mrtk(path, rig=rig)
    (arrow,) = [thing for thing in bpy.data.objects if thing.type == "EMPTY"]
    assert arrow.empty_display_type == "SINGLE_ARROW"
    made = read(path)
    for time in (0.0, 0.7, 1.5):
        show(time)
        origin, direction = mrtk_player.gaze(made, time)
        held = np.array(arrow.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
        assert np.abs(held[:3, 3] - mrtk_axes.blender_vector(origin)).max() <= METRES
        wanted = np.array(mrtk_axes.blender_vector(direction))
        # The constraint's arithmetic is in single precision, with square roots.
        assert np.abs(held[:3, 2] - wanted / np.linalg.norm(wanted)).max() <= 1e-4


def hidden(armature: Any, bone: str) -> bool:
    """Whether Blender draws the bone, after its drivers."""
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    pose_bone = evaluated.pose.bones[bone]
    return bool(pose_bone.hide if hasattr(pose_bone, "hide") else evaluated.data.bones[bone].hide)


@pytest.mark.parametrize("rig", ["EXACT", "HANDS"])
def test_a_hand_is_hidden_while_it_is_not_tracked(rig: str) -> None:
    path = path_of("hands_come_and_go")
    made = read(path)
    armature = import_mrtk(path, rig=rig)
    seen = set()
    for time in np.linspace(0.01, 1.79, 23):
        show(float(time))
        for hand, prefix in (("left", "L_"), ("right", "R_")):
            tracked = mrtk_curve.is_on(made.curves[f"{hand}.tracked"], float(time))
            assert hidden(armature, f"{prefix}Wrist") is not tracked, (hand, time)
            assert hidden(armature, f"{prefix}IndexTip") is not tracked, (hand, time)
            assert not hidden(armature, "Camera")
            seen.add(tracked)
    assert seen == {True, False}


def test_pinch_is_a_property_that_steps() -> None:
    path = path_of("switch_values")
    made = read(path)
    armature = import_mrtk(path)
    curves = {curve.data_path: curve for curve in fcurves(armature)}
    compared = 0
    for what in ("tracked", "pinch"):
        for hand in ("left", "right"):
            stored = made.curves[f"{hand}.{what}"]
            if not stored.keys:
                continue
            curve = curves[f'["{what}_{hand}"]']
            for time in np.linspace(0.013, 1.6, 40):
                if np.abs(np.array(stored.times()) - time).min() > 1e-4:
                    on = mrtk_curve.is_on(stored, float(time))
                    assert (curve.evaluate(frame_at(float(time))) > 0.5) is on, (what, hand, time)
                    compared += 1
    assert compared


@pytest.mark.parametrize("stem", ["markers", "markers_v10", "markers_outside", "marker_not_utf8"])
def test_markers_are_on_the_timeline(stem: str) -> None:
    made = read(path_of(stem))
    import_mrtk(path_of(stem), frame_start=5)
    found = sorted((marker.frame, marker.name) for marker in bpy.context.scene.timeline_markers)
    frames = sorted(
        int(np.floor(frame_at(mrtk_file.float_of(marker.time_bits), 5.0) + 0.5)) for marker in made.markers
    )
    assert [frame for frame, _ in found] == frames and len(found) == len(made.markers)
    ascii_names = {m.name.decode() for m in made.markers if m.name.isascii() and len(m.name) <= 63}
    assert ascii_names <= {name for _, name in found}


def test_times_before_0_are_frames_before_the_first() -> None:
    import_mrtk(path_of("negative_times"), frame_start=1)
    first = min(point.co[0] for curve in fcurves() for point in curve.keyframe_points)
    made = read(path_of("negative_times"))
    assert first == pytest.approx(frame_at(min(t for c in made.curves.values() for t in c.times())), abs=1e-5)
    assert first < 1


def test_recorded_signs_tumble_as_in_mrtk() -> None:
    """The curves hold what the file holds; without the choice they are continuous."""
    for signs in ("RECORDED", "CONTINUOUS"):
        import_mrtk(path_of("flipped_signs"), signs=signs)
        flips = 0
        for name in ("L_Wrist", "R_IndexTip"):
            rows = np.array(
                [[p.co[1] for p in c.keyframe_points] for c in curves_of(name, "rotation_quaternion")]
            )
            flips += int((np.einsum("ij,ij->j", rows[:, 1:], rows[:, :-1]) < 0).sum())
        assert (flips > 0) is (signs == "RECORDED")


def test_several_recordings_share_an_armature_if_their_bones_are_the_same() -> None:
    files = [{"name": f"{stem}.bin"} for stem in ("flags_camera_hands", "two_hands_v10", "camera_v10")]
    assert operators.import_anim.mrtk(directory=str(MRTK), files=files) == {"FINISHED"}
    assert sorted(action.name for action in bpy.data.actions) == [
        "camera_v10",
        "flags_camera_hands",
        "two_hands_v10",
    ]
    assert len(bpy.data.armatures) == 2


def test_a_file_that_cannot_be_read_does_not_stop_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    files = [{"name": "cut_in_keys.bin"}, {"name": "camera_v10.bin"}]
    assert operators.import_anim.mrtk(directory=str(MRTK), files=files) == {"FINISHED"}
    assert [action.name for action in bpy.data.actions] == ["camera_v10"]
    assert "cut_in_keys.bin" in reported(capfd)


@pytest.mark.parametrize("stem", ["cut_in_keys", "magic_wrong", "version_2_0", "nan_time", "text"])
def test_what_cannot_be_played_leaves_nothing_behind(stem: str) -> None:
    before = data_blocks()
    with refused(f"{stem}.bin"):
        operators.import_anim.mrtk(filepath=str(path_of(stem)))
    assert data_blocks() == before


def test_strict_reading_refuses_other_layouts() -> None:
    with refused("no_markers_camera.bin"):
        operators.import_anim.mrtk(filepath=str(path_of("no_markers_camera")), lenient=False)
    import_mrtk(path_of("no_markers_camera"))


def test_other_formats_are_refused() -> None:
    with refused("newline_lf.bvh", "not MRTK input animation"):
        operators.import_anim.mrtk(filepath=str(MRTK.parent / "bvh" / "dialects" / "newline_lf.bvh"))


def test_a_file_without_an_extension_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    plain = tmp_path / "recording"
    plain.write_bytes(TWO_HANDS.read_bytes())
    assert "L_Wrist" in import_mrtk(plain).pose.bones


def test_the_active_armature_gets_the_motion() -> None:
    armature = import_mrtk(TWO_HANDS)
    assert import_mrtk(path_of("two_hands_v10"), target="ACTIVE") == armature
    assert armature.animation_data.action.name == "two_hands_v10"
    assert len(bpy.data.armatures) == 1


def test_undo_takes_all_of_it_back_at_once(window: None) -> None:
    before = data_blocks()
    begin_undo()
    with_undo(operators.import_anim.mrtk, filepath=str(TWO_HANDS))
    assert data_blocks() != before
    undo_once()
    assert data_blocks() == before
