# SPDX-License-Identifier: MIT
"""What a .blend file holds of ours may be anybody's: an error that helps or a default, and no traceback."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from helpers import export_file, import_file, operators, raw_properties, the_action, the_armature
from oban_support import OBAN, import_oban, new_mesh
from tests.python.material import BVH, demos

from animbridge.package import AnimBridgeError
from animbridge.scene import templates

WALK = next(path for path in demos() if path.name == "walk.anim")
SWING = OBAN / "swing.oban"
HAND = BVH / "dialects" / "wide.bvh"
DEEP = 50_000
#: As JSON text, for no Python value says all of them.
HOSTILE = [
    *("null", "true", "false", "-1", "0", "1e999", "-1e999", "NaN", "1" + "0" * 400, "1" + "0" * 5000),
    *(
        "1e300",
        "1e-320",
        "0.5",
        '""',
        r'"\ud800"',
        r'"\udcff"',
        r'"\u0000"',
        '"..//.."',
        json.dumps("x" * 9999),
    ),
    *("[]", "[1]", "[1, 2, 3]", "[[], {}]", "[null, null]", "[NaN, 1]", "[1e999, 1]", r'["\ud800"]', "{}"),
    *('{"a": 1}', '{"a": {"b": 1}}', '{"a": {"b": null}}', '{"forward": "", "up": "", "scale": 1}'),
    *('{"forward": "Y", "up": "-Y", "scale": 0}', '{"forward": "Y", "up": "Z", "scale": NaN}'),
    *('{"axes": [], "flags": {}}', '{"axes": "inside out", "flags": "\\ud800"}', '{"flags": 1e999}'),
    "[" * 900 + "]" * 900,
]
META = [
    *("layout", "name", "format", "size", "crc32", "frames_per_second", "frame_start", "facing"),
    *("action_range", "armature", "fingerprints", "rest_bones", "scene_rate", "is_packed", "placement"),
    *("details", "is_json"),
]


def walk() -> Any:
    """An imported .anim; its Action."""
    import_file(WALK)
    return the_action()


def bvh() -> Any:
    """An imported BVH; its Action."""
    assert operators.import_anim.animbridge_bvh(filepath=str(HAND), target="NEW") == {"FINISHED"}
    return the_action()


def swing() -> Any:
    """An imported OBAN; its Action."""
    new_mesh()
    return import_oban(SWING).animation_data.action


def replace_kept(action: Any, kept: Any) -> None:
    """Another value of the property as a whole."""
    action.pop("animbridge")
    action["animbridge"] = kept


def spoil(action: Any, **members: Any) -> None:
    """Other values in what is kept."""
    replace_kept(action, {**action["animbridge"].to_dict(), **members})


def with_member(meta: str, name: str, text: str) -> str:
    """The JSON text with one member's value replaced by text."""
    members = {key: json.dumps(value) for key, value in json.loads(meta).items()} | {name: text}
    return "{" + ", ".join(f"{json.dumps(key)}: {value}" for key, value in members.items()) + "}"


def everything(action: Any, folder: Path) -> list[Callable[[], Any]]:
    """What reads an Action's properties."""
    out = str(folder / "out")
    tasks: list[Callable[[], Any]] = [operators.animbridge.check]
    if hasattr(action, "oni") and action.oni.is_from_file:
        return [
            lambda: operators.export_anim.oni(filepath=f"{out}.oni", container="ONI"),
            lambda: operators.export_anim.oni(filepath=f"{out}.xml", container="XML", method="SAMPLES"),
            operators.animbridge.set_half_stop,
        ]
    return [
        *tasks,
        lambda: operators.export_anim.secondlife(filepath=f"{out}.anim"),
        lambda: operators.export_anim.secondlife(filepath=f"{out}.anim", actions="ALL", method="SAMPLES"),
        lambda: operators.export_anim.animbridge_bvh(filepath=f"{out}.bvh"),
        operators.animbridge.predict_upload,
        lambda: operators.animbridge.set_loop_point(point="IN"),
        lambda: import_file(WALK, place="MERGE"),
    ]


def assert_no_traceback(task: Callable[[], Any]) -> None:
    """The task is done, or refused with a message."""
    try:
        task()
    except RuntimeError as error:
        assert "Traceback" not in str(error), str(error)
        assert len(str(error)) > 20, str(error)


