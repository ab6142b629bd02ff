# SPDX-License-Identifier: MIT
"""The witness itself against numbers that the specification states, and against real files if given."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tests.witness import anim_file, player, rules
from tests.witness import quantise as q
from tests.witness.anim_file import bits_of
from tests.witness.cases import build, joints
from tests.witness.quaternion import about_axis, euler_x_first, euler_z_first, product
from tests.witness.skeleton import load_emotes, load_skeleton
from tests.witness.upload import moves_visibly, predict

SKELETON = load_skeleton()
EMOTES = load_emotes()
ALL_CODES = np.arange(65536)
SAMPLES = sorted((Path(os.environ.get("ANIMBRIDGE_SAMPLES", "/nonexistent")) / "sl_anim").glob("*"))
ROOT_HALF = np.sqrt(0.5)


def read(file: str) -> tuple[bytes, anim_file.AnimFile]:
    """A fixture of the joint module by name."""
    data = next(c.data for c in joints.all_cases() if c.file == file + ".anim")
    return data, anim_file.parse(data)


def test_rotation_codes_that_drift() -> None:
    """Spec 1.9: 5,653 of 65,536 decrease by 1."""
    change = ALL_CODES - q.encode_rotation(q.decode_rotation(ALL_CODES)).astype(int)
    assert np.bincount(change).tolist() == [65536 - 5653, 5653]


def test_position_codes_that_drift() -> None:
    """Spec 1.9: 9,150 of 65,536 decrease by 1."""
    change = ALL_CODES - q.encode_position(q.decode_position(ALL_CODES)).astype(int)
    assert np.bincount(change).tolist() == [65536 - 9150, 9150]


def test_total_drift_of_repeated_uploads() -> None:
    """Spec 1.9: up to 65 rotation and 257 position codes before a fixed point."""
    for decode, encode, most in (
        (q.decode_rotation, q.encode_rotation, 65),
        (q.decode_position, q.encode_position, 257),
    ):
        codes = ALL_CODES
        while not np.array_equal(after := encode(decode(codes)).astype(int), codes):
            codes = after
        assert (ALL_CODES - codes).max() == most


def test_both_zero_codes() -> None:
    """Spec 1.2: 32767 and 32768 decode to exactly 0."""
    for decode in (q.decode_rotation, q.decode_position):
        assert decode([32767, 32768]).tolist() == [0.0, 0.0]
    assert q.encode_rotation([0.0]).tolist() == [32767]


@pytest.mark.parametrize("seconds", [1e-3, 1.0, 1.1, 59.999, 60.0])
def test_last_time_code_is_the_duration(seconds: float) -> None:
    """Spec 1.2: dec(65535) equals the duration exactly."""
    duration = np.float32(seconds)
    assert q.decode_time(65535, duration) == duration


def test_time_code_of_duration_0() -> None:
    """Spec 1.2: 0/0 becomes 0."""
    assert q.encode_time(np.float32(0), np.float32(0)) == 0


def test_size_formula() -> None:
    """Spec 1.1: 45 + len(emote) + sum(len(name) + 13 + 8 keys) + 86 constraints."""
    data, anim = read("every_field")
    size = 45 + len(anim.emote_name) + 86 * len(anim.constraints)
    for joint in anim.joints:
        size += len(joint.name) + 13 + 8 * (len(joint.rotation_keys) + len(joint.position_keys))
    assert len(data) == size


def test_truncation_at_each_byte() -> None:
    """Spec 1.11: every cut is an error, and its field begins no later than the cut."""
    data, _ = read("every_field")
    for end in range(len(data)):
        with pytest.raises(anim_file.ParseError) as caught:
            anim_file.parse(data[:end])
        assert 0 <= caught.value.offset <= end


def test_loop_with_outro() -> None:
    """Spec 1.10: wrap, then play on to the end after a stop request."""
    anim = build.anim(loop=1, loop_in_bits=bits_of(0.25), loop_out_bits=bits_of(0.75))
    assert player.looped_time(anim, 0.75) == 0.75
    assert player.looped_time(anim, 0.875) == 0.375
    assert player.stop_time(anim, 0.875) == pytest.approx(0.75 + 1 - 0.25 - 0.2)
    assert player.moment(anim, 9.0, stop_request=0.875).clip_seconds == 1.0
    assert player.self_stop_time(anim) == player.FOREVER


def test_self_stops() -> None:
    """Spec 1.10: non-loop, late ease-in, loop_out beyond the duration, and the overrunning reversed loop."""
    assert player.self_stop_time(build.anim()) == pytest.approx(0.8)
    assert player.self_stop_time(build.anim(ease_in_bits=bits_of(5))) == 1.0
    assert player.self_stop_time(build.anim(loop=1, loop_out_bits=bits_of(1.5))) == 1.0
    reverse = build.anim(loop=1, loop_in_bits=bits_of(0.75), loop_out_bits=bits_of(0.25))
    assert player.self_stop_time(reverse) == 0.5
    assert player.looped_time(reverse, 0.5) == 1.0


def test_weights() -> None:
    """Cubic smoothstep in and out."""
    anim = build.anim()
    assert player.moment(anim, 0.1).weight == pytest.approx(0.5)
    assert player.moment(anim, 0.5).weight == 1.0
    assert player.moment(anim, 0.95).weight == pytest.approx(1 - player.smoothstep(0.75), abs=1e-6)
    assert player.moment(anim, 1.01).finished


def test_negative_dot_takes_the_short_way() -> None:
    """Spec 1.10: slerp between turns of 160 and 200 degrees passes 180, not 0."""
    rows = [
        (0, *build.rotation_code(about_axis(0, 160))),
        (65535, *build.rotation_code(about_axis(0, 200))),
    ]
    pose = player.local_pose(build.anim(build.joint(rotation_keys=build.keys(*rows))), SKELETON, 0.5)
    rotation = pose["mChest"].rotation
    assert rotation is not None
    assert abs(rotation[0]) == pytest.approx(1.0, abs=1e-3)


def test_euler_orders() -> None:
    """Spec 3: (90, 0, 90) differs by its order: X first is z (x) x, Z first is x (x) z."""
    x_first, z_first = euler_x_first((90, 0, 90)), euler_z_first((90, 0, 90))
    assert not np.allclose(x_first, z_first)
    x, z = np.array([ROOT_HALF, 0, 0, ROOT_HALF]), np.array([0, 0, ROOT_HALF, ROOT_HALF])
    assert np.allclose(x_first, product(z, x))
    assert np.allclose(z_first, product(x, z))


def test_rest_pose() -> None:
    """The pelvis is at 0 (spec 3) and left is +Y; the 133 bones are not turned."""
    world = player.world_pose(build.anim(build.single("mHead")), SKELETON, 0.0)
    assert world["mPelvis"].position.tolist() == [0, 0, 0]
    assert world["mWristLeft"].position[1] > 0.5 > world["mWristRight"].position[1]
    assert np.allclose(world["mHead"].position, [-0.025, 0, 0.084 + 0.205 + 0.251 + 0.076])
    assert np.allclose(world["mToeLeft"].rotation, [0, 0, 0, 1])


def test_upload_settles_and_reverses() -> None:
    """Spec 1.9: the default file is stable, constraints turn round, both zero codes become 32767."""
    data, anim = read("default")
    assert anim_file.write(predict(anim, SKELETON, EMOTES)) == data
    _, full = read("every_field")
    stored = predict(full, SKELETON, EMOTES)
    assert [c.source_name() for c in stored.constraints] == [b"L_HAND", b"L_FOOT"]
    assert not moves_visibly(full)


@pytest.mark.skipif(not SAMPLES, reason="ANIMBRIDGE_SAMPLES names no folder with sl_anim")
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.name)
def test_real_file(path: Path) -> None:
    """Parses, writes back byte for byte, and is taken by the viewer (spec 1.6, 1.7 name the two odd ones)."""
    data = path.read_bytes()
    anim = anim_file.parse(data)
    assert anim_file.write(anim) == data
    found = rules.findings(len(data), anim, SKELETON, EMOTES)
    assert ("constraints_ignored" in found) == path.name.startswith("9b0c1c4e")
    assert ("joint_unknown" in found) == path.name.startswith("46bb4359")
    if anim.has_ignored_constraints:
        assert (anim.num_constraints, len(anim.tail)) == (11, 946)
    again = anim_file.write(predict(anim, SKELETON, EMOTES))
    assert anim_file.write(anim_file.parse(again)) == again


def test_only_what_is_seen_is_drift() -> None:
    """A code that falls by one is 0.004 degrees at rest, and nearly a degree at a half turn (spec 1.9)."""
    near_rest, near_half = (
        build.anim(build.joint(rotation_keys=build.keys((0, code, build.ZERO, build.ZERO))))
        for code in (32768, 1)
    )
    assert not moves_visibly(near_rest)
    assert moves_visibly(near_half)
