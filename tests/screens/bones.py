# SPDX-License-Identifier: MIT
"""Hands and face from near: the small bones of the Bento skeleton."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The upper body in a pose with fingers."""
    stage.clear()
    rig = stage.import_demo("poses/face_and_hands.anim")
    stage.pose_mode()
    with stage.in_view():
        bpy.ops.pose.select_all(action="DESELECT")
        for bone in rig.pose.bones:
            near = bone.name.startswith(("mFace", "mHand", "mHead", "mSkull"))
            (bone if hasattr(bone, "select") else bone.bone).select = near
    yield
    stage.look(at_selected=True)
    yield
