# SPDX-License-Identifier: MIT
"""Files merged into the Action that an armature plays: what is replaced, and what must stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import (
    curves_of,
    data_blocks,
    export_file,
    fcurves,
    import_file,
    joint_records,
    operators,
    random_rig,
    refused,
    reported,
    set_frame,
    the_action,
    the_armature,
)
from mathutils import Euler, Quaternion
from retarget_support import remove_bones
from tests.python.material import demos
from tests.python.randoms import random_keys
from tests.witness import anim_file
from tests.witness import quantise as q
from tests.witness.anim_file import AnimFile, Joint, bits_of
from window import begin_undo, undo_once, with_undo

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
SECOND = 24


def near_rest(seed: int, count: int = 5) -> np.ndarray:
    """Keys of turns of less than 60 degrees, at random times."""
    turns = random_keys(np.random.default_rng(seed), count, in_ball=True, gap=3000)
    turns[:, 1:] = q.encode_rotation(q.decode_rotation(turns[:, 1:]) * np.float32(0.5))
    return turns


def saved(path: Path, *joints: Joint, duration: float = 1.0, **header: Any) -> Path:
    path.write_bytes(anim_file.write(AnimFile(duration_bits=bits_of(duration), joints=[*joints], **header)))
    return path


def merge(path: Path, **options: Any) -> Any:
    return import_file(path, place="MERGE", **options)


def state_of(curves: Any) -> dict[tuple[str, int], list[tuple[Any, ...]]]:
    """Everything that the keys of these curves have."""
    return {
        (curve.data_path, curve.array_index): [key_state(key) for key in curve.keyframe_points]
        for curve in curves
    }


def key_state(key: Any) -> tuple[Any, ...]:
    return (
        *key.co,
        *key.handle_left,
        *key.handle_right,
        *(key.handle_left_type, key.handle_right_type, key.interpolation, key.easing, key.type),
        *(key.amplitude, key.back, key.period),
    )


def animated_by_hand(bone: str, turns: dict[float, Quaternion]) -> None:
    """Rotation keys of a bone as an animator makes them: Bezier, with handles of every kind."""
    pose = the_armature().pose.bones[bone]
    pose.rotation_mode = "QUATERNION"
    for frame, turn in turns.items():
        pose.rotation_quaternion = turn
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    for curve in curves_of(bone, "rotation_quaternion"):
        kinds = ("FREE", "ALIGNED", "VECTOR", "AUTO", "AUTO_CLAMPED")
        for number, key in enumerate(curve.keyframe_points):
            key.handle_left_type = kinds[number % 5]
            key.handle_right_type = kinds[(number + 1) % 5]
        curve.keyframe_points[1].interpolation = "CONSTANT"
        curve.keyframe_points[-2].interpolation = "BACK"
        curve.keyframe_points[-2].back = 1.25
        curve.keyframe_points[-3].interpolation = "ELASTIC"
        curve.keyframe_points[-3].easing = "EASE_IN_OUT"
        curve.keyframe_points[-3].amplitude = 0.25
        curve.keyframe_points[-3].period = 3.5
        curve.keyframe_points[0].type = "EXTREME"
        curve.keyframe_points[-1].type = "BREAKDOWN"
        curve.update()


def turns_at(frames: Any, scale: float = 1.0) -> dict[float, Quaternion]:
    return {float(frame): Euler((0.01 * scale * frame, 0.1, 0.2)).to_quaternion() for frame in frames}


def rotations(bone: str, frames: Any) -> np.ndarray:
    """The pose's rotation matrices at frames."""
    pose = the_armature().pose.bones[bone]
    found = []
    for frame in frames:
        set_frame(frame)
        found.append(np.array(pose.matrix_basis.to_3x3()))
    return np.array(found)


def test_other_joints_are_added_and_the_first_files_stay_bit_for_bit(tmp_path: Path) -> None:
    first = saved(tmp_path / "first.anim", Joint(b"mHead", 4, near_rest(1)), Joint(b"mNeck", 2, near_rest(2)))
    second = saved(tmp_path / "second.anim", Joint(b"mTail1", 5, near_rest(3)))
    import_file(first)
    before = state_of(fcurves())
    merge(second)
    assert [action.name for action in bpy.data.actions] == ["first"]
    after = state_of(fcurves())
    assert {path: after[path] for path in before} == before
    assert {path for path, _ in after.keys() - before.keys()} == {'pose.bones["mTail1"].rotation_quaternion'}
    exported = export_file(tmp_path / "out.anim")
    own, out = joint_records(first.read_bytes()), joint_records(exported)
    assert out.keys() == {b"mHead", b"mNeck", b"mTail1"}
    assert all(out[name] == own[name] for name in own)
    turns = anim_file.parse(exported)
    tail = next(joint for joint in turns.joints if joint.name == b"mTail1")
    wanted = q.decode_rotation(near_rest(3)[:, 1:])
    assert np.abs(q.decode_rotation(tail.rotation_keys[:, 1:]) - wanted).max() < 1e-4


