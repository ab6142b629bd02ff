# SPDX-License-Identifier: MIT
"""Curves in and out of an armature of one bone, with values that can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from material import READABLE
from tests.witness import anim_file, player
from tests.witness import quantise as q

from animbridge.abi import Channel, Encoder, Facing, Key, Target
from animbridge.curves import Armature, Curve, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.motion import DocumentCurves, from_curves

HALF = float(np.sqrt(0.5))
TIMING = Timing(10.0, 1.0)


def armature(facing: Facing = Facing.X) -> Armature:
    """A pelvis and a torso above it, both along the armature's axes."""
    rest = np.tile(np.eye(4, dtype=np.float32).ravel(), (2, 1))
    rest[1, 14] = 0.084
    return Armature(("mPelvis", "mTorso"), np.array([-1, 0], np.int32), rest, np.zeros(2, np.uint8), facing)


def torso_animation(duration: float = 1.0) -> Document:
    """mTorso turns from 0 to 90 degrees about +Z; written by the witness."""
    codes = q.encode_rotation(np.array([[0, 0, 0], [0, 0, HALF]]))
    keys = np.concatenate([[[0], [65535]], codes], axis=1).astype(np.uint16)
    joint = anim_file.Joint(b"mTorso", 4, keys)
    file = anim_file.AnimFile(duration_bits=anim_file.bits_of(duration), joints=[joint])
    return Document.read(anim_file.write(file), "turn.anim", "sl_anim")


def by_component(curves: list[Curve]) -> dict[int, np.ndarray]:
    return {curve.component: curve.co for curve in curves}


def rotation_curve(component: int, values: list[tuple[float, float]], **more: object) -> Curve:
    co = np.array(values, np.float32)
    return Curve(1, Channel.ROTATION_QUATERNION, component, co, **more)  # type: ignore[arg-type]


def quarter_turn() -> list[Curve]:
    """Frames 1 to 11: 0 to 90 degrees about +Z."""
    ends = {0: (1.0, HALF), 1: (0.0, 0.0), 2: (0.0, 0.0), 3: (0.0, HALF)}
    return [rotation_curve(c, [(1, first), (11, last)]) for c, (first, last) in ends.items()]


def test_import_of_a_quarter_turn() -> None:
    curves = DocumentCurves(torso_animation(), armature(), TIMING)
    co = by_component(list(curves))
    assert np.allclose(co[0], [[1, 1], [11, HALF]], atol=1e-4)
    assert np.allclose(co[3], [[1, 0], [11, HALF]], atol=1e-4)
    report = curves.report()
    assert report["frame_end"] == pytest.approx(11)
    assert report["matched"] == [{"joint": "mTorso", "bone": "mTorso"}]


def test_import_turns_with_the_facing() -> None:
    """A turn about +Z stays one, whichever way the character looks; a turn about +X becomes one about -Y."""
    keys = np.concatenate([[[0]], q.encode_rotation(np.array([[HALF, 0, 0]]))], axis=1).astype(np.uint16)
    file = anim_file.AnimFile(joints=[anim_file.Joint(b"mTorso", 4, keys)])
    document = Document.read(anim_file.write(file), "tilt.anim", "sl_anim")
    co = by_component(list(DocumentCurves(document, armature(Facing.NEGATIVE_Y), TIMING)))
    assert [float(co[c][0, 1]) for c in range(4)] == pytest.approx([HALF, 0, -HALF, 0], abs=1e-4)


def test_export_of_a_quarter_turn() -> None:
    document, report = from_curves("sl_anim", armature(), TIMING, quarter_turn(), {"frame_end": 11.0})
    file = anim_file.parse(document.write())
    assert float(file.duration) == pytest.approx(1.0)
    assert [joint.name for joint in file.joints] == [b"mTorso"]
    keys = file.joints[0].rotation_keys
    assert keys[:, 0].tolist() == [0, 65535]
    assert np.allclose(q.quaternion_of_codes(keys[:, 1:]), [[0, 0, 0, 1], [0, 0, HALF, HALF]], atol=4e-5)
    assert report["max_rotation_error_degrees"] < 0.05


@pytest.mark.parametrize("encoder", Encoder)
def test_every_encoder_is_close(encoder: Encoder) -> None:
    options = {"frame_end": 11.0, "encoder": encoder.value}
    _, report = from_curves("sl_anim", armature(), TIMING, quarter_turn(), options)
    assert report["max_rotation_error_degrees"] < 0.2


def test_unchanged_curves_keep_the_template() -> None:
    template = torso_animation()
    unchanged = [
        Curve(1, Channel.ROTATION_QUATERNION, c, np.empty((0, 2), np.float32), unchanged=True)
        for c in range(4)
    ]
    options = {"keep_duration": True}
    document, report = from_curves("sl_anim", armature(), TIMING, unchanged, options, template)
    assert document.write() == template.write()
    assert report["changed"] == [] and report["dropped"] == []


def test_missing_curves_drop_the_joint_and_others_stay() -> None:
    keys = np.concatenate([[[0]], q.encode_rotation(np.array([[0, 0, HALF]]))], axis=1).astype(np.uint16)
    joints = [anim_file.Joint(b"mTorso", 4, keys), anim_file.Joint(b"mHead", 3, keys)]
    template = Document.read(anim_file.write(anim_file.AnimFile(joints=joints)), "two.anim", "sl_anim")
    options = {"keep_duration": True}
    document, report = from_curves("sl_anim", armature(), TIMING, [], options, template)
    assert [joint.name for joint in anim_file.parse(document.write()).joints] == [b"mHead"]
    assert [row["joint"] for row in report["dropped"]] == ["mTorso"]


#: Key times of the joint that stays, as codes of a second.
KEPT_TIMES = [0, 21845, 50000, 65535]