@pytest.mark.parametrize("member", META)
@pytest.mark.parametrize("made", [walk, bvh, swing])
def test_every_member(made: Callable[[], Any], member: str, tmp_path: Path) -> None:
    action = made()
    good = action["animbridge"].to_dict()
    for text in HOSTILE:
        replace_kept(action, {**good, "meta": with_member(good["meta"], member, text)})
        try:
            kept = templates.load(action)
        except AnimBridgeError as error:
            assert "damaged" in error.message and action.name in error.message
            assert "Delete the property" in error.message and len(error.message) < 500
            kept = None
        if kept is not None:
            assert_no_traceback(lambda: operators.export_anim.secondlife(filepath=str(tmp_path / "o.anim")))
            for task in everything(action, tmp_path)[:2]:
                assert_no_traceback(task)


@pytest.mark.parametrize("made", [walk, bvh, swing])
@pytest.mark.parametrize(
    "meta",
    [
        "",
        "null",
        "3",
        "[]",
        "{}",
        "{",
        '"\\ud800"',
        "[" * DEEP,
        '{"a":' * DEEP,
        "[" * DEEP + "]" * DEEP,
        "NaN",
    ],
    ids=lambda meta: meta[:5],
)
def test_the_description(made: Callable[[], Any], meta: str, tmp_path: Path) -> None:
    action = made()
    spoil(action, meta=meta)
    with pytest.raises(AnimBridgeError, match="damaged"):
        templates.load(action)
    for task in everything(action, tmp_path):
        assert_no_traceback(task)


@pytest.mark.parametrize("member", ["meta", "source", "rests"])
@pytest.mark.parametrize(
    "value",
    [3, -1, 2**31 - 1, 0.5, "text", b"", b"bytes", [1, 2, 3], [0.5, 0.25], {}, {"a": {"b": {"c": b"d"}}}],
    ids=repr,
)
@pytest.mark.parametrize("made", [walk, swing])
def test_values_of_other_types(made: Callable[[], Any], value: Any, member: str, tmp_path: Path) -> None:
    if made is swing and member == "rests" and value == b"":
        pytest.skip("no rest poses are what an OBAN keeps")
    action = made()
    spoil(action, **{member: value})
    with pytest.raises(AnimBridgeError, match="damaged"):
        templates.load(action)
    for task in everything(action, tmp_path):
        assert_no_traceback(task)


@pytest.mark.parametrize("value", [3, 0.5, "text", b"bytes", [1, 2], {}, {"meta": "{}"}], ids=repr)
def test_another_property(value: Any, tmp_path: Path) -> None:
    action = walk()
    replace_kept(action, value)
    with pytest.raises(AnimBridgeError, match="damaged"):
        templates.load(action)
    for task in everything(action, tmp_path):
        assert_no_traceback(task)


def peak_of(action: Any) -> int:
    """The bytes that Python takes for reading what is kept, which must fail."""
    tracemalloc.start()
    try:
        with pytest.raises(AnimBridgeError, match="damaged"):
            templates.load(action)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_few_bytes_do_not_become_many() -> None:
    """The promise: what was packed was at most 1 MiB, and two matrices are kept of each bone."""
    size = 256 << 20
    packer = zlib.compressobj(9)
    part = bytes(1 << 20)
    bomb = b"".join(packer.compress(part) for _ in range(size >> 20)) + packer.flush()
    assert len(bomb) < 1 << 19
    action = walk()
    good = action["animbridge"].to_dict()
    meta = json.loads(good["meta"])
    for change in ({"size": size}, {"size": size, "is_packed": False}, {"size": 1 << 20}):
        spoil(action, source=bomb, meta=json.dumps({**meta, **change}))
        assert peak_of(action) < 8 << 20
    spoil(action, source=good["source"], rests=bomb, meta=good["meta"])
    assert peak_of(action) < 8 << 20
    # A number in the place of bytes, of which Python would make as many zeros.
    spoil(action, source=size, meta=json.dumps({**meta, "size": size, "is_packed": False}))
    assert peak_of(action) < 8 << 20
    # Names without a rest pose each: 128 bytes of every 4.
    many = json.dumps({**meta, "rest_bones": [""] * 3_000_000})
    spoil(action, source=good["source"], rests=bomb, meta=many)
    assert peak_of(action) < 16 * len(many)


def test_a_large_file_is_kept_whole(tmp_path: Path) -> None:
    """More than 1 MiB is kept as it is, and comes out bit for bit."""
    head, _, frames = HAND.read_text().partition("Frame Time:")
    time, *lines = frames.strip().split("\n")
    count = (2 << 20) // (sum(map(len, lines)) + len(lines)) + 1
    before = head[: head.rindex("Frames:")]
    large = tmp_path / "large.bvh"
    large.write_text(
        f"{before}Frames: {count * len(lines)}\nFrame Time:{time}\n" + "\n".join(lines * count) + "\n"
    )
    assert large.stat().st_size > 1 << 20
    assert operators.import_anim.animbridge_bvh(filepath=str(large), target="NEW") == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "large.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "large.blend"))
    kept = templates.load(bpy.data.actions[0])
    assert kept is not None and kept.source == large.read_bytes()


