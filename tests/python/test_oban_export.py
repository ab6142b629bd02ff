# SPDX-License-Identifier: MIT
"""Objects to OBAN: what comes out is read and played by the witness."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import oban_scene as scene
import pytest
from oban_scene import Array, Motion
from tests.witness import oban_any, oban_check
from tests.witness import oban_player as player
from tests.witness.oban_file import Record, floats_of

from animbridge.abi import Channel
from animbridge.curves import Curve, Timing
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.oban import ObanCurves, document_from_curves, document_from_samples

SIXTY = Timing(60.0, 0.0)
BOUND = {"max_position_mm": 1.0, "max_rotation_degrees": 0.05}
ORIGIN = scene.move(3.0, -2.0, 1.5) @ scene.turn((0, 0, 1), 40)
ONE_OF_EACH = ("swing.oban", "camera_in_base.oban", "scale_1_82.oban", "oni_older.oni", "xml_camera.xml")


def sampled(matrices: list[Array], template: Document | None = None, **options: Any) -> tuple[Record, Any]:
    """The record that the samples become, as the witness reads it, and the report."""
    merged = {"name": "made", **BOUND, **options}
    document, report = document_from_samples(scene.column_major(matrices), merged, template)
    return scene.record_of(document.write()), report


def strays(
    record: Record, matrices: list[Array], axes: str = "file", origin: Array | None = None
) -> tuple[Array, Array, Array]:
    """Per frame: millimetres of the origin, degrees, and the largest error of the whole linear part."""
    places, angles, linear = [], [], []
    for frame, wanted in enumerate(matrices):
        shown = scene.world(record, frame, axes, origin)
        places.append(1000 * np.linalg.norm(shown[:3, 3] - wanted[:3, 3]))
        between = np.linalg.inv(shown[:3, :3]) @ wanted[:3, :3]
        # The part of it that is skew is the sine of the angle; what remains is scale and shear.
        skew = (between - between.T) / 2
        angles.append(np.degrees(np.arcsin(min(1.0, np.linalg.norm(skew) / np.sqrt(2)))))
        linear.append(np.abs(shown[:3, :3] - wanted[:3, :3]).max() / np.abs(wanted[:3, :3]).max())
    return np.array(places), np.array(angles), np.array(linear)


def required_keys(record: Record, shown: Record) -> set[int]:
    """The times of keys between the ends without which some frame leaves the bound. `shown`: every frame."""
    required: set[int] = set()
    for index in range(1, len(record.keys) - 1):
        before, behind = record.keys[index - 1], record.keys[index + 1]
        thinner = scene.with_keys(record, [before, behind])
        for frame in range(before.time + 1, behind.time):
            a, b = player.pose(thinner, frame), player.pose(shown, frame)
            apart = 100 * np.linalg.norm(np.subtract(a.position, b.position))
            sign = -1 if player.dot(a.rotation, b.rotation) < 0 else 1
            chord = float(np.linalg.norm(np.subtract(a.rotation, np.multiply(sign, b.rotation))))
            if apart > BOUND["max_position_mm"] or np.degrees(4 * np.arcsin(chord / 2)) > 0.05:
                required.add(record.keys[index].time)
                break
    return required


@pytest.mark.parametrize("axes", ["file", "blender"])
@pytest.mark.parametrize("motion", list(scene.motions()), ids=lambda motion: motion.name)
def test_samples_stay_within_the_bound_at_every_frame(motion: Motion, axes: str) -> None:
    matrices = motion.matrices()
    record, report = sampled(matrices, axes=axes)
    places, angles, linear = strays(record, matrices, axes)
    # Samples and keys are single precision: 1e-7 of places within 10 m, and of turned axes.
    assert places.max() <= 1.0 + 0.002
    if not any(word in motion.name for word in ("scale", "shear", "mirror")):
        assert angles.max() <= 0.05 + 3e-5
    # The whole matrix: 0.05 degrees is 9e-4 radians, and shear may stretch that.
    assert linear.max() <= 3e-3
    assert report["max_position_error_mm"] == pytest.approx(places.max(), abs=0.002)
    assert report["max_position_error_mm"] <= 1.0 and report["max_rotation_error_degrees"] <= 0.05
    assert report["frames"] == report["sampled_keys"] == record.frame_count == len(matrices)
    assert report["keys"] == len(record.keys)
    assert oban_check.findings(record) == [] and report["findings"] == []


@pytest.mark.parametrize("motion", list(scene.motions()), ids=lambda motion: motion.name)
def test_no_key_can_be_taken_singly(motion: Motion) -> None:
    matrices = motion.matrices()
    record, _ = sampled(matrices)
    every_frame, report = sampled(matrices, max_position_mm=0)
    assert report["bound"] is None and len(every_frame.keys) == len(matrices)
    assert floats_of(every_frame.base_bits) == floats_of(record.base_bits)
    between = {key.time for key in record.keys[1:-1]}
    assert required_keys(record, every_frame) == between
    assert sampled(matrices)[0] == record


def test_every_key_when_there_is_no_bound() -> None:
    matrices = scene.wandering(5, 80)
    record, _ = sampled(matrices, max_position_mm=0, max_rotation_degrees=0)
    places, angles, _ = strays(record, matrices)
    assert [key.time for key in record.keys] == list(range(80))
    assert places.max() <= 0.002 and angles.max() <= 3e-5
    signs = [
        player.dot(floats_of(a.rotation_bits), floats_of(b.rotation_bits))
        for a, b in zip(record.keys, record.keys[1:], strict=False)
    ]
    assert min(signs) > 0


@pytest.mark.parametrize("far", [0.0, 1000.0, 100_000.0])
def test_far_from_the_origin_the_scale_is_still_none(far: float) -> None:
    matrices = scene.wandering(6, 100, far)
    record, report = sampled(matrices)
    assert report["base"] == "none"
    places, angles, _ = strays(record, matrices)
    # Single precision steps: twice a quarter of a millionth of the distance.
    assert places.max() <= 1.0 + 0.002 + 2.5e-4 * far and angles.max() <= 0.05 + 3e-5


@pytest.mark.parametrize(
    ("base", "kind", "scale"),
    [
        (np.diag([1.0, 1.0, 1.0, 1.0]), "none", [1, 1, 1]),
        (np.diag([1.82, 1.82, 1.82, 1.0]), "scale", [1.82] * 3),
        (np.diag([0.3, 2.0, 7.5, 1.0]), "scale", [0.3, 2.0, 7.5]),
        (np.diag([1.0, 1.0, 0.5, 1.0]), "scale", [1, 1, 0.5]),
    ],
)
def test_a_constant_scale_comes_out_clean(base: Array, kind: str, scale: list[float]) -> None:
    _, report = sampled([matrix @ base for matrix in scene.wandering(2, 60, 10.0)], axes="blender")
    assert report["base"] == kind
    assert np.array(report["base_scale"], np.float32).tolist() == np.array(scale, np.float32).tolist()
    if kind == "none":
        assert report["base_scale"] == [1.0, 1.0, 1.0]


def grows(frame: int) -> Array:
    return np.diag([1.0, 1.0, 1.0 + (0.01 if frame == 17 else 0.0), 1.0])


@pytest.mark.parametrize(
    ("behind", "field"),
    [
        (grows, "scale"),
        (lambda f: scene.shear(0.01 if f == 17 else 0, 0, 0), "shear"),
        (lambda f: np.diag([-1.0 if f == 17 else 1.0, 1, 1, 1]), "mirroring"),
        (lambda f: np.diag([1.0, 0.0 if f == 17 else 1.0, 1, 1]), "scale"),
        (lambda f: np.full((4, 4), np.nan if f == 17 else 0.0) + np.eye(4), "matrix"),
        (lambda f: scene.move(np.inf if f == 17 else 0, 0, 0), "matrix"),
    ],
)
def test_what_changes_is_an_error_that_names_the_frame(behind: Any, field: str) -> None:
    with np.errstate(invalid="ignore"):
        matrices = [m @ behind(f) for f, m in enumerate(scene.wandering(1, 40))]
    with pytest.raises(AnimBridgeError, match="at frame 17 ") as error:
        sampled(matrices)
    assert error.value.code is Status.BAD_VALUE and error.value.field == field


def test_too_many_frames_is_an_error() -> None:
    with pytest.raises(AnimBridgeError, match="32767") as error:
        sampled([np.eye(4)] * 32768)
    assert error.value.code is Status.BAD_VALUE
    with pytest.raises(AnimBridgeError, match="32767"):
        sampled([np.eye(4)] * 16385, door={"mirror": True})
    record, _ = sampled([np.eye(4)] * 16384, door={"mirror": True})
    assert record.frame_count == 32767 and record.half_stop_frame == 16383
    with pytest.raises(AnimBridgeError):
        sampled([])


@pytest.mark.parametrize("axes", ["file", "blender"])
def test_local_with_an_origin(axes: str) -> None:
    local = scene.wandering(4, 70)
    matrices = [ORIGIN @ matrix for matrix in local]
    origin = list(np.float32(ORIGIN.T.ravel()).astype(float))
    record, _ = sampled(matrices, axes=axes, origin=origin, flags=0x10)
    places, angles, _ = strays(record, matrices, axes, ORIGIN)
    assert places.max() <= 1.0 + 0.002 and angles.max() <= 0.05 + 1e-4
    assert record.flags == 0x10
    with pytest.raises(AnimBridgeError, match="without scale"):
        sampled(matrices, origin=list((ORIGIN @ np.diag([2.0, 2.0, 2.0, 1.0])).T.ravel()))


def test_advice_is_not_a_problem_of_a_new_file() -> None:
    """A local animation far from its object is odd, and plays: strict says so, the export does not."""
    made, report = document_from_samples(
        scene.column_major([scene.move(20.0, 0, 0)] * 3), {"name": "made", **BOUND, "flags": 0x10}
    )
    assert "local_far_from_origin" in [row["id"] for row in made.check("strict")["findings"]]
    assert report["findings"] == []


@pytest.mark.parametrize("holds", [0, 12])
def test_a_door_closes_as_it_opened(holds: int) -> None:
    opening = [
        scene.move(0.4 * np.sin(f / 20), 0, 0) @ scene.turn((0, 0, 1), 80 * np.sin(f / 40)) for f in range(30)
    ]
    opening += [opening[-1]] * holds
    options = {"name": "made", **BOUND, "door": {"mirror": True}}
    made, report = document_from_samples(scene.column_major(opening), options)
    record = scene.record_of(made.write())
    middle = len(opening) - 1
    assert record.half_stop_frame == middle and record.frame_count == 2 * middle + 1
    places, angles, _ = strays(record, opening + opening[-2::-1])
    assert places.max() <= 1.0 + 0.002 and angles.max() <= 0.05 + 3e-5
    assert "door_not_symmetric" not in [row["id"] for row in made.check("strict")["findings"]]
    if holds:
        # While the door stands open nothing needs a key where it turns round.
        assert middle not in [key.time for key in record.keys]
    assert report["script"] == [report["script"][0]] and "env_setanim" in report["script"][0]


def test_script_lines() -> None:
    assert [line.split("  #")[0] for line in sampled([np.eye(4)] * 3)[1]["script"]] == [
        "env_setanim ID made",
        "env_anim ID ID",
        "chr_envanim WHO made",
        "chr_envanim_stop WHO",
    ]
    lines = sampled([np.eye(4)] * 3, camera=True)[1]["script"]
    assert [line.split("  #")[0] for line in lines] == ["cm_interpolate both made 60", "cm_anim both made"]


@pytest.mark.parametrize("axes", ["file", "blender"])
@pytest.mark.parametrize("fps", [60.0, 24.0, 29.97])
@pytest.mark.parametrize("path", scene.playable(), ids=lambda path: path.name)
def test_untouched_curves_give_the_file_back(path: Path, axes: str, fps: float) -> None:
    document, timing = Document.read(path.read_bytes(), path.name), Timing(fps, 1.0)
    if "time_extremes" in path.name and fps != 60.0:
        pytest.skip("keys years behind the end fall on one frame of single precision")
    options = {"axes": axes, "origin": list(ORIGIN.T.ravel())}
    made = ObanCurves(document, timing, options)
    curves = list(made)
    given = {**options, "base_matrix": made.report()["base_matrix"]}
    exported, report = document_from_curves(timing, curves, given, document)
    assert exported.write() == document.write()
    assert report["keys"] == len(curves[0].co)
    # As they are, without arrays.
    empty = np.empty((0, 2), np.float32)
    unchanged = [Curve(-1, c.channel, c.component, empty, unchanged=True) for c in curves]
    assert document_from_curves(timing, unchanged, given, document)[0].write() == document.write()


@pytest.mark.parametrize("file", ONE_OF_EACH)
def test_untouched_samples_give_the_file_back(file: str) -> None:
    data = (scene.OBAN / file).read_bytes()
    record = scene.record_of(data)
    matrices = [scene.world(record, frame) for frame in range(record.frame_count)]
    exported, _ = document_from_samples(scene.column_major(matrices), BOUND, Document.read(data, file))
    assert exported.write() == data


def test_an_edit_changes_what_was_edited() -> None:
    document = Document.read((scene.OBAN / "swing.oban").read_bytes(), "swing.oban")
    before = scene.record_of(document.write())
    made = ObanCurves(document, SIXTY)
    curves = [replace(c, co=c.co.copy()) for c in made]
    curves[0].co[1, 1] += 0.25
    exported, _ = document_from_curves(SIXTY, curves, {"base_matrix": made.report()["base_matrix"]}, document)
    after = scene.record_of(exported.write())
    assert after.keys[0] == before.keys[0] and after.keys[2] == before.keys[2]
    assert after.keys[1].rotation_bits == before.keys[1].rotation_bits
    assert np.subtract(
        floats_of(after.keys[1].position_bits), floats_of(before.keys[1].position_bits)
    ).tolist() == pytest.approx([2.5, 0, 0], abs=2e-6)
    assert replace(after, keys=[]) == replace(before, keys=[])


def straight(values: list[list[float]], frames: list[float]) -> list[Curve]:
    """Seven curves of rows x, y, z, then w, x, y, z."""
    channels = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (1, 3)]
    return [
        Curve(-1, Channel(channel), component, np.array(list(zip(frames, column, strict=True)), np.float32))
        for (channel, component), column in zip(channels, np.transpose(values), strict=True)
    ]


HALF = float(np.sqrt(0.5))
REST, QUARTER = [0.0, 0, 0, 1, 0, 0, 0], [1.0, 2, 3, HALF, 0, 0, HALF]


def test_new_curves_keep_their_keys() -> None:
    exported, report = document_from_curves(
        Timing(30.0, 1.0), straight([REST, QUARTER], [1.0, 16.0]), {"name": "turn", "axes": "blender"}
    )
    record = scene.record_of(exported.write())
    assert [key.time for key in record.keys] == [0, 30] and record.frame_count == 31
    wanted = scene.move(1, 2, 3) @ scene.turn((0, 0, 1), 90)
    assert np.abs(scene.world(record, 30, "blender") - wanted).max() <= 1e-6
    assert report["max_position_error_mm"] <= 0.001 and report["max_rotation_error_degrees"] <= 1e-4
    assert oban_check.findings(record) == []


@pytest.mark.parametrize(
    ("rows", "frames", "word"),
    [
        ([REST, QUARTER], [0.0, 10.5], "whole frame"),
        ([REST, [0, 0, 0, -1, 0, 0, 0]], [0.0, 10.0], "signs"),
        ([REST, [0, 0, 0, 2, 0, 0, 0]], [0.0, 10.0], "length"),
        ([REST, REST], [-5.0, 10.0], "before"),
        ([REST, REST], [0.0, 40000.0], "32767"),
    ],
)
def test_curves_that_need_sampling(rows: list[list[float]], frames: list[float], word: str) -> None:
    with pytest.raises(AnimBridgeError, match=word) as error:
        document_from_curves(SIXTY, straight(rows, frames), {"name": "x"})
    assert error.value.code is Status.INVALID_ARGUMENT
    curves = straight([REST, QUARTER], [0.0, 10.0])
    with pytest.raises(AnimBridgeError, match="missing"):
        document_from_curves(SIXTY, curves[:6], {"name": "x"})
    curves[2] = replace(curves[2], co=np.array([[0, 0], [9, 0]], np.float32))
    with pytest.raises(AnimBridgeError, match="different frames"):
        document_from_curves(SIXTY, curves, {"name": "x"})


def test_a_late_first_key_is_held_from_the_start() -> None:
    exported, _ = document_from_curves(SIXTY, straight([REST, QUARTER], [5.0, 10.0]), {"name": "late"})
    record = scene.record_of(exported.write())
    assert [key.time for key in record.keys] == [0, 5, 10]
    assert record.keys[0].position_bits == record.keys[1].position_bits


def test_a_door_of_curves() -> None:
    options = {"name": "door", "door": {"mirror": True}}
    exported, _ = document_from_curves(SIXTY, straight([REST, QUARTER], [0.0, 10.0]), options)
    record = scene.record_of(exported.write())
    assert [key.time for key in record.keys] == [0, 10, 20]
    assert (record.frame_count, record.half_stop_frame) == (21, 10)
    assert record.keys[0].position_bits == record.keys[2].position_bits
    assert oban_check.findings(record) == []


@pytest.mark.parametrize("container", ["oni", "xml", "raw"])
def test_containers(container: str) -> None:
    exported, _ = document_from_samples(
        scene.column_major(scene.wandering(1, 30)), {"name": "x", "container": container, "frame_length": 80}
    )
    assert oban_any.read(exported.write()).kind == container
    assert scene.record_of(exported.write()).frame_length == 80