@pytest.mark.parametrize(
    ("seconds", "is_reported"),
    [
        (6.5, False),  # a code is 0.1 ms
        (60.0, False),  # 0.92 ms, which is as long as an upload may be
        (300.0, True),  # 4.6 ms
        (0.5, True),  # what lay behind the new end is moved there
    ],
)
def test_another_duration_is_reported_if_it_moves_kept_keys(seconds: float, *, is_reported: bool) -> None:
    codes = q.encode_rotation(np.full((4, 3), [0.0, 0.0, HALF]))
    keys = np.concatenate([np.array(KEPT_TIMES)[:, None], codes], axis=1).astype(np.uint16)
    joints = [anim_file.Joint(b"mTorso", 4, keys[:1]), anim_file.Joint(b"mHead", 3, keys)]
    file = anim_file.AnimFile(duration_bits=anim_file.bits_of(1.0), joints=joints)
    template = Document.read(anim_file.write(file), "two.anim", "sl_anim")
    options = {"frame_end": 1.0 + 10.0 * seconds, "target": Target.OPENSIM.value}
    document, report = from_curves("sl_anim", armature(), TIMING, quarter_turn(), options, template)
    written = anim_file.parse(document.write())
    (head,) = [joint for joint in written.joints if joint.name == b"mHead"]
    moved = q.decode_time(head.rotation_keys[:, 0], written.duration) - q.decode_time(
        keys[:, 0], file.duration
    )
    most_ms = 1000.0 * float(np.abs(moved).max())
    assert (most_ms > 1.0) == is_reported
    found = [warning for warning in report["details"] if "duration" in warning]
    assert len(found) == is_reported
    if is_reported:
        assert f"from 1 s to {seconds:g} s" in found[0]
        # In print there are three digits, or none from 100 on.
        assert float(found[0].split()[-2]) == pytest.approx(most_ms, abs=0.5 if most_ms >= 100.0 else 5e-4)


def test_header_of_a_new_file() -> None:
    header = {
        "base_priority": 5,
        "joint_priority": 3,
        "loop": True,
        "loop_in_seconds": 0.25,
        "loop_out_seconds": 0.75,
        "ease_in_seconds": 0.1,
        "ease_out_seconds": 0.2,
        "hand_pose": 11,
        "emote": "express_smile",
    }
    options = {"frame_end": 11.0, "header": header}
    document, _ = from_curves("sl_anim", armature(), TIMING, quarter_turn(), options)
    file = anim_file.parse(document.write())
    assert (file.base_priority, file.joints[0].priority, file.hand_pose, file.loop) == (5, 3, 11, 1)
    assert (float(file.loop_in), float(file.loop_out)) == (0.25, 0.75)
    assert [float(file.ease_in), float(file.ease_out)] == pytest.approx([0.1, 0.2])
    assert file.emote_name == b"express_smile"


def test_constant_keys_hold() -> None:
    held = np.array([Key.CONSTANT, Key.CONSTANT], np.uint8)
    curves = [
        rotation_curve(c, [(1, first), (6, last)], interpolation=held)
        for c, (first, last) in {0: (1.0, HALF), 1: (0.0, 0.0), 2: (0.0, 0.0), 3: (0.0, HALF)}.items()
    ]
    document, _ = from_curves("sl_anim", armature(), TIMING, curves, {"frame_end": 11.0})
    file = anim_file.parse(document.write())
    for seconds, z in ((0.0, 0.0), (0.25, 0.0), (0.4998, 0.0), (0.501, HALF), (1.0, HALF)):
        rotation = player.joint_at(file.joints[0], file.duration, seconds).rotation
        assert rotation is not None and rotation[2] == pytest.approx(z, abs=1e-4)


def test_wrong_sizes_are_refused() -> None:
    short = Armature(
        ("mPelvis",), np.array([-1], np.int32), np.zeros((1, 12), np.float32), np.zeros(1, np.uint8)
    )
    with pytest.raises(AnimBridgeError, match="rest_matrices has 12 values where 16"):
        DocumentCurves(torso_animation(), short, TIMING)
    curve = rotation_curve(0, [(1, 1), (2, 1)], interpolation=np.zeros(1, np.uint8))
    with pytest.raises(AnimBridgeError, match="interpolation has 1 values where 2"):
        from_curves("sl_anim", armature(), TIMING, [curve], {"frame_end": 11.0})


@pytest.mark.parametrize(
    ("curve", "said"),
    [
        (rotation_curve(0, [(1, float("nan"))]), "not a number"),
        (rotation_curve(0, [(2, 1), (1, 1)]), "order"),
        (rotation_curve(0, [(1, 1), (2, 1)], interpolation=np.array([7, 7], np.uint8)), "interpolation 7"),
        (rotation_curve(4, [(1, 1)]), "component"),
    ],
)
def test_bad_curves_are_refused(curve: Curve, said: str) -> None:
    with pytest.raises(AnimBridgeError, match=said):
        from_curves("sl_anim", armature(), TIMING, [curve], {"frame_end": 11.0})


def test_refused_files_are_not_imported() -> None:
    case = next(case for case in READABLE if case.path.name == "hand_pose_15.anim")
    with pytest.raises(AnimBridgeError, match="hand") as caught:
        DocumentCurves(Document.read(case.data), armature(), TIMING)
    assert caught.value.code == Status.REJECTED


def test_timing_must_be_usable() -> None:
    for timing in (
        Timing(0.0, 1.0),
        Timing(-24.0, 1.0),
        Timing(float("nan"), 1.0),
        Timing(24.0, float("inf")),
    ):
        with pytest.raises(AnimBridgeError, match="timing"):
            DocumentCurves(torso_animation(), armature(), timing)