def test_keys_within_the_files_time_are_replaced_and_others_keep_everything(tmp_path: Path) -> None:
    import_file(saved(tmp_path / "start.anim", Joint(b"mTorso", 3, near_rest(1))))
    animated_by_hand("mHead", turns_at(range(-40, 121, 8)))
    torso = state_of(curves_of("mTorso"))
    before = state_of(curves_of("mHead"))
    keys = near_rest(7)
    merge(saved(tmp_path / "head.anim", Joint(b"mHead", 3, keys), duration=2.0), frame_start=10.5)
    first, last = 10.5, 10.5 + 2 * SECOND
    own = 10.5 + SECOND * q.decode_time(np.sort(keys[:, 0]), np.float32(2.0)).astype(float)
    for place, states in state_of(curves_of("mHead")).items():
        outside = [state for state in states if not first - 0.1 < state[0] < last + 0.1]
        kept = [state for state in before[place] if not first <= state[0] <= last]
        # Next to the new keys Blender turns the handles that are not free.
        for old, new in zip(kept, outside, strict=True):
            is_beside = new[0] in {8.0, 64.0}
            assert (new[:2], new[6:]) == (old[:2], old[6:])
            assert is_beside or new[2:6] == pytest.approx(old[2:6], abs=1e-6)
        inside = [state[0] for state in states if first - 0.1 < state[0] < last + 0.1]
        expected = sorted({first, *own, last})
        # Ends are held where the file has no key of its own.
        assert inside == pytest.approx(expected, abs=1e-3)
        assert {state[8] for state in states if state not in outside} == {"LINEAR"}
    assert state_of(curves_of("mTorso")) == torso


def test_the_file_plays_in_its_time_and_the_rest_outside(tmp_path: Path) -> None:
    path = saved(tmp_path / "head.anim", Joint(b"mHead", 3, near_rest(4)), duration=2.0)
    inside, outside = np.arange(20.0, 68.1, 1.5), (-30.0, -5.25, 11.0, 77.0, 119.5)
    import_file(path, frame_start=20.0)
    wanted = rotations("mHead", inside)
    bpy.data.actions.remove(the_action())
    the_armature().animation_data_clear()
    animated_by_hand("mHead", turns_at(range(-40, 121, 8)))
    others = rotations("mHead", outside)
    merge(path, frame_start=20.0)
    assert np.abs(rotations("mHead", inside) - wanted).max() < 1e-5
    assert np.abs(rotations("mHead", outside) - others).max() < 1e-5


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("later", [1.0, -1.0])
def test_no_turn_goes_the_long_way_round_at_the_seams(sign: float, later: float, tmp_path: Path) -> None:
    """Whatever signs the Action's quaternions have: between neighbours the turn stays small."""
    import_file(saved(tmp_path / "start.anim", Joint(b"mTorso", 3, near_rest(1))))
    small = turns_at(range(-40, 121, 8), scale=0.1)
    animated_by_hand("mHead", {f: turn * (sign if f < 40 else later) for f, turn in small.items()})
    for curve in curves_of("mHead"):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    around = (0.0, 8.0, 96.0, 112.0)
    before = rotations("mHead", around)
    merge(saved(tmp_path / "head.anim", Joint(b"mHead", 3, near_rest(9)), duration=2.0), frame_start=20.0)
    assert np.abs(rotations("mHead", around) - before).max() < 1e-5
    for seam in (np.arange(16.0, 20.1, 0.25), np.arange(68.0, 72.1, 0.25)):
        steps = rotations("mHead", seam)
        cosines = (np.einsum("nij,nij->n", steps[:-1], steps[1:]) - 1) / 2
        # Both ends are within 100 degrees of each other, and 16 steps lie between them.
        assert cosines.min() > np.cos(np.radians(20.0))


def test_values_of_the_file_are_exact(tmp_path: Path) -> None:
    """What is merged is what an import makes, to the last bit, but for a common sign."""
    path = saved(tmp_path / "tail.anim", Joint(b"mTail1", 3, near_rest(1), near_rest(2)))
    import_file(path)
    wanted = {place: [state[:2] for state in states] for place, states in state_of(fcurves()).items()}
    import_file(WALK)
    merge(path)
    found = {place: [state[:2] for state in states] for place, states in state_of(fcurves()).items()}
    assert {place: found[place] for place in wanted} == wanted


