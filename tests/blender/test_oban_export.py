# SPDX-License-Identifier: MIT
"""Imported OBANs out again: untouched the same bytes, and what was edited and nothing else where it was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest
from helpers import operators, refused, reported
from oban_curves_support import curves_of, moved_key
from oban_support import (
    OBAN,
    TAIL,
    Case,
    activate,
    assert_near,
    export_oban,
    frames_of,
    import_oban,
    new_camera,
    new_empty,
    new_mesh,
    odd_level,
    playable,
    played,
    raw_of,
    record_of,
    set_rate,
)
from tests.witness import oban_any, oban_container, oban_oni

SWING = OBAN / "swing.oban"
DOOR = OBAN / "door.oban"
SHEARED = OBAN / "base_sheared_mirror.oban"
CREATED = OBAN / "oni_created.oni"
SUFFIXES = {"raw": ".oban", "dat": ".oban", "oni": ".oni", "xml": ".xml"}


def same_bytes(case: Case) -> bytes:
    """What an untouched import must give: the file, or out of a level the record."""
    return raw_of(case.record) if case.kind == "dat" else case.path.read_bytes()


@pytest.mark.parametrize("axes", ["FILE", "BLENDER"])
@pytest.mark.parametrize("case", playable(), ids=str)
def test_untouched_is_the_same_bytes(case: Case, axes: str, tmp_path: Path) -> None:
    set_rate(60)
    new_mesh()
    import_oban(case.path, axes=axes, **case.options)
    assert export_oban(tmp_path / f"out{SUFFIXES[case.kind]}") == same_bytes(case)


@pytest.mark.parametrize("rate", [24, 30, 29.97])
@pytest.mark.parametrize("case", [c for c in playable() if c.kind in ("oni", "raw")], ids=str)
def test_untouched_at_other_rates(case: Case, rate: float, tmp_path: Path) -> None:
    set_rate(rate)
    import_oban(case.path, target="CAMERA", frame_start=7.5)
    assert export_oban(tmp_path / f"out{SUFFIXES[case.kind]}") == same_bytes(case)


@pytest.mark.parametrize("name", ["swing.oban", "door.oban", "scale_1_82.oban", "base_sheared_mirror.oban"])
def test_untouched_samples_are_the_same_bytes(name: str, tmp_path: Path) -> None:
    set_rate(60)
    new_mesh()
    import_oban(OBAN / name)
    assert export_oban(tmp_path / "out.oban", method="SAMPLES") == (OBAN / name).read_bytes()


def test_untouched_after_saving_and_loading(tmp_path: Path) -> None:
    new_mesh()
    import_oban(SHEARED)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert export_oban(tmp_path / "out.oban") == SHEARED.read_bytes()


def test_the_parent_that_carries_stands_for_its_object(tmp_path: Path) -> None:
    thing = new_mesh()
    import_oban(SHEARED)
    activate(thing.parent)
    assert export_oban(tmp_path / "out.oban") == SHEARED.read_bytes()
    activate(thing, thing.parent)
    operators.export_anim.oni(filepath=f"{tmp_path}/x.oban", objects="SELECTED")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Thing.oban", "out.oban"]


def test_an_edited_key_alone_changes(tmp_path: Path) -> None:
    set_rate(60)
    thing = new_mesh()
    import_oban(SWING)
    moved_key(curves_of(thing)["location", 2], 1, 0.5)
    found, before = record_of(export_oban(tmp_path / "out.oban")), record_of(SWING.read_bytes())
    assert [key.time for key in found.keys] == [key.time for key in before.keys]
    assert [key.rotation_bits for key in found.keys] == [key.rotation_bits for key in before.keys]
    for index, (new, old) in enumerate(zip(found.keys, before.keys, strict=True)):
        x, y, z = old.position_bits
        assert (new.position_bits[0], new.position_bits[2]) == (x, z)
        assert (new.position_bits[1] == y) == (index != 1)
    key = before.keys[1]
    assert_near(
        played(found, key.time)[0], played(before, key.time)[0] + (0.0, 0.0, 0.5), "half a metre upward"
    )
    found.keys, before.keys = [], []
    assert found == before


def test_header_values_are_edited_on_the_action(tmp_path: Path) -> None:
    thing = new_mesh()
    import_oban(SWING)
    oni = thing.animation_data.action.oni
    oni.normal_loop, oni.autostart, oni.frame_length, oni.half_stop_frame = True, True, 80, 12
    found, before = record_of(export_oban(tmp_path / "out.oban")), record_of(SWING.read_bytes())
    assert (found.flags, found.frame_length, found.half_stop_frame) == (before.flags | 9, 80, 12)
    assert found.keys == before.keys and found.base_bits == before.base_bits


def test_unknown_flags_stay_beside_edited_ones(tmp_path: Path) -> None:
    new_mesh()
    thing = import_oban(OBAN / "flags_unknown.oban")
    flags = record_of((OBAN / "flags_unknown.oban").read_bytes()).flags
    thing.animation_data.action.oni.random_start_frame = not flags & 4
    assert record_of(export_oban(tmp_path / "out.oban")).flags == flags ^ 4
    thing.animation_data.action.oni.other_flags = "a door"
    with refused("Other Flags", "a door"):
        operators.export_anim.oni(filepath=str(tmp_path / "no.oban"))
    assert not (tmp_path / "no.oban").exists()


def test_the_extension_chooses_the_container(tmp_path: Path) -> None:
    new_mesh()
    import_oban(SWING)
    kinds = {"a.oni": "oni", "a.xml": "xml", "a.oban": "raw", "a.bin": "raw"}
    for name, kind in kinds.items():
        assert oban_any.kind_of(export_oban(tmp_path / name)) == kind
    assert oban_any.kind_of(export_oban(tmp_path / "b.oban", container="ONI")) == "oni"
    before = record_of(SWING.read_bytes())
    assert record_of((tmp_path / "a.xml").read_bytes()).keys == before.keys
    found = record_of((tmp_path / "a.oni").read_bytes())
    assert (found.keys, found.base_bits, found.flags) == (before.keys, before.base_bits, before.flags)


def test_a_new_oni_is_named_after_its_file_or_as_the_panel_says(tmp_path: Path) -> None:
    new_mesh()
    thing = import_oban(SWING)
    for stem, name in (("gate", b"OBANgate"), ("OBANgate", b"OBANgate")):
        file = oban_any.read(export_oban(tmp_path / f"{stem}.oni"))
        assert file.found[0].name == name
    thing.animation_data.action.oni.oban_name = "other"
    assert oban_any.read(export_oban(tmp_path / "gate.oni")).found[0].name == b"OBANother"
    with refused("name"):
        thing.animation_data.action.oni.oban_name = "t\u00fcr"
        operators.export_anim.oni(filepath=str(tmp_path / "no.oni"))
    assert not (tmp_path / "no.oni").exists()


def test_a_record_of_a_level_keeps_its_name_as_oni(tmp_path: Path) -> None:
    case = next(case for case in playable() if case.path.name == "level_pc.dat")
    new_mesh()
    import_oban(case.path, oban=case.name)
    file = oban_any.read(export_oban(tmp_path / "out.oni"))
    assert file.found[0].name == f"OBAN{case.name}".encode()
    assert file.found[0].record.keys == case.record.keys


#: What is around the record: bytes behind it, another checksum and order of the blocks, no name, tables' own.
AROUND = ["oni_trailing", "oni_mac", "oni_older", "oni_exported", "oni_gaps", "oni_flags_junk", "oni_unnamed"]


def two_instances() -> bytes:
    """A .oni with another instance, which is no OBAN, behind the first."""
    data = CREATED.read_bytes()
    container = oban_container.parse(data)
    record = container.instances[0]
    other = replace(record, tag=b"MATC", data_offset=record.data_offset + record.data_size, data_size=32)
    header = replace(
        container.header,
        instance_count=2,
        data_offset=len(data),
        data_size=record.data_size + 32,
    )
    start = container.start_of(0)
    tables = header.pack() + replace(record, data_offset=8).pack()
    tables += replace(other, data_offset=8 + record.data_size, flags=1).pack()
    block = data[start : start + record.data_size] + bytes(range(32))
    name = container.name_of(0) or b""
    header = replace(header, name_offset=len(tables), name_size=len(name) + 1)
    named = (tables + name).ljust(oban_container.aligned(len(tables) + len(name) + 1), b"\0")
    header = replace(header, data_offset=len(named))
    return header.pack() + named[64:] + block


def around(data: bytes) -> tuple[object, ...]:
    """What a file has besides the record's keys; sizes and places apart, which follow them."""
    container = oban_container.parse(data)
    instances = [
        (one.tag, one.flags, container.name_of(index)) for index, one in enumerate(container.instances)
    ]
    first, header = container.record(0), container.header
    end = container.start_of(0) + container.instances[0].data_size
    ids = (first.res_id, first.lev_id, first.padding)
    return header.checksum, header.reserved, instances, ids, data[end:], container.start_of(0)


