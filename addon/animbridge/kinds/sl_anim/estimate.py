# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates the size of an Action's file, quickly enough for a panel that is redrawn all the time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ...compat import actions, keyframes
from ...scene.channels import COMPONENTS, split_path

#: docs/second-life-format.md: header and constraint count; a joint's name end, priority and counts; a key.
_HEADER_BYTES: Final = 45
_JOINT_BYTES: Final = 13
_KEY_BYTES: Final = 8


def estimated_bytes(channels: actions.Channels) -> int:
    """The size with every key, and with a key at each frame where a curve bends, before any is dropped.

    The keys of a bone's components are taken to be at the same times.
    """
    keys: dict[str, dict[str, int]] = {}
    for curve in channels.fcurves:
        place = split_path(curve.data_path)
        if place and place[1] in COMPONENTS:
            bone = keys.setdefault(place[0], {})
            bone[place[1]] = max(bone.get(place[1], 0), _key_count(curve))
    return _HEADER_BYTES + sum(_joint_bytes(name, counts) for name, counts in keys.items())


def _key_count(curve: Any) -> int:
    """The keys of the curve and, on its bent segments, the whole frames between two keys."""
    frames = keyframes.read_co(curve)[:, 0]
    bent = keyframes.read_interpolation(curve)[:-1] > keyframes.LINEAR
    between = np.ceil(frames[1:]) - np.floor(frames[:-1]) - 1.0
    return len(frames) + int(np.maximum(between, 0.0)[bent].sum())


def _joint_bytes(name: str, counts: Mapping[str, int]) -> int:
    return len(name.encode()) + _JOINT_BYTES + _KEY_BYTES * sum(counts.values())
