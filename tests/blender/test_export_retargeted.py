# SPDX-License-Identifier: MIT
"""Exports of armatures with other bones than the avatar's: the avatar moves as they do.

The witness plays the files that come out; expected directions are those of the witness's or of Blender's
evaluated poses.
"""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import bpy
import pytest
from batches import convert_here
from helpers import (
    SKELETON,
    export_file,
    import_file,
    operators,
    refused,
    reported,
    rest_position,
    select_bones,
    set_frame,
)
from mathutils import Matrix, Quaternion, Vector
from retarget_support import (
    FRAMES,
    animate,
    bento_names,
    bento_rig,
    degrees_between,
    direction,
    head_of,
    mixamo_names,
    mixamo_rig,
    remove_bones,
)
from tests.python.material import demos
from tests.witness import anim_file, player

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
LIMBS = [
    (f"{side}{above}", f"{side}{below}")
    for side in ("left", "right")
    for above, below in (
        ("UpperLeg", "LowerLeg"),
        ("LowerLeg", "Foot"),
        ("UpperArm", "LowerArm"),
        ("LowerArm", "Hand"),
    )
]
#: The file's codes: 0.003 degrees in each of up to six joints, and 0.05 degrees of dropped keys.
BOUND_DEGREES = 0.1
#: From -Y, where the source looks, to +X, where the avatar does.
TURN = Matrix.Rotation(math.radians(90.0), 3, "Z")
#: Of the hips, there and back: dropped keys move them by up to 0.5 mm.
BODY_MM = 1.0


def played(data: bytes, frame: float) -> dict[str, Any]:
    """The witness's pose of a file at a frame of the scene, by slots."""
    render = bpy.context.scene.render
    pose = player.world_pose(anim_file.parse(data), SKELETON, (frame - 1.0) * render.fps_base / render.fps)
    return {slot: Vector(pose[name].position.tolist()) for slot, name in bento_names().items()}


def limbs_of(places: dict[str, Any]) -> list[Vector]:
    return [(places[below] - places[above]).normalized() for above, below in LIMBS]


def difference(data: bytes, rig: Any, names: dict[str, str], turn: Matrix = TURN, parts: str = "") -> float:
    """Between the limbs of the file and those that Blender shows, over all frames; `parts`: ends of names."""
    worst = 0.0
    for frame in FRAMES:
        set_frame(frame)
        shown = [turn @ direction(rig, names, above, below) for above, below in LIMBS]
        found = limbs_of(played(data, frame))
        for (above, _), *pair in zip(LIMBS, shown, found, strict=True):
            if above.endswith(parts):
                worst = max(worst, degrees_between(*pair))
    return worst


def joints_of(data: bytes) -> set[str]:
    return {joint.name.decode() for joint in anim_file.parse(data).joints}


def key_turn(rig: Any, bone: str, frames: tuple[int, ...] = (1, 6, 12)) -> None:
    for number, frame in enumerate(frames):
        rig.pose.bones[bone].rotation_quaternion = Quaternion((0.0, 0.3, 1.0), 0.3 * number)
        rig.pose.bones[bone].keyframe_insert("rotation_quaternion", frame=frame)


def rig_file(folder: Path, names: dict[str, str]) -> str:
    path = folder / "mine.json"
    slots = {slot: [name] for slot, name in names.items()}
    path.write_text(json.dumps({"animbridge_rig": 1, "id": "mine", "slots": slots}), encoding="utf-8")
    return str(path)


def test_a_walk_comes_out_as_it_went_in(tmp_path: Path) -> None:
    mixamo_rig()
    import_file(WALK)
    data = export_file(tmp_path / "out.anim")
    before = WALK.read_bytes()
    assert data != before
    for frame in range(1, 25, 2):
        first, again = played(before, frame), played(data, frame)
        for one, other in zip(limbs_of(first), limbs_of(again), strict=True):
            assert degrees_between(one, other) < 2 * BOUND_DEGREES
        assert 1000.0 * (first["hips"] - again["hips"]).length < BODY_MM


