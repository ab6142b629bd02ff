# SPDX-License-Identifier: MIT
"""FBX and COLLADA hold fewer keys than a recording has, and show the same: the witness reads every file."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import pytest
from scene_motions import SCENES, convert, run
from tests.witness.scene_compare import difference, poses_of, read_scene

JOINTS = 6
FRAMES = 360
RATE = 120

#: What is kept without being asked.
MOST_MM = 0.1
MOST_DEGREES = 0.01
#: A turn of the witness is in the world: it adds up what the joints above are off.
MOST_DEGREES_OF_CHAIN = JOINTS * MOST_DEGREES


def recording(file: Path, frames: int = FRAMES, rate: int = RATE) -> Path:
    """A chain of joints, 20 cm from one to the next, that swing smoothly: a key for each frame."""
    text = "HIERARCHY\n"
    for joint in range(JOINTS):
        text += f"{'ROOT' if joint == 0 else 'JOINT'} joint{joint} {{\nOFFSET 0 {0.2 if joint else 1.0} 0\n"
        place = "6 Xposition Yposition Zposition" if joint == 0 else "3"
        text += f"CHANNELS {place} Zrotation Xrotation Yrotation\n"
    text += "End Site { OFFSET 0 0.2 0 }\n" + "}\n" * JOINTS
    text += f"MOTION\nFrames: {frames}\nFrame Time: {1 / rate:.9f}\n"
    for frame in range(frames):
        seconds = frame / rate
        row = [0.1 * math.sin(seconds), 1 + 0.05 * math.cos(2 * seconds), 0.2 * seconds]
        for joint in range(JOINTS):
            row += [
                12 * math.sin(1.3 * seconds + joint),
                8 * math.cos(seconds),
                5 * math.sin(2 * seconds - joint),
            ]
        text += " ".join(f"{value:.9f}" for value in row) + "\n"
    file.write_text(text)
    return file


def times_of(duration: float) -> list[float]:
    """Frames, and times between them."""
    any_time = random.Random(5)
    return [frame / RATE for frame in range(0, FRAMES, 9)] + [
        any_time.uniform(0, duration) for _ in range(200)
    ]


@pytest.mark.parametrize("ending", ["fbx", "dae"])
def test_a_recording_loses_keys_within_the_bound(ending: str, tmp_path: Path) -> None:
    source = recording(tmp_path / "swing.bvh")
    every, few, exact = tmp_path / "every.glb", tmp_path / f"few.{ending}", tmp_path / f"exact.{ending}"
    assert "dropped_keys" not in convert(source, every)
    report = convert(source, few)
    convert("--keys", "exact", source, exact)
    wanted, found = read_scene(every), read_scene(few)
    assert len(wanted.animations[0].channels()[0].times) == FRAMES
    times = times_of((FRAMES - 1) / RATE)
    apart = difference(poses_of(found, 0, times), poses_of(wanted, 0, times))
    assert apart.compared == JOINTS + 1  # and the end
    assert apart.millimetres <= MOST_MM, apart
    assert apart.degrees <= MOST_DEGREES_OF_CHAIN, apart
    keys = report["dropped_keys"]
    assert keys["bound"] == {"max_position_mm": MOST_MM, "max_rotation_degrees": MOST_DEGREES}
    assert keys["before"] == (JOINTS + 1) * FRAMES
    assert 2 * keys["after"] < keys["before"]
    assert report["max_position_error_mm"] <= MOST_MM
    assert report["max_rotation_error_degrees"] <= MOST_DEGREES
    assert few.stat().st_size < 0.75 * exact.stat().st_size
    assert f"Keys: {keys['after']} of {keys['before']}" in run("convert", source, few).stdout


def test_exact_keys_are_all_there(tmp_path: Path) -> None:
    exact = tmp_path / "exact.dae"
    assert "dropped_keys" not in convert("--keys", "exact", recording(tmp_path / "swing.bvh"), exact)
    counts = re.findall(
        r'<float_array id="joint[0-9]_matrix-input-array" count="([0-9]+)"', exact.read_text()
    )
    assert counts == [str(FRAMES)] * JOINTS


@pytest.mark.parametrize("ending", ["glb", "gltf", "fbx", "dae"])
def test_a_larger_error_is_allowed(ending: str, tmp_path: Path) -> None:
    source = recording(tmp_path / "swing.bvh")
    every, few = tmp_path / "every.glb", tmp_path / f"few.{ending}"
    convert(source, every)
    report = convert("--max-error", "2", source, few)
    times = times_of((FRAMES - 1) / RATE)
    apart = difference(poses_of(read_scene(few), 0, times), poses_of(read_scene(every), 0, times))
    assert MOST_MM < apart.millimetres <= 2, apart
    assert apart.degrees <= JOINTS * 0.2, apart
    assert report["dropped_keys"]["bound"] == {"max_position_mm": 2, "max_rotation_degrees": 0.2}
    assert 6 * report["dropped_keys"]["after"] < report["dropped_keys"]["before"]
    if ending in ("glb", "gltf"):  # which hold the new keys and no others
        kept = sum(len(channel.times) for channel in read_scene(few).animations[0].channels())
        assert kept <= report["dropped_keys"]["after"] + 2 * JOINTS
    # Keys as exact as the file's own, and then fewer of them.
    again = convert("--keys", "exact", "--max-error", "2", every, tmp_path / f"again.{ending}")
    assert 6 * again["dropped_keys"]["after"] < again["dropped_keys"]["before"]


@pytest.mark.parametrize("ending", ["glb", "gltf", "fbx", "dae"])
def test_a_size_is_kept_with_the_smallest_error(ending: str, tmp_path: Path) -> None:
    source = recording(tmp_path / "swing.bvh")
    every, exact, bare = (tmp_path / name for name in ("every.glb", f"exact.{ending}", f"bare.{ending}"))
    convert(source, every)
    convert("--keys", "exact", source, exact)
    convert("--max-error", "1000", source, bare)
    times = times_of((FRAMES - 1) / RATE)
    wanted = poses_of(read_scene(every), 0, times)
    smallest_error = 0.0
    for share in (0.1, 0.05):  # of what all keys need
        limit = int(bare.stat().st_size + share * (exact.stat().st_size - bare.stat().st_size))
        fitted = tmp_path / f"fitted.{ending}"
        report = convert("--fit", str(limit), source, fitted)
        assert 0.9 * limit < fitted.stat().st_size <= limit
        apart = difference(poses_of(read_scene(fitted), 0, times), wanted)
        assert smallest_error < apart.millimetres < 50, apart
        assert apart.millimetres == pytest.approx(report["max_position_error_mm"], rel=0.2, abs=0.01)
        smallest_error = apart.millimetres
    ample = tmp_path / f"ample.{ending}"
    convert("--keys", "exact", "--fit", str(exact.stat().st_size), source, ample)
    assert ample.read_bytes() == exact.read_bytes()


def test_a_size_that_no_keys_have_is_refused(tmp_path: Path) -> None:
    source, output = recording(tmp_path / "swing.bvh"), tmp_path / "small.glb"
    answer = run("convert", source, output, "--fit", "900")
    assert answer.returncode != 0
    assert "found no way to make the file as small as 900 bytes: the smallest has" in answer.stderr
    assert not output.exists()


@pytest.mark.parametrize("made", ["step.glb.fbx", "cubic.glb.fbx", "slow.bvh.fbx", "slow.bvh.dae"])
def test_what_was_keyed_stays_bit_for_bit(made: str, tmp_path: Path) -> None:
    name = made.rpartition(".")[0]
    slow = recording(tmp_path / "slow.bvh", frames=12, rate=1)
    source = slow if name == "slow.bvh" else SCENES / name
    named = ("--animation-name", "Motion")
    assert "dropped_keys" not in convert(*named, source, tmp_path / made)
    convert(*named, "--keys", "exact", source, tmp_path / f"exact-{made}")
    assert (tmp_path / made).read_bytes() == (tmp_path / f"exact-{made}").read_bytes()


def test_keys_at_frames_are_only_made_of_curves(tmp_path: Path) -> None:
    answer = run("convert", recording(tmp_path / "swing.bvh"), tmp_path / "swing.glb", "--keys", "frames")
    assert answer.returncode != 0
    assert "only curves of scenes become keys at frames" in answer.stderr
    assert not (tmp_path / "swing.glb").exists()
