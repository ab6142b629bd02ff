# SPDX-License-Identifier: MIT
"""The witness's BVH parts against numbers worked out by hand."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tests.witness import bvh_file, bvh_loader, bvh_pose
from tests.witness import viewer_float as vf
from tests.witness.anim_file import parse
from tests.witness.bvh_file import Bvh, Joint
from tests.witness.bvh_loader_text import RefusalError, lines_of
from tests.witness.cases import bvh_build, bvh_upload_motion, bvh_upload_text
from tests.witness.skeleton import load_skeleton

SKELETON = load_skeleton()
SAMPLES = sorted((Path(os.environ.get("ANIMBRIDGE_SAMPLES", "/nonexistent")) / "bvh").glob("*.bvh"))
HALF = 0.5
CASES = {case.name: case for case in [*bvh_upload_text.all_cases(), *bvh_upload_motion.all_cases()]}


def loaded(name: str, timing: bvh_loader.Timing = "current") -> bvh_loader.Result:
    """A loader fixture converted."""
    return bvh_loader.convert(CASES[name].data, SKELETON, timing)


def times(name: str, joint: int = 0, timing: bvh_loader.Timing = "current") -> list[int]:
    """Time codes of a joint's rotation keys."""
    return loaded(name, timing).anim.joints[joint].rotation_keys[:, 0].tolist()


def test_written_text_is_read() -> None:
    values = bvh_build.small()
    assert bvh_file.parse(bvh_file.write(values)) == values


