# SPDX-License-Identifier: MIT
"""The witness of scenes: what its writers write, its readers read, and both agree with figures by hand."""

from __future__ import annotations

import json
import math
import os
import re
import struct
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.witness.cases import scene_files
from tests.witness.scene_compare import differences
from tests.witness.scene_dae import bezier
from tests.witness.scene_expect import Case, expectation
from tests.witness.scene_fbx import CUBIC, Key, curve_at, ticks
from tests.witness.scene_fbx_parse import Element, Value, parse
from tests.witness.scene_math import (
    ORDERS,
    about,
    angle_degrees,
    array,
    from_euler,
    matrix3,
    product,
    to_euler,
)
from tests.witness.scene_model import CUBICSPLINE, LINEAR, ROTATION, STEP, TRANSLATION, Channel, Scene
from tests.witness.scene_read_dae import read_dae
from tests.witness.scene_read_fbx import read_fbx
from tests.witness.scene_read_gltf import read_gltf

CASES = {case.name: case for case in scene_files.cases()}
WITH_READER = ("gltf", "collada", "fbx")
WHOLE = [c.name for c in CASES.values() if c.scene is not None and c.format in WITH_READER]
REFUSED = [c.name for c in CASES.values() if c.outcome == "refused"]
SAMPLES = Path(os.environ.get("ANIMBRIDGE_SAMPLES", "/nonexistent")) / "scenes"
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "scene"
# Files hold floats (glTF) or 8 decimals; chains are 7 joints long, and a body is 2 m high.
TOLERANCE = 1e-6


def read(case: Case, data: bytes | None = None) -> Scene:
    """A fixture by the reader of its format."""
    bytes_ = case.data if data is None else data
    if case.format == "gltf":
        return read_gltf(bytes_, lambda name: case.side_files[name] or b"")
    return read_dae(bytes_) if case.format == "collada" else read_fbx(bytes_)


def assert_same(found: Scene, expected: Scene, times_of: dict[str, list[float]]) -> None:
    """Names, tree, roles and joints are equal, and so are all poses at the times of each animation."""
    by_index = dict(enumerate(matched(found, expected)))
    for theirs, node in zip((found.nodes[by_index[i]] for i in by_index), expected.nodes, strict=True):
        assert (theirs.name, theirs.mesh) == (node.name, node.mesh)
        assert (theirs.camera is None) == (node.camera is None)
        assert theirs.camera == pytest.approx(node.camera, abs=1e-4)
    assert sorted(by_index[j] for j in expected.joints()) == found.joints()
    np.testing.assert_allclose(found.axes, expected.axes)
    assert found.metres_per_unit == expected.metres_per_unit
    assert_poses(found, expected, by_index, None, None, [0.0])
    assert [a.name for a in found.animations] == [a.name for a in expected.animations]
    for k, (theirs, ours) in enumerate(zip(found.animations, expected.animations, strict=True)):
        assert theirs.span() == pytest.approx(ours.span(), abs=1e-7)
        assert theirs.said == ours.said
        assert_poses(found, expected, by_index, k, k, times_of[str(k)])


def matched(found: Scene, expected: Scene) -> list[int]:
    """For each expected node the found one at the same place of the tree."""
    result: list[int] = []
    assert len(found.nodes) == len(expected.nodes)

    def path(scene: Scene, index: int | None) -> tuple[int, ...]:
        if index is None:
            return ()
        parent = scene.nodes[index].parent
        siblings = [i for i, n in enumerate(scene.nodes) if n.parent == parent]
        return (*path(scene, parent), siblings.index(index))

    places = {path(found, i): i for i in range(len(found.nodes))}
    result = [places[path(expected, i)] for i in range(len(expected.nodes))]
    assert sorted(result) == list(range(len(result)))
    return result


def assert_poses(
    found: Scene,
    expected: Scene,
    at: dict[int, int],
    theirs: int | None,
    ours: int | None,
    times: list[float],
) -> None:
    """World matrices and rotations of all nodes."""
    for seconds in times:
        a, turns = found.world(None if theirs is None else found.animations[theirs], seconds)
        b, told = expected.world(None if ours is None else expected.animations[ours], seconds)
        for i in range(len(b)):
            np.testing.assert_allclose(a[at[i]], b[i], atol=TOLERANCE, err_msg=f"node {i} at {seconds} s")
            assert angle_degrees(turns[at[i]], told[i]) < 1e-4


