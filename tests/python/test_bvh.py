# SPDX-License-Identifier: MIT
"""BVH files on armatures, with values that can be worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from animbridge.abi import Channel
from animbridge.curves import Armature, Curve, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.motion import DocumentCurves, document_skeleton, from_curves, from_samples
from animbridge.samples import Samples

HALF = float(np.sqrt(0.5))
TIMING = Timing(10.0, 1.0)

#: Hips 1 m up, a chest that turns 90 degrees about the file's up axis in the second frame, and a head on it.
TEXT = b"""HIERARCHY
ROOT Hips
{
    OFFSET 0 1 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    JOINT Chest
    {
        OFFSET 0 0.5 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT Head
        {
            OFFSET 0 0 0.25
            CHANNELS 3 Zrotation Xrotation Yrotation
            End Site
            {
                OFFSET 0 0.25 0
            }
        }
    }
}
MOTION
Frames: 2
Frame Time: 0.1
0 1 0 0 0 0 0 0 0 0 0 0
1 2 3 0 0 0 0 0 90 10 20 30
"""


def document(text: bytes = TEXT) -> Document:
    return Document.read(text, "hand.bvh", "bvh")


def armature(names: tuple[str, ...], heads: Any, **more: Any) -> Armature:
    """Bones in a row, each the child of the one before, along the armature's axes."""
    rest = np.tile(np.eye(4, dtype=np.float32).ravel(), (len(names), 1))
    rest[:, 12:15] = heads
    parents = np.arange(len(names), dtype=np.int32) - 1
    return Armature(names, parents, rest, np.zeros(len(names), np.uint8), **more)


def own_armature(**more: Any) -> Armature:
    joints = document_skeleton(document())["joints"]
    return armature(tuple(j["name"] for j in joints), [j["head"] for j in joints], **more)


def values(curves: DocumentCurves, bone: int, channel: Channel) -> np.ndarray:
    """Keys x components."""
    found = [c for c in curves if c.bone == bone and c.channel == channel]
    assert [c.component for c in found] == list(range(len(found)))
    return np.array([c.co[:, 1] for c in found]).T


def test_the_skeleton_stands_up() -> None:
    skeleton = document_skeleton(document())
    assert skeleton["frame_count"] == 2
    assert skeleton["frame_time_seconds"] == 0.1
    assert skeleton["duration_seconds"] == 0.1
    assert skeleton["axes_wxyz"] == pytest.approx([HALF, HALF, 0, 0])
    joints = skeleton["joints"]
    assert [j["name"] for j in joints] == ["Hips", "Chest", "Head"]
    assert [j["parent"] for j in joints] == [-1, 0, 1]
    assert [j["head"] for j in joints] == [[0, 0, 1], [0, 0, 1.5], [0, -0.25, 1.5]]
    assert [j["tail"] for j in joints] == [[0, 0, 1.5], [0, -0.25, 1.5], [0, -0.25, 1.75]]
    assert [j["has_positions"] for j in joints] == [True, False, False]
    assert joints[0]["rotation_channels"] == "ZXY"
    assert joints[0]["euler_order"] == "YXZ"


def test_names_become_names_of_bones() -> None:
    text = TEXT.replace(b"JOINT Chest", b"JOINT Hips").replace(b"JOINT Head", b"JOINT \xff" + b"x" * 70)
    joints = document_skeleton(document(text))["joints"]
    assert [j["name"] for j in joints] == ["Hips", "Hips.001", "\ufffd" + "x" * 60]
    assert joints[1]["file_name"] == "Hips"


def test_a_turn_about_the_files_up_is_one_about_z() -> None:
    curves = DocumentCurves(document(), own_armature(), TIMING)
    turned = values(curves, 1, Channel.ROTATION_QUATERNION)
    assert np.allclose(turned, [[1, 0, 0, 0], [HALF, 0, 0, HALF]], atol=1e-7)
    frames = next(iter(curves)).co[:, 0]
    assert frames.tolist() == [1, 2]
    moved = values(curves, 0, Channel.LOCATION)
    assert np.allclose(moved, [[0, 0, 0], [1, -3, 1]], atol=1e-6)
    assert values(curves, 1, Channel.LOCATION).size == 0
    report = curves.report()
    assert report["matched"] == [{"joint": n, "bone": n} for n in ("Hips", "Chest", "Head")]
    assert report["unmatched_joints"] == [] and report["unmatched_bones"] == []
    assert report["frame_end"] == pytest.approx(2)
    assert report["scale"] == 1


