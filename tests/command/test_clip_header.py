# SPDX-License-Identifier: MIT
"""The header of a .anim that is made of another format's motion, as the witness reads it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from material import ROOT
from tests.witness import anim_file

COMMAND = ROOT / "build" / "bin" / "animbridge"
WALK = ROOT / "fixtures" / "scene" / "walk.fbx"  # 2 s long
BVH = ROOT / "fixtures" / "walk" / "slides.bvh"


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), "convert", *map(str, words)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def made(folder: Path, *words: object, source: Path = WALK) -> anim_file.AnimFile:
    """The file that a conversion with these options makes."""
    target = folder / "made.anim"
    answer = run(source, target, *words)
    assert answer.returncode == 0, answer.stderr
    return anim_file.parse(target.read_bytes())


def test_without_options_it_is_that_of_a_new_file(tmp_path: Path) -> None:
    anim = made(tmp_path)
    assert (anim.base_priority, anim.loop, anim.hand_pose, anim.emote_name) == (2, 0, 1, b"")
    assert (anim.ease_in, anim.ease_out) == (pytest.approx(0.3), pytest.approx(0.3))
    assert {joint.priority for joint in anim.joints} == {-1}


def test_every_field_of_the_upload_dialog(tmp_path: Path) -> None:
    anim = made(
        tmp_path,
        *("--priority", 5, "--joint-priority", "mHead=6", "--joint-priority", "abdomen=0"),
        *("--loop", "--loop-in", "10%", "--loop-out", 1.5, "--ease-in", 0.5, "--ease-out", 0),
        *("--hand-pose", 7, "--emote", "express_smile"),
    )
    assert (anim.base_priority, anim.loop, anim.hand_pose) == (5, 1, 7)
    assert anim.emote_name == b"express_smile"
    assert (anim.loop_in, anim.loop_out) == (pytest.approx(0.2, abs=1e-6), pytest.approx(1.5))
    assert (anim.ease_in, anim.ease_out) == (pytest.approx(0.5), 0)
    priorities = {joint.name: joint.priority for joint in anim.joints}
    assert priorities.pop(b"mHead") == 6
    assert priorities.pop(b"mTorso") == 0  # the avatar's other name for it is "abdomen"
    assert set(priorities.values()) == {-1}


def test_a_retargeted_bvh_takes_them_too(tmp_path: Path) -> None:
    anim = made(tmp_path, "--retarget", "--priority", 4, "--loop", source=BVH)
    assert (anim.base_priority, anim.loop) == (4, 1)
    assert (anim.loop_in, anim.loop_out) == (0, anim.duration)


def test_a_loop_point_asks_for_a_loop(tmp_path: Path) -> None:
    assert made(tmp_path, "--loop-in", 0.5).loop == 1


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("--loop-in", 1.5, "--loop-out", 0.5), "--loop-out: the repeated part goes from 1.5"),
        (("--loop-out", 7), "--loop-out: the repeated part goes from 0"),
        (("--loop-in", 3), "--loop-in: the repeated part goes from 3"),
        (("--joint-priority", "Foo=3"), '--joint-priority: the avatar has no joint "Foo"'),
        (("--priority", 7), "--priority"),
    ],
)
def test_what_cannot_be_is_an_error(words: tuple[object, ...], wanted: str, tmp_path: Path) -> None:
    target = tmp_path / "made.anim"
    answer = run(WALK, target, *words)
    assert answer.returncode == 2, answer.stderr
    assert wanted in answer.stderr
    assert not target.exists()