def test_the_kept_file_is_of_the_format_that_it_says() -> None:
    action = walk()
    good = action["animbridge"].to_dict()
    source = SWING.read_bytes()
    meta = json.loads(good["meta"]) | {"size": len(source), "crc32": zlib.crc32(source), "is_json": True}
    spoil(action, meta=json.dumps(meta), source=zlib.compress(source))
    assert_no_traceback(lambda: export_file(Path("/nowhere/at/all.anim")))
    with pytest.raises(AnimBridgeError):
        templates.load(action).document()  # pyright: ignore[reportOptionalMemberAccess]


def store_raw(block: Any, name: str, value: Any) -> None:
    """Puts a value where Blender keeps a group of properties, whatever lies there."""
    raw = raw_properties(block)
    raw.pop(name, None)
    raw[name] = value


@pytest.mark.parametrize(
    "value",
    [
        *(3, "text", b"bytes", [1, 2], {}),
        {"hand_pose": 99},
        {"hand_pose": -1, "base_priority": 2**31 - 1},
        {"hand_pose": "FIST", "emote": 7, "loop": "yes"},
        {"ease_in_seconds": float("nan"), "ease_out_seconds": float("inf"), "base_priority": -(2**31)},
        {"loop": 1, "use_loop_range": 1, "loop_in_seconds": float("nan"), "loop_out_seconds": float("-inf")},
        {"emote": b"\xff\xfe"},
        {"emote": "x" * 10_000},
        {"joint_priorities": 5, "constraints": "none", "findings": b"none"},
        {"joint_priorities": [{"name": "mHead", "priority": 2**31 - 1}, {"name": 5}, {"priority": "x"}]},
        {"joint_priorities": {"name": "mHead"}, "is_from_file": 1},
    ],
    ids=repr,
)
@pytest.mark.parametrize("is_imported", [True, False])
def test_the_header_of_second_life(value: Any, is_imported: bool, tmp_path: Path) -> None:
    action = walk()
    if not is_imported:
        action.pop("animbridge")
    store_raw(action, "secondlife", value)
    for task in everything(action, tmp_path):
        assert_no_traceback(task)


@pytest.mark.parametrize(
    "value",
    [
        *(3, "text", b"bytes", [1, 2], {}),
        {"half_stop_frame": -5, "frame_length": 2**31 - 1, "is_from_file": 1},
        {"other_flags": "f" * 100_000},
        {"other_flags": "zz\x1b[2J"},
        {"other_flags": "-1"},
        {"other_flags": b"\xff\xff"},
        {"is_local": 1, "origin_location": [float("nan"), 0.0, 0.0]},
        {"is_local": 1, "origin_rotation": [float("inf"), 0.0, 0.0]},
        {"is_local": 1, "origin_rotation": [1.0, 0.0]},
        {"is_local": 1, "origin_location": "here"},
        {"oban_name": b"\xff\xfe", "normal_loop": "yes"},
        {"oban_name": "\x01\x02" * 500},
    ],
    ids=lambda value: repr(value)[:40],
)
@pytest.mark.parametrize("is_imported", [True, False])
def test_the_header_of_an_oban(value: Any, is_imported: bool, tmp_path: Path) -> None:
    action = swing()
    tasks = everything(action, tmp_path)
    if not is_imported:
        action.pop("animbridge")
    store_raw(action, "oni", value)
    for task in tasks:
        assert_no_traceback(task)


@pytest.mark.parametrize("last", [float("nan"), float("inf"), 1e38, -1e38])
def test_ranges_of_actions(last: float, tmp_path: Path) -> None:
    """An Action's own range is a pair of floats that nothing checks."""
    for made in (walk, bvh):
        action = made()
        action.pop("animbridge")
        action.use_frame_range = True
        action.frame_end = last
        for task in everything(action, tmp_path):
            assert_no_traceback(task)


def test_a_hand_pose_without_a_name_is_told(tmp_path: Path) -> None:
    action = walk()
    raw_properties(action)["secondlife"]["hand_pose"] = 99
    with pytest.raises(RuntimeError, match="hand pose"):
        export_file(tmp_path / "o.anim")
    action.secondlife.hand_pose = "FIST"
    assert export_file(tmp_path / "o.anim")
    assert the_armature() is not None
