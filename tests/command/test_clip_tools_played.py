# SPDX-License-Identifier: MIT
"""Clip tools that make new keys in an `.anim`: the command against the witness, as both files play.

Trimmed, retimed, closed, started elsewhere, without its way, smoothed and edited: fixtures and samples.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import clip_files
import numpy as np
import pytest
from clip_files import CLIPS, SKELETON, Clip, Made, edit_all, inside, most_apart, same_but, same_keys, seen
from tests.witness import clip_tools as tools
from tests.witness import player
from tests.witness import quantise as q
from tests.witness.anim_file import AnimFile, Joint, float_of
from tests.witness.quaternion import Vector, about_axis, product
from tests.witness.upload import surviving_rows

#: What codes of keys that a tool makes are off: degrees and metres.
NEAR_DEGREES, NEAR_METRES = 0.1, 0.0008
TRIM = (0.25, 0.75)  # of the duration
RETIMED = ((0.0, 0.0), (0.2, 0.35), (0.4, 0.45))  # old and new seconds
LARGEST = 4.9  # metres; the scale of positions ends at 5
TRAVEL = 0.8  # metres a second
TURN = 25.0  # degrees about z
LARGE_TURN = 20.0  # degrees
SMOOTH = 1.0  # degrees
START = 0.37  # of the duration
ONE_CODE = 0.01  # degrees: a jump that is left
WINDOW = 0.25  # of a loop: the most that closing may change


def faults_of(faults: list[tuple[Clip, str]]) -> list[str]:
    """The faults for a message."""
    return [f"{clip.path.name}: {text}" for clip, text in faults if text]


def played(made: Made, before: tools.TimeMap, times: list[float]) -> str:
    """What is wrong with the new file as it plays; empty: nothing."""
    degrees, metres = most_apart(made, before, times)
    return "" if degrees < NEAR_DEGREES and metres < NEAR_METRES else f"{degrees} degrees, {metres} m"


def turns_far(joint: Joint, duration: np.float32) -> bool:
    """Two keys that follow each other are further apart than a cut may leave them alone."""
    turns = player.sorted_rotations(joint, duration)
    return any(tools.turn_between(a, b) > LARGE_TURN for a, b in pairwise(turns))


def test_trimmed(tmp_path: Path) -> None:
    """Values of keys stay, and the part plays as it did in the whole."""

    def options(clip: Clip) -> list[object] | None:
        return ["--trim", "25%:75%"] if clip.is_coded and clip.seconds > 0 else None

    faults: list[tuple[Clip, str]] = []
    for made in edit_all(tmp_path, options):
        clip, after = made.clip, made.anim
        start, end = (share * clip.seconds for share in TRIM)
        assert float(after.duration) == pytest.approx(end - start, abs=1e-6)
        # Of a loop outside the part nothing is left, and the whole part repeats.
        if clip.loops_inside and clip.loop[0] < end and clip.loop[1] > start:
            points = [min(max(point - start, 0.0), end - start) for point in clip.loop]
            assert [after.loop_in, after.loop_out] == pytest.approx(points, abs=1e-6), clip.path
        for old, new in zip(clip.anim.constraints, after.constraints, strict=True):
            moved = [float_of(bits) - start for bits in old.ease_times]
            assert [float_of(bits) for bits in new.ease_times] == pytest.approx(moved, rel=1e-6, abs=1e-6), (
                clip.path
            )
        for old, new in zip(clip.anim.joints, after.joints, strict=True):
            for was, now in (
                (old.rotation_keys, new.rotation_keys),
                (old.position_keys, new.position_keys),
            ):
                codes = was[surviving_rows(was[:, 0].astype(np.float32))]
                shares = codes[:, 0] / 65535
                # A key within half a step of a cut is the key at the cut.
                kept = codes[(shares > TRIM[0] + 1e-5) & (shares < TRIM[1] - 1e-5), 1:].tolist()
                values = now[surviving_rows(now[:, 0].astype(np.float32)), 1:].tolist()
                extra = len(values) - len(kept)
                places = [i for i in range(extra + 1) if values[i : i + len(kept)] == kept]
                assert places, (clip.path, old.name)
                # Only in a large turn that is cut are there more keys than at the cut.
                if was is old.position_keys or not turns_far(old, clip.anim.duration):
                    assert any(place <= 1 and extra - place <= 1 for place in places), (clip.path, old.name)
        text = played(made, lambda time, start=start: time + start, inside(0, end - start))
        faults.append((clip, text))
    assert faults_of(faults) == []


def test_the_whole_is_the_same_file(tmp_path: Path) -> None:
    clips = [clip for clip in CLIPS if clip.is_coded and clip.loops_inside]
    assert any(clip.anim.constraints for clip in clips)
    for made in edit_all(tmp_path, lambda _: ["--trim", "0%:100%"], clips):
        assert made.data == made.clip.path.read_bytes(), made.clip.path


def old_time(new: float) -> float:
    """When what happens at this time happened before the file was retimed."""
    for (old_a, new_a), (old_b, new_b) in pairwise(RETIMED):
        if new <= new_b:
            return old_a + (new - new_a) / (new_b - new_a) * (old_b - old_a)
    return RETIMED[-1][0] + new - RETIMED[-1][1]


def test_retimed(tmp_path: Path) -> None:
    def options(clip: Clip) -> list[object] | None:
        return ["--retime", "0.2=0.35,0.4=0.45"] if clip.is_coded and 0.41 < clip.seconds < 59 else None

    faults: list[tuple[Clip, str]] = []
    for made in edit_all(tmp_path, options):
        assert old_time(float(made.anim.duration)) == pytest.approx(made.clip.seconds, abs=1e-5)
        if made.clip.loops_inside and made.anim.loop:
            points = [old_time(float(made.anim.loop_in)), old_time(float(made.anim.loop_out))]
            assert points == pytest.approx(list(made.clip.loop), abs=1e-5), made.clip.path
        faults.append((made.clip, played(made, old_time, inside(0, float(made.anim.duration)))))
    assert faults_of(faults) == []


def seam(joint: Joint, anim: AnimFile, loop: tuple[float, float]) -> Vector:
    """The jump from the end of a loop to its beginning: degrees, and metres of x, y and z."""
    first, last = (player.joint_at(joint, anim.duration, time) for time in loop)
    made = np.zeros(4)
    if first.rotation is not None and last.rotation is not None:
        made[0] = tools.turn_between(first.rotation, last.rotation)
    if first.position is not None and last.position is not None:
        made[1:] = last.position - first.position
    return made


def close_faults(made: Made) -> str:
    """The loop closes, by changes near its end that are no larger than its jump was."""
    before, after, loop = made.clip.anim, made.anim, made.clip.loop
    start = loop[1] - WINDOW * (loop[1] - loop[0])
    for old, new in zip(before.joints, after.joints, strict=True):
        name = SKELETON.canonical(old.name)
        if seen(before).get(name or "") is not old:  # it does not play
            continue
        jump, left = seam(old, before, loop), seam(new, after, loop)
        if name == "mPelvis":  # its way is another tool's
            left[1:] = 0
        if (left[0] > 1e-3 and jump[0] > ONE_CODE) or float(np.abs(left[1:]).max()) > 1e-6:
            return f"{old.name!r} still jumps by {left}"
        if same_keys(old, new):  # closed already
            continue
        table = tools.keys_outside(old.rotation_keys, before.duration, start, loop[1])
        kept = tools.keys_outside(new.rotation_keys, after.duration, start, loop[1])
        if made.clip.is_coded and any(row not in kept for row in before_window(old, made.clip, start, table)):
            return f"a key of {old.name!r} before the window is gone"
        if not clip_files.turns_evenly(old, before.duration):
            continue
        for time in [*inside(loop[0], loop[1], 3), loop[1]]:
            degrees, metres = tools.apart(old, before, time, new, after, time)
            if degrees > jump[0] + NEAR_DEGREES or metres > np.linalg.norm(jump[1:]) + NEAR_METRES:
                return f"{old.name!r} changes by {degrees} degrees, {metres} m at {time}"
    return ""


def before_window(joint: Joint, clip: Clip, start: float, rows: list[list[int]]) -> list[list[int]]:
    """Of the rows outside a window, those that play: of keys at one time the last."""
    kept = tools.kept_rows(joint.rotation_keys)
    times = q.decode_time([row[0] for row in rows], clip.anim.duration)
    return [row for row, time in zip(rows, times, strict=True) if tuple(row) in kept and time < start]


def test_closed(tmp_path: Path) -> None:
    def options(clip: Clip) -> list[object] | None:
        good = clip.is_coded and clip.loops_inside and "too_long" not in clip.path.name
        return ["--close-loop"] if good else None

    faults: list[tuple[Clip, str]] = []
    changed = 0
    for made in edit_all(tmp_path, options):
        assert same_but(made.clip.anim, made.anim), made.clip.path
        faults.append((made.clip, close_faults(made)))
        changed += made.data != made.clip.path.read_bytes()
    assert changed > 30
    assert faults_of(faults) == []


def test_a_closed_loop_stays_as_it_is(tmp_path: Path) -> None:
    """Where nothing jumps, no byte changes."""

    def is_closed(clip: Clip) -> bool:
        jumps = [seam(joint, clip.anim, clip.loop) for joint in clip.anim.joints]
        return clip.is_coded and clip.loops_inside and not any(jump.any() for jump in jumps)

    for made in edit_all(tmp_path, lambda _: ["--close-loop"], [clip for clip in CLIPS if is_closed(clip)]):
        assert made.data == made.clip.path.read_bytes(), made.clip.path


def test_started_elsewhere(tmp_path: Path) -> None:
    """It plays as the closed loop does, from another time on, and ends with the codes of its beginning."""
    clips = [
        clip for clip in CLIPS if clip.seconds > 0 and clip.is_coded and clip.loop == (0.0, clip.seconds)
    ][::4]
    shut: list[object] = ["--no-travel", "--close-loop"]
    closed = list(edit_all(tmp_path, lambda _: shut, clips))
    ways = edit_all(tmp_path, lambda clip: [*shut, "--start-at", START * clip.seconds], clips)
    faults: list[tuple[Clip, str]] = []
    for whole, made in zip(closed, ways, strict=True):
        assert same_but(made.clip.anim, made.anim), made.clip.path
        end, start = made.clip.seconds, START * made.clip.seconds
        pair = Made(Clip(made.clip.path, whole.anim), made.data, made.told)
        times = [time for time in inside(0, end, 6) if abs(time + start - end) > 0.01 * end]
        text = played(pair, lambda time, start=start, end=end: (time + start) % end, times)
        ends = [seam(joint, made.anim, (0.0, end)) for joint in seen(made.anim).values()]
        if any(one[0] > 1e-3 for one in ends):
            text += " the ends differ"
        faults.append((made.clip, text))
    assert faults_of(faults) == []


def pelvis_at(anim: AnimFile, time: float) -> Vector | None:
    """Where the keys put mPelvis, in metres."""
    joint = seen(anim).get("mPelvis")
    return None if joint is None else player.joint_at(joint, anim.duration, time).position


def travel_faults(made: Made, speed: float) -> str:
    """Only mPelvis's x and y change, by its own way and by the new one."""
    clip, (start, end) = made.clip, made.clip.loop
    for old, new in zip(clip.anim.joints, made.anim.joints, strict=False):
        same = np.array_equal(old.rotation_keys, new.rotation_keys)
        moved = SKELETON.canonical(old.name) == "mPelvis"
        if not same or not (moved or np.array_equal(old.position_keys, new.position_keys)):
            return f"{old.name!r} changed"
    nowhere = np.zeros(3)
    first, last = (pelvis_at(clip.anim, time) for time in (start, end))
    way = nowhere if first is None or last is None else (last - first) / (end - start)
    velocity = np.array([speed - way[0], -way[1], 0.0])
    times = [start, *inside(start, end, 4), end]
    places = [pelvis_at(clip.anim, time) for time in times]
    all_wanted = [
        (nowhere if place is None else place) + velocity * (time - start)
        for place, time in zip(places, times, strict=True)
    ]
    if float(np.abs(all_wanted).max()) > LARGEST:
        return ""
    for time, wanted in zip(times, all_wanted, strict=True):
        new_place = pelvis_at(made.anim, time)
        if new_place is None:
            return "" if speed == 0 and first is None else "mPelvis has no positions"
        if float(np.abs(new_place - wanted).max()) > NEAR_METRES:
            return f"at {time} it is at {new_place}, not at {wanted}"
    return ""


