# SPDX-License-Identifier: MIT
"""Clip tools that keep every key of an `.anim`: the command against the witness, code by code.

Mirror, reverse, speed, held poses, parts and loop points, on every fixture that plays and every sample.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import clip_files
import numpy as np
import pytest
from batch_programs import COMMAND
from clip_files import CLIPS, SKELETON, Clip, Made, edit, edit_all, inside, same_but, same_keys
from material import DEMO, FIXTURES
from tests.witness import anim_file, player
from tests.witness import clip_tools as tools
from tests.witness import quantise as q
from tests.witness.anim_file import AnimFile, Joint, KeyTable, bits_of, float_of
from tests.witness.cases import build
from tests.witness.cases import content as cases
from tests.witness.upload import key_times

ULP = 1.3e-7  # of a float32, relative
BPM = 100
HELD = 0.5  # seconds
CHEST = b"mChest"


def tables(joint: Joint) -> tuple[KeyTable, KeyTable]:
    """Both key tables of a record."""
    return joint.rotation_keys, joint.position_keys


def by_name(faults: list[tuple[Clip, str]]) -> list[str]:
    """The faults for a message."""
    return [f"{clip.path.name}: {text}" for clip, text in faults]


def mirror_faults(made: Made) -> str:
    """What is wrong with a mirrored file; empty: nothing."""
    before, after = made.clip.anim, made.anim
    if after.hand_pose != tools.mirrored_hand(before.hand_pose) or not same_but(before, after, "hand_pose"):
        return "header"
    for old, new in zip(before.constraints, after.constraints, strict=True):
        names = {
            "source_volume": new.source_name().ljust(16, b"\0"),
            "target_volume": new.target_name().ljust(16, b"\0"),
        }
        if replace(new, **names) != tools.mirrored_constraint(old, SKELETON):
            return "constraint"
    for old, new in zip(before.joints, after.joints, strict=True):
        node = SKELETON.nodes.get(SKELETON.canonical(old.name) or "")
        if new.priority != old.priority:
            return f"priority of {old.name!r}"
        if node is None or not made.clip.is_coded:
            continue
        if SKELETON.canonical(new.name) != tools.partner(node, SKELETON).name:
            return f"{old.name!r} became {new.name!r}"
        turns, shifts = (
            tools.mirrored_codes(old.rotation_keys, (1, 3)),
            tools.mirrored_codes(old.position_keys, (2,)),
        )
        if not tools.turns_at_rest(node, SKELETON) and not np.array_equal(turns, new.rotation_keys):
            return f"rotations of {old.name!r}"
        if not tools.rests_unlike(node, SKELETON) and not np.array_equal(shifts, new.position_keys):
            return f"positions of {old.name!r}"
    return ""


def test_mirrored_codes(tmp_path: Path) -> None:
    faults = [(made.clip, mirror_faults(made)) for made in edit_all(tmp_path, lambda _: ["--mirror"])]
    assert by_name([fault for fault in faults if fault[1]]) == []


def has_no_turned_rest(clip: Clip) -> bool:
    """No joint of it rests turned, or unlike its partner."""
    nodes = [SKELETON.nodes[name] for name in clip_files.seen(clip.anim)]
    return not any(
        tools.turns_at_rest(node, SKELETON) or tools.rests_unlike(node, SKELETON) for node in nodes
    )


def test_mirrored_twice_is_the_same_file(tmp_path: Path) -> None:
    clips = [clip for clip in CLIPS[::4] if has_no_turned_rest(clip)]
    for made in edit_all(tmp_path, lambda _: ["--mirror"], clips):
        once = tmp_path / "once.anim"
        assert made.data is not None
        once.write_bytes(made.data)
        assert edit(once, tmp_path / "twice.anim", "--mirror")[0] == made.clip.path.read_bytes(), (
            made.clip.path
        )


def every_joint() -> AnimFile:
    """Three keys of each kind on each bone, volume and attachment point of the body, near its rest."""
    random = np.random.default_rng(20)
    times = np.array([[0], [30000], [65535]])
    joints: list[Joint] = []
    for node in SKELETON.nodes.values():
        if node.kind == "hud":
            continue
        turns = random.normal(size=(3, 4)) * 0.4 + [0, 0, 0, 2]
        turns /= np.linalg.norm(turns, axis=1)[:, None]
        shifts = node.position + random.normal(size=(3, 3)) * 0.02
        rotations = np.concatenate([times, q.encode_rotation(turns[:, :3])], axis=1).astype(np.uint16)
        positions = np.concatenate([times, q.encode_position(shifts)], axis=1).astype(np.uint16)
        joints.append(Joint(node.name.encode(), -1, rotations, positions))
    return AnimFile(joints=joints)


def test_mirror_of_every_joint(tmp_path: Path) -> None:
    """Also of joints that rest turned, and of legs, which rest a little unlike."""
    source = tmp_path / "all.anim"
    source.write_bytes(anim_file.write(every_joint()))
    made = Made(Clip(source, every_joint()), *edit(source, tmp_path / "made.anim", "--mirror"))
    assert mirror_faults(made) == ""
    kinds: set[tuple[bool, bool]] = set()
    for old, new in zip(made.clip.anim.joints, made.anim.joints, strict=True):
        node = SKELETON.nodes[old.name.decode()]
        kinds.add((tools.turns_at_rest(node, SKELETON), tools.rests_unlike(node, SKELETON)))
        for time in (0.0, 30000 / 65535, 1.0):
            before = player.joint_at(old, np.float32(1), time)
            after = player.joint_at(new, np.float32(1), time)
            assert before.rotation is not None and after.rotation is not None
            assert before.position is not None and after.position is not None
            turn = tools.mirrored_rotation(before.rotation, node, SKELETON)
            assert tools.turn_between(turn, after.rotation) < 0.1, node.name
            shift = tools.mirrored_position(before.position, node, SKELETON)
            assert float(np.abs(shift - after.position).max()) < 0.0005, node.name
    assert {(False, False), (True, False), (False, True)} <= kinds


def has_distinct_times(joint: Joint) -> bool:
    """No two keys of a legacy record are at one time."""
    return all(len(set(key_times(keys, np.float32(0)).tolist())) == len(keys) for keys in tables(joint))


def reverse_faults(made: Made) -> str:
    """What is wrong with a reversed file; empty: nothing. Of keys at one time, nothing is said."""
    before, after, end = made.clip.anim, made.anim, made.clip.seconds
    if not same_but(before, after, "loop_in_bits", "loop_out_bits"):
        return "header"
    points = (
        float(after.loop_in) - end + float(before.loop_out),
        float(after.loop_out) - end + float(before.loop_in),
    )
    if max(map(abs, points)) > 4e-6:
        return f"loop points {after.loop_in} and {after.loop_out}"
    for old, new in zip(before.constraints, after.constraints, strict=True):
        times = [end - float(float_of(bits)) for bits in reversed(old.ease_times)]
        if not np.allclose(times, [float_of(bits) for bits in new.ease_times], atol=4e-6):
            return "constraint times"
    for old, new in zip(before.joints, after.joints, strict=True):
        if (old.name, old.priority) != (new.name, new.priority):
            return "name or priority"
        for was, now in zip(tables(old), tables(new), strict=True):
            if len(was) == len(tools.kept_rows(was)) and tools.reversed_rows(was) != tools.kept_rows(now):
                return f"keys of {old.name!r}"
    return ""


def test_reversed_codes(tmp_path: Path) -> None:
    """Of version 0.1, the played pose."""
    faults: list[tuple[Clip, str]] = []
    for made in edit_all(tmp_path, lambda _: ["--reverse"]):
        end = made.clip.seconds
        if made.clip.is_coded:
            faults.append((made.clip, reverse_faults(made)))
        elif end > 0 and all(map(has_distinct_times, made.clip.anim.joints)):
            degrees, metres = clip_files.most_apart(made, lambda time, end=end: end - time, inside(0, end))
            faults.append(
                (made.clip, "" if max(degrees, metres) < 0.001 else f"{degrees} degrees, {metres} m")
            )
    assert by_name([fault for fault in faults if fault[1]]) == []


def test_reversed_twice_has_the_same_keys(tmp_path: Path) -> None:
    for made in edit_all(tmp_path, lambda _: ["--reverse"], [clip for clip in CLIPS[::4] if clip.is_coded]):
        once = tmp_path / "once.anim"
        assert made.data is not None
        once.write_bytes(made.data)
        twice = Made(made.clip, *edit(once, tmp_path / "twice.anim", "--reverse"))
        pairs = zip(made.clip.anim.joints, twice.anim.joints, strict=True)
        assert all(same_keys(old, new) for old, new in pairs), made.clip.path


def speed_options(clip: Clip) -> list[object] | None:
    """One of the three ways to say a speed, by turns."""
    if clip.seconds <= 0:
        return ["--speed", 0.75]
    ways: list[list[object]] = [["--speed", 0.75], ["--duration", 3], ["--bpm", BPM]]
    return ways[len(clip.path.name) % 3]


def speed_of(clip: Clip) -> float:
    """What these options mean."""
    option = str((speed_options(clip) or [""])[0])
    start, end = clip.loop if clip.loop[1] > clip.loop[0] else (0.0, clip.seconds)
    return {
        "--speed": 0.75,
        "--duration": clip.seconds / 3,
        "--bpm": tools.beats_speed(end - start, BPM) if option == "--bpm" else 0.0,
    }[option]


def speed_faults(made: Made) -> str:
    """Only times of the header may change, and these by the speed."""
    before, after, speed = made.clip.anim, made.anim, speed_of(made.clip)
    times = ("duration_bits", "loop_in_bits", "loop_out_bits")
    for name in times:
        wanted, found = tools.at_speed(getattr(before, name), speed), float(float_of(getattr(after, name)))
        if abs(wanted - found) > ULP * abs(wanted):
            return f"{name} {found}, not {wanted}"
    if (before.loop_out_bits == before.duration_bits) != (after.loop_out_bits == after.duration_bits):
        return "the end of the loop left the end of the file"
    for old, new in zip(before.constraints, after.constraints, strict=True):
        wanted_times = [tools.at_speed(bits, speed) for bits in old.ease_times]
        if not np.allclose(wanted_times, [float_of(bits) for bits in new.ease_times], rtol=ULP, atol=0):
            return "constraint times"
    if not made.clip.is_coded:
        return ""
    constraints = [
        replace(new, ease_times=old.ease_times)
        for old, new in zip(before.constraints, after.constraints, strict=True)
    ]
    back = replace(after, constraints=constraints, **{name: getattr(before, name) for name in times})
    return "" if anim_file.write(back) == made.clip.path.read_bytes() else "another byte changed"


def test_speed_changes_the_header_alone(tmp_path: Path) -> None:
    faults = [(made.clip, speed_faults(made)) for made in edit_all(tmp_path, speed_options)]
    assert {str((speed_options(clip) or [""])[0]) for clip in CLIPS} == {"--speed", "--duration", "--bpm"}
    assert by_name([fault for fault in faults if fault[1]]) == []


def is_held_first(clip: Clip) -> bool:
    """Half of the clips hold their first pose, the others their last."""
    return len(clip.path.name) % 2 == 0


def hold_faults(made: Made) -> str:
    """Values stay; times move, at most by half a step of the new duration."""
    before, after, end = made.clip.anim, made.anim, made.clip.seconds
    shift = HELD if is_held_first(made.clip) else 0.0
    if abs(float(after.duration) - end - HELD) > 1e-6:
        return f"duration {after.duration}"
    loop_end = end + HELD if before.loop_out_bits == before.duration_bits else float(before.loop_out) + shift
    if not np.allclose([after.loop_in, after.loop_out], [float(before.loop_in) + shift, loop_end], atol=1e-5):
        return f"loop points {after.loop_in} and {after.loop_out}"
    if not made.clip.is_coded:
        return ""
    for old, new in zip(before.joints, after.joints, strict=True):
        for was, now in zip(tables(old), tables(new), strict=True):
            rows = tools.moved_rows(was, end, float(after.duration), lambda time: time + shift)
            if not tools.rows_agree(rows, now):
                return f"keys of {old.name!r}"
    return ""


def test_held_poses(tmp_path: Path) -> None:
    def options(clip: Clip) -> list[object] | None:
        if not 0 < clip.seconds <= 59:
            return None
        return ["--hold-first" if is_held_first(clip) else "--hold-last", HELD]

    faults = [(made.clip, hold_faults(made)) for made in edit_all(tmp_path, options)]
    assert by_name([fault for fault in faults if fault[1]]) == []


def record(joint: Joint) -> tuple[object, ...]:
    """A record's bytes."""
    return joint.name, joint.priority, joint.rotation_keys.tobytes(), joint.position_keys.tobytes()


