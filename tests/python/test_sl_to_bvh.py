# SPDX-License-Identifier: MIT
"""From .anim to BVH, judged by the witness: its BVH reader, its player, and its copy of the viewer's loader.

First what the numbers say (spec 2.1, rules 3 to 7), before the loader drops keys; then the whole way round.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import demos, name_of, real_files
from tests.witness import anim_file, bvh_file, bvh_loader
from tests.witness import quantise as q
from tests.witness.anim_file import AnimFile, Joint
from tests.witness.bvh_file import Bvh
from tests.witness.quaternion import IDENTITY, Vector
from tests.witness.skeleton import Node, load_skeleton
from tests.witness.upload import key_times, legacy_positions, legacy_quaternions, surviving_rows

from animbridge.convert import convert_file
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status

SKELETON = load_skeleton()
METRES_PER_INCH = 0.02540005
PELVIS = "mPelvis"

#: Before the loader: what the numbers of the file say.
DEGREES, METRES = 0.01, 0.0001
#: A frame that is moved for the loader's sake.
MOVED_DEGREES, MOVED_METRES = 1.0, 0.0013
#: After it.
LOOP_DEGREES, LOOP_METRES = 1.2, 0.002


def bvh_samples() -> list[Path]:
    folder = os.environ.get("ANIMBRIDGE_SAMPLES")
    return sorted((Path(folder) / "bvh").glob("*.bvh")) if folder else []


def converted(folder: Path, anim: AnimFile, **options: Any) -> tuple[bytes, dict[str, Any]]:
    source, target = folder / "in.anim", folder / "out.bvh"
    source.write_bytes(anim_file.write(anim))
    report = convert_file(source, target, conversion=options)
    return target.read_bytes(), report


def test_frames_that_are_too_few_make_no_file(tmp_path: Path) -> None:
    """An arm that swings by 60 degrees and back between two frames."""
    half = round((0.5 + 1.0) / 2 * 65535)  # sin(30 degrees), of a quaternion's number from -1 to 1
    keys = [[0, 32767, 32767, 32767], [32767, 32767, 32767, half], [65535, 32767, 32767, 32767]]
    joint = Joint(b"mShoulderLeft", rotation_keys=np.array(keys, dtype=np.uint16))
    anim = AnimFile(duration_bits=anim_file.bits_of(1.0), joints=[joint])
    with pytest.raises(AnimBridgeError, match="frames_per_second"):
        converted(tmp_path, anim, frames_per_second=1)
    assert not (tmp_path / "out.bvh").exists()
    _, report = converted(tmp_path, anim, frames_per_second=1, stop_above_mm=0, stop_above_degrees=0)
    assert report["max_rotation_error_degrees"] == pytest.approx(60.0, abs=0.1)
    assert report["worst"]["rotation_joint"] == "mShoulderLeft"
    assert report["worst"]["rotation_at_seconds"] == pytest.approx(0.5, abs=1e-3)
    # Twice as many frames meet the key.
    _, report = converted(tmp_path, anim, frames_per_second=2)
    assert report["max_rotation_error_degrees"] < DEGREES + MOVED_DEGREES


def test_a_bound_does_not_change_the_way(tmp_path: Path) -> None:
    """--stop-above and --force are for the bridge's file, too: they ask for no other skeleton."""
    source = demos()[0]
    plain, bounded = tmp_path / "plain.bvh", tmp_path / "bounded.bvh"
    convert_file(source, plain)
    for bounds in ({"stop_above_mm": 30}, {"force": True}, {"stop_above_degrees": 9, "force": False}):
        convert_file(source, bounded, retarget=bounds)
        assert bounded.read_bytes() == plain.read_bytes()


def degrees_between(a: Vector, b: Vector) -> Vector:
    """Row by row."""
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    chord = np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    return np.degrees(4 * np.arcsin(np.minimum(chord / 2, 1.0)))


def products(a: Vector, b: Vector) -> Vector:
    """Hamilton products, row by row: b acts first."""
    xyz = a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] + np.cross(a[:, :3], b[:, :3])
    w = a[:, 3] * b[:, 3] - np.sum(a[:, :3] * b[:, :3], axis=1)
    return np.column_stack([xyz, w])


