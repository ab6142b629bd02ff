# SPDX-License-Identifier: MIT
"""Rigs of people who stand upright: whatever their joints' places, no torso bends and no head nods."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from tests.python.upright_rigs import at_rest, avatar, mpfb

from animbridge.abi import Channel
from animbridge.curves import Timing
from animbridge.retarget import find_rig, retarget

RIGS = mpfb() | {"avatar": avatar()}
TORSO = ("hips", "spine", "chest", "upperChest", "neck", "head", "leftShoulder", "rightShoulder")


@pytest.mark.parametrize(("source", "target"), list(permutations(RIGS, 2)))
def test_an_upright_torso_stays(source: str, target: str) -> None:
    """A source at rest leaves the target's torso at rest; its limbs follow."""
    curves = list(retarget(at_rest(RIGS[source]), RIGS[target], Timing(30.0, 1.0), {}))
    slots = find_rig(RIGS[target]).slots
    torso = {RIGS[target].names.index(slots[slot].bone) for slot in TORSO if slot in slots}
    turns = [curve for curve in curves if curve.channel == Channel.ROTATION_QUATERNION]
    for curve in turns:
        if curve.bone in torso:
            wanted = 1.0 if curve.component == 0 else 0.0
            assert np.abs(curve.co[:, 1]) == pytest.approx(wanted, abs=1e-5), RIGS[target].names[curve.bone]
    assert {curve.bone for curve in turns} - torso
