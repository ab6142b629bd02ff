# SPDX-License-Identifier: MIT
"""A walk of CMU's skeleton, the avatar that moves like it, and the avatar without alignment, side by side.

`ANIMBRIDGE_CMU_WALK` names CMU's 131_01.bvh, which the picture of the docs shows. Without it the witness
walks.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import bpy

#: One foot is ahead, the other one leaves the ground: in the witness's walk, and in CMU's.
SECONDS: Final = {"witness": 0.7, "cmu": 2.9}
#: How far the three stand apart, in metres.
APART: Final = 1.2


def walk_file(root: Path, folder: Path) -> Path:
    """The witness's walk, on CMU's skeleton as MakeHuman has it: it rests with its arms held out and down."""
    sys.path.insert(0, str(root))
    from tests.witness import bvh_file
    from tests.witness.rigs import Rig, RigJoint
    from tests.witness.walk import Gait, walk

    data = json.loads((root / "fixtures" / "rigs" / "mpfb_cmu_mb.json").read_text(encoding="utf-8"))
    ground = min(bone["tail"][2] for bone in data["bones"])
    joints = tuple(
        RigJoint(bone["name"], bone["parent"], (bone["head"][0], bone["head"][1], bone["head"][2] - ground))
        for bone in data["bones"]
    )
    gait = Gait(seconds=2.0, frames_per_second=24.0, arms_down_degrees=25.0)
    made = walk(Rig("cmu", "cmu_motionbuilder", joints, data["truth"]), gait)
    path = folder / "cmu_walk.bvh"
    path.write_bytes(bvh_file.write(made.bvh))
    return path


def add_avatar(stage: Any, place: float) -> Any:
    """The avatar with its mannequin."""
    operators: Any = bpy.ops
    with stage.in_view():
        operators.object.select_all(action="DESELECT")
        operators.armature.secondlife_skeleton_add(skeleton_facing="X", skeleton_mannequin=True)
    avatar: Any = bpy.context.view_layer.objects.active
    avatar.location = (0.0, place, 0.0)
    return avatar


def thicken(armature: Any) -> None:
    """Boxes in place of bones that are too thin to see."""
    armature.display_type = "BBONE"
    for bone in armature.bones:
        bone.bbone_x = bone.bbone_z = min(0.045, bone.length / 4.0)


def show(stage: Any) -> Iterator[float | None]:
    """They walk side by side."""
    operators: Any = bpy.ops
    stage.clear()
    with tempfile.TemporaryDirectory() as folder, stage.in_view():
        given = os.environ.get("ANIMBRIDGE_CMU_WALK")
        path = Path(given) if given else walk_file(stage.demo.parents[1], Path(folder))
        operators.import_anim.animbridge_bvh(filepath=str(path), target="NEW", set_scene_range="ALWAYS")
    source: Any = bpy.context.view_layer.objects.active
    thicken(source.data)
    source.location = (0.0, -APART, 0.0)
    source.rotation_euler = (0.0, 0.0, math.radians(90.0))  # it looks along -Y, the avatar along +X
    settings: Any = bpy.context.scene.animbridge_retarget  # pyright: ignore[reportAttributeAccessIssue]
    for place, align in ((0.0, True), (APART, False)):
        settings.source, settings.target, settings.align = source, add_avatar(stage, place), align
        with stage.in_view():
            operators.animbridge.retarget_auto()
            operators.animbridge.retarget_apply()
        settings.target.hide_set(True)  # only the mannequin shows
    seconds = SECONDS["cmu" if given else "witness"]
    bpy.context.scene.frame_set(1 + round(seconds * stage.frames_per_second))
    with stage.in_view():
        operators.object.select_all(action="DESELECT")
    shading = stage.area.spaces.active.shading
    shading.color_type = "SINGLE"
    shading.single_color = (0.72, 0.55, 0.4)
    shading.show_cavity = True
    stage.area.spaces.active.overlay.show_cursor = False
    yield None
    stage.look()
    yield None