@pytest.mark.parametrize("speed", [0.0, TRAVEL])
def test_travel(speed: float, tmp_path: Path) -> None:
    def options(clip: Clip) -> list[object] | None:
        if not clip.loops_inside or not clip.is_coded or clip.seconds > 5:
            return None
        return ["--travel", speed] if speed else ["--no-travel"]

    faults = [(made.clip, travel_faults(made, speed)) for made in edit_all(tmp_path, options)]
    assert faults_of(faults) == []


def edited_joint(clip: Clip) -> Joint | None:
    """The first joint that turns evenly."""
    joints = (one for one in seen(clip.anim).values() if len(one.rotation_keys))
    return next((one for one in joints if clip_files.turns_evenly(one, clip.anim.duration)), None)


def edit_times(clip: Clip) -> tuple[float, float]:
    """When the edit is strongest, and its falloff, in seconds."""
    return round(0.45 * clip.seconds, 4), round(0.15 * clip.seconds, 4)


def blend_faults(made: Made, joint: Joint) -> str:
    """The whole turn at its time, less and less beside it, and nothing beyond the next keys."""
    clip, (time, falloff) = made.clip, edit_times(made.clip)
    place = next(i for i, one in enumerate(clip.anim.joints) if one is joint)
    new = made.anim.joints[place]
    for i, (was, now) in enumerate(zip(clip.anim.joints, made.anim.joints, strict=True)):
        if i != place and not same_keys(was, now):
            return f"{was.name!r} changed"
    start, end = tools.window(joint, clip.anim.duration, time - falloff, time + falloff)
    outside = [tools.keys_outside(one.rotation_keys, clip.anim.duration, start, end) for one in (joint, new)]
    if outside[0] != outside[1]:
        return "keys outside changed"
    first, last = max(start, 0.0), min(end, clip.seconds)
    for at in [time, *inside(first, last, 6)]:
        u = (time - at) / (time - first) if at < time else (at - time) / (last - time)
        turn = TURN * (1 - 3 * u * u + 2 * u**3)
        old_pose = player.joint_at(joint, clip.anim.duration, at).rotation
        new_pose = player.joint_at(new, clip.anim.duration, at).rotation
        assert old_pose is not None and new_pose is not None
        off = tools.turn_between(product(old_pose, about_axis(2, turn)), new_pose)
        if off > (0.03 if at == time else 0.012 * TURN + NEAR_DEGREES):
            return f"{off} degrees off at {at}"
    return ""