def test_parse_errors_tell_the_line() -> None:
    with pytest.raises(bvh_file.ParseError) as caught:
        bvh_file.parse(b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 nan\n")
    assert caught.value.line in (4, 5)


def test_pose_of_two_quarter_turns() -> None:
    """Hip turns 90 about Z, then (inside) 90 about X: x goes to y, y goes to z, z goes to x."""
    hip = Joint("hip", None, (1.0, 0.0, 0.0), ["Zrotation", "Xrotation"])
    arm = Joint("arm", 0, (1.0, 2.0, 3.0), ["Yposition"])
    pose = bvh_pose.pose(Bvh([hip, arm], 0.1, [[90.0, 90.0, 7.0]]), 0)
    assert pose.rotations[0] == pytest.approx([HALF, HALF, HALF, HALF])
    # The arm's local place is (1, 7, 3): only Y is replaced; turned it is (3, 1, 7).
    assert pose.positions == pytest.approx(np.array([[1.0, 0.0, 0.0], [4.0, 1.0, 7.0]]))


def test_pose_adds_up_along_a_chain() -> None:
    joints = [Joint("j", i - 1 if i else None, (0.0, 1.0, 0.0), ["Zrotation"]) for i in range(3)]
    pose = bvh_pose.pose(Bvh(joints, 0.1, [[90.0, 0.0, 90.0]]), 0)
    assert pose.positions == pytest.approx(np.array([[0, 1, 0], [-1, 1, 0], [-2, 1, 0]]), abs=1e-12)
    assert pose.rotations[2] == pytest.approx([0, 0, 1, 0], abs=1e-12)


def test_float_text_is_rounded_once() -> None:
    """Just above the middle of 1 and its successor; as a double it would be that middle, and become 1."""
    assert vf.parse_float(b"1.00000005960464477539062501") == np.nextafter(np.float32(1), np.float32(2))
    with pytest.raises(ValueError, match="no number"):
        vf.parse_float(b"1,5")


def test_viewer_product_is_hamilton_turned_round() -> None:
    i = vf.Quaternion(vf.ONE, vf.ZERO, vf.ZERO, vf.ZERO)
    j = vf.Quaternion(vf.ZERO, vf.ONE, vf.ZERO, vf.ZERO)
    assert vf.then(i, j) == (0, 0, -1, 0)  # j (x) i = -k
    frame = vf.Quaternion(*(vf.F(HALF) for _ in range(4)))
    assert vf.rotated(vf.Vector(vf.F(1), vf.F(2), vf.F(3)), frame) == (3, 1, 2)  # x_sl = z_bvh (rule 4)
    assert all(type(part) is np.float32 for part in vf.rotated(vf.X_AXIS, vf.about("Z", vf.F(33.3))))


def test_lines() -> None:
    """Rule 1."""
    assert lines_of(b"a\r\n\r\n b \n\n\rc\0d\n") == [b"a", b" b ", b"c"]


def test_axes_and_inches() -> None:
    """Rules 4 and 6: 20 degrees about BVH X is about SL Y; 39.37 inches on BVH Z are 1 m on SL X."""
    parts = bvh_upload_motion.placed(0.0, 39.37, 39.37)
    parts[1].values = lambda f: (0.0, 0.0, 39.37 * min(f, 1), 20.0 * min(f, 1), 0.0, 0.0)
    joint = bvh_loader.convert(bvh_upload_motion.text(parts, 3), SKELETON).anim.joints[0]
    half_sine = np.sin(np.radians(10))
    assert joint.rotation_keys[0, 1:] == pytest.approx([32767, (half_sine + 1) / 2 * 65535, 32767], abs=2)
    assert joint.position_keys[0, 1:] == pytest.approx([6 / 10 * 65535, 32767, 32767], abs=2)


@pytest.mark.parametrize(
    ("frames", "now", "before"),
    [
        (1, [0], [65535]),
        (2, [0], [65535]),
        (3, [0, 65535], [43690, 65535]),
        (4, [0, 32767, 65535], [32767, 49151, 65535]),
    ],
)
def test_key_times(frames: int, now: list[int], before: list[int]) -> None:
    """Rule 7: (f-1)/(n-2), and (f+1)/n before 2022."""
    name = f"rule07_frames_{frames}"
    assert times(name) == pytest.approx(now, abs=1)
    assert times(name, timing="pre2022") == pytest.approx(before, abs=1)
    assert loaded(name).anim.duration == np.float32(max(frames - 2, 1)) * np.float32(0.1)
    assert loaded(name, "pre2022").anim.duration == np.float32(frames) * np.float32(0.1)


@pytest.mark.parametrize(
    ("name", "frames"),
    [("line_4", [1, 3]), ("line_5", [1, 3, 4]), ("put_back", [1, 3, 4, 5]), ("put_back_kept", [1, 3, 4])],
)
def test_kept_frames(name: str, frames: list[int]) -> None:
    """Rule 9: which frames, not only how many."""
    last = max(frames)
    assert times(f"rule09_{name}") == pytest.approx([(f - 1) / (last - 1) * 65535 for f in frames], abs=1)


def test_priorities_and_eases() -> None:
    """Rule 10."""
    anim = loaded("rule10_volume").anim
    assert (anim.base_priority, anim.joints[0].priority, anim.loop, anim.hand_pose) == (2, 0, 0, 1)
    assert loaded("rule10_attachment").anim.joints[0].priority == 2
    assert loaded("rule10_ease_fits").anim.ease_in == np.float32(0.3)
    assert loaded("rule10_ease_rescaled").anim.ease_out == pytest.approx(0.1)
    assert np.all(anim.joints[0].position_keys[:, 1:] == 32767)


def test_one_frame_pelvis_is_lost() -> None:
    """Rule 5."""
    joint = loaded("rule07_frames_1").anim.joints[0]
    assert joint.rotation_keys.tolist() == [[0, 32767, 32767, 32767]] == joint.position_keys.tolist()


def test_refusals_name_their_rule() -> None:
    with pytest.raises(RefusalError, match="rule 2"):
        bvh_loader.convert(CASES["rule02_first_joint_hips"].data, SKELETON)


@pytest.mark.skipif(not SAMPLES, reason="no samples given")
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_load(path: Path) -> None:
    """Spec 2.1 rule 1: of the real files all load."""
    data = path.read_bytes()
    result = bvh_loader.convert(data, SKELETON)
    values = bvh_file.parse(data)
    assert not values.tolerated
    assert len(result.anim.joints) + len(result.dropped) == len(values.joints)
    assert parse(result.data()).tail == b""
