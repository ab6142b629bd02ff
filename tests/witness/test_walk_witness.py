# SPDX-License-Identifier: MIT
"""The walk as its BVH plays: planted feet stand still or slide as told, on rigs of many kinds."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .bvh_file import parse, write
from .bvh_pose import pose
from .humanoid_body import SLOTS, is_finger
from .quaternion import about_axis, product
from .rig_mutations import in_centimetres, turned, with_twists_inline
from .rigs import Rig, Table, build
from .walk import Gait, Walk, contacts_of, walk, zxy_degrees

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "walk"
CANONICAL: Table = {slot: [slot] for slot in SLOTS if not is_finger(slot)}
NO_ROOT: Table = {slot: names for slot, names in CANONICAL.items() if slot != "root"}
RIGS: dict[str, Callable[[], Rig]] = {
    "canonical": lambda: build("canonical", CANONICAL),
    "no_root": lambda: build("canonical", NO_ROOT),
    "looks_along_x": lambda: build("secondlife", NO_ROOT),
    "zero_length_joints": lambda: build("cmu_motionbuilder", NO_ROOT),
    "thighs_below_spine": lambda: build("biped", NO_ROOT),
    "hips_beside_spine": lambda: build("makehuman_old", NO_ROOT),
    "split_legs": lambda: with_twists_inline(build("makehuman_default", NO_ROOT)),
    "turned": lambda: turned(build("canonical", CANONICAL)),
    "centimetres": lambda: in_centimetres(build("canonical", CANONICAL)),
}


def paths(text: bytes, names: list[str]) -> dict[str, list[list[float]]]:
    """Joint -> positions per frame, from the text of a file."""
    bvh = parse(text)
    index = {joint.name: i for i, joint in enumerate(bvh.joints)}
    poses = [pose(bvh, frame) for frame in range(len(bvh.motion))]
    return {name: [p.positions[index[name]].tolist() for p in poses] for name in names}


def places(made: Walk, slots: list[str]) -> dict[str, list[list[float]]]:
    """Slot -> positions per frame, from the text of the walk's file."""
    found = paths(write(made.bvh), [made.joints[slot] for slot in slots])
    return {slot: found[made.joints[slot]] for slot in slots}


def planted(made: Walk, side: str) -> list[list[int]]:
    """The frames of each contact of a side."""
    fps = 1 / made.bvh.frame_time
    return [
        list(range(math.ceil(c.start * fps - 1e-9), math.floor(c.end * fps + 1e-9) + 1))
        for c in made.contacts
        if c.side == side
    ]


@pytest.mark.parametrize("kind", RIGS)
def test_planted_feet_stand_still_and_others_do_not(kind: str) -> None:
    made = walk(RIGS[kind](), Gait(seconds=2.0, frames_per_second=30))
    tracks = places(made, ["hips", "leftFoot", "rightFoot", "leftToes", "rightToes"])
    for side in ("left", "right"):
        track, on_ground = tracks[f"{side}Foot"], planted(made, side)
        assert len(on_ground) >= 2
        for frames in on_ground:
            for still in (track, tracks[f"{side}Toes"]):
                drift = max(math.dist(still[frames[0]], still[f]) for f in frames)
                assert drift < 1e-9 * made.leg, (side, frames)
        height = [p[1] for p in track]
        in_air = sorted(set(range(len(track))) - {f for frames in on_ground for f in frames})
        assert max(height[f] for f in in_air) - height[on_ground[0][0]] > 0.1 * made.leg
    # Two seconds at 0.9 legs a second.
    assert math.dist(tracks["hips"][0], tracks["hips"][-1]) == pytest.approx(1.8 * made.leg, rel=1e-6)


def test_a_told_slide_is_the_slide() -> None:
    made = walk(RIGS["canonical"](), Gait(seconds=2.0, slide=0.05))
    track = places(made, ["leftFoot"])["leftFoot"]
    for frames in planted(made, "left"):
        seconds = (frames[-1] - frames[0]) * made.bvh.frame_time
        assert math.dist(track[frames[0]], track[frames[-1]]) / seconds == pytest.approx(made.slide, rel=1e-9)
    assert made.slide == pytest.approx(0.05 * made.leg)