def test_a_bone_along_the_files_axes_gets_the_files_angles() -> None:
    turned = np.eye(4)
    turned[:3, :3] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]  # columns: the file's axes in armature space
    channels = np.full(3, Channel.ROTATION_YXZ, np.uint8)
    own = own_armature(rotation_channels=channels)
    rest = own.rest_matrices.copy()
    for bone in rest:
        place = bone[12:15].copy()
        bone[:] = turned.ravel()
        bone[12:15] = place
    curves = DocumentCurves(
        document(), Armature(own.names, own.parents, rest, own.flags, rotation_channels=channels), TIMING
    )
    angles = values(curves, 2, Channel.ROTATION_YXZ)
    wanted = np.radians([[0, 0, 0], [20, 30, 10]]).astype(np.float32)
    assert np.array_equal(angles, wanted)


def test_a_joint_without_a_bone_carries_on() -> None:
    """Without a chest its quarter turn reaches the head."""
    text = TEXT.replace(b"90 10 20 30", b"90 0 0 0")
    rig = armature(("Hips", "Head"), [[0, 0, 1], [0, -0.25, 1.5]])
    curves = DocumentCurves(document(text), rig, TIMING)
    assert np.allclose(values(curves, 1, Channel.ROTATION_QUATERNION)[1], [HALF, 0, 0, HALF], atol=1e-7)
    assert curves.report()["unmatched_joints"] == ["Chest"]


def test_names_are_found_through_the_rig_map() -> None:
    text = TEXT.replace(b"Hips", b"hip").replace(b"Chest", b"abdomen").replace(b"Head", b"ns:HEAD")
    rig = armature(("mPelvis", "mTorso", "head"), [[0, 0, 1], [0, 0, 1.5], [0, -0.25, 1.5]])
    found = DocumentCurves(document(text), rig, TIMING).report()["matched"]
    assert {row["joint"]: row["bone"] for row in found} == {
        "hip": "mPelvis",
        "abdomen": "mTorso",
        "ns:HEAD": "head",
    }
    only_names = DocumentCurves(document(text), rig, TIMING, {"match": "names"}).report()
    assert only_names["matched"] == []


def test_heights_are_fitted() -> None:
    """The armature's hips stand twice as high over its lowest bone as the file's."""
    text = TEXT.replace(b"OFFSET 0 0.5 0", b"OFFSET 0 -1 0")
    rig = armature(("Hips", "Chest", "Head"), [[0, 0, 3], [0, 0, 1], [0, -0.25, 1]])
    curves = DocumentCurves(document(text), rig, TIMING, {"fit_height": True})
    assert curves.report()["scale"] == pytest.approx(2)
    assert np.allclose(values(curves, 0, Channel.LOCATION), [[0, 0, 0], [2, -6, 2]], atol=1e-6)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"forward": "Y", "up": "-Y"}, "two different"),
        ({"scale": 0}, "above 0"),
        ({"forwards": "Y"}, "forwards"),
        ({"up": 3}, "up"),
    ],
)
def test_bad_placements_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(AnimBridgeError, match=said) as caught:
        document_skeleton(document(), options)
    assert caught.value.code == Status.BAD_VALUE


def test_places_beyond_reason_are_refused() -> None:
    with pytest.raises(AnimBridgeError, match="1e30"):
        document_skeleton(document(TEXT.replace(b"OFFSET 0 1 0", b"OFFSET 0 1e308 0")))
    with pytest.raises(AnimBridgeError, match="1e30"):
        DocumentCurves(document(TEXT.replace(b"1 2 3", b"1 1e300 3")), own_armature(), TIMING)


def content(made: Document) -> dict[str, Any]:
    """Everything of a document but the notes of its text."""
    parsed = dict(json.loads(made.json()))
    parsed.pop("notes", None)
    return parsed


def quarter_turn(bone: int) -> list[Curve]:
    """Frames 1 to 3: 0 to 90 degrees about the armature's Z."""
    ends = {0: (1.0, HALF), 1: (0.0, 0.0), 2: (0.0, 0.0), 3: (0.0, HALF)}
    return [
        Curve(bone, Channel.ROTATION_QUATERNION, c, np.array([[1, first], [3, last]], np.float32))
        for c, (first, last) in ends.items()
    ]


def test_a_turn_about_z_is_one_about_the_files_up() -> None:
    rig = armature(("Hips", "Chest", "Head"), [[0, 0, 1], [0, 0, 1.5], [0, -0.25, 1.5]])
    tails = [[0, 0, 1.5], [0, -0.25, 1.5], [0, -0.25, 2]]
    made, report = from_curves(
        "bvh", rig, TIMING, quarter_turn(1), {"frame_count": 3, "tails": tails, "names": {"Head": "Kopf"}}
    )
    lines = made.write().decode("ascii").splitlines()
    text = [line.strip() for line in lines]
    assert text[1] == "ROOT Hips" and "JOINT Kopf" in text
    assert [line for line in text if line.startswith("OFFSET")] == [
        *("OFFSET 0 1 0", "OFFSET 0 0.5 0", "OFFSET 0 0 0.25", "OFFSET 0 0.5 0")
    ]
    assert text[-4] == "Frame Time: 0.1"
    rows = [[float(number) for number in line.split()] for line in text[-3:]]
    assert np.allclose(
        rows, [[0, 1, 0] + [0] * 9, [0, 1, 0, *[0] * 5, 45, 0, 0, 0], [0, 1, 0, *[0] * 5, 90, 0, 0, 0]]
    )
    assert report["joints"] == 3 and report["frames"] == 3 and report["moved_joints"] == []
    assert report["max_rotation_error_degrees"] < 2e-6
    assert report["max_position_error_mm"] < 1e-4