@pytest.mark.parametrize("name", WHOLE)
def test_writer_and_reader_agree(name: str) -> None:
    case = CASES[name]
    assert case.scene is not None
    told = expectation(case)
    times = {str(k): a["times_seconds"] for k, a in enumerate(told["animations"])}
    found = read(case)
    assert_same(found, case.scene, times)
    assert found.humanoid == case.scene.humanoid
    for ours, theirs in zip(case.scene.skins, found.skins, strict=True):
        for a, b in zip(ours.inverse_binds, theirs.inverse_binds, strict=True):
            np.testing.assert_allclose(b, a, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("name", REFUSED)
def test_reader_refuses(name: str) -> None:
    case = CASES[name]
    with pytest.raises((ValueError, LookupError)):
        read(case)


def test_every_fixture_stands_beside_its_expectation() -> None:
    files = {p.name for p in FIXTURES.iterdir()}
    for case in CASES.values():
        assert {case.name, f"{case.name}.expect.json"} <= files
        told = json.loads((FIXTURES / f"{case.name}.expect.json").read_text("utf-8"))
        assert told["outcome"] == case.outcome
        assert bool(told.get("wrong")) == (case.scene is None)
    assert sum(p.stat().st_size for p in FIXTURES.iterdir()) < 2_000_000


def test_page_names_every_trap() -> None:
    page = (FIXTURES / "README.md").read_text("utf-8")
    listed = set(re.findall(r"`([^`]+)`", page.partition("**Traps**")[2].partition("\n\n")[0]))
    assert {trap for case in CASES.values() for trap in case.traps} == listed


def test_three_formats_tell_one_walk() -> None:
    scenes = [read(CASES[f"walk.{ending}"]) for ending in ("glb", "dae", "fbx")]
    for frame in range(61):
        heads = []
        for scene in scenes:
            matrices = scene.world(scene.animations[0], frame / 30)[0]
            heads.append({n.name: m[:3, 3] for n, m in zip(scene.nodes, matrices, strict=True)})
        for name in heads[0]:
            for other in heads[1:]:
                np.testing.assert_allclose(other[name], heads[0][name], atol=TOLERANCE, err_msg=name)


@pytest.mark.parametrize("ending", ["dae", "fbx"])
def test_comparison_finds_what_differs(ending: str) -> None:
    expected, found = read(CASES["walk.glb"]), read(CASES[f"walk.{ending}"])
    (same,) = differences(found, expected)
    assert same.millimetres < 1e-3
    assert same.degrees < 1e-4
    assert same.compared == 22
    (told,) = differences(found, expectation(CASES["walk.glb"]))
    assert told.millimetres < 1e-3
    found.nodes[0].rest.translation[0] += 0.01 / found.metres_per_unit
    assert differences(found, expected)[0].millimetres == pytest.approx(10, abs=0.01)
    knee = next(c for c in expected.animations[0].channels() if expected.nodes[c.node].name == "LeftLowerLeg")
    knee.values[20] = product(knee.values[20], about((1, 0, 0), 3))
    moved = differences(read(CASES[f"walk.{ending}"]), expected)[0]
    assert moved.degrees == pytest.approx(3, abs=1e-4)
    assert moved.at_turn[0] in ("LeftLowerLeg", "LeftFoot", "LeftToes")
    assert moved.at_turn[1] == pytest.approx(20 / 30)


def test_comparison_needs_no_equal_frames() -> None:
    """Y up and X up files give joints other frames; the turns since the first time are the same."""
    (told,) = differences(read(CASES["x_up_cm_matrix.dae"]), read(CASES["y_up_metre_matrix.dae"]))
    assert told.millimetres < 1e-3
    assert told.degrees < 1e-4


def test_walk_walks() -> None:
    """Feet stand still while they are down: what no error in axes, order or unit leaves intact."""
    scene = read(CASES["walk.fbx"])
    foot = next(i for i, n in enumerate(scene.nodes) if n.name == "LeftFoot")
    places = [scene.world(scene.animations[0], f / 30)[0][foot][:3, 3] for f in range(61)]
    steps = [float(np.linalg.norm(b - a)) for a, b in pairwise(places)]
    assert sum(step < 1e-5 for step in steps) == pytest.approx(0.6 * 60, abs=3)
    assert places[-1][1] - places[0][1] < -1.0  # 2 s ahead, along -Y
    assert all(0.05 < p[2] < 0.4 for p in places)


# Figures by hand.


def test_euler_orders_by_hand() -> None:
    # A quarter about x takes y to z; then a quarter about z leaves z alone.
    np.testing.assert_allclose(matrix3(from_euler((90, 0, 90), "xyz")) @ [0, 1, 0], [0, 0, 1], atol=1e-15)
    # z first takes y to -x, which x leaves alone.
    np.testing.assert_allclose(matrix3(from_euler((90, 0, 90), "zyx")) @ [0, 1, 0], [-1, 0, 0], atol=1e-15)
    for order in ORDERS:
        for degrees in ((10.0, 20.0, -30.0), (170.0, -80.0, 100.0), (-45.0, 60.0, 179.0)):
            turn = from_euler(degrees, order)
            assert angle_degrees(turn, from_euler(to_euler(turn, order), order)) < 1e-9


def test_interpolation_by_hand() -> None:
    turns = array([about((0, 0, 1), 0), -about((0, 0, 1), 90)])
    half = Channel(0, ROTATION, [0.0, 2.0], turns).at(1.0)
    assert angle_degrees(half, about((0, 0, 1), 45)) < 1e-9
    held = Channel(0, TRANSLATION, [0.0, 1.0], array([[0, 0, 0], [1, 2, 3]]), STEP)
    assert held.at(0.999).tolist() == [0, 0, 0]
    assert held.at(1.0).tolist() == [1, 2, 3]
    # Hermite over 2 s with slope 1 a second at the start: at the middle 1/2 p1 + 1/8 (2 m0).
    rows = array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0], [4, 0, 0], [0, 0, 0]])
    assert Channel(0, TRANSLATION, [0.0, 2.0], rows, CUBICSPLINE).at(1.0)[0] == pytest.approx(2.25)
    assert Channel(0, TRANSLATION, [0.5], array([[7, 8, 9]]), LINEAR).at(3.0).tolist() == [7, 8, 9]