def test_legs_keep_their_lengths_and_knees_bend_ahead() -> None:
    rig = RIGS["canonical"]()
    slots = ["leftUpperLeg", "leftLowerLeg", "leftFoot", "hips", "head"]
    made = walk(rig, Gait(seconds=1.0, frames_per_second=30))
    tracks = places(made, slots)
    rest = {joint.name: joint.head for joint in rig.joints}
    for frame in range(len(made.bvh.motion)):
        hip, knee, ankle = (tracks[slot][frame] for slot in slots[:3])
        assert math.dist(hip, knee) == pytest.approx(math.dist(rest["leftUpperLeg"], rest["leftLowerLeg"]))
        middle = [(a + b) / 2 for a, b in zip(hip, ankle, strict=True)]
        assert knee[2] - middle[2] > 0  # -Y of the rig is +Z of the file
        assert tracks["head"][frame][1] > tracks["hips"][frame][1] + 0.5


@pytest.mark.parametrize("side", ["left", "right"])
def test_arms_hang_and_swing_against_the_leg(side: str) -> None:
    made = walk(RIGS["canonical"](), Gait(seconds=1.0, frames_per_second=30))
    tracks = places(made, [f"{side}UpperArm", f"{side}Hand", f"{side}Foot", "hips"])
    shoulder, hand, foot, hips = (np.array(track) for track in tracks.values())
    assert (shoulder - hand)[:, 1].min() > 0.4  # of 0.53 m; Y is up, and they face +Z
    assert np.corrcoef((hand - shoulder)[:, 2], (foot - hips)[:, 2])[0, 1] < -0.8


def test_without_drop_a_long_step_is_refused() -> None:
    with pytest.raises(ValueError, match="does not reach"):
        walk(RIGS["canonical"](), Gait(drop=0.0, speed=2.0))


def test_a_rig_without_legs_cannot_walk() -> None:
    with pytest.raises(ValueError, match="leftFoot"):
        walk(build("legless", {slot: [slot] for slot in SLOTS if "Foot" not in slot}))


def test_contacts_overlap_and_cover_the_clip() -> None:
    contacts = contacts_of(Gait(seconds=2.0))
    assert [(c.side, c.start, round(c.end, 9)) for c in contacts] == [
        ("left", 0.0, 0.6),
        ("right", 0.0, 0.1),
        ("right", 0.5, 1.1),
        ("left", 1.0, 1.6),
        ("right", 1.5, 2.0),
    ]


def test_euler_angles_make_the_turn_again() -> None:
    for angles in ((10.0, 20.0, 30.0), (-170.0, 45.0, 100.0), (0.0, -80.0, 5.0)):
        z, x, y = (about_axis(axis, angle) for axis, angle in zip((2, 0, 1), angles, strict=True))
        i, j, k, w = (float(v) for v in product(z, product(x, y)))
        assert zxy_degrees((w, i, j, k)) == pytest.approx(angles)
        assert np.isfinite(angles).all()


@pytest.mark.parametrize(("name", "slide_legs"), [("still", 0.0), ("slides", 0.05)])
def test_fixtures_are_walks_as_their_truth_says(name: str, slide_legs: float) -> None:
    truth = json.loads((FIXTURES / "walks.json").read_text(encoding="utf-8"))[f"{name}.bvh"]
    feet = [truth["joints"][slot] for slot in ("leftFoot", "rightFoot")]
    tracks = paths((FIXTURES / f"{name}.bvh").read_bytes(), feet)
    assert truth["slide_units_per_second"] == pytest.approx(slide_legs * truth["leg_units"])
    for contact in truth["contacts"]:
        track = tracks[truth["joints"][f"{contact['side']}Foot"]]
        first, last = (
            math.ceil(float(contact["start"]) * 30 - 1e-9),
            math.floor(float(contact["end"]) * 30 + 1e-9),
        )
        way = math.dist(track[first], track[last])
        assert way == pytest.approx(truth["slide_units_per_second"] * (last - first) / 30, abs=1e-9)