def part_faults(made: Made, keeps: bool, name: bytes) -> str:
    """Records are kept whole or go; none left is an error."""
    wanted = [
        joint for joint in made.clip.anim.joints if (SKELETON.canonical(joint.name) == name.decode()) == keeps
    ]
    if not any(len(joint.rotation_keys) + len(joint.position_keys) for joint in wanted):
        return "" if made.data is None else "a file is written, although nothing is left"
    if not same_but(made.clip.anim, made.anim, "num_constraints"):
        return "header"
    return "" if [record(one) for one in wanted] == [record(one) for one in made.anim.joints] else "records"


@pytest.mark.parametrize("option", ["--keep-parts", "--leave-out"])
def test_parts_by_name(option: str, tmp_path: Path) -> None:
    clips = [clip for clip in CLIPS if CHEST in {joint.name for joint in clip.anim.joints}]
    every = 2 if option == "--keep-parts" else 1
    faults = [
        (made.clip, part_faults(made, option == "--keep-parts", CHEST))
        for made in edit_all(tmp_path, lambda _: [option, CHEST.decode()], clips[::every])
    ]
    assert by_name([fault for fault in faults if fault[1]]) == []


@pytest.mark.parametrize(
    ("part", "count", "holds"),
    [
        ("fingers", 30, "mHandThumb3Right"),
        ("wings", 11, "mWing4FanLeft"),
        ("tail", 6, "mTail6"),
        ("hind limbs", 9, "mHindLimb4Left"),
        ("left", 50, "mToeLeft"),
        ("right", 50, "mFaceLipCornerRight"),
        ("mHand*", 30, "mHandIndex1Left"),
    ],
)
def test_parts_by_group(part: str, count: int, holds: str, tmp_path: Path) -> None:
    """The counts are of bones. What is kept and what is left out is the whole file."""
    source = FIXTURES / "joints_all_bones.anim"
    whole = [joint.name for joint in anim_file.parse(source.read_bytes()).joints]
    found: list[list[bytes]] = []
    for option in ("--keep-parts", "--leave-out"):
        data, told = edit(source, tmp_path / f"made{option}.anim", option, part)
        assert data is not None, told
        found.append([joint.name for joint in anim_file.parse(data).joints])
    assert len(found[0]) == count
    assert holds.encode() in found[0]
    assert found[1] == [name for name in whole if name not in found[0]]


