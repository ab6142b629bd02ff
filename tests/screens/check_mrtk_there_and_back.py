# SPDX-License-Identifier: MIT
"""A recording as exact bones and as hands, and out again, through file browsers; then undone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import hands


def show(stage: Any) -> Iterator[float]:
    """Exact bones give the file's bytes back; hands hang on their wrists and give a file of their own."""
    stage.clear()
    source = stage.demo.parent / "mrtk" / "two_hands_v11.bin"
    with tempfile.TemporaryDirectory() as folder:
        exact, sampled = Path(folder) / "exact.bin", Path(folder) / "hands.bin"
        yield from stage.choose_file("import_anim.mrtk", source, rig="EXACT")
        rig = bpy.context.view_layer.objects.active
        assert rig.animation_data.action.name == "two_hands_v11"
        assert rig.data.bones["L_IndexTip"].parent is None
        yield from stage.choose_file("export_anim.mrtk", exact)
        assert exact.read_bytes() == source.read_bytes()
        yield from stage.undo()
        assert not len(bpy.data.actions) and not len(bpy.data.armatures)

        yield from stage.choose_file("import_anim.mrtk", source, rig="HANDS", rest="FLAT")
        rig = bpy.context.view_layer.objects.active
        assert rig.data.bones["L_IndexTip"].parent_recursive[-1].name == "L_Wrist"
        yield from stage.choose_file("export_anim.mrtk", sampled, version="V1_0")
        made = sampled.read_bytes()
        assert made[8:16] == bytes((1, 0, 0, 0, 0, 0, 0, 0)), made[:16]
        yield from stage.undo()
        assert not len(bpy.data.actions) and not len(bpy.data.armatures)

        # What was exported comes back.
        yield from stage.choose_file("import_anim.mrtk", sampled, rig="HANDS", rest="FLAT")
        assert "R_PinkyTip" in bpy.context.view_layer.objects.active.data.bones
    with stage.in_view():
        operators: Any = bpy.ops
        operators.view3d.view_selected()
    yield from hands.until_still()