@pytest.mark.parametrize("is_shorter", [False, True], ids=["moved", "removed"])
@pytest.mark.parametrize("name", [*AROUND, "two"])
def test_what_is_around_an_edited_record_stays(name: str, is_shorter: bool, tmp_path: Path) -> None:
    """A key is moved, or one is removed: the file is shorter by it then."""
    set_rate(60)
    path = tmp_path / "in.oni"
    path.write_bytes(two_instances() if name == "two" else (OBAN / f"{name}.oni").read_bytes())
    before = oban_container.parse(path.read_bytes()).record(0)
    thing = new_mesh()
    import_oban(path)
    for curve in curves_of(thing).values():
        if is_shorter:
            curve.keyframe_points.remove(curve.keyframe_points[1])
    moved_key(curves_of(thing)["location", 0], 0, 0.5)
    data = export_oban(tmp_path / "out.oni")
    found = oban_container.parse(data).record(0)
    assert len(found.keys) == len(before.keys) - is_shorter
    assert found.keys[0].position_bits[1:] == before.keys[0].position_bits[1:]
    assert around(data) == around(path.read_bytes())


def test_bytes_behind_the_keys_of_a_levels_record(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """They live in the scene and in a .oni; a record alone cannot have any, and the report says so."""
    new_mesh()
    import_oban(odd_level(tmp_path), oban="tail")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    found = oban_any.read(export_oban(tmp_path / "out.oni")).found[0]
    assert (found.name, found.record.tail) == (b"OBANtail", TAIL)
    reported(capfd)
    assert record_of(export_oban(tmp_path / "out.oban")).keys == record_of(SWING.read_bytes()).keys
    assert "bytes after the keys are left out" in reported(capfd)


def test_a_name_is_edited_in_an_imported_oni(tmp_path: Path) -> None:
    new_mesh()
    thing = import_oban(CREATED)
    before = oban_any.read(CREATED.read_bytes()).found[0]
    assert thing.animation_data.action.oni.oban_name == (before.name or b"").decode().removeprefix("OBAN")
    thing.animation_data.action.oni.oban_name = "renamed"
    found = oban_any.read(export_oban(tmp_path / "x.oni")).found[0]
    assert found.name == b"OBANrenamed" and found.record.keys == before.record.keys


def test_several_objects_are_named_after_them(tmp_path: Path) -> None:
    for path in (SWING, DOOR):
        import_oban(path, target="EMPTY")
    activate(*bpy.data.objects)
    assert operators.export_anim.oni(
        filepath=f"{tmp_path}/any.oban", objects="SELECTED", report_path=f"{tmp_path}/report.json"
    ) == {"FINISHED"}
    assert (tmp_path / "swing.oban").read_bytes() == SWING.read_bytes()
    assert (tmp_path / "door.oban").read_bytes() == DOOR.read_bytes()
    rows = json.loads((tmp_path / "report.json").read_text())["files"]
    assert [Path(row["file"]).name for row in rows] == ["door.oban", "swing.oban"]
    assert all(row["max_position_error_mm"] < 1e-3 and not row["sampled_because"] for row in rows)


def test_one_that_fails_leaves_no_half_of_the_files(tmp_path: Path) -> None:
    import_oban(SWING, target="EMPTY")
    bad = new_empty("Bad")
    for frame, scale in ((1, 1.0), (20, 2.0)):
        bad.scale = (scale, scale, scale)
        bad.keyframe_insert("scale", frame=frame)
    activate(*bpy.data.objects)
    with refused("Bad", "frame"):
        operators.export_anim.oni(filepath=f"{tmp_path}/any.oban", objects="SELECTED")
    assert not list(tmp_path.iterdir())


def test_the_report(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    new_camera()
    import_oban(OBAN / "camera_steep.oban")
    reported(capfd)
    export_oban(tmp_path / "out.oni", report_text=True)
    told = reported(capfd)
    assert "cm_anim" in told and "mm" in told and "degrees" in told and "keys" in told
    text = bpy.data.texts["AnimBridge Export"].as_string()
    assert "cm_anim both out" in text and "largest error" in text and "in the level's script:" in text


@pytest.mark.parametrize(
    ("make", "role", "line"),
    [
        (new_empty, "AUTO", "env_setanim"),
        (new_empty, "CAMERA", "cm_anim both"),
        (new_camera, "AUTO", "cm_anim both"),
        (new_camera, "OBJECT", "env_setanim"),
    ],
)
def test_the_script_is_that_of_the_role(make: Any, role: str, line: str, tmp_path: Path) -> None:
    """An empty may stand for a camera, whose axes are the file's whatever is asked; the file is the same."""
    make()
    import_oban(OBAN / "camera_steep.oban")
    axes = "BLENDER" if role == "CAMERA" else "IMPORTED"
    export_oban(tmp_path / "out.oban", role=role, axes=axes, report_text=True)
    text = bpy.data.texts["AnimBridge Export"].as_string()
    others = {"env_setanim", "cm_anim both"} - {line}
    assert line in text and not any(other in text for other in others)
    assert (tmp_path / "out.oban").read_bytes() == (OBAN / "camera_steep.oban").read_bytes()


def test_nothing_to_export(tmp_path: Path) -> None:
    with refused("No object is active"):
        operators.export_anim.oni(filepath=str(tmp_path / "x.oni"))
    new_empty().select_set(False)
    with refused("No object is selected"):
        operators.export_anim.oni(filepath=str(tmp_path / "x.oni"), objects="SELECTED")
    assert not list(tmp_path.iterdir())


def test_a_name_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    new_mesh()
    import_oban(SWING)
    with refused("nowhere"):
        operators.export_anim.oni(filepath=str(tmp_path / "nowhere" / "x.oban"))


def test_a_damaged_file_kept_with_the_action_is_told(tmp_path: Path) -> None:
    new_mesh()
    thing = import_oban(SWING)
    kept: Any = thing.animation_data.action["animbridge"]
    kept["source"] = b"nothing"
    with refused("damaged"):
        operators.export_anim.oni(filepath=str(tmp_path / "x.oban"))


def test_another_rate_plays_at_another_speed(tmp_path: Path) -> None:
    """As Blender shows it: at half the rate the file is twice as long."""
    set_rate(60)
    new_mesh()
    import_oban(SWING)
    set_rate(30)
    found, before = record_of(export_oban(tmp_path / "out.oban")), record_of(SWING.read_bytes())
    assert found.frame_count == 2 * before.frame_count - 1
    for frame in frames_of(before):
        assert_near(played(found, 2 * frame), played(before, frame), frame)


def test_created_files_are_what_the_specification_says(tmp_path: Path) -> None:
    """A new .oni of a record, byte for byte as the witness writes it."""
    new_mesh()
    import_oban(SWING)
    data = export_oban(tmp_path / "gate.oni")
    assert data == oban_oni.create(record_of(data), "OBANgate")