@pytest.mark.parametrize("kind", ["rotations", "positions"])
def test_parts_by_kind_of_key(kind: str, tmp_path: Path) -> None:
    source = FIXTURES / "position_and_rotation_apart.anim"
    before = anim_file.parse(source.read_bytes())
    data, told = edit(source, tmp_path / "made.anim", "--leave-out", kind)
    assert data is not None, told
    after = {joint.name: joint for joint in anim_file.parse(data).joints}
    kept = 0
    for joint in before.joints:
        turns, shifts = tables(joint)
        wanted = (0 if kind == "rotations" else len(turns), 0 if kind == "positions" else len(shifts))
        found = after.get(joint.name, Joint(joint.name))
        assert (len(found.rotation_keys), len(found.position_keys)) == wanted
        kept += sum(wanted)
    assert kept > 0


def test_loop_points_change_the_header_alone(tmp_path: Path) -> None:
    for made in edit_all(
        tmp_path, lambda clip: ["--loop-points", "0.25:0.75"] if clip.seconds >= 1 else None, CLIPS[::3]
    ):
        wanted = replace(
            made.clip.anim, loop=made.anim.loop, loop_in_bits=bits_of(0.25), loop_out_bits=bits_of(0.75)
        )
        assert made.anim.loop != 0
        assert made.data == anim_file.write(wanted), made.clip.path


