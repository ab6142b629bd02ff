# SPDX-License-Identifier: MIT
"""Imports onto an armature with other names or another rest pose, and onto one that is the file's own.

Expected directions are the witness's: it walks, or plays the .anim, and never sees the library.
"""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_support import import_bvh, read, write_bvh
from helpers import (
    SKELETON,
    data_blocks,
    export_file,
    fcurves,
    import_file,
    operators,
    refused,
    reported,
    set_frame,
    the_action,
    the_armature,
)
from mathutils import Matrix, Vector
from retarget_support import (
    bento_names,
    bento_rig,
    degrees_between,
    direction,
    mixamo_names,
    mixamo_rig,
    remove_bones,
)
from scene_support import SCENES, import_scene
from tests.python.material import demos
from tests.witness import anim_file, bvh_pose, player, rigs
from tests.witness.walk import Gait, Walk, walk

from animbridge.kinds.sl_anim.properties import animation_of
from animbridge.package import command

pytestmark = pytest.mark.compat

TABLES = rigs.load_tables()
GAIT = Gait(seconds=1.0, frames_per_second=24.0)
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
#: The promise of the issue. A BVH's angles have six decimals.
BOUND_DEGREES = 0.01
#: Lines between keys may differ from the viewer's interpolation by 0.05 degrees in each of four joints.
ANIM_DEGREES = 0.2
#: An FBX has its keys in single precision, in degrees.
AVATAR_DEGREES = {"bvh": BOUND_DEGREES, "fbx": 0.05}
#: The walker looks along Blender's -Y.
AHEAD = {"NEGATIVE_Y": Matrix.Identity(3), "X": Matrix.Rotation(math.radians(90.0), 3, "Z")}

Rig = Callable[[], Any]


def avatar(facing: str = "NEGATIVE_Y") -> Any:
    """The skeleton that the add-on makes."""
    operators.armature.secondlife_skeleton_add(skeleton_facing=facing)
    return the_armature()


def walker(convention: str) -> Walk:
    return walk(rigs.build(convention, TABLES[convention]), GAIT)


def walk_file(folder: Path, convention: str) -> Path:
    return write_bvh(folder / f"{convention}.bvh", walker(convention).bvh)


def bird() -> Any:
    """A walk with wings in place of arms."""
    made = deepcopy(walker("mixamo").bvh)
    for place, joint in enumerate(made.joints):
        if "Arm" in joint.name or "Hand" in joint.name:
            joint.name = f"wing_{place}"
    return made


def largest_difference(source: Walk, rig: Any, names: dict[str, str], turn: Matrix) -> float:
    """Between the witness's limbs and Blender's, over all frames."""
    joints = [joint.name for joint in source.bvh.joints]
    worst = 0.0
    for frame in range(len(source.bvh.motion)):
        set_frame(1 + frame)
        places = bvh_pose.pose(source.bvh, frame).positions
        for above, below in LIMBS:
            x, y, z = places[joints.index(source.joints[below])] - places[joints.index(source.joints[above])]
            wanted = (turn @ Vector((x, -z, y))).normalized()
            worst = max(worst, degrees_between(wanted, direction(rig, names, above, below)))
    return worst


def exported_difference(path: Path, rig: Any) -> float:
    """Between the limbs of an avatar that looks along +X and those of the file that was made of it."""
    file, names = anim_file.parse(path.read_bytes()), bento_names()
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    worst = 0.0
    for frame in (0, 5, 11, 17):
        set_frame(1 + frame)
        pose = player.world_pose(file, SKELETON, frame / rate)
        for above, below in LIMBS:
            limb = Vector((pose[names[below]].position - pose[names[above]].position).tolist()).normalized()
            worst = max(worst, degrees_between(limb, direction(rig, names, above, below)))
    return worst


@pytest.mark.parametrize("convention", ["cmu_motionbuilder", "mixamo"])
@pytest.mark.parametrize("facing", ["NEGATIVE_Y", "X"])
def test_motion_capture_walks_on_the_avatar(convention: str, facing: str, tmp_path: Path) -> None:
    path, rig = walk_file(tmp_path, convention), avatar(facing)
    assert import_bvh(path, target="ACTIVE") is rig
    assert largest_difference(walker(convention), rig, bento_names(), AHEAD[facing]) < BOUND_DEGREES


@pytest.mark.parametrize("convention", ["cmu_motionbuilder", "mixamo"])
def test_motion_capture_makes_its_own_avatar(convention: str, tmp_path: Path) -> None:
    """On an empty scene, one dialog gives a body that walks; files share it."""
    path = walk_file(tmp_path, convention)
    other = path.with_name("other.bvh")
    other.write_bytes(path.read_bytes())
    files = [{"name": path.name}, {"name": other.name}]
    assert operators.import_anim.animbridge_bvh(directory=str(tmp_path), files=files, target="AVATAR") == {
        "FINISHED"
    }
    rig = the_armature()
    assert data_blocks()["objects"] == ["SL Mannequin", "SL Skeleton"]
    assert "mWing1Left" in rig.data.bones and rig.animation_data.action.name == "other"
    assert largest_difference(walker(convention), rig, bento_names(), AHEAD["X"]) < BOUND_DEGREES


