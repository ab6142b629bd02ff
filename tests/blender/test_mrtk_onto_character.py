# SPDX-License-Identifier: MIT
"""Recorded hands onto a character by File > Import: fingers bend as the witness reads them in the file."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import (
    curves_of,
    data_blocks,
    operators,
    put_in_a_row,
    refused,
    reported,
    the_action,
    the_armature,
)
from mrtk_support import import_mrtk, path_of, read, show, world
from test_mrtk_character import FINGERS, bone_of, character
from tests.witness import mrtk_axes, mrtk_hands, mrtk_player
from tests.witness.mrtk_file import Recording

from animbridge.scene import templates

pytestmark = pytest.mark.compat

HANDS = path_of("two_hands_v11")
#: Of directions, as for every retargeting; single precision leaves a tenth of it.
BOUND_DEGREES = 0.01


def segments(places: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Where the phalanges of a hand point, finger by finger, without the tips."""
    made = []
    for name, *_ in FINGERS.values():
        for number in (1, 2, 3):
            line = places[f"{name}{number + 1}"] - places[f"{name}{number}"]
            made.append(line / np.linalg.norm(line))
    return made


def recorded(recording: Recording, side: str, time: float) -> dict[str, np.ndarray]:
    """Where the witness has the joints of a hand, by the names of a character's bones."""
    places = {}
    for joint in mrtk_hands.SLOTS:
        bone = bone_of(side.capitalize(), joint)
        if bone is not None:
            position = mrtk_player.pose_of(recording, f"{side}.{joint}", time).position
            places[bone.partition(f"{side.capitalize()}Hand")[2]] = np.array(
                mrtk_axes.blender_vector(position)
            )
    return places


def shown(rig: Any, side: str) -> dict[str, np.ndarray]:
    """Where Blender has the heads of the character's bones."""
    names = [f"{name}{number}" for name, *_ in FINGERS.values() for number in (1, 2, 3, 4)]
    return {name: world(rig, f"mixamorig:{side.capitalize()}Hand{name}")[:3, 3] for name in names}


def angles(lines: list[np.ndarray]) -> np.ndarray:
    """Between each two of them, in degrees; no turn of the whole hand changes these."""
    pairs = itertools.combinations(lines, 2)
    return np.degrees([2 * np.arcsin(min(np.linalg.norm(a - b) / 2, 1.0)) for a, b in pairs])


def times_of(recording: Recording) -> list[float]:
    """The moments at which the file has keys of the wrist."""
    name = next(name for name in recording.curves if name.startswith("left.Wrist"))
    return recording.curves[name].times()


def worst_bend(rig: Any, recording: Recording) -> float:
    """The largest difference of an angle between two phalanges of a hand, at the file's keys."""
    worst = 0.0
    for time in times_of(recording):
        show(time)
        for side in ("left", "right"):
            lines = [segments(places) for places in (recorded(recording, side, time), shown(rig, side))]
            worst = max(worst, float(np.abs(angles(lines[0]) - angles(lines[1])).max()))
    return worst


def test_fingers_bend_as_recorded(capfd: pytest.CaptureFixture[str]) -> None:
    rig = character()
    reported(capfd)
    assert import_mrtk(HANDS, target="ACTIVE") == rig
    assert "1 imported" in reported(capfd)
    assert worst_bend(rig, read(HANDS)) < BOUND_DEGREES
    assert not curves_of("mixamorig:Hips") and not curves_of("mixamorig:LeftForeArm")


def test_a_rig_file_names_the_fingers(tmp_path: Path) -> None:
    rig = character()
    slots: dict[str, list[str]] = {}
    renamed = {bone.name: f"odd{number}" for number, bone in enumerate(rig.data.bones)}
    for side, joint in itertools.product(("left", "right"), mrtk_hands.SLOTS):
        bone = bone_of(side.capitalize(), joint)
        if bone is not None:
            slots[side + mrtk_hands.SLOTS[joint]] = [renamed[bone]]
    for bone in rig.data.bones:
        bone.name = renamed[bone.name]
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"animbridge_rig": 1, "slots": slots}), encoding="utf-8")
    import_mrtk(HANDS, target="ACTIVE", rig_map=str(path))
    for before, after in renamed.items():
        rig.data.bones[after].name = before
    assert worst_bend(rig, read(HANDS)) < BOUND_DEGREES


def test_by_names_alone_fingers_stay() -> None:
    character()
    with refused("no bone of the armature matches"):
        operators.import_anim.mrtk(filepath=str(HANDS), target="ACTIVE", retarget="NEVER", import_anyway=True)


@pytest.mark.parametrize("rig", ["EXACT", "HANDS"])
def test_a_recordings_own_armature_gets_the_recording(rig: str) -> None:
    """It isn't retargeted, so the Action stores the file."""
    own = import_mrtk(HANDS, rig=rig)
    first = the_action()
    assert import_mrtk(HANDS, rig=rig, target="ACTIVE") == own
    assert the_action() != first
    assert templates.load_of(the_action(), "mrtk") is not None


def test_a_retargeted_recording_is_no_template() -> None:
    character()
    import_mrtk(HANDS, target="ACTIVE")
    assert templates.load_of(the_action(), "mrtk") is None


def test_what_has_no_hands_is_refused() -> None:
    character(fingers=False)
    rig = the_armature()
    for bone in rig.data.bones:
        bone.name = f"odd{bone.name[-3:]}"
    put_in_a_row(rig)
    before = data_blocks()
    with refused("no bone of the armature matches"):
        operators.import_anim.mrtk(filepath=str(HANDS), target="ACTIVE")
    assert data_blocks() == before
