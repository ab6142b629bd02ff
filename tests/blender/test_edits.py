# SPDX-License-Identifier: MIT
"""What the user touches changes, and nothing else."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from helpers import (
    bone_rotation,
    curves_of,
    degrees_to,
    export_file,
    fcurves,
    import_file,
    joint_records,
    keyed_bone,
    refused,
    reported,
    set_frame,
    the_action,
    the_armature,
    without_joints,
)
from tests.python.material import demos
from tests.witness import anim_file, player
from tests.witness import quantise as q

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")


def changed_joints(before: bytes, after: bytes) -> set[str]:
    """Joints whose records differ, or are only in one of the files."""
    a, b = joint_records(before), joint_records(after)
    return {name.decode() for name in a.keys() | b.keys() if a.get(name) != b.get(name)}


def test_one_key_of_one_bone(tmp_path: Path) -> None:
    import_file(WALK)
    bone = keyed_bone()
    curve = curves_of(bone, "rotation_quaternion")[1]
    curve.keyframe_points[1].co[1] += 0.05
    curve.update()
    after = export_file(tmp_path / "out.anim")
    assert changed_joints(WALK.read_bytes(), after) == {bone}
    assert without_joints(after) == without_joints(WALK.read_bytes())


def test_one_key_moved_in_time(tmp_path: Path) -> None:
    import_file(WALK)
    bone = keyed_bone()
    for curve in curves_of(bone, "rotation_quaternion"):
        point = curve.keyframe_points[1]
        point.co[0] += 0.25
        curve.update()
    after = export_file(tmp_path / "out.anim")
    assert changed_joints(WALK.read_bytes(), after) == {bone}
    before = anim_file.parse(WALK.read_bytes())
    file = anim_file.parse(after)
    index = [joint.name for joint in file.joints].index(bone.encode())
    old, new = before.joints[index].rotation_keys, file.joints[index].rotation_keys
    # The other keys keep their codes of time; the moved one is 0.25 frames of 24 a second later.
    assert old[:, 0].tolist()[:1] + old[:, 0].tolist()[2:] == new[:, 0].tolist()[:1] + new[:, 0].tolist()[2:]
    times = [float(q.decode_time(rows[1, 0], file.duration)) for rows in (old, new)]
    assert times[1] - times[0] == pytest.approx(0.25 / 24, abs=float(file.duration) / 65535)


def test_untouched_times_and_values_survive_an_edit(tmp_path: Path) -> None:
    """An edited joint is encoded again: its other keys may move by the encoder's step, and no more."""
    import_file(WALK)
    bone = keyed_bone(keys=4)
    curve = curves_of(bone, "rotation_quaternion")[2]
    curve.keyframe_points[2].co[1] += 0.03
    curve.update()
    after = anim_file.parse(export_file(tmp_path / "out.anim"))
    before = anim_file.parse(WALK.read_bytes())
    index = [joint.name for joint in after.joints].index(bone.encode())
    old, new = before.joints[index].rotation_keys.astype(int), after.joints[index].rotation_keys.astype(int)
    assert old[:, 0].tolist() == new[:, 0].tolist()
    others = [row for row in range(len(old)) if row != 2]
    assert np.abs(old[others] - new[others]).max() <= 2
    assert before.joints[index].priority == after.joints[index].priority


def test_deleted_curves_drop_the_joint(tmp_path: Path) -> None:
    import_file(WALK)
    bone = keyed_bone()
    for curve in curves_of(bone):
        fcurves().remove(curve)
    after = export_file(tmp_path / "out.anim")
    assert bone.encode() not in joint_records(after)
    assert changed_joints(WALK.read_bytes(), after) == {bone}


def test_one_deleted_component_changes_its_joint_alone(tmp_path: Path) -> None:
    """The component then holds the bone's present value."""
    import_file(WALK)
    bone = keyed_bone()
    the_armature().pose.bones[bone].rotation_quaternion = (1, 0, 0, 0)
    fcurves().remove(curves_of(bone, "rotation_quaternion")[3])
    after = export_file(tmp_path / "out.anim")
    assert changed_joints(WALK.read_bytes(), after) == {bone}