def test_a_scene_makes_its_own_avatar() -> None:
    """VRM's fixture has a body; a file without one leaves no avatar behind."""
    before = data_blocks()
    with refused("cameras.glb"):
        import_scene("cameras.glb", target="AVATAR")
    assert data_blocks() == before
    import_scene("motion.vrma", target="AVATAR")
    assert the_armature().name == "SL Skeleton" and the_armature().animation_data.action is not None


@pytest.mark.parametrize("kind", ["bvh", "fbx", "vrma"])
def test_a_persons_motion_on_an_empty_scene_moves_an_avatar(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without an option, and without a warning to dismiss."""
    bvh = walk_file(tmp_path, "mixamo")
    path = {"bvh": bvh, "fbx": bvh.with_suffix(".fbx"), "vrma": SCENES / "motion.vrma"}[kind]
    if kind == "fbx":
        binding = importlib.import_module(f"{command.__package__}.convert")
        binding.convert_file(bvh, path)
    importer = (
        operators.import_anim.animbridge_bvh if kind == "bvh" else operators.import_anim.animbridge_scene
    )
    reported(capfd)
    assert importer(filepath=str(path)) == {"FINISHED"}
    report = reported(capfd)
    assert "on a new Second Life avatar (Target > New Armature: on the file's own skeleton)" in report
    assert "Warning:" not in report
    rig = the_armature()
    assert data_blocks()["objects"] == ["SL Mannequin", "SL Skeleton"] and rig.name == "SL Skeleton"
    if kind != "vrma":
        assert largest_difference(walker("mixamo"), rig, bento_names(), AHEAD["X"]) < AVATAR_DEGREES[kind]
    # The avatar is active now, and the next file moves it.
    assert importer(filepath=str(path)) == {"FINISHED"} and the_armature() is rig


def test_arms_that_turn_so_that_hands_meet_are_no_difference(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    clap = deepcopy(walker("mixamo").bvh)
    places = {joint.name.rpartition(":")[2]: place for place, joint in enumerate(clap.joints)}
    for row in clap.motion:
        for side, sign in (("Left", -1.0), ("Right", 1.0)):
            for limb, degrees in (("Arm", 90.0), ("ForeArm", 35.0)):
                # Arms forward, palms together: turns about Y, after the root's place and those about Z and X.
                channel = 3 + 3 * places[side + limb]
                row[channel : channel + 3] = [0.0, 0.0, sign * degrees]
    import_bvh(write_bvh(tmp_path / "clap.bvh", clap), target="AVATAR")
    report = reported(capfd)
    assert "directions within 0.00" in report
    assert "hands touch as the source's, within 0 mm (without Keep Touch: 15)" in report


def test_what_no_person_moves_gets_its_own_skeleton(tmp_path: Path) -> None:
    operators.import_anim.animbridge_bvh(filepath=str(write_bvh(tmp_path / "bird.bvh", bird())))
    assert "wing_7" in the_armature().data.bones or "wing_8" in the_armature().data.bones
    bpy.data.objects.remove(the_armature())
    import_scene("lone_node.glb")
    assert the_armature().name == "lone_node"
    bpy.data.objects.remove(the_armature())
    operators.import_anim.animbridge_bvh(filepath=str(walk_file(tmp_path, "mixamo")), retarget="NEVER")
    assert "mixamorig:Hips" in the_armature().data.bones


@pytest.mark.parametrize("convention", ["cmu_motionbuilder", "mixamo"])
def test_motion_capture_walks_on_an_a_pose_with_rolled_bones(convention: str, tmp_path: Path) -> None:
    path, rig = walk_file(tmp_path, convention), bento_rig()
    import_bvh(path, target="ACTIVE")
    assert largest_difference(walker(convention), rig, bento_names(), AHEAD["X"]) < BOUND_DEGREES


def test_an_armature_that_lies_in_centimetres_stands_in_the_scene(tmp_path: Path) -> None:
    """As Mixamo's FBX comes: bones in centimetres with Y up, and an object that turns and scales them."""
    rig = bento_rig()
    path = walk_file(tmp_path, "mixamo")
    lying = Matrix.Rotation(math.radians(-90.0), 4, "X") @ Matrix.Scale(100.0, 4)
    rig.data.transform(lying)
    rig.matrix_world = lying.inverted()
    import_bvh(path, target="ACTIVE")
    assert largest_difference(walker("mixamo"), rig, bento_names(), AHEAD["X"]) < BOUND_DEGREES


def test_an_anim_walks_on_another_rig(capfd: pytest.CaptureFixture[str]) -> None:
    rig = mixamo_rig()
    import_file(WALK, report_text=True)
    assert "retargeted" in reported(capfd)
    file, names = anim_file.parse(WALK.read_bytes()), bento_names()
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    turn = Matrix.Rotation(math.radians(-90.0), 3, "Z")  # from +X, where the avatar looks
    worst = 0.0
    for frame in range(int(file.duration * rate)):
        set_frame(1 + frame)
        pose = player.world_pose(file, SKELETON, frame / rate)
        for above, below in LIMBS:
            limb = pose[names[below]].position - pose[names[above]].position
            wanted = (turn @ Vector(limb.tolist())).normalized()
            worst = max(worst, degrees_between(wanted, direction(rig, mixamo_names(), above, below)))
    assert worst < ANIM_DEGREES
    text = bpy.data.texts["AnimBridge Import"].as_string()
    assert "directions within" in text
    assert "leftUpperArm: mShoulderLeft -> mixamorig:LeftArm, aligned by" in text


def test_the_action_is_not_the_file(tmp_path: Path) -> None:
    """It has the header's values, but an export makes a new file of what the armature shows."""
    mixamo_rig()
    import_file(WALK)
    shown = animation_of(the_action())
    before = anim_file.parse(WALK.read_bytes())
    assert shown.base_priority == before.base_priority and not shown.is_from_file
    data = export_file(tmp_path / "out.anim")
    after = anim_file.parse(data)
    assert data != WALK.read_bytes()
    assert after.base_priority == before.base_priority and after.loop == before.loop
    assert not after.constraints


def test_a_forced_retargeting_is_exported_anew(tmp_path: Path) -> None:
    rig = avatar("X")
    import_file(WALK, target="ACTIVE", retarget="ALWAYS")
    export_file(tmp_path / "out.anim")
    assert (tmp_path / "out.anim").read_bytes() != WALK.read_bytes()
    assert exported_difference(tmp_path / "out.anim", rig) < ANIM_DEGREES


def test_a_retargeted_action_comes_back_from_its_bvh(tmp_path: Path) -> None:
    rig, path = avatar(), walk_file(tmp_path, "mixamo")
    import_bvh(path, target="ACTIVE")
    out = tmp_path / "out.bvh"
    assert operators.export_anim.animbridge_bvh(filepath=str(out)) == {"FINISHED"}
    names = [line.split()[-1] for line in out.read_text().splitlines() if line.strip().startswith("JOINT")]
    assert "mShoulderLeft" in names and not any("mixamo" in name for name in names)
    again = import_bvh(out, target="NEW")
    assert again is not rig
    own = {slot: name for slot, name in bento_names().items() if name in again.pose.bones}
    assert largest_difference(walker("mixamo"), again, own, AHEAD["NEGATIVE_Y"]) < BOUND_DEGREES


@pytest.mark.parametrize("place", ["NEW", "MERGE", "NLA"])
def test_every_place_takes_it(place: str, tmp_path: Path) -> None:
    rig, path = avatar(), walk_file(tmp_path, "mixamo")
    import_file(WALK, target="ACTIVE")
    import_bvh(path, target="ACTIVE", place=place)
    if place == "NLA":
        rig.animation_data.action = None
    assert (the_action().name if rig.animation_data.action else "") == (
        {"NEW": "mixamo", "MERGE": "walk", "NLA": ""}[place]
    )
    assert largest_difference(walker("mixamo"), rig, bento_names(), AHEAD["NEGATIVE_Y"]) < BOUND_DEGREES


def test_a_merge_is_exported_as_it_looks(tmp_path: Path) -> None:
    """The template of the first file stays, but not for what the merge moved."""
    rig, path = avatar("X"), walk_file(tmp_path, "mixamo")
    import_file(WALK, target="ACTIVE")
    import_bvh(path, target="ACTIVE", place="MERGE")
    export_file(tmp_path / "out.anim")
    assert exported_difference(tmp_path / "out.anim", rig) < ANIM_DEGREES


@pytest.mark.parametrize(("degrees", "warns"), [(40.0, False), (60.0, True)])
def test_own_names_in_another_posture_are_retargeted(
    degrees: float, warns: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """The avatar's names, but lower arms: turned as its joints, they would point elsewhere."""
    bento_rig(arms_down_degrees=degrees)
    import_file(WALK)
    output = reported(capfd)
    assert "retargeted" in output
    assert ("The reference poses differ by more than 50 degrees at leftUpperArm" in output) == warns


@pytest.mark.parametrize("retarget", ["AUTO", "NEVER"])
def test_an_avatar_gets_the_file_itself(
    retarget: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    avatar()
    import_file(WALK, target="ACTIVE", retarget=retarget)
    assert "retargeted" not in reported(capfd)
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_the_files_own_armature_gets_its_own_angles(tmp_path: Path) -> None:
    path = walk_file(tmp_path, "mixamo")
    import_bvh(path, rotation_mode="EULER")
    first = {curve.data_path: _values(curve) for curve in fcurves() if "euler" in curve.data_path}
    import_bvh(path, target="ACTIVE", rotation_mode="EULER", fit_height=False)
    again = {curve.data_path: _values(curve) for curve in fcurves() if "euler" in curve.data_path}
    assert first and first == again
    out = tmp_path / "out.bvh"
    operators.export_anim.animbridge_bvh(filepath=str(out))
    assert read(out).motion == read(path).motion


def _values(curve: Any) -> bytes:
    values = np.empty(2 * len(curve.keyframe_points), np.float32)
    curve.keyframe_points.foreach_get("co", values)
    return values.tobytes()


def test_always_and_never_do_as_they_say(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = avatar()
    import_file(WALK, target="ACTIVE", retarget="ALWAYS")
    assert "retargeted" in reported(capfd)
    path = walk_file(tmp_path, "cmu_asf")
    with refused("a bone for", "Import Anyway"):
        import_bvh(path, target="ACTIVE", retarget="NEVER")
    import_bvh(path, target="ACTIVE", retarget="NEVER", import_anyway=True)
    assert "without a matching bone" in reported(capfd)
    assert largest_difference(walker("cmu_asf"), rig, bento_names(), AHEAD["NEGATIVE_Y"]) > 5.0


def test_few_limbs_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    rig, path = mixamo_rig(), walk_file(tmp_path, "cmu_motionbuilder")
    remove_bones(rig, "Arm", "Hand", "Leg", "Foot", "Toe")
    before = data_blocks()
    with refused("'Walker'", "of the 12 arms, hands, legs and feet", "rig file", "Import Anyway"):
        import_bvh(path, target="ACTIVE")
    assert data_blocks() == before and rig.animation_data is None
    import_bvh(path, target="ACTIVE", import_anyway=True)
    assert the_action().name == "cmu_motionbuilder"


def test_an_animal_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    rig = avatar()
    write_bvh(tmp_path / "bird.bvh", bird())
    before = data_blocks()
    with refused("doesn't look like a person", "wings in place of arms", "Import Anyway"):
        import_bvh(tmp_path / "bird.bvh", target="ACTIVE")
    assert data_blocks() == before and rig.animation_data is None
    import_bvh(tmp_path / "bird.bvh", target="ACTIVE", import_anyway=True)
    assert the_action().name == "bird"


def rig_file(folder: Path, slots: dict[str, str]) -> Path:
    path = folder / "mine.json"
    text = {"animbridge_rig": 1, "id": "mine", "title": "Mine", "source": "a test", "slots": slots}
    text["slots"] = {slot: [name] for slot, name in slots.items()}
    path.write_text(json.dumps(text), encoding="utf-8")
    return path


def test_a_rig_file_names_the_bones(tmp_path: Path) -> None:
    rig, path = mixamo_rig(), walk_file(tmp_path, "cmu_motionbuilder")
    names = {}
    for number, (slot, name) in enumerate(mixamo_names().items()):
        names[slot] = f"piece {7 * number % 41}"
        rig.data.bones[name].name = names[slot]
    mine = rig_file(tmp_path, names)
    import_bvh(path, target="ACTIVE", rig_map=str(mine))
    assert largest_difference(walker("cmu_motionbuilder"), rig, names, AHEAD["NEGATIVE_Y"]) < BOUND_DEGREES
    with refused("rig file", "Retarget"):
        import_bvh(path, target="ACTIVE", rig_map=str(mine), retarget="NEVER")
    mine.write_text('{"animbridge_rig": 1, "slots": 3}', encoding="utf-8")
    with refused("slots"):
        import_bvh(path, target="ACTIVE", rig_map=str(mine))


def test_a_rig_map_is_not_for_retargeting(tmp_path: Path) -> None:
    avatar()
    mine = tmp_path / "map.json"
    mine.write_text(json.dumps({"animbridge_rig_map": 1, "names": {"mPelvis": "mPelvis"}}), encoding="utf-8")
    with refused("rig map", "rig file"):
        import_bvh(walk_file(tmp_path, "mixamo"), target="ACTIVE", rig_map=str(mine), retarget="ALWAYS")


def test_a_file_without_time_is_not_retargeted(tmp_path: Path) -> None:
    bvh = walker("mixamo").bvh
    bvh.frame_time = 0.0
    path = write_bvh(tmp_path / "still.bvh", bvh)
    avatar()
    with refused("no frames", "Retarget to Never"):
        import_bvh(path, target="ACTIVE", retarget="ALWAYS")