def test_bones_between_are_passed_over() -> None:
    rig = armature(("Hips", "Chest", "Head"), [[0, 0, 1], [0, 0, 1.5], [0, -0.25, 1.5]])
    options = {"frame_count": 3, "bones": ["Hips", "Head"], "positions": "root"}
    # The chest turns the head's place by 90 degrees about an axis 250 mm away.
    with pytest.raises(AnimBridgeError, match=r"Head is 354 mm .* \(frame 3\)") as caught:
        from_curves("bvh", rig, TIMING, quarter_turn(1), options)
    assert caught.value.code is Status.REJECTED
    made, _ = from_curves("bvh", rig, TIMING, quarter_turn(1), {**options, "stop_above_mm": 0})
    last = [float(number) for number in made.write().decode("ascii").splitlines()[-1].split()]
    assert np.allclose(last, [0, 1, 0, 0, 0, 0, 0, 0, 90])


def imported_curves(
    mark: bool, channel: Channel = Channel.ROTATION_QUATERNION
) -> tuple[Armature, list[Curve]]:
    own = own_armature(rotation_channels=np.full(3, channel, np.uint8))
    curves = list(DocumentCurves(document(), own, TIMING))
    return own, [Curve(c.bone, c.channel, c.component, c.co, unchanged=mark) for c in curves]


def test_what_is_unchanged_is_the_files() -> None:
    own, curves = imported_curves(True)
    made, report = from_curves("bvh", own, TIMING, curves, {"frame_count": 2}, document())
    assert content(made) == content(document())
    assert report["max_rotation_error_degrees"] < 1e-5


@pytest.mark.parametrize("channel", [Channel.ROTATION_QUATERNION, Channel.ROTATION_XYZ, Channel.ROTATION_YXZ])
def test_there_and_back(channel: Channel) -> None:
    own, curves = imported_curves(False, channel)
    made, report = from_curves("bvh", own, TIMING, curves, {"frame_count": 2}, document())
    again, wanted = content(made), content(document())
    assert again["joints"] == wanted["joints"]
    assert np.allclose(again["motion"], wanted["motion"], atol=1e-4)
    assert report["max_rotation_error_degrees"] < 1e-4
    assert report["moved_joints"] == []


def test_sampled_poses() -> None:
    """The hips stay; the chest turns and the head, which is its child, goes round."""
    rig = armature(("Hips", "Head"), [[0, 0, 1], [0, -0.25, 1.5]])
    rest = np.reshape(rig.rest_matrices, (2, 16))
    turned = rest.copy()
    turned[1, :12] = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0]
    turned[1, 12:15] = [0.25, 0, 1.5]
    samples = Samples(np.array([1.0, 2.0]), np.array([rest, turned], np.float32))
    made, report = from_samples("bvh", rig, TIMING, samples, {"frame_count": 2})
    last = [float(number) for number in made.write().decode("ascii").splitlines()[-1].split()]
    assert np.allclose(last, [0, 1, 0, 0, 0, 0, 0.25, 0.5, 0, 0, 0, 90], atol=1e-5)
    assert report["moved_joints"] == ["Head"]
    assert report["max_position_error_mm"] < 1e-3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "frame_count"),
        ({"frame_count": 0}, "frame_count"),
        ({"frame_count": 1, "bones": ["Nobody"]}, "Nobody"),
        ({"frame_count": 1, "bones": []}, "no bone"),
        ({"frame_count": 1, "tails": [[0, 0, 0]]}, "tails"),
        ({"frame_count": 1, "rotation_order": "XYX"}, "rotation_order"),
        ({"frame_count": 1, "frame_rate": 3}, "frame_rate"),
    ],
)
def test_bad_export_options_are_refused(options: dict[str, Any], said: str) -> None:
    rig = armature(("Hips", "Chest"), [[0, 0, 1], [0, 0, 1.5]])
    with pytest.raises(AnimBridgeError, match=said) as caught:
        from_curves("bvh", rig, TIMING, quarter_turn(1), options)
    assert caught.value.code == Status.BAD_VALUE
