# SPDX-License-Identifier: MIT
"""The player against the witness's player, at random moments of random animations and of real files."""

from __future__ import annotations

import numpy as np
import pytest
from material import READABLE, real_files
from randoms import random_animation
from tests.witness import anim_file, player
from tests.witness.anim_file import AnimFile
from tests.witness.skeleton import load_skeleton

from animbridge.document import Document
from animbridge.errors import AnimBridgeError, Status
from animbridge.pose import play

SKELETON = load_skeleton()
METRES = 1e-5
DEGREES = 0.01


def names_of(anim: AnimFile) -> list[bytes]:
    """Joint names, the first record of each: the second axis of a pose."""
    names: list[bytes] = []
    for joint in anim.joints:
        known = SKELETON.canonical(joint.name)
        name = known.encode() if known else joint.name
        if name not in names:
            names.append(name)
    return names


def degrees_between(wxyz: np.ndarray, xyzw: np.ndarray) -> float:
    """The angle between two rotations."""
    a = wxyz[[1, 2, 3, 0]] / np.linalg.norm(wxyz)
    b = xyzw / np.linalg.norm(xyzw)
    half = np.arctan2(min(np.linalg.norm(a - b), np.linalg.norm(a + b)) / 2, 1.0)
    return float(np.degrees(4 * half))


def compare(anim: AnimFile, document: Document, times: np.ndarray, stop: float | None) -> None:
    pose = play(document, times, -1.0 if stop is None else stop)
    names = names_of(anim)
    assert pose.local_rotations.shape == (len(times), len(names), 4)
    for row, seconds in enumerate(times):
        moment = player.moment(anim, float(seconds), stop)
        assert pose.clip_seconds[row] == pytest.approx(moment.clip_seconds, abs=2e-6)
        assert pose.ease_weights[row] == pytest.approx(moment.weight, abs=1e-4)
        local = player.local_pose(anim, SKELETON, float(pose.clip_seconds[row]))
        world = player.world_pose(anim, SKELETON, float(pose.clip_seconds[row]))
        for column, name in enumerate(names):
            text = name.decode("latin-1")
            if text not in local:
                assert np.isnan(pose.world_positions[row, column]).all()
                continue
            keyed = local[text]
            found = pose.local_rotations[row, column]
            if keyed.rotation is None:
                assert np.isnan(found).all()
            else:
                assert degrees_between(found, keyed.rotation) < DEGREES
            found = pose.local_positions[row, column]
            if keyed.position is None:
                assert np.isnan(found).all()
            else:
                assert np.abs(found - keyed.position).max() < METRES
            assert np.abs(pose.world_positions[row, column] - world[text].position).max() < METRES
            assert degrees_between(pose.world_rotations[row, column], world[text].rotation) < DEGREES


@pytest.mark.parametrize("seed", range(60))
def test_random_animation(seed: int) -> None:
    anim = random_animation(seed)
    random = np.random.default_rng(seed + 1000)
    times = random.uniform(0, 2.5 * float(anim.duration), 15)
    # A request before the loop's start is left to the viewer's own arithmetic, which the spec does not state.
    earliest = float(anim.loop_in) if anim.loop else 0.0
    stop = float(random.uniform(earliest, 2 * float(anim.duration))) if seed % 2 else None
    compare(anim, Document.read(anim_file.write(anim), "random", "sl_anim"), times, stop)


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_real_file(path: object) -> None:
    data = path.read_bytes()  # type: ignore[attr-defined]
    anim = anim_file.parse(data)
    compare(anim, Document.read(data), np.linspace(0, float(anim.duration), 4), None)


def test_every_fixture_plays_or_is_refused() -> None:
    """Nothing that the viewer would refuse is played, everything else is."""
    for case in READABLE:
        document = Document.read(case.data, case.path.name, "sl_anim")
        classes = {finding["class"] for finding in document.check("playback")["findings"]}
        if "rejected" in classes:
            with pytest.raises(AnimBridgeError) as caught:
                play(document, [0.0])
            assert caught.value.code == Status.REJECTED
        else:
            assert np.isfinite(play(document, [0.0, 0.5]).clip_seconds).all()
