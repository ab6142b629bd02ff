# SPDX-License-Identifier: MIT
"""The film of docs/recipes/recorded-hands.md: a recording becomes two hands that move."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import bpy
import hands
from mrtk_hands import SEEN_FROM


def show(stage: Any) -> Iterator[float]:
    """The menu, the file browser with Hands chosen, and the hands."""
    film = stage.film
    path = shutil.copy(stage.demo.parent / "mrtk" / "two_hands_v11.bin", film.file("hands.bin"))
    yield from stage.only_view()
    stage.area.spaces.active.region_3d.view_rotation = SEEN_FROM.to_quaternion()
    yield from hands.until_still()
    film.say("Import recorded hands")
    yield from film.choose("import_anim.mrtk")
    yield from film.confirm(stage, path, rig="HANDS")
    look_at_hands(stage)
    yield from hands.until_still()
    film.say("Both hands move. Pose, retarget or mend them")
    scene = bpy.context.scene
    for _ in range(2):
        yield from film.play(range(scene.frame_start, scene.frame_end + 1, 2))


def look_at_hands(stage: Any) -> None:
    """Without the camera that saw them."""
    stage.pose_mode()
    armature: Any = bpy.context.view_layer.objects.active
    for bone in armature.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name.startswith(("L_", "R_"))
    with stage.in_view():
        bpy.ops.view3d.view_selected()
