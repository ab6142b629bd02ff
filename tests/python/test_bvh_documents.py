# SPDX-License-Identifier: MIT
"""BVH: what the library reads is, value for value, what the witness reads; its text is read alike by both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from material import BVH, ROOT, bvh_samples
from tests.witness import bvh_file

from animbridge.document import Document
from animbridge.errors import AnimBridgeError

DIALECTS = sorted((BVH / "dialects").glob("*.bvh"))
HOSTILE = sorted((BVH / "hostile").glob("*.bvh"))
SAMPLES = bvh_samples()
SCHEMA = ROOT / "docs" / "schemas" / "bvh.schema.json"


def facts(path: Path) -> dict[str, Any]:
    """What lies beside a fixture."""
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


def exact(value: Any) -> str:
    """A text in which two doubles are equal only if their bits are; 0.0 and -0.0 differ."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {exact(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(exact, value)) + "]"
    return repr(float(value)) if isinstance(value, float) else repr(value)


def values_of(document: Document) -> str:
    """The document's content, as `expected_of` spells it."""
    data = json.loads(document.json())
    assert data["frame_count"] == len(data["motion"])
    return expected_of(
        {"joints": data["joints"], "frame_time": data["frame_time_seconds"], "motion": data["motion"]}
    )


def expected_of(data: dict[str, Any]) -> str:
    """Joints, frame time and motion, exactly."""
    return exact({key: data[key] for key in ("joints", "frame_time", "motion")})


def witnessed(text: bytes) -> str:
    """The values that the witness reads in a text."""
    return expected_of(json.loads(json.dumps(bvh_file.parse(text).as_json())))


@pytest.mark.parametrize("path", DIALECTS, ids=lambda path: path.stem)
def test_dialect_is_read_value_for_value(path: Path) -> None:
    document = Document.read(path.read_bytes(), path.name)
    assert document.format == "bvh"
    assert values_of(document) == expected_of(facts(path))


@pytest.mark.parametrize("path", DIALECTS, ids=lambda path: path.stem)
def test_dialect_is_read_strictly_or_not(path: Path) -> None:
    expected = facts(path)
    if expected["strict"] == "ok":
        assert values_of(Document.read(path.read_bytes(), path.name, strict=True)) == expected_of(expected)
        return
    with pytest.raises(AnimBridgeError) as caught:
        Document.read(path.read_bytes(), path.name, strict=True)
    assert path.name in caught.value.message


@pytest.mark.parametrize("path", DIALECTS, ids=lambda path: path.stem)
def test_written_text_has_the_same_values(path: Path) -> None:
    document = Document.read(path.read_bytes(), path.name)
    text = document.write()
    assert witnessed(text) == expected_of(facts(path))
    assert Document.read(text, path.name).write() == text


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_hostile_file_is_refused_with_its_place(path: Path) -> None:
    with pytest.raises(AnimBridgeError) as caught:
        Document.read(path.read_bytes(), path.name, "bvh", strict=True)
    assert path.name in caught.value.message


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_hostile_file_read_leniently(path: Path) -> None:
    data = path.read_bytes()
    expected = facts(path)["lenient"]
    if expected == "ok":
        assert values_of(Document.read(data, path.name)) == witnessed(data)
        return
    try:
        document = Document.read(data, path.name, "bvh")
    except AnimBridgeError:
        return
    assert expected == "either"
    assert json.loads(document.json())["notes"], "what a strict reader refuses is told"
    assert Document.read(document.write(), path.name).write() == document.write()


@pytest.mark.skipif(not SAMPLES, reason="ANIMBRIDGE_SAMPLES names no folder")
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_sample_value_for_value_and_back(path: Path) -> None:
    data = path.read_bytes()
    document = Document.read(data, path.name)
    assert values_of(document) == witnessed(data)
    text = document.write()
    assert witnessed(text) == witnessed(data)
    assert Document.read(text, path.name).write() == text


@pytest.mark.parametrize("path", [*DIALECTS, *SAMPLES], ids=lambda path: path.stem)
def test_json_is_the_whole_document(path: Path) -> None:
    document = Document.read(path.read_bytes(), path.name)
    again = Document.read(document.json(), path.stem + ".json")
    assert again.json() == document.json()
    assert again.write() == document.write()


@pytest.mark.parametrize("path", [*DIALECTS, *SAMPLES], ids=lambda path: path.stem)
def test_json_follows_the_schema(path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    document = Document.read(path.read_bytes(), path.name)
    jsonschema.validate(json.loads(document.json()), json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_json_of_what_lenient_reading_takes_follows_the_schema(path: Path) -> None:
    """With notes, and with names that are not UTF-8."""
    jsonschema = pytest.importorskip("jsonschema")
    data = path.read_bytes().replace(b"chest", b"br\xfcste")
    try:
        document = Document.read(data, path.name, "bvh")
    except AnimBridgeError:
        return
    jsonschema.validate(json.loads(document.json()), json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "change",
    [
        {"format": "sl_anim"},
        {"frame_count": -1},
        {"motion": [["1"]]},
        {"joints": [{}]},
        {"notes": [{"rule": "frame_incomplete", "line": -2, "found": ""}]},
        {"unit": "cm"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_schema_and_reader_refuse_alike(change: dict[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    data = json.loads(Document.read_file(BVH / "dialects" / "newline_lf.bvh").json()) | change
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, json.loads(SCHEMA.read_text(encoding="utf-8")))
    with pytest.raises(AnimBridgeError):
        Document.read(json.dumps(data).encode(), "changed.json")


@pytest.mark.parametrize("path", DIALECTS, ids=lambda path: path.stem)
def test_truncation_never_gives_other_joints(path: Path) -> None:
    """A cut file is an error, or has the first joints and frames of the whole one."""
    data = path.read_bytes()
    whole = facts(path)
    for size in range(0, len(data), max(1, len(data) // 60)):
        try:
            document = Document.read(data[:size], path.name, "bvh")
        except AnimBridgeError:
            continue
        read = json.loads(document.json())
        there = [joint["name"] for joint in read["joints"]]
        assert there == [joint["name"] for joint in whole["joints"]][: len(there)]
        assert len(read["motion"]) <= len(whole["motion"])


def test_the_plainest_joints_read_back_however_many() -> None:
    """Text bounds the number of joints; what is written is within that bound."""
    text = (
        b"HIERARCHY\n" + b"ROOT\n{\n}\n" * 10_000 + b" " * 300_000 + b"MOTION\nFrames: 0\nFrame Time: 0.1\n"
    )
    document = Document.read(text, "many.bvh")
    written = document.write()
    assert Document.read(written, "again.bvh").write() == written
