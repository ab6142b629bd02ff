# SPDX-License-Identifier: MIT
"""A BVH onto the Second Life skeleton, and out as .anim, through file browsers; then undone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import hands

BVH = """HIERARCHY
ROOT hip
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Xrotation Zrotation Yrotation
JOINT abdomen
{
OFFSET 0 3.4 0
CHANNELS 3 Xrotation Zrotation Yrotation
End Site
{
OFFSET 0 20 0
}
}
JOINT lThigh
{
OFFSET 5 0 0
CHANNELS 3 Xrotation Zrotation Yrotation
End Site
{
OFFSET 0 -40 0
}
}
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 40 0 0 0 0 0 0 0 0 0 0
0 40 0 0 0 0 20 0 0 0 10 0
0 40 0 0 0 0 40 0 0 0 20 0
"""


def show(stage: Any) -> Iterator[float]:
    """The motion goes onto the active skeleton, and the file has the joints that move."""
    stage.clear()
    operators: Any = bpy.ops
    with stage.in_view():
        operators.armature.secondlife_skeleton_add("EXEC_DEFAULT", True)
    yield from hands.until_still()
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "bend.bvh", Path(folder) / "bend.anim"
        source.write_text(BVH, encoding="ascii")
        yield from stage.choose_file("import_anim.animbridge_bvh", source, target="ACTIVE")
        rig = bpy.context.view_layer.objects.active
        assert len(bpy.data.armatures) == 1 and rig.animation_data.action.name == "bend"
        yield from stage.choose_file("export_anim.secondlife", out)
        data = out.read_bytes()
        assert all(f"{name}\0".encode() in data for name in ("mTorso", "mHipLeft")), data
    yield from stage.undo()
    rig = bpy.context.view_layer.objects.active
    assert rig.type == "ARMATURE" and not len(bpy.data.actions)
