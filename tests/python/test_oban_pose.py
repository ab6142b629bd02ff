# SPDX-License-Identifier: MIT
"""An OBAN as it plays: the command and the curves on an object, against the witness's player."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import oban_scene as scene
import pytest
from material import ROOT
from tests.witness import oban_file
from tests.witness import oban_player as player
from tests.witness.oban_file import Key, Record

from animbridge.curves import Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.oban import ObanCurves

COMMAND = ROOT / "build" / "bin" / "animbridge"
#: Frames of the scene are the file's.
SIXTY = Timing(60.0, 0.0)
FILES = scene.playable()
ORIGIN = scene.move(3.0, -2.0, 1.5) @ scene.turn((0, 0, 1), 40) @ scene.turn((1, 0, 0), 10)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_pose_is_the_witness_s_at_every_frame_and_between(path: Path) -> None:
    record = scene.record_of(path.read_bytes())
    # The command loops; here the flags are set aside by frames within one pass.
    frames = scene.frames_of(record, most=100)
    seconds = [repr(float(frame) / 60) for frame in frames]
    told = subprocess.run(
        [str(COMMAND), "pose", "--json", str(path), *seconds],
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    for row in json.loads(told.stdout)["poses"]:
        wanted = player.transform(record, row["frame"])
        size = max(1.0, *map(abs, wanted))
        # The same operations in the same precision, in another order: some of the last bits.
        assert np.abs(np.subtract(row["matrix"], wanted)).max() <= 1e-13 * size


@pytest.mark.parametrize("axes", ["file", "blender"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_curves_show_what_the_player_shows(path: Path, axes: str) -> None:
    record = scene.record_of(path.read_bytes())
    for origin in (None, ORIGIN):
        options = {"axes": axes, "origin": None if origin is None else list(origin.T.ravel())}
        made = ObanCurves(Document.read(path.read_bytes(), path.name), SIXTY, options)
        curves, report = list(made), made.report()
        assert [(c.bone, int(c.channel), c.component) for c in curves] == [
            *((-1, 0, i) for i in range(3)),
            *((-1, 1, i) for i in range(4)),
        ]
        assert all(len(curve.co) == len(record.keys) == report["keys"] for curve in curves)
        base = scene.base_of(report)
        for frame in scene.frames_of(record, most=40):
            shown = scene.evaluated(curves, frame) @ base
            wanted = scene.world(record, frame, axes, origin)
            # Values are rounded to single precision (6e-8 of their size) once; a rotation's error is as long
            # as what it turns.
            size = max(1.0, np.abs(wanted).max(), np.abs(base).max())
            assert np.abs(shown - wanted).max() <= 4e-7 * size


def test_signs_of_neighbours_are_aligned() -> None:
    path = scene.OBAN / "full_turn_signs.oban"
    curves = list(ObanCurves(Document.read(path.read_bytes()), SIXTY))
    quaternions = np.array([c.co[:, 1] for c in curves[3:]]).T
    assert (np.sum(quaternions[1:] * quaternions[:-1], axis=1) >= -1e-6).all()


@pytest.mark.parametrize("fps", [24.0, 30.0, 59.94, 60.0])
def test_times_keep_their_fractions(fps: float) -> None:
    path = scene.OBAN / "swing.oban"
    record = scene.record_of(path.read_bytes())
    made = ObanCurves(Document.read(path.read_bytes()), Timing(fps, 1.0))
    for curve in made:
        wanted = [np.float32(1 + key.time / 60 * fps) for key in record.keys]
        assert curve.co[:, 0].tolist() == wanted
    assert made.report()["frame_end"] == pytest.approx(1 + 30 / 60 * fps)
    assert made.report()["duration_seconds"] == pytest.approx(0.5)


def made_record(base: list[float], **more: object) -> bytes:
    key = Key(scene.floats([0, 0, 0, -1]), scene.floats([1, 2, 3]))
    return oban_file.write(Record(base_bits=scene.floats(base), keys=[key], **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("base", "kind", "scale"),
    [
        ([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], "none", [1, 1, 1]),
        ([2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0], "scale", [2, 4, 3]),
        ([2, 0, 0, 0, -3, 0, 0, 0, 4, 0, 0, 0], "matrix", None),
        ([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0], "matrix", None),
        ([1, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], "matrix", None),
    ],
)
def test_report_tells_the_base(base: list[float], kind: str, scale: list[float] | None) -> None:
    data = made_record(base, flags=0x1A, frame_length=80, half_stop_frame=7, frame_count=20)
    report = ObanCurves(Document.read(data, "base.oban"), Timing(30.0, 1.0), {"axes": "blender"}).report()
    assert (report["base"], report["base_scale"]) == (kind, scale)
    assert report["flags"] == ["BackToBackLoop", "Autostart", "ZAxisUp"] and report["flags_value"] == 0x1A
    assert (report["frame_length"], report["frame_count"], report["half_stop_frame"]) == (80, 20, 7)
    assert report["half_stop_scene_frame"] == pytest.approx(4.5)
    assert report["frame_end"] == pytest.approx(10.5)


def test_what_cannot_be_played_is_refused() -> None:
    manifest = json.loads((scene.OBAN / "manifest.json").read_text(encoding="utf-8"))["files"]
    rejected = [
        row["file"]
        for row in manifest
        if row["read"] == "ok" and not row["file"].endswith(".dat") and not row["records"][0].get("poses")
    ]
    assert len(rejected) >= 8
    for file in rejected:
        document = Document.read((scene.OBAN / file).read_bytes(), file)
        with pytest.raises(AnimBridgeError) as error:
            ObanCurves(document, SIXTY)
        assert error.value.code is Status.REJECTED, file
        assert error.value.field
