# SPDX-License-Identifier: MIT
"""Sampled BVH exports: what moves the rig besides its curves, and the object's own motion."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_rigs import FIRST, FRAMES, LAST, key_bone, keyed_rig
from bvh_shown import errors_of
from bvh_support import DIALECTS, export_bvh, import_bvh, read
from carriers import new_empty, put_on_carrier
from helpers import curves_of, refused, reported
from mathutils import Vector

#: Blender multiplies matrices in single precision down a dozen bones: what it shows is as far off.
DEGREES, SHARE = 4e-4, 4e-6


def inverse_kinematics(rig: Any) -> None:
    """A limb reaches for a target in the world."""
    bone = rig.pose.bones["mWristLeft"]
    place = rig.matrix_world @ bone.tail
    target = new_empty("target", place)
    constraint = bone.constraints.new("IK")
    constraint.target, constraint.chain_count = target, 3
    for frame, way in ((FIRST, (0.1, 0.0, 0.0)), (10, (0.0, -0.2, 0.1)), (LAST, (-0.1, 0.1, -0.2))):
        target.location = place + Vector(way)
        target.keyframe_insert("location", frame=frame)


def copied_rotation(rig: Any) -> None:
    constraint = rig.pose.bones["mElbowRight"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget = rig, "mElbowLeft"
    constraint.target_space = constraint.owner_space = "LOCAL"


def copied_place(rig: Any) -> None:
    """A joint that is drawn out of its rest place."""
    constraint = rig.pose.bones["mFaceJaw"].constraints.new("COPY_LOCATION")
    constraint.target, constraint.subtarget, constraint.influence = rig, "mTail1", 0.2


def noise(_rig: Any) -> None:
    curves_of("mTorso", "rotation")[1].modifiers.new("NOISE")


def strip_below(rig: Any) -> None:
    """The Action again on an NLA track, on top of which the elbow turns."""
    animation = rig.animation_data
    below, slot = animation.action, getattr(animation, "action_slot", None)
    animation.action = None
    strip = animation.nla_tracks.new().strips.new("below", FIRST, below)
    strip.name = "below"  # which 3.4 takes from the Action
    if slot is not None:
        strip.action_slot = slot
    key_bone(rig.pose.bones["mElbowLeft"], np.random.default_rng(9))
    animation.action_blend_type = "COMBINE"


def eased(_rig: Any) -> None:
    curves_of("mChest", "rotation")[1].keyframe_points[1].interpolation = "ELASTIC"


INFLUENCES = (inverse_kinematics, copied_rotation, copied_place, noise, strip_below, eased)
WORDS = {
    "inverse_kinematics": ("constraints", "mWristLeft"),
    "copied_rotation": ("constraints", "mElbowRight"),
    "copied_place": ("constraints", "mFaceJaw"),
    "noise": ("modifier", "Noise"),
    "strip_below": ("NLA", "below"),
    "eased": ("interpolation", "Elastic"),
}


@pytest.mark.parametrize("influence", INFLUENCES, ids=lambda influence: influence.__name__)
@pytest.mark.parametrize("method", ["AUTO", "SAMPLES"])
def test_what_curves_do_not_tell(method: str, influence: Callable[[Any], None], tmp_path: Path) -> None:
    """The file shows what Blender shows; automatic sampling says why; the scene stays at its frame."""
    rig = keyed_rig(1)
    influence(rig)
    bpy.context.scene.frame_set(7, subframe=0.25)
    report = tmp_path / "report.json"
    bvh = export_bvh(tmp_path / "out.bvh", method=method, report_path=str(report), report_text=True)
    assert bpy.context.scene.frame_current_final == 7.25
    errors = errors_of(rig, bvh, FRAMES)
    assert errors.degrees <= DEGREES and errors.share <= SHARE, errors
    (row,) = json.loads(report.read_text())["files"]
    assert row["frames"] == len(FRAMES) and row["joints"] == len(rig.data.bones)
    words = WORDS[influence.__name__] if method == "AUTO" else ("because you chose Samples",)
    text = bpy.data.texts["AnimBridge Export"].as_string()
    assert all(word in row["sampled_because"] and word in text for word in words)


@pytest.mark.parametrize("influence", [noise, eased, strip_below], ids=lambda one: one.__name__)
def test_curves_that_are_asked_for_and_will_not_do(influence: Callable[[Any], None], tmp_path: Path) -> None:
    influence(keyed_rig(1))
    with refused(*WORDS[influence.__name__], "Method: Samples"):
        export_bvh(tmp_path / "out.bvh", method="CURVES")
    assert not list(tmp_path.iterdir())


def carried_rig(scale: float = 1.0) -> Any:
    rig = keyed_rig(3)
    put_on_carrier(rig, (FIRST, 14, LAST))
    rig.scale = (scale, scale, scale)
    return rig


@pytest.mark.parametrize("method", ["AUTO", "SAMPLES"])
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_the_objects_own_motion(scale: float, method: str, tmp_path: Path) -> None:
    """With it the root rides along, seen from where the object was at first; without, it stands."""
    rig = carried_rig(scale)
    rides = export_bvh(tmp_path / "rides.bvh", object_motion=True, method=method)
    stands = export_bvh(tmp_path / "stands.bvh", method=method)
    for bvh, with_object in ((rides, True), (stands, False)):
        errors = errors_of(rig, bvh, FRAMES, with_object=with_object)
        # The object's own matrix, of single precision too, comes on top.
        assert errors.degrees <= 2 * DEGREES and errors.share <= 2 * SHARE, errors
    assert errors_of(rig, rides, FRAMES).share > 0.05


def test_curves_leave_object_motion_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = carried_rig()
    bvh = export_bvh(tmp_path / "out.bvh", object_motion=True, method="CURVES")
    assert "object motion" in reported(capfd)
    assert errors_of(rig, bvh, FRAMES).share <= SHARE


def test_an_import_with_a_constraint(tmp_path: Path) -> None:
    """All is sampled then: the file's frames, on the file's axes; away with it, its numbers are back."""
    path = DIALECTS / "newline_lf.bvh"
    rig = import_bvh(path, axis_forward="X", axis_up="Z")
    constraint = rig.pose.bones["arm"].constraints.new("LIMIT_ROTATION")
    constraint.use_limit_x = constraint.use_limit_z = True
    constraint.owner_space = "LOCAL"
    wanted = read(path)
    found = export_bvh(tmp_path / "out.bvh")
    assert found.frame_time == wanted.frame_time and found.motion != wanted.motion
    turn = np.array(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    frames = [1.0 + 24 * wanted.frame_time * frame for frame in range(3)]
    errors = errors_of(rig, found, frames, turn)
    assert errors.degrees <= DEGREES and errors.share <= SHARE, errors
    constraint.mute = True
    assert export_bvh(tmp_path / "out.bvh").motion == wanted.motion
