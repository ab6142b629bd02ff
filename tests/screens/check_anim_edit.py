# SPDX-License-Identifier: MIT
"""One key of one bone edited by keyboard, exported, and undone: nothing else of the file changes."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import hands

BONE = "mHead"


def show(stage: Any) -> Iterator[float]:
    """R 30 Return with automatic keys, at a frame with a key."""
    sys.path.insert(0, str(stage.demo.parents[1]))
    from tests.witness import anim_file

    stage.clear()
    walk = stage.demo / "walk.anim"
    rig = stage.import_demo(walk.name)
    stage.pose_mode()
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    bpy.context.scene.frame_set(1)
    for bone in rig.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name == BONE
    rig.data.bones.active = rig.data.bones[BONE]
    with stage.in_view():
        bpy.ops.ed.undo_push(message="before")
    hands.move(*stage.middle)
    yield from hands.until_still()
    before = rig.pose.bones[BONE].rotation_quaternion.copy()
    for key in ("r", "3", "0", "Return"):
        hands.press(key)
        yield from hands.until_still()
    assert rig.pose.bones[BONE].rotation_quaternion.rotation_difference(before).angle > 0.5
    with tempfile.TemporaryDirectory() as folder:
        edited, undone = Path(folder) / "edited.anim", Path(folder) / "undone.anim"
        yield from stage.choose_file("export_anim.secondlife", edited)
        one, other = (records(anim_file, path) for path in (walk, edited))
        changed = [name for name in one if one[name] != other[name]]
        assert one.keys() == other.keys() and changed == [BONE], changed
        yield from stage.undo()
        yield from stage.choose_file("export_anim.secondlife", undone)
        assert undone.read_bytes() == walk.read_bytes()


def records(anim_file: Any, path: Path) -> dict[str, bytes]:
    """The bytes of each joint."""
    joints = anim_file.parse(path.read_bytes()).joints
    return {joint.name.decode(): anim_file.write(anim_file.AnimFile(joints=[joint])) for joint in joints}