def test_blend_edit(tmp_path: Path) -> None:
    def options(clip: Clip) -> list[object] | None:
        joint = edited_joint(clip) if clip.is_coded and clip.seconds > 0 else None
        if joint is None:
            return None
        time, falloff = edit_times(clip)
        return ["--blend-edit", f"{joint.name.decode()}=0,0,{TURN}@{time},{falloff}"]

    faults: list[tuple[Clip, str]] = []
    for made in edit_all(tmp_path, options):
        joint = edited_joint(made.clip)
        assert joint is not None
        assert same_but(made.clip.anim, made.anim)
        faults.append((made.clip, blend_faults(made, joint)))
    assert faults_of(faults) == []


def smooth_faults(made: Made) -> str:
    """No key that is written turns or moves by more than the bound."""
    before, after = made.clip.anim, made.anim
    pairs = list(zip(before.joints, after.joints, strict=True))
    for old, new in pairs[:: max(1, len(pairs) // clip_files.JOINTS_PLAYED)]:
        if same_keys(old, new) or not clip_files.turns_evenly(old, before.duration):
            continue
        keys = np.unique(np.concatenate([new.rotation_keys[:, 0], new.position_keys[:, 0]]))
        times = q.decode_time(keys[:: max(1, len(keys) // 5)], after.duration)
        for time in times.tolist():
            degrees, metres = tools.apart(old, before, time, new, after, time)
            if degrees > SMOOTH + NEAR_DEGREES or metres > 0.002 * SMOOTH + NEAR_METRES:
                return f"{old.name!r} changes by {degrees} degrees, {metres} m at {time}"
    return ""


def test_smoothed(tmp_path: Path) -> None:
    def options(clip: Clip) -> list[object] | None:
        return ["--smooth", SMOOTH] if clip.is_coded and clip.seconds > 0 else None

    faults: list[tuple[Clip, str]] = []
    changed = 0
    for made in edit_all(tmp_path, options):
        assert same_but(made.clip.anim, made.anim), made.clip.path
        faults.append((made.clip, smooth_faults(made)))
        changed += made.data != made.clip.path.read_bytes()
    assert changed > 10
    assert faults_of(faults) == []


def test_smoothing_by_nothing_changes_nothing(tmp_path: Path) -> None:
    for made in edit_all(tmp_path, lambda _: ["--smooth", 0], CLIPS[::5]):
        assert made.data == made.clip.path.read_bytes(), made.clip.path
