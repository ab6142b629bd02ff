# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates the size of an Action's file, quickly enough for a panel that is redrawn all the time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...compat import actions
from ...scene.channels import COMPONENTS, split_path

#: docs/second-life-format.md: header and constraint count; a joint's name end, priority and counts; a key.
_HEADER_BYTES: Final = 41
_JOINT_BYTES: Final = 13
_KEY_BYTES: Final = 8


def estimated_bytes(channels: actions.Channels) -> int:
    """The size if every key is written and the keys of a bone's components are at the same times."""
    keys: dict[str, dict[str, int]] = {}
    for curve in channels.fcurves:
        place = split_path(curve.data_path)
        if place and place[1] in COMPONENTS:
            bone = keys.setdefault(place[0], {})
            bone[place[1]] = max(bone.get(place[1], 0), len(curve.keyframe_points))
    return _HEADER_BYTES + sum(_joint_bytes(name, counts) for name, counts in keys.items())


def _joint_bytes(name: str, counts: Mapping[str, int]) -> int:
    return len(name.encode()) + _JOINT_BYTES + _KEY_BYTES * sum(counts.values())
