# SPDX-License-Identifier: MIT
"""A rig that Blender's own Rigify has generated, as the target and as the source."""

from __future__ import annotations

import math
from typing import Any

import addon_utils
import bpy
import pytest
from helpers import fcurves, operators, refused, reported, set_frame
from mathutils import Quaternion
from retarget_support import (
    FRAMES,
    animate,
    choose,
    degrees_between,
    head_of,
    mixamo_names,
    mixamo_rig,
    settings,
)

pytestmark = pytest.mark.compat

#: Bones that deform, by the parts of a side.
DEFORMING = {
    **{"Shoulder": "DEF-shoulder", "UpperArm": "DEF-upper_arm", "LowerArm": "DEF-forearm"},
    **{"Hand": "DEF-hand", "UpperLeg": "DEF-thigh", "LowerLeg": "DEF-shin", "Foot": "DEF-foot"},
    **{"Toes": "DEF-toe", "MiddleProximal": "DEF-f_middle.01"},
}
#: A part and the next one, to which it points.
LIMBS = {
    **{"UpperArm": "LowerArm", "LowerArm": "Hand"},
    **{"UpperLeg": "LowerLeg", "LowerLeg": "Foot", "Foot": "Toes"},
}
#: Rigify's constraints work in single precision, one after the other.
BOUND_DEGREES = 0.001


def deforming_names() -> dict[str, str]:
    """The deforming bone of each part."""
    return {
        **{"hips": "DEF-spine", "chest": "DEF-spine.002", "neck": "DEF-spine.004", "head": "DEF-spine.006"},
        **{
            f"{side}{part}": f"{bone}.{side[0].upper()}"
            for part, bone in DEFORMING.items()
            for side in ("left", "right")
        },
    }


@pytest.fixture
def rigify() -> Any:
    """A generated human without a face, which would take a minute."""
    modules: Any = addon_utils.modules()
    if not any(module.__name__ == "rigify" for module in modules):
        pytest.skip(f"BLENDER {bpy.app.version_string} HAS NO RIGIFY: nothing is known of generated rigs")
    addon_utils.enable("rigify", default_set=True)
    operators.object.armature_human_metarig_add()
    metarig: Any = bpy.context.view_layer.objects.active
    operators.object.mode_set(mode="EDIT")
    bones = metarig.data.edit_bones
    for bone in [bones["face"], *bones["face"].children_recursive]:
        bones.remove(bone)
    operators.object.mode_set(mode="OBJECT")
    assert operators.pose.rigify_generate() == {"FINISHED"}
    rig: Any = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing != metarig)
    bpy.data.objects.remove(metarig)
    return rig


def worst_direction(source: Any, target: Any) -> dict[str, float]:
    """For each limb the largest angle between what both show, over all frames."""
    mixamo, rigify = mixamo_names(), deforming_names()
    worst: dict[str, float] = {}
    for frame in FRAMES:
        set_frame(frame)
        for part, toward in LIMBS.items():
            for side in ("left", "right"):
                ways = [
                    (head_of(rig, names[side + toward]) - head_of(rig, names[side + part])).normalized()
                    for rig, names in ((source, mixamo), (target, rigify))
                ]
                worst[part] = max(worst.get(part, 0.0), degrees_between(*ways))
    return worst


