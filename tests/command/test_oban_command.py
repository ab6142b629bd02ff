# SPDX-License-Identifier: MIT
"""What the command makes of OBAN files, against the witness: every fixture of one animation."""

from __future__ import annotations

import json
import struct
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from material import ROOT
from tests.witness import oban_any, oban_oni, oban_player, oban_xml
from tests.witness.oban_check import container_findings, findings, is_playable
from tests.witness.oban_file import FLAG_NAMES, KNOWN_FLAGS, Record, bits_of, write

COMMAND = ROOT / "build" / "bin" / "animbridge"
FOLDER = ROOT / "fixtures" / "oban"
SCHEMA = ROOT / "docs" / "schemas" / "oban.schema.json"
ROWS: list[dict[str, Any]] = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["files"]
FILES = [row for row in ROWS if not row["file"].endswith(".dat")]
READABLE = [FOLDER / row["file"] for row in FILES if row["read"] == "ok"]
#: Text that says of itself that it is something else is taken for that.
REFUSED = [row for row in FILES if row["read"] != "ok" and row["file"] not in ("bvh.oban", "text.oban")]
TIMES = (0.0, 0.25, 1 / 3, 0.5, 1.0, 100.0)
TAG = "OBAN"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    words = [str(argument) for argument in arguments]
    return subprocess.run([COMMAND, *words], check=False, capture_output=True, text=True, timeout=60)


def told(*arguments: object) -> Any:
    """What it prints as JSON; check exits with 1 when something is rejected."""
    answer = run(*arguments, "--json")
    assert answer.returncode in (0, 1) and not answer.stderr, answer.stderr
    return json.loads(answer.stdout)


def name_of(path: Any) -> str:
    """A test's name."""
    return str(path.relative_to(FOLDER) if isinstance(path, Path) else path["file"])


def witnessed(path: Path) -> tuple[oban_any.File, Record]:
    """The file and its record, as the witness reads them."""
    file = oban_any.read(path.read_bytes())
    return file, file.found[0].record


def stored_name(path: Path) -> str | None:
    """The name without its tag, as the command shows it; None where it is not plain."""
    name = oban_any.read(path.read_bytes()).found[0].name or b""
    return name.removeprefix(TAG.encode()).decode() if name.isascii() else None


def bits_in(value: Any) -> int:
    """A float of the JSON as its bits."""
    return int(value["bits"], 16) if isinstance(value, dict) else bits_of(value)


@pytest.mark.parametrize("path", READABLE, ids=name_of)
def test_info(path: Path) -> None:
    file, record = witnessed(path)
    info = told("info", path)
    assert info["container"] == file.kind
    assert info["keys"] == len(record.keys)
    assert info["flags"] == [text for bit, text in sorted(FLAG_NAMES.items()) if record.flags & bit]
    assert info["unknown_flags"] == record.flags & ~KNOWN_FLAGS
    assert info["duration_seconds"] == oban_player.last_frame(record) / 60
    fields = ("frame_count", "frame_length", "half_stop_frame", "res_id", "lev_id")
    assert {name: info[name] for name in fields} == {name: getattr(record, name) for name in fields}
    around = ("name", "layout")
    assert [name for name in info["lost_in_xml"] if name not in around] == oban_xml.left_behind(record)
    if (name := stored_name(path)) is not None:
        assert info["name"] == name


@pytest.mark.parametrize("path", READABLE, ids=name_of)
def test_check(path: Path) -> None:
    file, record = witnessed(path)
    expected = findings(record) + (container_findings(file.container) if file.container else [])
    found = told("check", path, "--level", "strict")["files"][0]["findings"]
    assert [(row["id"], row["class"]) for row in found] == [(row.id, row.severity) for row in expected]
    keys = [row.place.partition("]")[0].removeprefix("keys[") for row in expected]
    assert [row["key"] for row in found] == [int(key) if key.isdigit() else -1 for key in keys]
    severe = [(row.id, row.severity) for row in expected if row.severity != "advice"]
    found = told("check", path, "--level", "playback")["files"][0]["findings"]
    assert [(row["id"], row["class"]) for row in found] == severe