def test_best_loop_points_turn_the_loop_on(tmp_path: Path) -> None:
    walk = anim_file.parse((DEMO / "walk.anim").read_bytes())
    source = tmp_path / "once.anim"
    source.write_bytes(anim_file.write(replace(walk, loop=0)))
    data, told = edit(source, tmp_path / "made.anim", "--loop-points", "best")
    assert data is not None, told
    assert anim_file.parse(data).loop != 0


def test_parts_by_the_names_in_the_file(tmp_path: Path) -> None:
    """The viewer's older names, as uploads from BVH leave them."""
    anim = cases.loop(cases.spin("lShldr", 1, (0, 5)), cases.spin("mChest", 1, (0, 5)))
    source = tmp_path / "alias.anim"
    source.write_bytes(anim_file.write(anim))
    for word in ("lShldr", "mShoulderLeft"):
        data, told = edit(source, tmp_path / f"{word}.anim", "--leave-out", word)
        assert data is not None, told
        assert [joint.name for joint in anim_file.parse(data).joints] == [b"mChest"]


@pytest.mark.parametrize(
    "options",
    [
        ("--speed=0",),
        ("--speed=-1",),
        ("--speed=nan",),
        ("--bpm=0",),
        ("--bpm=-100",),
        ("--duration=0",),
        ("--hold-first=-1",),
        ("--loop-points=0.9:0.2",),
        ("--loop-points=0:9",),
        ("--leave-out=mChest",),
        ("--keep-parts=mWristLeft",),
        ("--blend-edit=mChest=0,175,0@0",),
    ],
)
def test_what_a_tool_refuses(options: tuple[str, ...], tmp_path: Path) -> None:
    data, told = edit(FIXTURES / "minimal.anim", tmp_path / "made.anim", *options)
    assert data is None
    assert options[0].split("=", maxsplit=1)[0] in told


