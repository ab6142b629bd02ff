# SPDX-License-Identifier: MIT
"""The film of docs/recipes/mend-an-arm.md: an arm gets another pose at one moment, and flows into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import hands
from check_first_steps import degrees

BONE = "mShoulderRight"
FRAME = 25
#: On the upper arm, below its hand, and where the mouse then pulls it.
ARM, GRASP, PULL = (434, 195), (450, 300), (330, 265)
TITLE, BLEND_EDIT = (740, 97), (800, 264)


def show(stage: Any) -> Iterator[float]:
    """A bone is clicked, rotated without a key, and Blend Edit is clicked."""
    film = stage.film
    yield from stage.only_view()
    rig = stage.import_demo("dance.anim")
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = False
    stage.only_panels("ANIMBRIDGE_PT_clip_view")
    yield from stage.side_bar()
    stage.pose_mode()
    stage.look()
    yield from film.click(*TITLE)
    film.say("The hand touches the hip")
    yield from film.play(1.0 + 1.5 * step for step in range(17))  # to the frame
    yield from film.hold(0.7)
    film.say("Click the arm and rotate it (R). No keyframe is needed")
    yield from film.click(*ARM)
    assert rig.data.bones.active.name == BONE, rig.data.bones.active
    yield from film.glide(*GRASP)
    hands.press("r")
    yield from hands.until_still()
    yield from film.glide(*PULL)
    yield from film.click(*PULL)
    film.say("Click Blend Edit: the arm flows into the pose and out of it")
    kept = rig.pose.bones[BONE].matrix_basis.copy()
    yield from film.click(*BLEND_EDIT)
    bpy.context.scene.frame_set(FRAME + 1)
    bpy.context.scene.frame_set(FRAME)
    turned = rig.pose.bones[BONE].matrix_basis
    assert degrees(turned.to_quaternion(), kept.to_quaternion()) < 0.1, "the curves have the pose"
    yield from film.play(range(10, 41))
