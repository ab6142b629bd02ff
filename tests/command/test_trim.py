# SPDX-License-Identifier: MIT
"""A part of an animation: the same motion, moved to 0, whatever the format and the way."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from oban_scene import record_of
from scene_motions import COMMAND, FIXTURES, READERS, SCENES, Motion, convert, most_metres_apart, run
from tests.witness import anim_file, bvh_file, clip_tools, oban_player, player

ANIM = FIXTURES / "demo" / "wave.anim"


def part_of(path: Path, start: float, end: float) -> Motion:
    """The motion of a whole file from one time to another, from 0 on."""
    motion = READERS[path.suffix](path)
    whole = motion.at
    motion.at = lambda seconds: whole(seconds + start)
    motion.duration = end - start
    return motion


@pytest.mark.parametrize(
    ("source", "trim", "start", "end"),
    [
        (SCENES / "walk.glb", "0.5:1.5", 0.5, 1.5),
        (SCENES / "walk.fbx", "15f:", 0.5, 2.0),
        (SCENES / "cubic.glb", "25%:75%", None, None),
        (SCENES / "step.glb", "0.3:0.8", 0.3, 0.8),
        (SCENES / "walk.fbx", ":30f", 0.0, 1.0),
    ],
)
@pytest.mark.parametrize("ending", ["glb", "fbx"])
def test_a_part_of_a_scene(
    source: Path, trim: str, start: float | None, end: float | None, ending: str, tmp_path: Path
) -> None:
    made = tmp_path / f"made.{ending}"
    convert("--trim", trim, source, made)
    if start is None or end is None:
        duration = READERS[source.suffix](source).duration
        start, end = 0.25 * duration, 0.75 * duration
    wanted, found = part_of(source, start, end), READERS[made.suffix](made)
    assert found.duration == pytest.approx(end - start, abs=1e-4)
    # Exactly at a jump, either side is right.
    inside = [time for time in wanted.times(found) if 0.0 < time < end - start]
    before = {time: (wanted.at(time + 1e-4), found.at(time + 1e-4)) for time in inside}
    for here, there in before.values():
        names = here.keys() & there.keys()
        assert len(names) >= 2
        assert max(float(np.abs(here[name] - there[name]).max()) for name in names) < 5e-4


def test_a_part_of_a_bvh_is_its_rows(tmp_path: Path) -> None:
    source, made = FIXTURES / "walk" / "slides.bvh", tmp_path / "made.bvh"
    convert("--trim", "10f:40f", source, made)
    whole, part = bvh_file.parse(source.read_bytes()), bvh_file.parse(made.read_bytes())
    assert part.motion == whole.motion[10:41]
    assert part.frame_time == whole.frame_time
    convert("--trim", f"{10 * whole.frame_time}:{40 * whole.frame_time}", source, made)
    assert bvh_file.parse(made.read_bytes()).motion == part.motion


def test_a_part_of_a_bvh_is_uploaded_as_the_same_rows_are(tmp_path: Path) -> None:
    """The exact bridge reads the part."""
    source, part = FIXTURES / "walk" / "slides.bvh", tmp_path / "part.bvh"
    convert("--trim", "10f:40f", source, part)
    made = [tmp_path / "one.anim", tmp_path / "two.anim"]
    run("convert", "--no-retarget", "--trim", "10f:40f", source, made[0])
    run("convert", "--no-retarget", part, made[1])
    assert made[0].read_bytes() == made[1].read_bytes()


def test_a_part_of_an_anim_keeps_the_values_of_its_keys(tmp_path: Path) -> None:
    whole = anim_file.parse(ANIM.read_bytes())
    duration = float(whole.duration)
    made = tmp_path / "made.anim"
    convert("--trim", "20%:70%", ANIM, made)
    part = anim_file.parse(made.read_bytes())
    assert float(part.duration) == pytest.approx(0.5 * duration, rel=1e-6)
    assert [joint.name for joint in part.joints] == [joint.name for joint in whole.joints]
    kept = 0
    for before, after in zip(whole.joints, part.joints, strict=True):
        times = before.rotation_keys[:, 0] / 65535
        inside = before.rotation_keys[(times > 0.2) & (times < 0.7), 1:].tolist()
        values = after.rotation_keys[:, 1:].tolist()
        # Besides those there is a key at each cut, unless the first or last one is there.
        assert inside in (values, values[1:], values[:-1], values[1:-1])
        kept += len(inside)
    assert kept > 10
    wanted, found = part_of(ANIM, 0.2 * duration, 0.7 * duration), READERS[".anim"](made)
    assert most_metres_apart(wanted, found) < 1e-3


def test_a_part_of_an_oban(tmp_path: Path) -> None:
    source, made = FIXTURES / "oban" / "door.oban", tmp_path / "made.oban"
    whole = record_of(source.read_bytes())
    convert("--trim", "5f:20f", source, made)
    part = record_of(made.read_bytes())
    assert part.frame_count == 16
    for frame in np.linspace(0.0, 15.0, 31):
        a, b = oban_player.pose(whole, 5.0 + frame), oban_player.pose(part, frame)
        assert np.abs(np.array(a.position) - np.array(b.position)).max() < 1e-4
        assert abs(float(np.dot(np.array(a.rotation), np.array(b.rotation)))) > np.cos(np.radians(0.01) / 2)


def test_a_part_of_a_recording(tmp_path: Path) -> None:
    source, made = FIXTURES / "mrtk" / "camera_v10.bin", tmp_path / "made.bin"
    convert("--trim", "0.2:0.5", source, made)
    assert most_metres_apart(part_of(source, 0.2, 0.5), READERS[".bin"](made)) < 1e-4


@pytest.mark.parametrize("share", [0.0, 0.31, 1.0])
def test_one_moment_of_an_anim_is_a_held_pose(share: float, tmp_path: Path) -> None:
    whole = anim_file.parse(ANIM.read_bytes())
    seconds = share * float(whole.duration)
    made = tmp_path / "made.anim"
    assert run("edit", "--trim", f"{share:.0%}:{share:.0%}", ANIM, made).returncode == 0
    part = anim_file.parse(made.read_bytes())
    assert float(part.duration) == 1.0 and part.loop == 1
    assert (float(part.loop_in), float(part.loop_out)) == (0.0, 1.0)
    for before, after in zip(whole.joints, part.joints, strict=True):
        assert len(after.rotation_keys) == 1 and len(after.position_keys) == bool(len(before.position_keys))
        wanted = player.joint_at(before, whole.duration, seconds).rotation
        found = player.joint_at(after, part.duration, 0.7).rotation
        assert wanted is not None
        assert found is not None
        assert clip_tools.turn_between(wanted, found) < 0.01  # a key that is made anew is rounded


@pytest.mark.parametrize(
    "source",
    [FIXTURES / "oban" / "door.oban", FIXTURES / "mrtk" / "camera_v10.bin", SCENES / "walk.glb"],
)
def test_one_moment_is_one_pose(source: Path, tmp_path: Path) -> None:
    made = tmp_path / f"made{source.suffix}"
    convert("--trim", "0.3:0.3", source, made)
    wanted, found = part_of(source, 0.3, 0.3), READERS[made.suffix](made)
    assert found.duration == 0.0
    here, there = wanted.at(0.0), found.at(0.0)
    assert max(float(np.abs(here[name] - there[name]).max()) for name in here.keys() & there.keys()) < 5e-4


def test_one_moment_of_a_bvh_is_one_row(tmp_path: Path) -> None:
    source, made = FIXTURES / "walk" / "slides.bvh", tmp_path / "made.bvh"
    convert("--trim", "10f:10f", source, made)
    assert bvh_file.parse(made.read_bytes()).motion == bvh_file.parse(source.read_bytes()).motion[10:11]


@pytest.mark.parametrize(
    ("trim", "told"),
    [
        (":", "two times with a colon"),
        ("2", "two times with a colon"),
        ("a:b", "two times with a colon"),
        ("-1:2", "two times with a colon"),
        ("10%:101%", "two times with a colon"),
        ("1:0.5", "the end must come after the start"),
        ("0:900", "the animation ends at"),
        ("3f:4f", "has no frame rate; give seconds or percent"),
    ],
)
def test_what_is_no_part(trim: str, told: str, tmp_path: Path) -> None:
    answer = run("convert", f"--trim={trim}", ANIM, tmp_path / "made.anim")
    assert answer.returncode != 0
    assert "--trim" in answer.stderr
    assert told in answer.stderr
    assert not (tmp_path / "made.anim").exists()


def test_json_of_a_scene_is_never_silently_whole(tmp_path: Path) -> None:
    answer = run("convert", "--trim", "0:1", SCENES / "walk.glb", tmp_path / "made.json")
    assert answer.returncode != 0
    assert "holds the whole file" in answer.stderr


def test_a_batch_takes_the_same_part(tmp_path: Path) -> None:
    convert("--trim", "0.5:1.5", SCENES / "walk.glb", tmp_path / "one.anim")
    answer = subprocess.run(
        [
            COMMAND,
            "batch",
            SCENES / "walk.glb",
            "--out",
            tmp_path / "out",
            "--to",
            "anim",
            "--trim",
            "0.5:1.5",
        ],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "out" / "walk.anim").read_bytes() == (tmp_path / "one.anim").read_bytes()


def test_info_shows_the_part() -> None:
    answer = run("info", "--trim", "20%:70%", ANIM, "--json")
    whole = run("info", ANIM, "--json")
    part, all_of_it = (json.loads(one.stdout)["duration_seconds"] for one in (answer, whole))
    assert part == pytest.approx(0.5 * all_of_it, rel=1e-6)