def turned(rotation: Vector, vectors: Vector) -> Vector:
    """Vectors turned by one rotation."""
    a = np.broadcast_to(rotation, (len(vectors), 4))
    padded = np.column_stack([vectors, np.zeros(len(vectors))])
    return products(products(a, padded), a * np.array([-1, -1, -1, 1]))[:, :3]


def about_axes(axis: int, degrees: Vector) -> Vector:
    turns = np.zeros((len(degrees), 4))
    turns[:, axis] = np.sin(np.radians(degrees) / 2)
    turns[:, 3] = np.cos(np.radians(degrees) / 2)
    return turns


def blended(a: Vector, b: Vector, u: Vector) -> Vector:
    """Between two rotations each, as spec 1.10 says; the length is of no account here."""
    dot = np.sum(a * b, axis=1, keepdims=True)
    angle = np.arccos(np.clip(np.abs(dot), 0, 1 - 1e-12))
    slerp = np.sin((1 - u) * angle) * -a + np.sin(u * angle) * b
    return np.where(dot < 0, slerp, u * b + (1 - u) * a)


def played(table: anim_file.KeyTable, values: Vector, anim: AnimFile, seconds: Vector) -> Vector:
    """A track at clip times: spec 1.10."""
    times = key_times(table, anim.duration)
    rows = surviving_rows(times)
    stamps, values = times[rows].astype(np.float64), values[rows].astype(np.float64)
    after = np.clip(np.searchsorted(stamps, seconds), 0, len(rows) - 1)
    before = np.maximum(after - 1, 0)
    gap = np.where(after == before, 1.0, stamps[after] - stamps[before])
    u = np.clip((seconds - stamps[before]) / gap, 0, 1).reshape(-1, 1)
    u = np.where((after == before).reshape(-1, 1), 1.0, u)
    if values.shape[1] == 4:
        return blended(values[before], values[after], u)
    return u * values[after] + (1 - u) * values[before]


def to_avatar(rows: Vector) -> Vector:
    """Rule 4: x_sl = z_bvh, y_sl = x_bvh, z_sl = y_bvh."""
    return np.column_stack([rows[:, 2], rows[:, 0], rows[:, 1], rows[:, 3:]])


def node_of(name: str) -> Node:
    known = SKELETON.canonical(name.encode())
    assert known is not None, f"{name} is no joint of the avatar"
    return SKELETON.nodes[known]


def has_alias(node: Node) -> bool:
    """Rule 10: a volume or a point of one word is driven without axes being changed."""
    return node.kind == "bone" or (node.kind == "attachment" and " " in node.name)


def poses(bvh: Bvh) -> Iterator[tuple[Node, bool, Vector, Vector]]:
    """Each joint with whether it has positions, and what frames 1, 2, ... say by rules 3 to 6."""
    motion, column = np.array(bvh.motion), 0
    for joint in bvh.joints:
        count = len(joint.channels)
        assert count in (3, 6)
        node = node_of(joint.name)
        yield node, count == 6, *joint_poses(node, joint.channels, motion[:, column : column + count])
        column += count


def joint_poses(node: Node, channels: list[str], rows: Vector) -> tuple[Vector, Vector]:
    rotations = np.broadcast_to(IDENTITY, (len(rows), 4))
    for name, degrees in zip(channels[-3:], rows.T[-3:], strict=True):
        assert name.endswith("rotation")
        rotations = products(rotations, about_axes("XYZ".index(name[0]), degrees))
    positions = rows[:, :3] if len(channels) == 6 else np.zeros((len(rows), 3))
    if node.name == PELVIS:  # rule 5
        back = rotations[0] * np.array([-1, -1, -1, 1])
        rotations = products(np.broadcast_to(back, rotations.shape), rotations)
        positions = turned(back, positions - positions[0])
    if has_alias(node):
        rotations, positions = to_avatar(rotations), to_avatar(positions)
    return rotations[1:], positions[1:] * METRES_PER_INCH


