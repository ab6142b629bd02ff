# SPDX-License-Identifier: MIT
"""A viewer's pose dropped onto the 3D view, and an OBAN that was taken for one, which says what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import hands


def drop(stage: Any, folder: Path, name: str) -> Iterator[float]:
    """Oni has files of the same ending, so Blender asks: "Import Pose" is the entry with the letter P."""
    hands.move(*stage.middle)
    yield from hands.until_still()
    operators: Any = bpy.ops
    with stage.in_view():
        operators.wm.drop_import_file("INVOKE_DEFAULT", directory=str(folder), files=[{"name": name}])
    yield from hands.until_still()
    hands.press("p")
    yield from hands.until_still()
    hands.press("Return")
    yield from hands.until_still()


def show(stage: Any) -> Iterator[float]:
    """The posed avatar, and Blender's report about the other file."""
    if not hasattr(bpy.types, "FileHandler"):
        raise stage.NotHere("files can be dropped since Blender 4.1")
    stage.clear()
    fixtures = stage.demo.parent
    yield from drop(stage, fixtures / "oban", "xml_swing.xml")
    assert not bpy.data.armatures
    yield from drop(stage, fixtures / "sl_pose", "stand.xml")
    yield from hands.until(lambda: bpy.data.armatures, "the pose")
    pose = bpy.context.view_layer.objects.active.pose
    assert any(abs(bone.matrix_basis.to_quaternion().angle) > 0.1 for bone in pose.bones)
    yield from hands.until_still()
