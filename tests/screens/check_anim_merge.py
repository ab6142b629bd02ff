# SPDX-License-Identifier: MIT
"""A second .anim merged into the first one's Action, exported, and undone and done again after that."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy

#: Of the second file, after the walk's last key.
START = 101.0


def show(stage: Any) -> Iterator[float]:
    """The Action gets the second file's keys at its frames, and keeps its own keys and its header."""
    sys.path.insert(0, str(stage.demo.parents[1]))
    from tests.witness import anim_file, quantise

    stage.clear()
    walk, wave = stage.demo / "walk.anim", stage.demo / "wave.anim"
    yield from stage.choose_file("import_anim.secondlife", walk)
    before = keys()
    yield from stage.choose_file("import_anim.secondlife", wave, place="MERGE", frame_start=START)
    assert [action.name for action in bpy.data.actions] == ["walk"] and len(bpy.data.armatures) == 1
    merged = keys()
    assert all(set(before[path]) <= set(merged[path]) for path in before)
    added = anim_file.parse(wave.read_bytes())
    for joint in added.joints:
        seconds = quantise.decode_time(joint.rotation_keys[:, 0], added.duration)
        path = f'pose.bones["{joint.name.decode()}"].rotation_quaternion'
        frames = [frame for frame in merged[path] if frame >= START - 0.5]
        wanted = START + seconds * stage.frames_per_second
        # Keys that follow the viewer's path may stand between the file's.
        assert all(min(abs(frame - one) for frame in frames) < 0.01 for one in wanted), path
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "merged.anim"
        yield from stage.choose_file("export_anim.secondlife", out)
        written, first = (anim_file.parse(path.read_bytes()) for path in (out, walk))
        assert names(written) == names(first) | names(added)
        assert (written.base_priority, written.loop) == (first.base_priority, first.loop)
        seconds = (START - 1) / stage.frames_per_second + float(added.duration)
        assert abs(float(written.duration) - seconds) < 0.001
        # The export leaves no step: one undo takes the merge back.
        yield from stage.undo()
        assert keys() == before
        undone = Path(folder) / "undone.anim"
        yield from stage.choose_file("export_anim.secondlife", undone)
        assert undone.read_bytes() == walk.read_bytes()
    yield from stage.press_in_view("ctrl+shift+z")
    assert keys() == merged


def names(file: Any) -> set[bytes]:
    """The joints of a file."""
    return {joint.name for joint in file.joints}


def keys() -> dict[str, list[float]]:
    """The frames with keys, by path, of the only Action."""
    action: Any
    (action,) = bpy.data.actions
    holder = action.layers[0].strips[0].channelbags[0] if hasattr(action, "layers") else action
    return {
        curve.data_path: [float(point.co[0]) for point in curve.keyframe_points] for curve in holder.fcurves
    }