def wanted(joint: Joint | None, node: Node, anim: AnimFile, seconds: Vector) -> tuple[Vector, Vector]:
    """The joint's local rotations and positions at clip times."""
    rotation = np.broadcast_to(node.rotation, (len(seconds), 4))
    position = np.broadcast_to(node.position, (len(seconds), 3))
    if joint is not None and len(joint.rotation_keys):
        keys = joint.rotation_keys
        values = legacy_quaternions(keys) if anim.is_legacy else q.quaternion_of_codes(keys[:, 1:])
        rotation = played(keys, values.astype(np.float64), anim, seconds)
    if joint is not None and len(joint.position_keys):
        keys = joint.position_keys
        values = legacy_positions(keys) if anim.is_legacy else q.decode_position(keys[:, 1:])
        position = played(keys, values.astype(np.float64), anim, seconds)
    return rotation, position


def clip_times(anim: AnimFile, report: dict[str, Any]) -> list[Vector]:
    """The times of frames 1, 2, ... at which their poses may have been taken: some choices, all frames each.

    A loader's key for the frame plays at the time that survives its code (rule 12); a key of the .anim may
    have lost up to two codes more on its own way, and is taken as it is.
    """
    step = np.float32(report["frame_time_seconds"])
    count = report["frames"] - 1
    duration = np.float32(max(count - 1, 1)) * step
    codes = q.encode_time(np.arange(count, dtype=np.float32) * step, duration).astype(int)
    reach = range(-2, 2) if report["fits_keys"] else range(1)
    return [q.decode_time(np.clip(codes + off, 0, 65535), anim.duration).astype(np.float64) for off in reach]


def first_records(anim: AnimFile) -> dict[str, Joint]:
    records: dict[str, Joint] = {}
    for joint in anim.joints:
        name = SKELETON.canonical(joint.name)
        if name is not None:
            records.setdefault(name, joint)
    return records


def check_numbers(anim: AnimFile, data: bytes, report: dict[str, Any]) -> None:
    """Every joint of the file at every frame, by rules 3 to 7."""
    bvh = bvh_file.parse(data)
    assert bvh.frame_time == report["frame_time_seconds"]
    assert len(bvh.motion) == report["frames"]
    records, choices = first_records(anim), clip_times(anim, report)
    for (node, has_positions, rotation, position), joint in zip(poses(bvh), bvh.joints, strict=True):
        moved = np.isin(np.arange(1, len(bvh.motion)), report["frames_moved"].get(joint.name, []))
        targets = [wanted(records.get(node.name), node, anim, seconds) for seconds in choices]
        degrees = np.min([degrees_between(rotation, target[0]) for target in targets], axis=0)
        assert np.all(degrees <= np.where(moved, MOVED_DEGREES, DEGREES)), node.name
        if has_positions:
            metres = np.min([np.linalg.norm(position - target[1], axis=1) for target in targets], axis=0)
            assert np.all(metres <= np.where(moved, MOVED_METRES, METRES)), node.name


def check_loop(anim: AnimFile, data: bytes, report: dict[str, Any]) -> None:
    """The loader's file moves the same joints, and each frame is as near as is promised."""
    loaded = bvh_loader.convert(data, SKELETON)
    assert loaded.upload_refused == ""
    back = loaded.anim
    left_out = {row["joint"] for row in report["left_out"]}
    before = {
        name: joint for name, joint in first_records(anim).items() if joint.name.decode() not in left_out
    }
    after = first_records(back)
    assert set(before) == set(after)
    assert float(back.duration) == pytest.approx(float(anim.duration), rel=2e-7) or anim.duration <= 0
    seconds = np.arange(report["frames"] - 1) * report["frame_time_seconds"]
    for name, joint in before.items():
        node = SKELETON.nodes[name]
        one, other = wanted(joint, node, anim, seconds), wanted(after[name], node, back, seconds)
        assert degrees_between(one[0], other[0]).max() <= LOOP_DEGREES, name
        assert np.linalg.norm(one[1] - other[1], axis=1).max() <= LOOP_METRES, name