def turn(rig: Any, bone: str) -> Quaternion:
    """How a bone has turned since its rest pose, in the armature."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    rest = rig.data.bones[bone].matrix_local.to_quaternion()
    return shown.pose.bones[bone].matrix.to_quaternion() @ rest.inverted()


def bend(rig: Any, upper: str, lower: str) -> float:
    """Degrees by which one bone is turned against another since the rest pose."""
    relative = turn(rig, upper).inverted() @ turn(rig, lower)
    return math.degrees(2.0 * math.acos(min(abs(relative.normalized().w), 1.0)))


def worst_turn(source: Any, target: Any, bones: tuple[str, str]) -> float:
    """The largest angle between how the two bones have turned since their rest poses, over all frames."""
    worst = 0.0
    for frame in FRAMES:
        set_frame(frame)
        one, other = turn(source, bones[0]), turn(target, bones[1])
        chord = min((one - other).magnitude, (one + other).magnitude)
        worst = max(worst, math.degrees(4.0 * math.asin(min(chord / 2.0, 1.0))))
    return worst


def test_the_deforming_bones_show_what_the_source_does(rigify: Any, capfd: Any) -> None:
    source = mixamo_rig()
    animate(source)
    choose(source, rigify)
    operators.animbridge.retarget_auto()
    said = " ".join(reported(capfd).split())
    assert "The controls are mapped" in said
    assert "spine_fk.001 would turn the target's pelvis and legs too" in said
    pairs = {pair.slot: pair for pair in settings().pairs}
    wanted = {"hips": "torso", "leftLowerArm": "forearm_fk.L", "rightToes": "toe_fk.R"}
    assert {slot: pairs[slot].target for slot in wanted} == wanted
    assert [pair.slot for pair in settings().pairs if not pair.is_on] == ["spine"]
    assert operators.animbridge.retarget_apply() == {"FINISHED"}
    for part, degrees in worst_direction(source, rigify).items():
        assert degrees < BOUND_DEGREES, (part, degrees)
    # Turns, too, where both rest alike: the torso. Rigify gives fingers that deform no twist.
    for bones in (("Hips", "DEF-spine"), ("Head", "DEF-spine.006"), ("Hips", "torso")):
        assert worst_turn(source, rigify, (f"mixamorig:{bones[0]}", bones[1])) < BOUND_DEGREES, bones
    for side, letter in (("Left", "L"), ("Right", "R")):
        for frame in FRAMES:
            set_frame(frame)
            shown = bend(rigify, f"DEF-hand.{letter}", f"f_middle.01.{letter}")
            asked = bend(source, f"mixamorig:{side}Hand", f"mixamorig:{side}HandMiddle1")
            # An angle out of a single w: of 10 degrees, w says a ten-thousandth.
            assert shown == pytest.approx(asked, abs=10.0 * BOUND_DEGREES)


def test_with_the_spine_the_pelvis_turns_along(rigify: Any) -> None:
    """What docs/retargeting.md says of the pair that Auto switches off."""
    source = mixamo_rig()
    animate(source)
    choose(source, rigify)
    operators.animbridge.retarget_auto()
    for pair in settings().pairs:
        pair.is_on = True
    operators.animbridge.retarget_apply()
    bones = "mixamorig:Hips", "mixamorig:Spine"
    most = 0.0
    for frame in FRAMES:
        set_frame(frame)
        most = max(most, bend(source, *bones))
    assert worst_turn(source, rigify, (bones[0], "DEF-spine")) == pytest.approx(
        most, abs=10.0 * BOUND_DEGREES
    )
    for part, degrees in worst_direction(source, rigify).items():
        assert degrees < BOUND_DEGREES, (part, degrees)


def test_the_switches_are_set_keyed_and_said(rigify: Any, capfd: Any) -> None:
    source = mixamo_rig()
    animate(source)
    choose(source, rigify)
    operators.animbridge.retarget_auto()
    for pair in settings().pairs:
        pair.is_on = "Leg" not in pair.slot and pair.is_on
    reported(capfd)
    operators.animbridge.retarget_apply()
    said = " ".join(reported(capfd).split())
    assert "IK_FK of upper_arm_parent.L, upper_arm_parent.R is now 1" in said
    bones = rigify.pose.bones
    assert (bones["upper_arm_parent.L"]["IK_FK"], bones["torso"]["head_follow"]) == (1.0, 1.0)
    assert bones["thigh_parent.L"]["IK_FK"] == 0.0  # its keys are not made, so it stays with IK
    keyed = {curve.data_path for curve in fcurves(rigify) if curve.data_path.endswith('"]')}
    assert 'pose.bones["upper_arm_parent.R"]["IK_FK"]' in keyed
    assert 'pose.bones["thigh_parent.R"]["IK_FK"]' not in keyed
    # A second time there is nothing to set.
    operators.animbridge.retarget_apply()
    assert "is now 1" not in reported(capfd)


def test_a_failure_sets_nothing(rigify: Any) -> None:
    source = mixamo_rig()
    animate(source)
    choose(source, rigify)
    operators.animbridge.retarget_auto()
    settings().first_frame, settings().last_frame, settings().frame_range = 9, 3, "CUSTOM"
    with refused("The frames go from 9 to 3"):
        operators.animbridge.retarget_apply()
    assert rigify.pose.bones["thigh_parent.L"]["IK_FK"] == 0.0
    assert rigify.animation_data is None or rigify.animation_data.action is None


def test_the_preview_switches_and_puts_back(rigify: Any) -> None:
    source = mixamo_rig()
    choose(source, rigify)
    operators.animbridge.retarget_auto()
    assert rigify.pose.bones["upper_arm_parent.L"]["IK_FK"] == 0.0
    operators.animbridge.retarget_preview()
    bpy.context.view_layer.update()
    assert rigify.pose.bones["upper_arm_parent.L"]["IK_FK"] == 1.0
    ways = [
        (head_of(rig, hand) - head_of(rig, elbow)).normalized()
        for rig, elbow, hand in (
            (source, "mixamorig:LeftForeArm", "mixamorig:LeftHand"),
            (rigify, "DEF-forearm.L", "DEF-hand.L"),
        )
    ]
    assert degrees_between(*ways) < BOUND_DEGREES
    operators.animbridge.retarget_preview()
    assert rigify.pose.bones["upper_arm_parent.L"]["IK_FK"] == 0.0


def test_the_deforming_bones_are_the_source(rigify: Any, capfd: Any) -> None:
    """The controls move by IK here; what is seen is what counts."""
    target = mixamo_rig()
    hand = rigify.pose.bones["hand_ik.L"]
    for frame in (1, 12):
        hand.location = (0.0, 0.02 * frame, 0.03 * frame)
        hand.keyframe_insert("location", frame=frame)
    choose(rigify, target)
    operators.animbridge.retarget_auto()
    assert "The deforming bones are mapped" in " ".join(reported(capfd).split())
    operators.animbridge.retarget_apply()
    for part, degrees in worst_direction(target, rigify).items():
        assert degrees < BOUND_DEGREES, (part, degrees)
    set_frame(1)
    before = head_of(rigify, "DEF-hand.L").copy()
    set_frame(12)
    assert (head_of(rigify, "DEF-hand.L") - before).length > 0.05
