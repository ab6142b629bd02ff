# SPDX-License-Identifier: MIT
"""Finding rigs and retargeting through the binding. Expected turns and places are worked out by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from material import ROOT

from animbridge.abi import Channel, Facing
from animbridge.curves import Armature, Curve, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.retarget import CurveMotion, RigUse, SampledMotion, find_rig, retarget
from animbridge.samples import Samples

DANCE = ROOT / "fixtures" / "demo" / "dance.anim"
TIMING = Timing(10.0, 1.0)
#: (joint, the one above, head in metres): a body in T-pose that looks along -Y, its left along +X.
BODY = (
    ("Hips", "", (0.0, 0.0, 1.0)),
    ("Spine", "Hips", (0.0, 0.0, 1.1)),
    ("Neck", "Spine", (0.0, 0.0, 1.5)),
    ("Head", "Neck", (0.0, 0.0, 1.6)),
    ("LeftArm", "Spine", (0.2, 0.0, 1.45)),
    ("LeftForeArm", "LeftArm", (0.5, 0.0, 1.45)),
    ("LeftHand", "LeftForeArm", (0.75, 0.0, 1.45)),
    ("RightArm", "Spine", (-0.2, 0.0, 1.45)),
    ("RightForeArm", "RightArm", (-0.5, 0.0, 1.45)),
    ("RightHand", "RightForeArm", (-0.75, 0.0, 1.45)),
    ("LeftUpLeg", "Hips", (0.1, 0.0, 0.95)),
    ("LeftLeg", "LeftUpLeg", (0.1, 0.0, 0.5)),
    ("LeftFoot", "LeftLeg", (0.1, 0.0, 0.0)),
    ("RightUpLeg", "Hips", (-0.1, 0.0, 0.95)),
    ("RightLeg", "RightUpLeg", (-0.1, 0.0, 0.5)),
    ("RightFoot", "RightLeg", (-0.1, 0.0, 0.0)),
)
HIPS, FOREARM = 0, 5


def body(scale: float = 1.0, quarter_turns: int = 0, prefix: str = "") -> Armature:
    """The body scaled, turned about Z, its bones' axes along the world's (turned too)."""
    turn = turn_about_z(90.0 * quarter_turns)
    names = [name for name, _, _ in BODY]
    rest = np.tile(np.eye(4), (len(BODY), 1, 1))
    rest[:, :3, :3] = turn
    rest[:, :3, 3] = scale * np.array([head for _, _, head in BODY]) @ turn.T
    parents = np.array([names.index(above) if above else -1 for _, above, _ in BODY], np.int32)
    return Armature(
        tuple(prefix + name for name in names),
        parents,
        rest.transpose(0, 2, 1).reshape(-1, 16).astype(np.float32),
        np.zeros(len(BODY), np.uint8),
        Facing.AUTO,
    )


def turn_about_z(degrees: float) -> np.ndarray:
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def moving(degrees: float, place: tuple[float, float, float]) -> SampledMotion:
    """At frame 2, the left forearm is turned about the vertical, and all is moved."""
    source = body()
    matrices = np.tile(source.rest_matrices, (2, 1, 1)).reshape(2, -1, 4, 4)
    elbow = matrices[0, FOREARM, 3, :3].copy()
    for bone in (FOREARM, FOREARM + 1):
        matrices[1, bone, :3, :3] = matrices[1, bone, :3, :3] @ turn_about_z(degrees).T
        matrices[1, bone, 3, :3] = elbow + turn_about_z(degrees) @ (matrices[1, bone, 3, :3] - elbow)
    matrices[1, :, 3, :3] += np.array(place)
    frames = np.array([1.0, 2.0])
    return SampledMotion(source, Samples(frames, matrices.reshape(2, -1, 16)))


def turning(degrees: float, place: tuple[float, float, float]) -> CurveMotion:
    """The same motion as that of `moving`, by curves of the bones that move."""
    half = math.radians(degrees / 2.0)
    last = (math.cos(half), 0.0, 0.0, math.sin(half))
    curves = [
        Curve(bone, channel, component, np.array([[1.0, start], [2.0, end]], np.float32))
        for bone, channel, ends in (
            (FOREARM, Channel.ROTATION_QUATERNION, zip((1.0, 0.0, 0.0, 0.0), last, strict=True)),
            (HIPS, Channel.LOCATION, zip((0.0, 0.0, 0.0), place, strict=True)),
        )
        for component, (start, end) in enumerate(ends)
    ]
    return CurveMotion(body(), curves, np.array([1.0, 2.0]))


def values(curves: list[Curve], bone: int, channel: Channel) -> np.ndarray:
    """Keys x components."""
    found = sorted(
        (curve for curve in curves if curve.bone == bone and curve.channel == channel),
        key=lambda curve: curve.component,
    )
    return np.stack([curve.co[:, 1] for curve in found], axis=1)


def test_find_rig() -> None:
    found = find_rig(body(prefix="mixamorig:"))
    assert found.slots["leftLowerArm"].bone == "mixamorig:LeftForeArm"
    assert found.slots["leftLowerArm"].by == "convention"
    assert found.slot_of("mixamorig:RightLeg") == "rightLowerLeg"
    assert found.slot_of("other") == ""
    assert found.convention is not None and 0.0 < found.score <= 1.0
    assert "leftToes" in found.missing


def test_find_rig_by_a_file() -> None:
    text = json.dumps({"animbridge_rig": 1, "slots": {"head": ["Neck"], "horn": ["Head"]}})
    found = find_rig(body(), RigUse.TARGET, text)
    assert {slot: one.bone for slot, one in found.slots.items()} == {"head": "Neck", "horn": "Head"}
    assert {one.by for one in found.slots.values()} == {"given"}


def test_find_rig_of_a_document() -> None:
    found = find_rig(Document.read_file(DANCE))
    assert found.slots["hips"].bone == "mPelvis" and found.moves_person
    assert not find_rig(body()).moves_person


@pytest.mark.parametrize(
    ("name", "moves"), [("motion.vrma", True), ("vrm1.vrm", False), ("lone_node.glb", False)]
)
def test_whether_a_document_moves_a_person(name: str, moves: bool) -> None:
    assert find_rig(Document.read_file(ROOT / "fixtures" / "scene" / name)).moves_person is moves


@pytest.mark.parametrize("text", ["{", '{"animbridge_rig": 1}', '{"animbridge_rig": 2, "slots": {}}'])
def test_a_bad_rig_file(text: str) -> None:
    with pytest.raises(AnimBridgeError) as caught:
        find_rig(body(), RigUse.SOURCE, text)
    assert caught.value.code is Status.BAD_VALUE


@pytest.mark.parametrize("motion", [moving, turning])
def test_a_turn_and_a_step(motion: Callable[..., SampledMotion | CurveMotion]) -> None:
    """The target is twice as large and looks along +X: the step is twice as long and turned too."""
    native = retarget(motion(30.0, (0.1, 0.2, 0.05)), body(2.0, 1), TIMING, {})
    curves = list(native)
    turns = values(curves, FOREARM, Channel.ROTATION_QUATERNION)
    half = math.radians(15.0)
    assert turns[0] == pytest.approx([1, 0, 0, 0], abs=1e-6)
    assert np.abs(turns[1]) == pytest.approx([math.cos(half), 0, 0, math.sin(half)], abs=1e-6)
    # Locations are along the bone's axes, which are turned with the target.
    assert values(curves, HIPS, Channel.LOCATION)[1] == pytest.approx([0.2, 0.4, 0.1], abs=1e-5)
    report = native.report()
    assert report["frame_end"] == pytest.approx(2.0)
    assert report["retarget"]["worst_degrees"] < 0.01
    assert {row["slot"] for row in report["retarget"]["slots"]} >= {"hips", "leftLowerArm"}


@pytest.mark.parametrize("about", range(3))
def test_an_offset_is_about_the_bones_own_axes(about: int) -> None:
    """The target's bones lie about; their curves get the offset as a pose bone's rotation has it."""
    target = body()
    turned = target.rest_matrices.reshape(-1, 4, 4).copy()
    axes = turn_about_z(50.0) @ np.roll(turn_about_z(-35.0), (1, 1), (0, 1))
    turned[:, :3, :3] = axes.T
    target = replace(target, rest_matrices=turned.reshape(-1, 16))
    angles = [0.0, 0.0, 0.0]
    angles[about] = 40.0
    still = moving(0.0, (0.0, 0.0, 0.0))
    native = retarget(still, target, TIMING, {"offsets": {"leftLowerArm": angles}})
    wanted = [math.cos(math.radians(20.0)), 0.0, 0.0, 0.0]
    wanted[1 + about] = math.sin(math.radians(20.0))
    assert values(list(native), FOREARM, Channel.ROTATION_QUATERNION)[0] == pytest.approx(wanted, abs=1e-6)


def test_poses_that_are_alike() -> None:
    """A source whose reference pose is turned moves the target by the difference alone."""
    motion = moving(30.0, (0.0, 0.0, 0.0))
    posed = SampledMotion(motion.armature, motion.samples, motion.samples.matrices[1].copy())
    curves = list(retarget(posed, body(), TIMING, {"align": False}))
    turns = values(curves, FOREARM, Channel.ROTATION_QUATERNION)
    half = math.radians(15.0)
    assert turns[1] == pytest.approx([1, 0, 0, 0], abs=1e-6)
    assert np.abs(turns[0]) == pytest.approx([math.cos(half), 0, 0, math.sin(half)], abs=1e-6)


def test_a_targets_pose() -> None:
    """A target that stands like the source only in a pose comes back to that pose."""
    pose = moving(40.0, (0.0, 0.0, 0.0)).samples.matrices[1]
    curves = list(retarget(moving(0.0, (0.0, 0.0, 0.0)), body(), TIMING, {"align": False}, pose))
    half = math.radians(20.0)
    turn = values(curves, FOREARM, Channel.ROTATION_QUATERNION)[0]
    assert np.abs(turn) == pytest.approx([math.cos(half), 0, 0, math.sin(half)], abs=1e-6)


def test_a_document_moves_an_armature() -> None:
    native = retarget(Document.read_file(DANCE), body(), TIMING, {"document": {}})
    assert {curve.bone for curve in native} >= {HIPS, FOREARM}
    assert native.report()["matched"]


def test_progress_can_stop_it() -> None:
    with pytest.raises(AnimBridgeError) as caught:
        retarget(moving(30.0, (0.1, 0.2, 0.05)), body(), TIMING, {}, progress=lambda _: True)
    assert caught.value.code is Status.CANCELLED


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"root_scale": "big"}, "root_scale"),
        ({"source_reference": "frame:0"}, "source_reference"),
        ({"offsets": {"leftHand": [0, 0]}}, "offsets"),
        ({"offsets": {"leftHand": [0, 0, 361]}}, "from -360 to 360"),
        ({"offsets": {"tail": [0, 0, 1]}}, "leftLowerArm"),
        ({"unknown": 1}, "unknown"),
        ({"stop_above_mm": 1.0}, "is for files only"),
        ({"source_rig": json.dumps({"animbridge_rig": 1, "slots": {"head": ["Nobody"]}})}, "slots"),
    ],
)
def test_bad_options(options: dict[str, object], word: str) -> None:
    with pytest.raises(AnimBridgeError) as caught:
        retarget(moving(0.0, (0.0, 0.0, 0.0)), body(), TIMING, options)
    assert word in f"{caught.value.field} {caught.value.message}"


def test_a_pose_of_another_size() -> None:
    with pytest.raises(AnimBridgeError, match="target_pose has 16 values where 256 are needed"):
        retarget(moving(0.0, (0.0, 0.0, 0.0)), body(), TIMING, {}, np.eye(4, dtype=np.float32))


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"frames": np.empty(0)}, "neither samples nor frames"),
        ({"frames": np.array([1.5, 2.0])}, "frame_start"),
        ({"frames": np.array([1.0, 1.0])}, "ascend"),
        (
            {"curves": [Curve(-1, Channel.PROPERTY, 0, np.zeros((1, 2), np.float32), prop="x")]},
            "of a property",
        ),
        (
            {"curves": [Curve(0, Channel.LOCATION, 0, np.zeros((1, 2), np.float32), unchanged=True)]},
            "unchanged",
        ),
        ({"curves": [Curve(99, Channel.LOCATION, 0, np.zeros((1, 2), np.float32))]}, "99"),
        ({"armature": replace(body(), flags=np.full(len(BODY), 4, np.uint8))}, "does not inherit rotation"),
    ],
)
def test_bad_curves(change: dict[str, Any], word: str) -> None:
    with pytest.raises(AnimBridgeError, match=word):
        retarget(replace(turning(30.0, (0.0, 0.0, 0.0)), **change), body(), TIMING, {})


def test_the_same_numbers_twice() -> None:
    first, second = (list(retarget(moving(30.0, (0.1, 0.2, 0.05)), body(), TIMING, {})) for _ in range(2))
    assert all((one.co == other.co).all() for one, other in zip(first, second, strict=True))