@pytest.mark.parametrize("path", real_files(), ids=name_of)
def test_real_animations(path: Path, tmp_path: Path) -> None:
    anim = anim_file.parse(path.read_bytes())
    data, report = converted(tmp_path, anim)
    check_numbers(anim, data, report)
    check_loop(anim, data, report)
    exact, report = converted(tmp_path, anim, hold_keys=False, names="aliases")
    assert not report["frames_moved"]
    check_numbers(anim, exact, report)


@pytest.mark.parametrize("path", bvh_samples(), ids=name_of)
def test_bvh_to_anim_and_back(path: Path, tmp_path: Path) -> None:
    anim = bvh_loader.convert(path.read_bytes(), SKELETON).anim
    if not anim.joints:  # its upload is refused: nothing moves
        with pytest.raises(AnimBridgeError) as refusal:
            converted(tmp_path, anim)
        assert refusal.value.code == Status.REJECTED
        return
    data, report = converted(tmp_path, anim)
    check_numbers(anim, data, report)
    check_loop(anim, data, report)


@pytest.mark.parametrize("rate", [12.0, 29.97, 60.0, 120.0])
@pytest.mark.parametrize("path", real_files()[:4], ids=name_of)
def test_other_rates_keep_the_loops_promise(path: Path, rate: float, tmp_path: Path) -> None:
    """Measured against what the frames say, since keys between frames are not in the file."""
    anim = anim_file.parse(path.read_bytes())
    data, report = converted(tmp_path, anim, frames_per_second=rate, stop_above_mm=0, stop_above_degrees=0)
    if float(anim.duration) > 0:
        intervals = max(1, round(float(anim.duration) * rate))
        assert report["frames"] == intervals + 2
    check_numbers(anim, data, report)


@pytest.mark.parametrize("priority", [0, 2, 3, 4])
def test_what_is_given_back_is_what_was(priority: int, tmp_path: Path) -> None:
    """Priorities, of the file and of each joint, loop, eases and hand pose, by the edits that are told."""
    source = next(path for path in real_files() if path.stem == "walk")
    anim = anim_file.parse(source.read_bytes())
    anim.base_priority = priority
    for index, joint in enumerate(anim.joints):
        joint.priority = priority if index % 3 else 5
    data, report = converted(tmp_path, anim)
    (tmp_path / "way.bvh").write_bytes(data)
    convert_file(tmp_path / "way.bvh", tmp_path / "back.anim")
    edited = Document.read_file(tmp_path / "back.anim").edited(report["give_back"])
    back = anim_file.parse(edited.write())
    assert back.base_priority == anim.base_priority
    wanted_of = {joint.name: joint.priority for joint in anim.joints}
    assert {joint.name: joint.priority for joint in back.joints} == {
        joint.name: wanted_of[joint.name] for joint in back.joints
    }
    assert (back.loop, back.hand_pose) == (anim.loop, anim.hand_pose)
    assert (back.ease_in_bits, back.ease_out_bits) == (anim.ease_in_bits, anim.ease_out_bits)


@pytest.mark.parametrize("codes_early", [0, 1])
def test_keys_that_uploads_moved_keep_their_frame_rate(codes_early: int, tmp_path: Path) -> None:
    """Each encoding truncates the times, and an uploaded file was encoded two or three times."""
    frames, seconds = 16, 0.8  # 20 a second, which is not what is taken where no rate fits
    codes = [max(0, int(i / frames * 65535) - (codes_early if i else 0)) for i in range(frames + 1)]
    turns = [[code, 32767 + 400 * (i % 7), 32767, 32767] for i, code in enumerate(codes)]
    joint = Joint(b"mTorso", rotation_keys=np.array(turns, dtype=np.uint16))
    anim = AnimFile(duration_bits=anim_file.bits_of(seconds), joints=[joint])
    source = tmp_path / "in.anim"
    source.write_bytes(anim_file.write(anim))
    convert_file(source, tmp_path / "out.bvh")
    made = bvh_file.parse((tmp_path / "out.bvh").read_bytes())
    assert made.frame_time == pytest.approx(seconds / frames, rel=1e-4)
