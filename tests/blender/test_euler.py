# SPDX-License-Identifier: MIT
"""Imports that leave bones in their Euler modes: what Blender shows, and what comes back out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import bone_rotation, degrees_to, export_file, fcurves, joint_records, random_rig, set_frame
from tests.witness import anim_file, player
from tests.witness import quantise as q
from tests.witness.anim_file import AnimFile, Joint, bits_of
from tests.witness.quaternion import about_axis, product

from animbridge.kinds.sl_anim.importer import SlImporter
from animbridge.package import Document
from animbridge.scene.import_.action import import_document
from animbridge.scene.import_.options import ImportOptions, ImportResult
from animbridge.scene.placing import assign
from animbridge.scene.source_files import SourceFile

pytestmark = pytest.mark.compat

MODES = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
JOINTS = ("mPelvis", "mTorso", "mElbowLeft", "mHipRight", "mTail1", "mHead")


def wandering(seed: int) -> AnimFile:
    """Nine keys a joint, half a second apart, each turned from the last by up to 100 degrees."""
    random = np.random.default_rng(seed)
    times = np.linspace(0, 65535, 9).astype(np.uint16)
    joints = []
    for name in JOINTS:
        turn, turns = about_axis(0, 0.0), []
        for _ in times:
            turns.append(turn if turn[3] >= 0 else -turn)
            for axis in range(3):
                turn = product(about_axis(axis, float(random.uniform(-58, 58))), turn)
        codes = q.encode_rotation(np.array(turns)[:, :3])
        keys = np.concatenate([times[:, None], codes], axis=1).astype(np.uint16)
        joints.append(Joint(name.encode(), 3, keys))
    return AnimFile(duration_bits=bits_of(4.0), joints=joints)


def import_onto(rig: Any, file: AnimFile, **options: Any) -> ImportResult:
    document = Document.read(anim_file.write(file), "wander.anim", "sl_anim")
    scene: Any = bpy.context.scene
    result = import_document(
        SlImporter(), SourceFile(document, "wander.anim"), rig, scene, ImportOptions(**options)
    )
    assign(rig, result.channels)
    return result


def rig_in_modes(seed: int, modes: tuple[str, ...]) -> Any:
    rig = random_rig(np.random.default_rng(seed), "NEGATIVE_Y")
    for name, mode in zip(JOINTS, modes, strict=True):
        rig.pose.bones[name].rotation_mode = mode
    return rig


@pytest.mark.parametrize("seed", range(6))
def test_blender_shows_what_the_viewer_shows(seed: int) -> None:
    modes = MODES[seed:] + MODES[:seed]
    rig = rig_in_modes(seed, modes)
    file = wandering(seed)
    result = import_onto(rig, file, keep_euler=True)
    assert not any("quaternion rotation" in warning for warning in result.warnings)
    locked = {name for name in JOINTS if any(f"bone {name} passes" in w for w in result.warnings)}
    assert len(locked) < len(JOINTS)
    for seconds in np.linspace(0.0, 4.0, 201):
        set_frame(1 + float(seconds) * 24)
        for joint in file.joints:
            name = joint.name.decode()
            if name not in locked:
                wanted = player.joint_at(joint, file.duration, float(seconds)).rotation
                # The tolerance, and what single precision makes of a bone's matrix.
                assert degrees_to(bone_rotation(rig, name, "NEGATIVE_Y"), wanted) < 0.012
    assert [rig.pose.bones[name].rotation_mode for name in JOINTS] == list(modes)


def test_untouched_bytes_and_edited_keys_come_back(tmp_path: Path) -> None:
    rig = rig_in_modes(7, MODES)
    file = wandering(7)
    import_onto(rig, file, keep_euler=True)
    bpy.context.view_layer.objects.active = rig
    assert export_file(tmp_path / "same.anim") == anim_file.write(file)
    # One key of one bone: that joint's other keys stand where they stood, no others come in.
    curve = fcurves().find('pose.bones["mTorso"].rotation_euler', index=0)
    own = [point for point in curve.keyframe_points if point.type == "KEYFRAME"]
    assert len(own) == 9 < len(curve.keyframe_points)
    last = own[-1]
    last.co[1] += 0.05
    last.handle_left[1] += 0.05
    curve.update()
    data = export_file(tmp_path / "edited.anim", encoder="NEAREST")
    before, after = joint_records(anim_file.write(file)), joint_records(data)
    assert {name for name in before if before[name] != after[name]} == {b"mTorso"}
    old, new = (
        next(joint for joint in parsed.joints if joint.name == b"mTorso").rotation_keys.astype(int)
        for parsed in (file, anim_file.parse(data))
    )
    kept = np.isin(new[:, 0], old[:-1, 0])
    assert np.abs(new[kept][:, 1:] - old[:-1, 1:]).max() <= 1


def test_axis_and_angle_become_quaternions() -> None:
    rig = rig_in_modes(8, ("AXIS_ANGLE", "QUATERNION", "XYZ", "XYZ", "XYZ", "XYZ"))
    result = import_onto(rig, wandering(8), keep_euler=True)
    assert any("1 bone changed to quaternions (mPelvis)" in w for w in result.details)
    assert [rig.pose.bones[name].rotation_mode for name in JOINTS[:3]] == ["QUATERNION", "QUATERNION", "XYZ"]


def test_without_the_option_all_become_quaternions() -> None:
    rig = rig_in_modes(9, MODES)
    import_onto(rig, wandering(9))
    assert {rig.pose.bones[name].rotation_mode for name in JOINTS} == {"QUATERNION"}
