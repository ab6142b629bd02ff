# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints of Second Life's skeleton, asked of the library once."""

from __future__ import annotations

from functools import cache

from ...native import skeleton
from ...native.skeleton import Joint


@cache
def skeleton_joints() -> tuple[Joint, ...]:
    """Every joint that an animation can name: bones, collision volumes, attachment points."""
    return tuple(skeleton.skeleton_joints())
