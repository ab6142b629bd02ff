# SPDX-License-Identifier: MIT
"""BVH files on armatures that rest otherwise: where they look, how high they stand, how low they begin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.witness.bvh_file import Bvh, Joint, write

from animbridge.abi import Channel
from animbridge.curves import Armature, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError
from animbridge.motion import DocumentCurves

TIMING = Timing(10.0, 1.0)
TURNS = ["Zrotation", "Xrotation", "Yrotation"]
ALL = ["Xposition", "Yposition", "Zposition", *TURNS]
Place = tuple[float, float, float]


def document(joints: Sequence[Joint], places: Sequence[Place], frame_time: float = 0.1) -> Document:
    """A file whose first joint goes through these places, everything unturned."""
    width = sum(len(joint.channels) for joint in joints)
    rows = [[*place, *[0.0] * (width - 3)] for place in places]
    return Document.read(write(Bvh(list(joints), frame_time, rows)), "fit.bvh")


def armature(bones: dict[str, tuple[Place, int]]) -> Armature:
    """Bones along the armature's axes: {name: (head, index of the parent)}."""
    rest = np.tile(np.eye(4, dtype=np.float32).ravel(), (len(bones), 1))
    rest[:, 12:15] = [head for head, _ in bones.values()]
    parents = np.array([parent for _, parent in bones.values()], np.int32)
    return Armature(tuple(bones), parents, rest, np.zeros(len(bones), np.uint8))


def heights(curves: DocumentCurves, bone: int) -> list[float]:
    """The bone's location along the armature's Z."""
    found = [c for c in curves if (c.bone, c.channel, c.component) == (bone, Channel.LOCATION, 2)]
    assert len(found) == 1
    return found[0].co[:, 1].tolist()


@pytest.mark.parametrize("fit_height", [False, True])
@pytest.mark.parametrize("ways", [(90, 90, 90), (90, 50, 20), (20, 50, 90)])
def test_who_gets_up_plays_as_high_as_who_lies_down(ways: tuple[int, ...], *, fit_height: bool) -> None:
    """The file's hips have no OFFSET, the armature's stand at 0.9 m: 90 units are standing upright."""
    joints = [Joint("hip", None, (0, 0, 0), ALL), Joint("foot", 0, (0, -90, 0), TURNS)]
    rig = armature({"hip": ((0, 0, 0.9), -1), "foot": ((0, 0, 0), 0)})
    options = {"match": "names", "scale": 0.01, "fit_height": fit_height}
    curves = DocumentCurves(document(joints, [(0, y, 0) for y in ways]), rig, TIMING, options)
    assert [0.9 + z for z in heights(curves, 0)] == pytest.approx([y / 100 for y in ways], abs=1e-6)


def test_steps_from_the_rest_place_stay_steps() -> None:
    joints = [Joint("hip", None, (0, 0, 0), ALL), Joint("foot", 0, (0, -90, 0), TURNS)]
    rig = armature({"hip": ((0, 0, 0.9), -1), "foot": ((0, 0, 0), 0)})
    curves = DocumentCurves(document(joints, [(0, 0, 0), (0, 5, 0)]), rig, TIMING, {"scale": 0.01})
    assert heights(curves, 0) == pytest.approx([0, 0.05], abs=1e-6)


@pytest.mark.parametrize("prop_first", [False, True])
def test_the_root_with_the_body_tells_the_height(*, prop_first: bool) -> None:
    joints = [
        Joint("hip", None, (0, 90, 0), ALL),
        Joint("foot", 0, (0, -90, 0), TURNS),
        Joint("prop", None, (0, 900, 0), TURNS),
    ]
    body = {"hip": ((0.0, 0.0, 0.9), -1), "foot": ((0.0, 0.0, 0.0), 0)}
    prop = {"prop": ((0.0, 0.0, 1.0), -1)}
    moved = {"prop": prop["prop"], "hip": body["hip"], "foot": (body["foot"][0], 1)}
    rig = armature(moved if prop_first else {**body, **prop})
    report = DocumentCurves(document(joints, [(0, 90, 0)]), rig, TIMING, {"fit_height": True}).report()
    assert report["scale"] == pytest.approx(0.01)


@pytest.mark.parametrize("noise", [0.0, 1e-7, -1e-7])
def test_noise_turns_nothing(noise: float) -> None:
    """Joints that lie all above each other do not tell where somebody looks."""
    joints = [
        Joint("Hips", None, (0, 0, 0), ALL),
        Joint("Spine", 0, (1e-6, 10, 2e-6), TURNS),
        Joint("Neck", 1, (0, 10, 1e-6), TURNS),
        Joint("Head", 2, (0, 5, -3e-6), TURNS),
    ]
    bones: dict[str, tuple[Place, int]] = {
        "Hips": ((0, 0, 1), -1),
        "Spine": ((0, noise, 1.2), 0),
        "Neck": ((noise, 2 * noise, 1.4), 1),
        "Head": ((-noise, noise, 1.5), 2),
    }
    curves = DocumentCurves(document(joints, [(0, 0, 0)]), armature(bones), TIMING)
    assert curves.report()["forward"] == "-Z"


@pytest.mark.parametrize(("left", "forward"), [((0, 1, 0), "X"), ((1, 0, 0), "-Z"), ((-1, 0, 0), "Z")])
def test_the_character_looks_where_the_armature_looks(left: Place, forward: str) -> None:
    """Its left arm, along the file's +X, lies along the armature's own left."""
    joints = [
        Joint("hip", None, (0, 0, 0), ALL),
        Joint("lHand", 0, (50, 40, 0), TURNS),
        Joint("rHand", 0, (-50, 40, 0), TURNS),
    ]
    bones: dict[str, tuple[Place, int]] = {
        "mPelvis": ((0, 0, 1), -1),
        "mWristLeft": ((left[0], left[1], 1.4), 0),
        "mWristRight": ((-left[0], -left[1], 1.4), 0),
    }
    report = DocumentCurves(document(joints, [(0, 0, 0)]), armature(bones), TIMING).report()
    assert len(report["matched"]) == 3
    assert report["forward"] == forward
    names = DocumentCurves(document(joints, [(0, 0, 0)]), armature(bones), TIMING, {"match": "names"})
    assert names.report()["forward"] == "-Z"


def test_an_end_beyond_all_frames_is_an_error() -> None:
    joints = [Joint("hip", None, (0, 0, 0), ALL)]
    rig = armature({"hip": ((0, 0, 1), -1)})
    with pytest.raises(AnimBridgeError, match=r"fit\.bvh: Frame Time: .*1e30"):
        DocumentCurves(document(joints, [(0, 0, 0)] * 3, 1e308), rig, TIMING)


@pytest.mark.parametrize("frame_time", [0.0, -0.1])
def test_files_without_time_are_compared_frame_by_frame(frame_time: float) -> None:
    joints = [Joint("hip", None, (0, 0, 0), ALL)]
    first = document(joints, [(0, 0, 0), (1, 0, 0)], frame_time)
    second = document(joints, [(0, 0, 0), (3, 0, 0)], frame_time)
    assert first.compare(second)["max_position_mm"] == pytest.approx(2000.0)
