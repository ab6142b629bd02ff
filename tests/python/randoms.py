# SPDX-License-Identifier: MIT
"""Random animations, made with the witness's own writer."""

from __future__ import annotations

import numpy as np
from tests.witness.anim_file import AnimFile, Joint, bits_of

JOINTS = (
    b"mPelvis",
    b"mTorso",
    b"mChest",
    b"mHead",
    b"mShoulderLeft",
    b"mElbowLeft",
    b"mTail1",
    b"mHandThumb1Left",
)


def random_keys(random: np.random.Generator, count: int, *, in_ball: bool, gap: int = 1) -> np.ndarray:
    """`count` rows of (time, x, y, z) codes, `gap` codes of time apart or more; in_ball: a quaternion's."""
    times = np.sort(random.choice(65536 - (count - 1) * (gap - 1), count, replace=False))
    times = times + np.arange(count) * (gap - 1)
    if in_ball:
        values = random.normal(size=(count, 4))
        values /= np.linalg.norm(values, axis=1)[:, None]
        values = values[:, :3] * np.where(values[:, 3:] < 0, -1, 1)
        codes = np.round((values + 1) / 2 * 65535)
    else:
        codes = random.integers(30000, 35536, (count, 3))
    return np.concatenate([times[:, None], codes], axis=1).astype(np.uint16)


def random_animation(seed: int, *, keys: int = 12) -> AnimFile:
    """Some joints with random keys: half turns and negative dots included, loops and eases now and then."""
    random = np.random.default_rng(seed)
    duration = float(random.uniform(0.2, 8.0))
    chosen = random.permutation(len(JOINTS))[: random.integers(1, len(JOINTS) + 1)]
    joints = [
        Joint(
            JOINTS[index],
            int(random.integers(-1, 7)),
            random_keys(random, int(random.integers(0, keys)), in_ball=True),
            random_keys(random, int(random.integers(0, keys)), in_ball=False),
        )
        for index in sorted(chosen)
    ]
    if not any(len(joint.rotation_keys) for joint in joints):
        joints[0].rotation_keys = random_keys(random, keys, in_ball=True)
    first, last = sorted(random.uniform(0, duration, 2))
    longest_ease = min(0.5, duration / 3)
    return AnimFile(
        base_priority=int(random.integers(0, 7)),
        duration_bits=bits_of(duration),
        loop=int(random.integers(0, 2)),
        loop_in_bits=bits_of(first),
        loop_out_bits=bits_of(last),
        ease_in_bits=bits_of(random.uniform(0, longest_ease)),
        ease_out_bits=bits_of(random.uniform(0, longest_ease)),
        hand_pose=int(random.integers(0, 14)),
        joints=joints,
    )