@pytest.mark.parametrize("longer", [1.5, 0.5])
def test_frame_range_is_the_duration(
    longer: float, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    import_file(WALK)
    action = the_action()
    first, last = action.frame_range
    action.frame_range = (first, first + (last - first) * longer)
    data = export_file(tmp_path / "out.anim")
    file, before = anim_file.parse(data), anim_file.parse(WALK.read_bytes())
    assert float(file.duration) == pytest.approx(float(before.duration) * longer, rel=1e-6)
    # A shorter animation moves keys so far that it can be seen; a longer one does not.
    assert ("duration" in reported(capfd)) == (longer < 1)
    if longer < 1:
        return
    for old, new in zip(before.joints, file.joints, strict=True):
        times = [
            q.decode_time(keys[:, 0], f.duration)
            for keys, f in ((old.rotation_keys, before), (new.rotation_keys, file))
        ]
        assert np.abs(times[0] - times[1]).max(initial=0) < float(file.duration) / 65535


def test_moved_range_and_keys_give_the_same_animation(tmp_path: Path) -> None:
    """Everything 10 frames later: encoded anew, since nothing but the numbers' meaning is the same."""
    import_file(WALK)
    action = the_action()
    for curve in fcurves():
        co = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", co)
        co[::2] += 10
        curve.keyframe_points.foreach_set("co", co)
        curve.update()
    action.frame_range = tuple(frame + 10 for frame in action.frame_range)
    file = anim_file.parse(export_file(tmp_path / "out.anim"))
    before = anim_file.parse(WALK.read_bytes())
    assert float(file.duration) == pytest.approx(float(before.duration), rel=1e-6)
    for seconds in np.linspace(0, float(before.duration), 9):
        for old, new in zip(before.joints, file.joints, strict=True):
            a = player.joint_at(old, before.duration, float(seconds)).rotation
            b = player.joint_at(new, file.duration, float(seconds)).rotation
            assert a is None or (b is not None and np.abs(a - b).max() < 5e-4)


def test_another_frame_rate_changes_the_speed(tmp_path: Path) -> None:
    import_file(WALK)
    bpy.context.scene.render.fps = 48
    file = anim_file.parse(export_file(tmp_path / "out.anim"))
    assert float(file.duration) == pytest.approx(
        float(anim_file.parse(WALK.read_bytes()).duration) / 2, rel=1e-6
    )


def test_a_bone_turned_at_rest_is_encoded_anew(tmp_path: Path) -> None:
    """The curves now mean something else, and the file shows what Blender shows."""
    rig = import_file(WALK)
    bone = keyed_bone()
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones[bone].roll += 0.4
    bpy.ops.object.mode_set(mode="OBJECT")
    after = export_file(tmp_path / "out.anim")
    assert bone in changed_joints(WALK.read_bytes(), after)
    file = anim_file.parse(after)
    joint = next(joint for joint in file.joints if joint.name == bone.encode())
    for frame in (1, 6, 12):
        set_frame(frame)
        rotation = player.joint_at(joint, file.duration, (frame - 1) / 24).rotation
        assert degrees_to(bone_rotation(rig, bone, "X"), rotation) < 0.05


def test_another_rotation_mode_is_a_change(tmp_path: Path) -> None:
    import_file(WALK)
    bone = keyed_bone()
    the_armature().pose.bones[bone].rotation_mode = "XYZ"
    after = export_file(tmp_path / "out.anim")
    assert changed_joints(WALK.read_bytes(), after) == {bone}


def test_without_the_range_the_last_key_ends_it(tmp_path: Path) -> None:
    import_file(WALK)
    last = max(curve.keyframe_points[-1].co[0] for curve in fcurves())
    the_action().use_frame_range = False
    file = anim_file.parse(export_file(tmp_path / "out.anim"))
    assert float(file.duration) == pytest.approx((last - 1) / 24, rel=1e-5)


def test_a_damaged_template_is_an_error(tmp_path: Path) -> None:
    import_file(WALK)
    kept = the_action()["animbridge"].to_dict()
    kept["source"] = kept["source"][:-40]
    the_action().pop("animbridge")
    the_action()["animbridge"] = kept
    with refused("damaged", "Delete the property"):
        export_file(tmp_path / "out.anim")
    the_action().pop("animbridge")
    file = anim_file.parse(export_file(tmp_path / "out.anim"))
    assert len(file.joints) == len(
        [j for j in anim_file.parse(WALK.read_bytes()).joints if len(j.rotation_keys)]
    )
