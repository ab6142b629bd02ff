# SPDX-License-Identifier: MIT
"""Recordings out of this Blender: untouched ones byte for byte, others as the witness plays them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from batches import convert_here
from helpers import (
    curves_of,
    operators,
    refused,
    select_bones,
    the_action,
    the_armature,
)
from mathutils import Quaternion
from mrtk_support import (
    Row,
    apart,
    export_mrtk,
    frame_at,
    import_mrtk,
    meant,
    path_of,
    read,
    show,
    stem_of,
    with_keys,
    world,
)
from tests.witness import mrtk_file, mrtk_player
from tests.witness.mrtk_file import Recording

TWO_HANDS = path_of("two_hands_v11")
#: An Action of these alone has no bone.
WITHOUT_BONES = ("switches_alone",)
PLAYABLE = [row for row in with_keys() if stem_of(row) not in WITHOUT_BONES]


@pytest.mark.parametrize("row", PLAYABLE, ids=stem_of)
def test_an_untouched_import_has_the_same_bytes(row: Row, tmp_path: Path) -> None:
    import_mrtk(path_of(row))
    assert export_mrtk(tmp_path / "out.bin") == path_of(row).read_bytes()


def wraps_of(made: Recording) -> list[tuple[int, int]]:
    """How the camera's position repeats in a file."""
    curves = [made.curves[f"camera.position.{axis}"] for axis in "xzy"]
    return [(curve.pre_wrap, curve.post_wrap) for curve in curves]


def test_an_edited_curve_repeats_as_it_did(tmp_path: Path) -> None:
    import_mrtk(path_of("wrap_loop"))
    point = curves_of("Camera", "location")[0].keyframe_points[1]
    point.co[1] += 0.01
    export_mrtk(tmp_path / "out.bin", method="CURVES")
    before, after = read(path_of("wrap_loop")), read(tmp_path / "out.bin")
    assert wraps_of(before) == wraps_of(after) == [(2, 2)] * 3
    changed = [name for name, curve in after.curves.items() if curve.keys != before.curves[name].keys]
    assert changed == ["camera.position.x"]


def test_what_modifiers_of_curves_show_is_sampled(tmp_path: Path) -> None:
    armature = import_mrtk(path_of("wrap_loop"))
    for curve in curves_of("Camera", "location"):
        curve.modifiers.new("CYCLES")
    with refused("Cycles"):
        operators.export_anim.mrtk(filepath=str(tmp_path / "out.bin"), method="CURVES")
    export_mrtk(tmp_path / "out.bin", frame_range="SCENE")
    made = read(tmp_path / "out.bin")
    assert wraps_of(made) == [(8, 8)] * 3
    for frame in range(bpy.context.scene.frame_start, bpy.context.scene.frame_end, 7):
        time = (frame - 1) * bpy.context.scene.render.fps_base / bpy.context.scene.render.fps
        show(time)
        pose = mrtk_player.pose_of(made, "camera", time)
        away = apart(world(armature, "Camera"), meant({"position": pose.position, "meant": pose.meant}))
        assert away[0] <= 1.3e-4 and away[1] <= 0.03, (frame, away)


@pytest.mark.parametrize("rate", [30, 60, 29.97])
def test_the_scenes_rate_does_not_matter(rate: float, tmp_path: Path) -> None:
    render = bpy.context.scene.render
    render.fps, render.fps_base = (30, 1.001) if rate == 29.97 else (int(rate), 1.0)
    import_mrtk(TWO_HANDS, frame_start=7)
    assert export_mrtk(tmp_path / "out.bin") == TWO_HANDS.read_bytes()


def test_after_saving_and_loading_too(tmp_path: Path) -> None:
    import_mrtk(TWO_HANDS)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert export_mrtk(tmp_path / "out.bin") == TWO_HANDS.read_bytes()


