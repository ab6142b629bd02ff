# SPDX-License-Identifier: MIT
"""The animation that the benchmarks in Blender measure with."""

from __future__ import annotations

import numpy as np
from tests.witness.anim_file import AnimFile, Joint, bits_of, write
from tests.witness.quantise import encode_rotation
from tests.witness.skeleton import load_skeleton

KEYS = 1800


def swinging_file() -> bytes:
    """A minute in which every bone swings, a key every 30th of a second."""
    bones = [node.name for node in load_skeleton().nodes.values() if node.kind == "bone"]
    steps = np.arange(KEYS)
    times = (steps * 65535 // (KEYS - 1)).astype(np.uint16)
    joints = []
    for index, name in enumerate(bones):
        phase = steps * 0.05 + index
        vector = np.zeros((KEYS, 3), np.float32)
        vector[:, 0] = np.sin(0.4 * np.sin(phase))
        vector[:, 1] = 0.1 * np.sin(0.3 * phase)
        rotations = np.column_stack([times, encode_rotation(vector)]).astype(np.uint16)
        joints.append(Joint(name.encode(), 3, rotations, np.zeros((0, 4), np.uint16)))
    return write(AnimFile(duration_bits=bits_of(60.0), joints=joints))


BVH_JOINTS = 60
BVH_FRAMES = 3000


def swinging_bvh(frames: int = BVH_FRAMES) -> bytes:
    """Sixty joints in five limbs that swing, thirty frames a second, six decimals; the root also moves."""
    lines = ["HIERARCHY"]
    for joint in range(BVH_JOINTS):
        _begin_joint(lines, joint)
    motion = np.zeros((frames, 3 * BVH_JOINTS + 3))
    phase = np.arange(frames)[:, None] * 0.05 + np.arange(BVH_JOINTS)[None, :]
    motion[:, 0] = 10 * np.sin(phase[:, 0])
    motion[:, 1] = 95 + np.sin(phase[:, 0])
    motion[:, 2] = np.arange(frames) * 0.5
    for column, swing in enumerate((40 * np.sin(phase), 15 * np.sin(0.3 * phase), 5 * np.cos(0.7 * phase))):
        motion[:, 3 + column :: 3] = swing
    lines += ["MOTION", f"Frames: {frames}", "Frame Time: 0.033333"]
    lines += [" ".join(f"{value:.6f}" for value in row) for row in motion.tolist()]
    return ("\n".join(lines) + "\n").encode()


def _begin_joint(lines: list[str], joint: int) -> None:
    """A joint's head, and the ends of all joints that it closes: limbs of twelve, below the root."""
    last_of_limb = joint % 12 == 11
    channels = "6 Xposition Yposition Zposition" if joint == 0 else "3"
    lines += [
        f"{'JOINT' if joint else 'ROOT'} bone{joint}",
        "{",
        f"OFFSET {joint % 5 - 2}.0 {7.5 if joint else 0.0} {0.5 * (joint % 3)}",
        f"CHANNELS {channels} Zrotation Xrotation Yrotation",
    ]
    if last_of_limb:
        lines += ["End Site", "{", "OFFSET 0.0 4.0 0.0", "}"]
        # The first limb holds the root, which stays open for the others.
        depth = 12 if joint >= 12 else 11
        lines += ["}"] * depth
        if joint == BVH_JOINTS - 1:
            lines.append("}")
