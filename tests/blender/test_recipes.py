# SPDX-License-Identifier: MIT
"""What the recipes type into Blender's Python; the commands are tests/readme/test_recipes.py's."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import bpy
import pytest
from oban_support import new_camera, new_mesh, played, record_of, set_rate, shown
from pose_support import shown_in
from tests.python.material import ROOT

#: The export drops samples within its own tolerance: 1 mm, and 0.05 degrees of an object of a metre.
MOST_METRES = 0.002
FOLDER = ROOT / "docs" / "recipes"


def typed(file: str, page: str = "oni.md") -> str:
    """The recipe's lines that write this file."""
    text = (FOLDER / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (line,) = [text for language, text in blocks if language == "python" and file in text]
    return line


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Blender stands in a folder of its own, with a scene of 31 frames at the game's rate."""
    monkeypatch.chdir(tmp_path)
    set_rate(60)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 31
    return tmp_path


def keyed(thing: Any) -> Any:
    """It slides 3 m along X and turns a quarter about Z, from the first frame to the last."""
    for frame, place, turn in ((1, 0.0, 0.0), (31, 3.0, 1.5707963)):
        thing.location, thing.rotation_euler = (place, 0.0, 1.0), (0.0, 0.0, turn)
        thing.keyframe_insert("location", frame=frame)
        thing.keyframe_insert("rotation_euler", frame=frame)
    return thing


def test_the_flight(in_folder: Path) -> None:
    camera = keyed(new_camera())
    exec(typed("intro.oni"), {"bpy": bpy})
    record = record_of((in_folder / "intro.oni").read_bytes())
    for frame in range(31):
        assert abs(played(record, frame) - shown(camera, frame + 1)).max() < MOST_METRES, frame


def test_the_door_closes_as_it_opens(in_folder: Path) -> None:
    door = keyed(new_mesh())
    exec(typed("door.oni"), {"bpy": bpy})
    record = record_of((in_folder / "door.oni").read_bytes())
    assert record.half_stop_frame == 30
    for frame in range(31):
        opening, closing = played(record, frame), played(record, 60 - frame)
        assert abs(opening - closing).max() < MOST_METRES, frame
        assert abs(opening - shown(door, frame + 1)).max() < MOST_METRES, frame


def test_the_pose_that_points(in_folder: Path) -> None:
    """Only the right hand differs from the file."""
    shutil.copy(ROOT / "fixtures" / "sl_pose" / "stand.xml", in_folder)
    exec(typed("pointing.xml", "viewer-pose.md"), {"bpy": bpy})
    before, made = (shown_in((in_folder / name).read_bytes()) for name in ("stand.xml", "pointing.xml"))
    changed = {
        name for name, row in made.items() if abs(row["rotation"] - before[name]["rotation"]).max() > 0
    }
    assert "mHandMiddle2Right" in changed
    assert all(name.startswith("mHand") and name.endswith("Right") for name in changed), changed
