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