def test_one_edited_key_changes_its_curve_alone(tmp_path: Path) -> None:
    import_mrtk(TWO_HANDS)
    curve = curves_of("L_IndexTip", "location")[1]
    key = curve.keyframe_points[1]
    key.co[1] += 0.05
    curve.update()
    export_mrtk(tmp_path / "out.bin")
    before, after = read(TWO_HANDS), read(tmp_path / "out.bin")
    changed = [name for name in before.curves if after.curves[name] != before.curves[name]]
    # Blender's Y is Unity's Z.
    assert changed == ["left.IndexTip.position.z"]
    old, new = before.curves[changed[0]], after.curves[changed[0]]
    assert new.times() == pytest.approx(old.times(), abs=1e-6)
    moved = [n - o for n, o in zip(new.values(), old.values(), strict=True)]
    assert moved[1] == pytest.approx(0.05, abs=1e-6)
    assert moved[:1] + moved[2:] == pytest.approx([0.0] * (len(moved) - 1), abs=1e-6)


def test_a_marker_that_is_added_is_in_the_file(tmp_path: Path) -> None:
    import_mrtk(path_of("markers"))
    bpy.context.scene.timeline_markers.new("Added", frame=13)
    export_mrtk(tmp_path / "out.bin")
    before, after = read(path_of("markers")), read(tmp_path / "out.bin")
    (added,) = [marker for marker in after.markers if marker not in before.markers]
    assert added.name == b"Added"
    assert mrtk_file.float_of(added.time_bits) == pytest.approx(12 / bpy.context.scene.render.fps)
    assert all(marker in after.markers for marker in before.markers)
    assert before.curves == after.curves


def plays_as_shown(armature: Any, made: Recording, seconds: list[float]) -> None:
    """The witness plays from the file what Blender shows."""
    for time in seconds:
        show(time)
        for hand, prefix in (("left", "L_"), ("right", "R_")):
            for joint in mrtk_player.joints_of(made, hand):
                pose = mrtk_player.pose_of(made, f"{hand}.{joint}", time)
                wanted = meant({"position": pose.position, "meant": pose.meant})
                away = apart(world(armature, prefix + joint), wanted)
                # What the export may drop by default: 0.1 mm and 0.02 degrees, and the rounding of poses.
                assert away[0] <= 1.3e-4 and away[1] <= 0.03, (hand, joint, time, away)