def test_fbx_curve_by_hand() -> None:
    flat = [Key(ticks(0), 0.0, CUBIC), Key(ticks(2), 8.0)]
    assert curve_at(flat, 1.0) == pytest.approx(4.0)
    assert curve_at(flat, 0.5) == pytest.approx(8 * (3 * 0.25**2 - 2 * 0.25**3))
    # Weights of 1/2 put the inner corners on the middle: x(u) = 3/2 (1-u)^2 u ... is 1/2 at u = 1/2 alone.
    heavy = [Key(ticks(0), 0.0, CUBIC, 0.0, 0.0, 0.5, 0.5), Key(ticks(1), 1.0)]
    assert curve_at(heavy, 0.5) == pytest.approx(0.5)
    u = 0.25
    x = 3 * (1 - u) ** 2 * u * 0.5 + 3 * (1 - u) * u * u * 0.5 + u**3
    assert curve_at(heavy, x) == pytest.approx(3 * (1 - u) * u * u + u**3)
    assert bezier(array([[0, 0], [1, 3], [2, 3], [3, 0]]), 1.5) == pytest.approx(2.25)


# FBX as bytes.


def encoded(element: Element, wide: bool, packed: bool, start: int) -> bytes:
    """An element in FBX's binary form, at a place in the file."""
    head = struct.calcsize("<QQQB" if wide else "<IIIB") + len(element.name)
    values = b"".join(_value(v, packed) for v in element.values)
    at, inside = start + head + len(values), b""
    for child in element.inside:
        inside += encoded(child, wide, packed, at + len(inside))
    if element.inside:
        inside += b"\0" * (25 if wide else 13)
    numbers = (at + len(inside), len(element.values), len(values), len(element.name))
    return struct.pack("<QQQB" if wide else "<IIIB", *numbers) + element.name.encode() + values + inside


def _value(value: object, packed: bool) -> bytes:
    if isinstance(value, str):
        class_, mark, name = value.partition("::")
        text = (f"{name}\0\x01{class_}" if mark else value).encode()
        return b"S" + struct.pack("<I", len(text)) + text
    if isinstance(value, int):
        return b"L" + struct.pack("<q", value)
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    assert isinstance(value, np.ndarray)
    letter = {"<f4": b"f", "<f8": b"d", "<i8": b"l", "<i4": b"i"}[value.dtype.str]
    raw = value.tobytes()
    body = zlib.compress(raw) if packed else raw
    return letter + struct.pack("<III", len(value), int(packed), len(body)) + body


