# SPDX-License-Identifier: MIT
"""Batches of OBANs with Blenders like this one: to .blend and back, and out of levels."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import bpy
import pytest
from batches import convert, convert_here, files_below
from oban_support import OBAN, TAIL, cases, new_mesh, odd_level, playable, raw_of, record_of
from tests.witness import oban_any

from animbridge.package import Document

LEVEL = OBAN / "level_pc.dat"
#: Those of the level, by their names.
RECORDS = {case.name: case.record for case in cases() if case.path == LEVEL}
FILES = [
    case.path for case in playable() if case.kind == "oni" or case.path.stem in ("xml_swing", "xml_door")
]


@pytest.mark.parametrize("options", [(), ("--fps", "29.97", "--frame-start", "10")], ids=str)
def test_oni_to_blend_to_oni(options: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for path in FILES:
        shutil.copy(path, source)
    code, rows = convert_here(source, "--to", "blend", "--out", tmp_path / "blend", *options)
    assert code == 0 and len(rows) == len(FILES)
    for suffix in ("oni", "xml"):
        paths = [path for path in FILES if path.suffix == f".{suffix}"]
        inputs = [tmp_path / "blend" / f"{path.stem}.blend" for path in paths]
        code, rows = convert_here(*inputs, "--to", suffix, "--out", tmp_path / suffix)
        assert code == 0 and len(rows) == len(paths) > 0
        for path, row in zip(paths, rows, strict=True):
            assert (tmp_path / suffix / path.name).read_bytes() == path.read_bytes(), path.name
            assert row["max_position_error_mm"] < 1e-3


def test_the_blend_file_has_the_games_rate(tmp_path: Path) -> None:
    code, _ = convert_here(OBAN / "swing.oban", "--to", "blend", "--out", tmp_path / "out")
    assert code == 0
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / "swing.blend"))
    scene = bpy.context.scene
    assert (scene.render.fps, scene.render.fps_base) == (60, 1)
    assert (scene.frame_start, scene.frame_end) == (
        1,
        record_of((OBAN / "swing.oban").read_bytes()).frame_count,
    )
    thing: Any = bpy.data.objects["swing"]
    assert thing.animation_data.action.name == "swing"


def test_every_oban_of_a_level(tmp_path: Path) -> None:
    code, rows = convert_here(LEVEL, "--to", "blend", "--out", tmp_path / "out")
    assert code == 0 and len(rows) == len(RECORDS)
    assert set(files_below(tmp_path / "out")) == {f"level_pc/{name}.blend" for name in RECORDS}


def test_odd_names_of_a_level(tmp_path: Path) -> None:
    """Files get names that every file system holds; what lies behind the keys comes back."""
    level = odd_level(tmp_path)
    code, rows = convert_here(level, "--to", "blend", "--out", tmp_path / "blend")
    names = ["XXANdelta", "#1", "slash_name", "tail"]
    assert code == 0 and [Path(row["output"]).stem for row in rows] == names
    assert set(files_below(tmp_path / "blend")) == {f"{level.stem}/{name}.blend" for name in names}
    tail = tmp_path / "blend" / level.stem / "tail.blend"
    assert convert_here(tail, "--to", "json", "--out", tmp_path / "back")[0] == 0
    told = json.loads((tmp_path / "back" / "tail.json").read_text())
    assert told["record"]["tail_hex"] == TAIL.hex()


def test_a_level_without_any(tmp_path: Path) -> None:
    code, rows = convert_here(OBAN / "level_no_oban.dat", "--to", "blend", "--out", tmp_path / "out")
    assert code == 1 and "level_no_oban.dat" in rows[0]["error"]


def test_a_level_as_json_is_no_animation(tmp_path: Path) -> None:
    source = tmp_path / "level.json"
    source.write_bytes(Document.read_file(LEVEL).json())
    code, rows = convert_here(source, "--to", "blend", "--out", tmp_path / "out")
    assert code == 1
    assert rows[0]["error"] == "level.json: Blender cannot show documents of the format oban_level."


def test_objects_of_a_scene(tmp_path: Path) -> None:
    """Every object that an Action moves, by the Actions' names; armatures and bystanders are left out."""
    for name, last in (("Gate", 9), ("Lift", 17)):
        thing = new_mesh(name)
        for frame, height in ((1, 0.0), (last, 2.0)):
            thing.location.z = height
            thing.keyframe_insert("location", frame=frame)
        thing.animation_data.action.name = f"{name} moves"
    new_mesh("Bystander")
    bpy.context.scene.render.fps = 60
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    code, rows = convert_here(tmp_path / "scene.blend", "--to", "oni", "--out", tmp_path / "out")
    assert code == 0 and len(rows) == 2
    for name, last in (("Gate", 9), ("Lift", 17)):
        file = oban_any.read((tmp_path / "out" / f"{name} moves.oni").read_bytes())
        assert file.found[0].record.frame_count == last
        assert file.found[0].name == f"OBAN{name} moves".encode()
    assert all(row["max_position_error_mm"] <= 1 for row in rows)


def test_a_scene_without_any(tmp_path: Path) -> None:
    new_mesh()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    code, rows = convert_here(tmp_path / "scene.blend", "--to", "oni", "--out", tmp_path / "out")
    assert code == 1 and "no Action moves an object" in rows[0]["error"]


def test_an_imported_object_as_json(tmp_path: Path) -> None:
    convert_here(OBAN / "swing.oban", "--to", "blend", "--out", tmp_path / "blend")
    code, _ = convert_here(tmp_path / "blend" / "swing.blend", "--to", "json", "--out", tmp_path / "out")
    assert code == 0
    told = json.loads((tmp_path / "out" / "swing.json").read_text())
    assert told["format"] == "oban"
    code, _ = convert(tmp_path / "out" / "swing.json", "--to", "oni", "--out", tmp_path / "oni")
    assert code == 0
    found = record_of((tmp_path / "oni" / "swing.oni").read_bytes())
    assert raw_of(found)[0x14:] == (OBAN / "swing.oban").read_bytes()[0x14:]
