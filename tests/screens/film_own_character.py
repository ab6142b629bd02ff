# SPDX-License-Identifier: MIT
"""The film of docs/recipes/own-character.md: a dance of Second Life moves a character with other bones."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator
from typing import Any

import bpy
import hands
from retarget_walk import thicken


def show(stage: Any) -> Iterator[float]:
    """The character is active, and a .anim is imported."""
    film = stage.film
    path = shutil.copy(stage.demo / "dance.anim", film.file("dance.anim"))
    yield from stage.only_view()
    add_character(stage)
    yield from hands.until_still()
    stage.look()
    yield from hands.until_still()
    film.say("Select your character")
    yield from film.hold(1.0)
    film.say("Import a .anim onto it")
    yield from film.choose("import_anim.secondlife")
    yield from film.confirm(stage, path)
    character: Any = bpy.context.view_layer.objects.active
    assert character.name == "Character" and character.animation_data.action.name == "dance"
    film.say("It dances, whatever its bones are called")
    yield from film.play(1.0 + 1.5 * step for step in range(32))


def add_character(stage: Any) -> None:
    """Bones as a game engine has them, with boxes to be seen."""
    path = stage.demo.parent / "rigs" / "mpfb_game_engine.json"
    bones = json.loads(path.read_text(encoding="utf-8"))["bones"]
    armature: Any = bpy.data.armatures.new("Character")
    thing = bpy.data.objects.new("Character", armature)
    bpy.context.collection.objects.link(thing)
    with stage.in_view():
        bpy.context.view_layer.objects.active = thing
        thing.select_set(True)
        bpy.ops.object.mode_set(mode="EDIT")
        for bone in bones[1:]:  # the first one is long, and below the ground
            made = armature.edit_bones.new(bone["name"])
            made.head, made.tail = bone["head"], bone["tail"]
            if bone["parent"] in armature.edit_bones:
                made.parent = armature.edit_bones[bone["parent"]]
        bpy.ops.object.mode_set(mode="OBJECT")
    thing.rotation_euler = (0.0, 0.0, math.radians(90.0))  # they look along -Y
    thicken(armature)