@pytest.mark.parametrize("path", READABLE, ids=name_of)
def test_json_has_every_bit_and_comes_back(path: Path, tmp_path: Path) -> None:
    _, record = witnessed(path)
    between = tmp_path / "between.json"
    assert run("convert", path, between).returncode == 0
    data = json.loads(between.read_text(encoding="utf-8"))
    stored = data["record"]
    assert tuple(map(bits_in, stored["initial_transform"])) == record.initial_bits
    assert tuple(map(bits_in, stored["base_transform"])) == record.base_bits
    rows = [(key.time, *key.rotation_bits, *key.position_bits) for key in record.keys]
    assert [(row[0], *map(bits_in, row[1:])) for row in stored["keys"]] == rows
    assert bytes.fromhex(stored["padding_hex"]) == record.padding
    assert bytes.fromhex(stored["tail_hex"]) == record.tail
    back = tmp_path / f"back{path.suffix}"
    # What the game or OniSplit refuses is written all the same, with an exit code of its own.
    assert run("convert", between, back).returncode == (0 if is_playable(record) else 3)
    if path.suffix == ".xml":
        assert back.read_bytes() == oban_xml.write(record)
    else:
        assert back.read_bytes() == path.read_bytes()
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(data, json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", READABLE, ids=name_of)
def test_containers(path: Path, tmp_path: Path) -> None:
    file, record = witnessed(path)
    raw, text, new = tmp_path / "new.oban", tmp_path / "new.xml", tmp_path / "new.oni"
    answers = {target: run("convert", path, target, "--json") for target in (raw, text, new)}
    assert raw.read_bytes() == write(replace(record, tail=b""))
    assert text.read_bytes() == oban_xml.write(record)
    left = json.loads(answers[text].stdout)["left_behind"]
    expected = oban_xml.left_behind(record) if file.kind != "xml" else []
    assert [name for name in left if name not in ("name", "layout")] == expected
    name = stored_name(path)
    if file.kind == "oni":
        assert new.read_bytes() == path.read_bytes()
    elif name is not None:
        assert new.read_bytes() == oban_oni.create(record, name or "new")


@pytest.mark.parametrize("path", READABLE, ids=name_of)
def test_pose(path: Path) -> None:
    _, record = witnessed(path)
    if not is_playable(record):
        assert run("pose", path, *TIMES).returncode == 1
        return
    for seconds, row in zip(TIMES, told("pose", path, *TIMES)["poses"], strict=True):
        frame = oban_player.looped_frame(record, seconds * 60)
        assert row["frame"] == pytest.approx(frame, abs=1e-9)
        expected = oban_player.transform(record, row["frame"])
        size = max(map(abs, expected))
        assert row["matrix"] == pytest.approx(list(expected), rel=1e-12, abs=1e-12 * size)
        x, y, z, w = oban_player.pose(record, row["frame"]).rotation
        assert row["rotation_wxyz"] == pytest.approx([w, x, y, z], abs=1e-12)


@pytest.mark.parametrize("row", REFUSED, ids=name_of)
def test_refused(row: dict[str, Any]) -> None:
    answer = run("info", FOLDER / row["file"])
    assert answer.returncode == 1
    if not (FOLDER / row["file"]).stat().st_size:
        assert "the file is empty; allowed here is: Oni object animation" in answer.stderr
        return
    assert f"{row['error_field']}: " in answer.stderr
    if row["error_offset"] is not None:
        assert f"byte {row['error_offset']}: " in answer.stderr


def test_floats_of_the_json_are_those_of_the_file() -> None:
    """bits_in undoes what the command prints, for a number that two roundings would get wrong."""
    value = struct.unpack("<f", struct.pack("<I", 0x3DCCCCCD))[0]
    assert bits_in(value) == 0x3DCCCCCD
