# SPDX-License-Identifier: MIT
"""Whether an armature is a file's own rig. The witness makes both, so the answer is known beforehand."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from material import ROOT
from tests.witness import bvh_file, rig_mutations, rigs
from tests.witness.rigs import Rig
from tests.witness.walk import Gait, walk

from animbridge.abi import Facing
from animbridge.curves import Armature
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.retarget import rig_fit

TABLES = rigs.load_tables()
DANCE = Document.read_file(ROOT / "fixtures" / "demo" / "dance.anim")


def rig_of(convention: str, pose: str = "T") -> Rig:
    return rigs.build(convention, TABLES[convention], pose)


def document_of(rig: Rig) -> Document:
    """A walk of the rig."""
    walked = walk(rig, Gait(seconds=0.2, frames_per_second=30.0))
    return Document.read(bvh_file.write(walked.bvh), "walk.bvh")


def armature_of(rig: Rig, yaw_degrees: float = 0.0, roll: float = 0.4) -> Armature:
    """The rig's joints as bones, turned about Z, with axes of their own."""
    names = [joint.name for joint in rig.joints]
    c, s = math.cos(math.radians(yaw_degrees)), math.sin(math.radians(yaw_degrees))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    for number, joint in enumerate(rig.joints):
        a = roll * number
        rest[number, :2, :2] = [[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]
        rest[number, :3, 3] = turn @ np.array(joint.head) * rig.metres_per_unit
    return Armature(
        tuple(names),
        np.array([names.index(one.parent) if one.parent else -1 for one in rig.joints], np.int32),
        rest.transpose(0, 2, 1).reshape(-1, 16).astype(np.float32),
        np.zeros(len(names), np.uint8),
        Facing.AUTO,
    )


def with_lower_arms_turned(rig: Rig, degrees: float) -> Rig:
    """The forearms, and all that hangs on them, turned down about the elbows."""
    heads = {joint.name: np.array(joint.head) for joint in rig.joints}
    moved = dict(heads)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        elbow, a = heads[rig.truth[f"{side}LowerArm"]], math.radians(sign * degrees)
        turn = np.array([[math.cos(a), 0.0, math.sin(a)], [0.0, 1.0, 0.0], [-math.sin(a), 0.0, math.cos(a)]])
        below = {rig.truth[f"{side}LowerArm"]}
        for joint in rig.joints:
            if joint.parent in below:
                below.add(joint.name)
                moved[joint.name] = elbow + turn @ (heads[joint.name] - elbow)
    joints = tuple(replace(one, head=(*(float(x) for x in moved[one.name]),)) for one in rig.joints)
    return replace(rig, joints=joints)


@pytest.mark.parametrize("convention", ["mixamo", "cmu_3dsmax", "xsens_mvn", "secondlife"])
@pytest.mark.parametrize("yaw_degrees", [0.0, 90.0, 180.0, 270.0])
def test_its_own_rig(convention: str, yaw_degrees: float) -> None:
    rig = rig_of(convention)
    fit = rig_fit(document_of(rig), armature_of(rig, yaw_degrees), {})
    assert fit.is_own and not fit.needs_retargeting
    assert fit.unnamed == () and fit.rest_degrees < 1e-3
    assert len(fit.limbs) == len(fit.matched_limbs) == 12


def test_other_names_of_the_same_body() -> None:
    fit = rig_fit(document_of(rig_of("cmu_3dsmax")), armature_of(rig_of("mixamo")), {})
    assert not fit.is_own and fit.needs_retargeting
    assert "leftUpperLeg" in fit.unnamed and len(fit.found_limbs) == 12 > len(fit.matched_limbs)


@pytest.mark.parametrize(("degrees", "is_own"), [(0.0, True), (9.9, True), (10.1, False), (45.0, False)])
def test_the_same_names_in_another_posture(degrees: float, is_own: bool) -> None:
    rig = rig_of("mixamo")
    fit = rig_fit(document_of(rig), armature_of(with_lower_arms_turned(rig, degrees)), {})
    # The forearms don't quite lie in the plane in which they are turned.
    assert fit.rest_degrees == pytest.approx(degrees, abs=0.05)
    assert (fit.is_own, fit.needs_retargeting) == (is_own, not is_own)


def test_between_quarter_turns_it_is_another_posture() -> None:
    """Curves turn by quarters only."""
    rig = rig_of("mixamo")
    assert not rig_fit(document_of(rig), armature_of(rig, 30.0), {}).is_own


def test_size_does_not_matter() -> None:
    rig = rig_of("mixamo")
    assert rig_fit(document_of(rig_mutations.in_centimetres(rig)), armature_of(rig), {}).is_own


def test_an_anim_on_the_avatar_and_on_others() -> None:
    assert rig_fit(DANCE, armature_of(rig_of("secondlife")), {}).matched_joints > 20
    other = rig_fit(DANCE, armature_of(rig_of("biped")), {})
    assert other.needs_retargeting and other.matched_limbs == ()
    assert len(other.found_limbs) == len(other.limbs) > 0


def test_where_names_say_nothing_the_shape_does() -> None:
    rig = rig_of("mixamo")
    armature = armature_of(rig)
    nameless = replace(armature, names=tuple(f"b{7 * i % 997}" for i in range(len(armature.names))))
    fit = rig_fit(document_of(rig), nameless, {})
    assert fit.matched_joints == 0 and fit.matched_limbs == () and fit.few_matched
    assert fit.found_limbs == fit.limbs and not fit.few_found and fit.needs_retargeting


@pytest.mark.parametrize(("count", "is_few"), [(5, True), (6, False)])
def test_under_half_of_the_limbs_is_few(count: int, is_few: bool) -> None:
    rig = rig_of("mixamo")
    named = [slot for slot in rig.truth if slot.startswith(("left", "right"))]
    limbs = [slot for slot in named if slot.endswith(("Arm", "Hand", "Leg", "Foot"))]
    assert len(limbs) == 12
    slots = {slot: [rig.truth[slot]] for slot in ("hips", *limbs[:count])}
    text = json.dumps({"animbridge_rig": 1, "slots": slots})
    fit = rig_fit(document_of(rig), armature_of(rig), {}, text)
    assert len(fit.limbs) == 12 and len(fit.found_limbs) == count
    assert fit.few_found is is_few and fit.few_matched is False


def test_a_rig_file_names_the_limbs() -> None:
    rig = rig_of("mixamo")
    names = {joint.name: f"b{7 * i % 997}" for i, joint in enumerate(rig.joints)}
    nameless = replace(armature_of(rig), names=tuple(names.values()))
    slots = {slot: [names[joint]] for slot, joint in rig.truth.items()}
    text = json.dumps({"animbridge_rig": 1, "slots": slots})
    assert len(rig_fit(document_of(rig), nameless, {}, text).found_limbs) == 12


def test_errors() -> None:
    armature = armature_of(rig_of("mixamo"))
    with pytest.raises(AnimBridgeError) as caught:
        rig_fit(DANCE, armature, {}, "{")
    assert caught.value.code == Status.BAD_VALUE
    empty = replace(
        armature, names=(), parents=armature.parents[:0], rest_matrices=armature.rest_matrices[:0],
        flags=armature.flags[:0],
    )  # fmt: skip
    fit = rig_fit(DANCE, empty, {})
    assert fit.matched_joints == 0 and fit.found_limbs == ()