def test_durations_at_the_limits(tmp_path: Path) -> None:
    source = FIXTURES / "every_field.anim"
    for seconds, is_told in ((0.001, False), (60, False), (60.0001, True)):
        data, told = edit(source, tmp_path / f"{seconds}.anim", "--duration", seconds)
        assert ("refused" in told) == is_told, told
        if data is not None:
            assert anim_file.parse(data).duration_bits == bits_of(seconds)


def test_a_chain_is_measured_as_a_whole(tmp_path: Path) -> None:
    """A turn of 90 degrees in 50 ms, whose keys move by less than the steps in which a file stores times."""
    rows = [(0.0, 0.0), (20.0, 0.0), (20.05, 90.0), (50.0, 90.0)]
    chest = build.joint("mChest", rotation_keys=cases.turned(2, *rows, duration=50.0))
    source, made = tmp_path / "in.anim", tmp_path / "out.anim"
    source.write_bytes(anim_file.write(cases.once(chest, seconds=50.0)))
    words = ["edit", "--json", source, made, "--mirror", "--hold-first", "0.0003", "--reverse"]
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=True)
    largest = json.loads(done.stdout)["edits"]["largest_difference"]
    after = anim_file.parse(made.read_bytes())
    stored = after.joints[0].rotation_keys[:, 0] / 65535 * float(after.duration)
    # The holds come after the motion is reversed.
    exact = 0.0003 + 50.0 - chest.rotation_keys[::-1, 0] / 65535 * 50.0
    late = np.abs(stored - exact)[1:3].max()
    assert late > 5e-5
    assert largest["rotation_degrees"] == pytest.approx(late * 90 / 0.05, rel=0.35)
    assert largest["rotation_joint"] == "mChest"
    same = subprocess.run(
        [COMMAND, "edit", "--json", source, tmp_path / "same.anim", "--speed", "2", "--mirror"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(same.stdout)["edits"]["largest_difference"]["rotation_degrees"] < 1e-3
