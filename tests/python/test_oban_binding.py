# SPDX-License-Identifier: MIT
"""The Python functions for OBANs, without Blender: values are the manifest's, which the witness wrote."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from material import ROOT

from animbridge import oban
from animbridge.curves import Curve, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status

OBAN = ROOT / "fixtures" / "oban"
ROWS = json.loads((OBAN / "manifest.json").read_text(encoding="utf-8"))["blender"]
SWING = OBAN / "swing.oban"
LEVEL = OBAN / "level_pc.dat"
TIMING = Timing(60.0, 1.0)


def curves_of(name: str, axes: str = "file", timing: Timing = TIMING) -> oban.ObanCurves:
    return oban.ObanCurves(Document.read_file(OBAN / name), timing, {"axes": axes})


@pytest.mark.parametrize("axes", ["file", "blender"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['file']}@{row['time']}")
def test_keys_are_where_the_specification_says(row: dict[str, Any], axes: str) -> None:
    curves = list(curves_of(row["file"], axes))
    assert [curve.component for curve in curves] == [0, 1, 2, 0, 1, 2, 3]
    frames = curves[0].co[:, 0].tolist()
    index = frames.index(1 + row["time"])
    values = np.array([curve.co[index, 1] for curve in curves])
    assert values[:3] == pytest.approx(row["location"], rel=1e-6, abs=1e-6)
    wanted = row["rotation_raw_axes" if axes == "file" else "rotation_converted"]
    turn = values[3:] * np.sign(np.dot(values[3:], wanted))
    assert turn == pytest.approx(wanted, abs=1e-6)


def test_curves_and_back_are_the_same_bytes() -> None:
    document = Document.read_file(SWING)
    curves = [Curve(-1, one.channel, one.component, one.co) for one in curves_of("swing.oban")]
    options = {"axes": "file", "container": "raw"}
    found, report = oban.document_from_curves(TIMING, curves, options, document)
    assert found.write() == SWING.read_bytes()
    assert report["keys"] == len(curves[0].co)


def test_keys_between_frames_ask_for_samples() -> None:
    document = Document.read_file(SWING)
    curves = [Curve(-1, one.channel, one.component, one.co) for one in curves_of("swing.oban")]
    moved = [
        Curve(-1, one.channel, one.component, one.co + np.array((0.3, 0.0), np.float32)) for one in curves
    ]
    with pytest.raises(AnimBridgeError) as caught:
        oban.document_from_curves(TIMING, moved, {"axes": "file"}, document)
    assert caught.value.code is Status.INVALID_ARGUMENT


def test_samples_that_stand_still() -> None:
    matrices = np.tile(np.eye(4, dtype=np.float32).ravel(), (5, 1))
    document, report = oban.document_from_samples(matrices, {"axes": "file", "name": "still"})
    assert report["frames"] == 5 and report["keys"] <= 2
    assert oban.name_of(document.info()) == "still"


def test_a_level_and_what_is_in_it() -> None:
    level = Document.read_file(LEVEL)
    assert level.format == oban.LEVEL_FORMAT
    names = oban.level_names(level)
    assert len(names) > 1
    first = oban.oban_from_level(level, names[0])
    assert first.format == oban.OBAN_FORMAT
    assert oban.oban_from_level(level, f"OBAN{names[0]}").write() == first.write()
    with pytest.raises(AnimBridgeError):
        oban.oban_from_level(level)
    changed = oban.replace_in_level(level, names[0], oban.oban_from_level(level, names[1]))
    assert oban.level_names(changed) == names
    data = oban.oban_from_level(changed, names[0]).write()
    assert data[8:] == oban.oban_from_level(level, names[1]).write()[8:]


def test_odd_names_go_by_their_places() -> None:
    """A name that is no text, one without the tag, one that looks like a place, and the tag alone."""
    data = LEVEL.read_bytes()
    for new in (b"OBAN\xff_\xfe_A\0", b"XXANDoor_A", b"OBAN#77777", b"OBAN\0oor_A"):
        level = Document.read(data.replace(b"OBANDoor_A\0", new.ljust(11, b"\0")), "level.dat")
        known = oban.level_obans(level)
        name = "XXANDoor_A" if new.startswith(b"XX") else f"#{known[0].instance}"
        assert known[0].name == name
        found = oban.oban_from_level(level, known[0].selector)
        assert found.write() == oban.oban_from_level(Document.read(data, "level.dat"), "Door_A").write()
