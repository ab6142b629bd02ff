# SPDX-License-Identifier: MIT
"""Bodies whose joints are only counted: found by their shape as by their names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.python.upright_rigs import mpfb
from tests.witness.cases.mpfb_rigs import committed

from animbridge.curves import Armature
from animbridge.retarget import find_rig

RIGS = mpfb()
TRUTH = committed()
#: Parts of a body without fingers and face.
TORSO = ("hips", "spine", "chest", "upperChest", "neck", "head")
LIMBS = ("Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes")
PARTS = (*TORSO, *(side + part for side in ("left", "right") for part in LIMBS))


def nameless(armature: Armature) -> Armature:
    return replace(armature, names=tuple(f"node.{i}" for i in range(len(armature.names))))


@pytest.mark.parametrize("rig", RIGS)
def test_a_body_without_names(rig: str) -> None:
    """One body on six rigs, such as MakeHuman's with limbs in two bones, and Rigify's with heels."""
    truth, also = TRUTH[rig]["truth"], TRUTH[rig]["also"]
    found = find_rig(nameless(RIGS[rig])).slots
    for slot in PARTS:
        right = [truth[slot]] if slot in truth else []
        right += also.get(slot, [])
        joint = RIGS[rig].names[int(found[slot].bone.removeprefix("node."))] if slot in found else None
        assert joint in right or (joint is None and slot not in truth), slot
    assert {row.by for row in found.values()} == {"shape"}