def _arrays(element: Element) -> Element:
    """The element with its arrays typed as binary files type them."""
    types = {"KeyTime": "<i8", "KeyValueFloat": "<f8", "KeyAttrFlags": "<i4", "KeyAttrRefCount": "<i4"}
    types |= {"Vertices": "<f8", "TransformLink": "<f8", "Transform": "<f8", "Weights": "<f8"}
    types |= {"PolygonVertexIndex": "<i4", "Indexes": "<i4"}
    values: list[Value] = element.values
    if element.name in types:
        values = [np.array(values, dtype=types[element.name])]
    elif element.name == "KeyAttrDataFloat":  # text holds the floats' bits
        values = [np.array(values, dtype="<i4").view("<f4")]
    return Element(element.name, values, [_arrays(inner) for inner in element.inside])


@pytest.mark.parametrize("name", ["kinds_of_keys.fbx", "weighted.fbx", "pivots.fbx", "y_up_cm.fbx"])
@pytest.mark.parametrize(("version", "packed"), [(7400, False), (7400, True), (7700, True)])
def test_binary_fbx_reads_like_text(name: str, version: int, packed: bool) -> None:
    case = CASES[name]
    assert case.scene is not None
    tree = _arrays(parse(case.data)[2])
    data = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version)
    for element in tree.inside:
        data += encoded(element, version >= 7500, packed, len(data))
    data += b"\0" * (25 if version >= 7500 else 13)
    told = expectation(case)
    assert_same(read_fbx(data), case.scene, {"0": told["animations"][0]["times_seconds"]})
    with pytest.raises(ValueError, match="cut off"):
        read_fbx(data[: len(data) // 2])


# Files of other programs.

needs_samples = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="ANIMBRIDGE_SAMPLES names no folder with scenes"
)


@needs_samples
@pytest.mark.parametrize("name", ["m2m_male.glb", "m2m_zombie.glb"])
def test_sample_humans(name: str) -> None:
    scene = read_gltf((SAMPLES / name).read_bytes())
    joints = scene.skinned()
    matrices = scene.world()[0]
    heights = [float(matrices[j][2, 3]) for j in joints]
    assert len(joints) > 40
    assert -0.05 < min(heights) < 0.15
    assert 1.2 < max(heights) < 2.2
    left = [float(matrices[j][0, 3]) for j in joints if scene.nodes[j].name.endswith(("_l", ".L", "_L"))]
    assert len(left) > 10
    assert min(left) > 0 or sum(x > 0 for x in left) > 0.9 * len(left)  # it looks along -Y: its left is +X
    for skin in scene.skins:
        for joint, bind in zip(skin.joints, skin.inverse_binds, strict=True):
            assert math.isfinite(float(np.linalg.det(bind)))
            assert float(matrices[joint][3, 3]) == 1.0


@needs_samples
def test_sample_vrma() -> None:
    scene = read_gltf((SAMPLES / "test.vrma").read_bytes())
    assert scene.humanoid is not None
    kind, bones = scene.humanoid
    assert kind == "vrma"
    assert {"hips", "spine", "head", "leftHand", "rightFoot"} <= set(bones)
    (animation,) = scene.animations
    start, end = animation.span()
    assert 0 <= start < end < 60
    read_height = [scene.world(animation, t)[0][bones["head"]][2, 3] for t in np.linspace(start, end, 13)]
    assert all(0.5 < h < 2.5 for h in read_height)


READERS: dict[str, Callable[[bytes], Scene]] = {"dae": read_dae, "fbx": read_fbx, "glb": read_gltf}


@pytest.mark.parametrize("ending", list(READERS))
def test_cut_files_are_refused_or_read(ending: str) -> None:
    """No cut makes a reader fail with anything but its own errors."""
    data = CASES[{"dae": "clips.dae", "fbx": "kinds_of_keys.fbx", "glb": "cubic.glb"}[ending]].data
    for size in range(0, len(data), max(1, len(data) // 40)):
        try:
            READERS[ending](data[:size])
        except (ValueError, LookupError):
            continue