def test_the_avatar_moves_as_another_rig(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = mixamo_rig()
    animate(rig)
    data = export_file(tmp_path / "out.anim", report_text=True)
    assert difference(data, rig, mixamo_names()) < BOUND_DEGREES
    assert "retargeted (directions within" in reported(capfd)
    text = bpy.data.texts["AnimBridge Export"].as_string()
    assert "leftUpperArm: mixamorig:LeftArm -> mShoulderLeft, aligned by" in text


def test_the_body_walks_by_the_ratio_of_the_legs(tmp_path: Path) -> None:
    rig = mixamo_rig()
    animate(rig)
    data = export_file(tmp_path / "out.anim")
    slots = ("leftUpperLeg", "leftLowerLeg", "leftFoot")
    bones = [rig.data.bones[mixamo_names()[slot]].head_local for slot in slots]
    joints = [rest_position(bento_names()[slot]) for slot in slots]
    own, avatars = (sum((b - a).length for a, b in pairwise(heads)) for heads in (bones, joints))
    scale = avatars / own
    set_frame(1)
    start = head_of(rig, mixamo_names()["hips"])
    set_frame(12)
    moved = scale * (TURN @ (head_of(rig, mixamo_names()["hips"]) - start))
    found = played(data, 12)["hips"] - played(data, 1)["hips"]
    assert moved.length > 0.1 and 1000.0 * (found - moved).length < 1.0


@pytest.mark.parametrize("object_motion", [True, False])
def test_the_objects_motion_counts_if_it_is_asked_for(object_motion: bool, tmp_path: Path) -> None:
    rig = mixamo_rig()
    key_turn(rig, "mixamorig:Hips")
    for frame, place in ((1, 3.0), (12, 4.0)):
        rig.location = (place, 0.0, 0.0)
        rig.keyframe_insert("location", frame=frame)
    report = tmp_path / "report.json"
    data = export_file(tmp_path / "out.anim", object_motion=object_motion, report_path=str(report))
    scale = json.loads(report.read_text())["files"][0]["retarget"]["body"]["horizontal_scale"]
    found = played(data, 12)["hips"] - played(data, 1)["hips"]
    wanted = TURN @ Vector((scale if object_motion else 0.0, 0.0, 0.0))
    assert 1000.0 * (found - wanted).length < 1.0


def test_an_armature_that_lies_in_centimetres(tmp_path: Path) -> None:
    """As Mixamo's FBX comes: bones in centimetres with Y up, and an object that turns and scales them."""
    rig = mixamo_rig()
    lying = Matrix.Rotation(math.radians(-90.0), 4, "X") @ Matrix.Scale(100.0, 4)
    rig.data.transform(lying)
    rig.matrix_world = lying.inverted()
    bpy.context.view_layer.update()
    animate(rig)
    assert difference(export_file(tmp_path / "out.anim"), rig, mixamo_names()) < BOUND_DEGREES
    rig.scale = (0.01, 0.02, 0.01)
    with refused("scaled unevenly", "Ctrl A"):
        export_file(tmp_path / "out.anim")


def test_a_rig_file_names_the_bones(tmp_path: Path) -> None:
    rig, names = mixamo_rig(), {}
    for number, (slot, name) in enumerate(mixamo_names().items()):
        names[slot] = f"piece {7 * number % 41}"
        rig.data.bones[name].name = names[slot]
    animate(rig)
    mine = rig_file(tmp_path, names)
    assert difference(export_file(tmp_path / "out.anim", rig_map=mine), rig, names) < BOUND_DEGREES
    with refused("rig file", "Retarget"):
        export_file(tmp_path / "out.anim", rig_map=mine, retarget="NEVER")
    Path(mine).write_text('{"animbridge_rig": 1, "slots": 3}', encoding="utf-8")
    with refused("slots"):
        export_file(tmp_path / "out.anim", rig_map=mine)


def test_only_what_moves_is_in_the_file(tmp_path: Path) -> None:
    rig = mixamo_rig()
    key_turn(rig, "mixamorig:LeftArm")
    assert joints_of(export_file(tmp_path / "out.anim")) == {"mShoulderLeft"}
    # A key says that a bone belongs to the animation, also one at rest.
    rig.pose.bones["mixamorig:Head"].keyframe_insert("rotation_quaternion", frame=1)
    key_turn(rig, "mixamorig:RightArm")
    assert joints_of(export_file(tmp_path / "out.anim")) >= {"mShoulderLeft", "mShoulderRight"}
    bpy.context.view_layer.objects.active = rig
    select_bones("mixamorig:RightArm")
    data = export_file(tmp_path / "out.anim", selected_bones=True)
    assert joints_of(data) == {"mShoulderRight"}


def test_a_constraint_moves_the_avatar(tmp_path: Path) -> None:
    rig = mixamo_rig()
    key_turn(rig, "mixamorig:LeftArm")
    constraint = rig.pose.bones["mixamorig:RightForeArm"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget = rig, "mixamorig:LeftArm"
    data = export_file(tmp_path / "out.anim")
    assert joints_of(data) == {"mShoulderLeft", "mElbowRight"}
    # Legs stay as the avatar's, which stand closer.
    assert difference(data, rig, mixamo_names(), parts="Arm") < BOUND_DEGREES


def test_a_pose(tmp_path: Path) -> None:
    rig = mixamo_rig()
    animate(rig)
    set_frame(7)
    data = export_file(tmp_path / "out.anim", frame_range="POSE")
    assert anim_file.parse(data).loop
    shown = [TURN @ direction(rig, mixamo_names(), *limb) for limb in LIMBS]
    for one, other in zip(shown, limbs_of(played(data, 1)), strict=True):
        assert degrees_between(one, other) < BOUND_DEGREES


def test_the_avatars_names_in_another_posture(tmp_path: Path) -> None:
    """Arms 40 degrees lower at rest: as its joints turn, or as its limbs point."""
    rig = bento_rig(arms_down_degrees=40.0)
    animate(rig, speed=0.3)  # no hand comes near the body, or the arms would bend towards it
    same = Matrix.Identity(3)
    data = export_file(tmp_path / "out.anim", method="SAMPLES")
    assert difference(data, rig, bento_names(), same) > 30.0
    data = export_file(tmp_path / "out.anim", retarget="ALWAYS")
    assert difference(data, rig, bento_names(), same) < BOUND_DEGREES


def test_what_contradicts_a_retargeting(tmp_path: Path) -> None:
    rig = mixamo_rig()
    animate(rig)
    with refused("'Walker'", "Set Method to Automatic"):
        export_file(tmp_path / "out.anim", method="CURVES")
    own = tmp_path / "map.json"
    own.write_text(json.dumps({"animbridge_rig_map": 1, "names": {"mPelvis": "x"}}), encoding="utf-8")
    with refused("rig map", "rig file"):
        export_file(tmp_path / "out.anim", rig_map=str(own), retarget="ALWAYS")
    assert not list(tmp_path.glob("*.anim"))


def test_few_limbs_are_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = mixamo_rig()
    animate(rig)
    remove_bones(rig, "LeftHand")
    export_file(tmp_path / "out.anim")
    assert "the source has no bone for leftHand" in reported(capfd)


def test_priorities_and_the_panel_know_the_bones(tmp_path: Path) -> None:
    rig = mixamo_rig()
    animate(rig)
    bpy.context.view_layer.objects.active = rig
    select_bones("mixamorig:LeftArm")
    operators.animbridge.set_joint_priority(priority=5)
    data = export_file(tmp_path / "out.anim")
    found = {joint.name: joint.priority for joint in anim_file.parse(data).joints}
    assert found[b"mShoulderLeft"] == 5 and found[b"mShoulderRight"] != 5
    assert operators.animbridge.check() == {"FINISHED"}


def test_the_preview_of_an_upload_moves_the_rig(tmp_path: Path) -> None:
    rig = mixamo_rig()
    action = animate(rig)
    set_frame(7)
    before = {bone.name: bone.matrix.copy() for bone in rig.pose.bones}
    operators.animbridge.predict_upload()
    assert rig.animation_data.action != action
    set_frame(7)
    for above, below in LIMBS:
        one, other = (
            (pose[mixamo_names()[below]].translation - pose[mixamo_names()[above]].translation).normalized()
            for pose in (before, {bone.name: bone.matrix for bone in rig.pose.bones})
        )
        assert degrees_between(one, other) < BOUND_DEGREES


def test_the_batch_retargets_what_is_in_a_blend_file(tmp_path: Path) -> None:
    rig = mixamo_rig()
    animate(rig)
    rig.animation_data.action.use_fake_user = True
    blend = tmp_path / "dance.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    assert convert_here(blend, "--to", "anim", "--out", tmp_path / "out")[0] == 0
    (made,) = (tmp_path / "out").rglob("*.anim")
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    assert difference(made.read_bytes(), bpy.data.objects["Walker"], mixamo_names()) < BOUND_DEGREES
