# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints and the emotes that Second Life's viewer knows, asked of the library once."""

from __future__ import annotations

from functools import cache

from ...package import Joint, skeleton


@cache
def skeleton_joints() -> tuple[Joint, ...]:
    """Every joint that an animation can name: bones, collision volumes, attachment points."""
    return tuple(skeleton.skeleton_joints())


@cache
def emote_names() -> tuple[str, ...]:
    """The names that the viewer knows as emotes, facial expressions first."""
    return tuple(sorted(skeleton.animation_states(), key=lambda name: (not _is_expression(name), name)))


def _is_expression(name: str) -> bool:
    return name.startswith("express_")
