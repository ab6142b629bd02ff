# SPDX-License-Identifier: MIT
"""Documents through the binding: real files without loss, and precise errors.

What the manifest says of the fixtures is asked natively (tests/native/library/test_documents.cpp).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from material import LEVELS, READABLE, ROOT, name_of, real_files

from animbridge.document import Document, formats
from animbridge.errors import AnimBridgeError, Status

SCHEMA = ROOT / "docs" / "schemas" / "sl_anim.schema.json"


def read(data: bytes, name: str = "test.anim") -> Document:
    return Document.read(data, name, "sl_anim")


@pytest.mark.parametrize("path", real_files(), ids=name_of)
def test_real_file_survives(path: Path) -> None:
    data = path.read_bytes()
    document = Document.read_file(path)
    assert document.write() == data
    assert Document.read(document.json()).write() == data


def test_error_says_found_and_allowed() -> None:
    data = bytearray(next(case for case in READABLE if case.path.name == "base_priority_6.anim").data)
    data[0:2] = (7).to_bytes(2, "little")
    with pytest.raises(AnimBridgeError) as caught:
        read(bytes(data), "other.anim")
    error = caught.value
    assert error.code == Status.UNSUPPORTED_VERSION
    assert (error.field, error.byte_offset, error.line) == ("version", 0, None)
    assert "other.anim" in error.message and "7" in error.message and "1.0" in error.message


def test_every_truncation_is_an_error() -> None:
    data = real_files()[0].read_bytes()
    whole = read(data).info()
    for size in range(min(len(data), 600)):
        with pytest.raises(AnimBridgeError):
            read(data[:size])
    assert read(data).info() == whole


def test_json_error_has_a_line() -> None:
    with pytest.raises(AnimBridgeError) as caught:
        Document.read(b'{\n "format": "sl_anim",\n oops }', "broken.json")
    assert caught.value.line == 3
    assert "broken.json" in caught.value.message


def test_unknown_arguments() -> None:
    with pytest.raises(AnimBridgeError, match="nonsense"):
        Document.read(b"x", "x", "nonsense")
    document = Document.read_file(real_files()[0])
    with pytest.raises(AnimBridgeError, match="sometimes"):
        document.check("sometimes")
    with pytest.raises(AnimBridgeError, match="NUL"):
        Document.read_file("a\0b")
    with pytest.raises(AnimBridgeError, match=r"none\.anim") as caught:
        Document.read_file("none.anim")
    assert caught.value.code == Status.IO


def test_write_file_replaces_whole_or_not_at_all(tmp_path: Path) -> None:
    source = real_files()[0]
    document = Document.read_file(source)
    target = tmp_path / "out.anim"
    target.write_bytes(b"old")
    document.write_file(target)
    assert target.read_bytes() == source.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["out.anim"]
    with pytest.raises(AnimBridgeError, match="missing"):
        document.write_file(tmp_path / "missing" / "out.anim")
    assert [path.name for path in tmp_path.iterdir()] == ["out.anim"]


def test_names_that_are_no_ascii(tmp_path: Path) -> None:
    path = tmp_path / "Tänzerin 踊り.anim"
    path.write_bytes(real_files()[0].read_bytes())
    assert Document.read_file(path).write() == path.read_bytes()
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(AnimBridgeError, match="Tänzerin 踊り"):
        Document.read_file(path)


def test_compare_with_itself() -> None:
    document = Document.read_file(real_files()[0])
    result = document.compare(Document.read(document.write()))
    assert result["max_position_mm"] == 0
    assert result["max_rotation_degrees"] == pytest.approx(0, abs=1e-9)
    assert result["only_in_a"] == result["only_in_b"] == []


def test_formats() -> None:
    row = next(row for row in formats() if row["id"] == "sl_anim")
    assert row["extensions"] == [".anim"] and row["reads"] and row["writes"]


@pytest.mark.skipif(not SCHEMA.exists(), reason="there is no schema yet")
@pytest.mark.parametrize("path", [*real_files(), *(case.path for case in READABLE)], ids=name_of)
def test_json_follows_the_schema(path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(
        json.loads(Document.read_file(path, "sl_anim").json()), json.loads(SCHEMA.read_text())
    )


def test_the_level_is_the_formats_own_unless_one_is_named() -> None:
    anim = Document.read_file(real_files()[0])
    bvh = Document.read(b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n")
    assert (anim.check()["level"], bvh.check()["level"]) == ("upload", "playback")
    assert [anim.check(level)["level"] for level in LEVELS] == list(LEVELS)


def test_a_finding_counts_its_places_and_names_its_joints() -> None:
    case = next(case for case in READABLE if case.path.name == "joints_all_with_hud.anim")
    (finding,) = read(case.data, case.path.name).check()["findings"]
    assert (finding["count"], finding["joint_count"], len(finding["joints"])) == (8, 8, 8)
    assert finding["found"].startswith("8 joints: ") and finding["joint"] == finding["joints"][0]


def test_an_edit_reports_what_the_viewer_does_with_the_value() -> None:
    """The viewer lowers base priorities above 6; the copy has the value all the same."""
    document = read((ROOT / "fixtures" / "sl_anim" / "minimal.anim").read_bytes())
    edited, report = document.edit({"base_priority": 9})
    assert edited.write()[4:8] == b"\x09\0\0\0"
    assert [row["id"] for row in report["findings"]] == ["base_priority_clamped"]
    assert document.edit({"base_priority": 6})[1] == {"findings": []}