def test_with_no_action_it_is_a_new_one(tmp_path: Path) -> None:
    merge(WALK)
    assert the_action().name == "walk"
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_several_files_make_one_action(tmp_path: Path) -> None:
    names = [b"mHead", b"mTail1", b"mHandThumb1Left"]
    paths = [saved(tmp_path / f"{n}.anim", Joint(name, 3, near_rest(n))) for n, name in enumerate(names)]
    files = [{"name": path.name} for path in paths]
    operators.import_anim.secondlife(directory=f"{tmp_path}/", files=files, place="MERGE")
    assert [action.name for action in bpy.data.actions] == ["0"]
    assert joint_records(export_file(tmp_path / "out.anim")).keys() == set(names)


def test_the_range_is_widened(tmp_path: Path) -> None:
    long = saved(tmp_path / "long.anim", Joint(b"mTail1", 3, near_rest(1)), duration=3.0)
    import_file(saved(tmp_path / "short.anim", Joint(b"mHead", 3, near_rest(1))))
    merge(long, frame_start=5.0)
    assert tuple(the_action().frame_range) == (1.0, 5.0 + 3 * SECOND)
    merge(long, frame_start=-5.0)
    assert tuple(the_action().frame_range) == (-5.0, 5.0 + 3 * SECOND)
    merge(long, frame_start=0.0)
    assert tuple(the_action().frame_range) == (-5.0, 5.0 + 3 * SECOND)


def test_header_and_joints_without_bones(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The Action keeps its own header; joints without a bone have no place in it, and are named."""
    first = saved(tmp_path / "first.anim", Joint(b"mHead", 4, near_rest(1)), base_priority=5)
    import_file(first)
    reported(capfd)
    joints = [Joint(name, 2, near_rest(1)) for name in (b"mTail1", b"BELLY")]
    merge(saved(tmp_path / "second.anim", *joints, base_priority=1))
    said = " ".join(reported(capfd).split())  # popups have lines
    assert "Choose a rig map: 1 joint without a matching bone. The merge leaves the keys out:" in said
    assert "BELLY" in said
    assert "merged into the Action 'first', which keeps its priorities" in said
    exported = anim_file.parse(export_file(tmp_path / "out.anim"))
    assert exported.base_priority == 5
    assert {joint.name for joint in exported.joints} == {b"mHead", b"mTail1"}


def test_euler_keys_are_no_place_for_quaternions(tmp_path: Path) -> None:
    import_file(WALK)
    pose = the_armature().pose.bones["mTail1"]
    pose.rotation_mode = "XYZ"
    pose.keyframe_insert("rotation_euler", frame=3)
    before = state_of(fcurves())
    with refused("mTail1", "rotation mode"):
        merge(
            saved(tmp_path / "tail.anim", Joint(b"mHead", 3, near_rest(1)), Joint(b"mTail1", 3, near_rest(1)))
        )
    assert state_of(fcurves()) == before
    assert pose.rotation_mode == "XYZ"


def test_another_facing_is_refused() -> None:
    import_file(WALK, facing="X")
    before = state_of(fcurves())
    with refused("NEGATIVE_Y", "walk"):
        merge(WALK, facing="NEGATIVE_Y")
    assert state_of(fcurves()) == before
    merge(WALK, facing="X")


def test_the_same_file_merged_stays_the_file(tmp_path: Path) -> None:
    import_file(WALK)
    merge(WALK)
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_nothing_matches() -> None:
    rig = random_rig(np.random.default_rng(0), "X")
    remove_bones(
        rig, "Hip", "Knee", "Ankle", "Foot", "Toe", "Collar", "Shoulder", "Elbow", "Wrist", "Hand", "Wing"
    )
    for number, bone in enumerate(rig.data.bones):
        bone.name = f"bone {number}"
    rig.pose.bones["bone 1"].keyframe_insert("location", frame=1)
    before = data_blocks()
    with refused("no bone of the armature"):
        merge(WALK)
    assert data_blocks() == before


def test_one_undo_takes_a_merge_back(window: None, tmp_path: Path) -> None:
    path = saved(tmp_path / "tail.anim", Joint(b"mTail1", 3, near_rest(1)))
    import_file(WALK)
    before = state_of(fcurves())
    begin_undo()
    with_undo(operators.import_anim.secondlife, filepath=str(path), place="MERGE", frame_start=-20.0)
    assert state_of(fcurves()) != before
    undo_once()
    assert state_of(fcurves()) == before


def test_a_linked_action_is_refused(tmp_path: Path) -> None:
    import_file(WALK)
    library = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    rig = random_rig(np.random.default_rng(0), "X")
    libraries: Any = bpy.data.libraries
    with libraries.load(str(library), link=True) as (_, wanted):
        wanted.actions = ["walk"]
    action: Any = wanted.actions[0]
    rig.animation_data_create().action = action
    if hasattr(rig.animation_data, "action_slot"):
        rig.animation_data.action_slot = action.slots[0]
    with refused("'walk'", "linked"):
        merge(WALK)
    import_file(WALK)
    assert rig.animation_data.action.library is None