@pytest.mark.parametrize("stem", ["two_hands_v11", "two_hands_v10", "no_metacarpals"])
def test_imported_hands_play_as_shown(stem: str, tmp_path: Path) -> None:
    armature = import_mrtk(path_of(stem), rig="HANDS")
    export_mrtk(tmp_path / "out.bin")
    made, before = read(tmp_path / "out.bin"), read(path_of(stem))
    wrist = before.curves["left.Wrist.position.x"].times()
    plays_as_shown(armature, made, wrist[:: max(len(wrist) // 4, 1)])
    assert made.curves["left.tracked"].keys == before.curves["left.tracked"].keys


def posed_hands() -> Any:
    """New hands, of which the left index finger bends and the right hand moves and pinches."""
    assert operators.armature.mrtk_hands_add() == {"FINISHED"}
    armature = the_armature()
    bend = armature.pose.bones["L_IndexKnuckle"]
    wrist = armature.pose.bones["R_Wrist"]
    for frame, degrees, height in ((1, 0.0, 0.0), (13, 60.0, 0.1), (25, 10.0, 0.3)):
        bend.rotation_quaternion = Quaternion((1, 0, 0), degrees * 3.141592653589793 / 180)
        bend.keyframe_insert("rotation_quaternion", frame=frame)
        wrist.location.x = height
        wrist.keyframe_insert("location", frame=frame)
    for frame, on in ((1, 0.0), (13, 1.0)):
        armature["pinch_right"] = on
        armature.keyframe_insert('["pinch_right"]', frame=frame)
    return armature


@pytest.mark.parametrize("rig", ["EXACT", "HANDS"])
@pytest.mark.parametrize("moved", [False, True])
def test_bones_that_are_not_exported_stay_as_in_the_file(rig: str, moved: bool, tmp_path: Path) -> None:
    import_mrtk(TWO_HANDS, rig=rig)
    select_bones("L_Wrist")
    for name in ("L_Wrist", "R_Wrist") if moved else ():
        for point in curves_of(name, "location")[0].keyframe_points:
            point.co[1] += 0.01
    export_mrtk(tmp_path / "out.bin", selected_bones=True)
    before, after = read(TWO_HANDS), read(tmp_path / "out.bin")
    changed = {name for name in before.curves if after.curves[name] != before.curves[name]}
    # Tracked and pinch belong to no bone; samples have a key where they change.
    changed -= {f"{hand}.{switch}" for hand in ("left", "right") for switch in ("tracked", "pinch")}
    assert all(name.startswith("left.Wrist.") for name in changed), changed
    assert bool(changed) is (moved or rig == "HANDS")


def test_another_frame_range_leaves_out_what_is_not_exported(tmp_path: Path) -> None:
    """The file's other poses would be at other times than the exported ones."""
    import_mrtk(TWO_HANDS)
    select_bones("L_Wrist")
    bpy.context.scene.frame_start = 20
    export_mrtk(tmp_path / "out.bin", selected_bones=True, frame_range="SCENE", method="SAMPLES")
    made = read(tmp_path / "out.bin")
    assert [mrtk_player.joints_of(made, hand) for hand in ("left", "right")] == [["Wrist"], []]


@pytest.mark.parametrize("version", ["AUTO", "V1_0", "V1_1"])
def test_hands_of_your_own(version: str, tmp_path: Path) -> None:
    armature = posed_hands()
    export_mrtk(tmp_path / "out.bin", version=version)
    made = mrtk_file.parse((tmp_path / "out.bin").read_bytes())
    assert version == "AUTO" or made.version == {"V1_0": (1, 0), "V1_1": (1, 1)}[version]
    assert [len(mrtk_player.joints_of(made, hand)) for hand in ("left", "right")] == [26, 26]
    plays_as_shown(armature, made, [frame / 24 for frame in (0, 3, 7, 12, 18, 24)])
    assert made.curves["left.tracked"].values() == made.curves["right.tracked"].values() == [1.0]
    assert mrtk_player.duration(made) == pytest.approx(1.0, abs=1e-6)
    pinch = (
        mrtk_player.pose_row(made, 0.4)["right"]["pinch"],
        mrtk_player.pose_row(made, 0.6)["right"]["pinch"],
    )
    assert pinch == (False, True)


def test_hands_lie_flat_with_the_fingers_ahead() -> None:
    """Of 26 bones each; fingers point along +Y, the palms face down, and the thumbs face each other."""
    operators.armature.mrtk_hands_add()
    bones = the_armature().data.bones
    assert len(bones) == 52
    for prefix, side in (("L_", 1), ("R_", -1)):
        tip, wrist = bones[f"{prefix}MiddleTip"].head_local, bones[f"{prefix}Wrist"].head_local
        assert 0.15 < tip.y - wrist.y < 0.22 and abs(tip.z - wrist.z) < 0.02
        thumb = bones[f"{prefix}ThumbTip"].head_local
        assert side * (thumb.x - wrist.x) > 0.02


def test_an_armature_without_the_names_is_refused(tmp_path: Path) -> None:
    operators.object.armature_add()
    bone = the_armature().pose.bones[0]
    bone.keyframe_insert("location", frame=1)
    with refused("no hand was found", "L_Wrist", "Rig Map"):
        operators.export_anim.mrtk(filepath=str(tmp_path / "out.bin"))
    assert not (tmp_path / "out.bin").exists()


@pytest.mark.parametrize("stem", ["two_hands_v11", "two_hands_v10", "markers", "negative_times"])
def test_batch_to_blend_and_back(stem: str, tmp_path: Path) -> None:
    code, rows = convert_here(path_of(stem), "--to", "blend", "--out", tmp_path / "blend")
    assert code == 0 and rows[0]["status"] == "ok"
    code, rows = convert_here(tmp_path / "blend", "--to", "bin", "--out", tmp_path / "back")
    assert code == 0 and rows[0]["max_position_error_mm"] < 1e-3
    assert (tmp_path / "back" / f"{stem}.bin").read_bytes() == path_of(stem).read_bytes()


def test_what_was_made_in_blender_in_the_batch(tmp_path: Path) -> None:
    armature = posed_hands()
    the_action().name = "wave"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    code, _ = convert_here(tmp_path / "scene.blend", "--to", "bin", "--out", tmp_path / "out")
    assert code == 0
    armature = the_armature()
    plays_as_shown(armature, read(tmp_path / "out" / "wave.bin"), [0.0, 0.5, 1.0])
    assert frame_at(1.0) == 25
