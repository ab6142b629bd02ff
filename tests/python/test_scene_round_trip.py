# SPDX-License-Identifier: MIT
"""Other formats into scene files and back: the witnesses read both ends."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import oban_scene
import pytest
from material import DEMO, ROOT, manifest, samples
from tests.witness import anim_file, mrtk_file, mrtk_player, oban_any, player
from tests.witness import oban_player as oban
from tests.witness.quaternion import Vector
from tests.witness.scene_compare import read_scene
from tests.witness.skeleton import load_skeleton

COMMAND = ROOT / "build" / "bin" / "animbridge"
SKELETON = load_skeleton()
ENDINGS = ("glb", "fbx", "dae")

# What issue 16 allows for .anim, scene, .anim.
MOST_DEGREES = 0.1
MOST_METRES = 1e-3


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=120
    )


def converted(*words: object) -> dict[str, Any]:
    """The report of a conversion that succeeds."""
    answer = run("convert", *words, "--json")
    assert answer.returncode == 0, answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def degrees_between(a: Vector, b: Vector) -> float:
    """From the chord of two unit quaternions."""
    chord = min(np.linalg.norm(a - b), np.linalg.norm(a + b))
    return math.degrees(4 * math.asin(min(float(chord) / 2, 1.0)))


def anims() -> list[Path]:
    """Files of a motion: samples, the demo's, and fixtures that the viewer plays as they are."""
    whole = [
        case.path
        for case in manifest()
        if case.is_readable and not case.findings.get("playback") and moves(case.path)
    ]
    return [*whole, *sorted(DEMO.glob("*.anim")), *(path for path in samples() if moves(path))]


def moves(path: Path) -> bool:
    """Whether a joint of the avatar has keys in the file, for longer than an instant."""
    try:
        anim = anim_file.parse(path.read_bytes())
    except anim_file.ParseError:
        return False
    keyed = [joint for joint in anim.joints if len(joint.rotation_keys) + len(joint.position_keys) > 0]
    return float(anim.duration) > 0 and any(SKELETON.canonical(joint.name) for joint in keyed)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("path", anims(), ids=lambda path: path.name)
def test_an_animation_survives_a_scene(path: Path, ending: str, tmp_path: Path) -> None:
    source = tmp_path / "in.anim"
    source.write_bytes(path.read_bytes())
    converted(source, tmp_path / f"via.{ending}")
    converted(tmp_path / f"via.{ending}", tmp_path / "out.anim")
    before = anim_file.parse(source.read_bytes())
    after = anim_file.parse((tmp_path / "out.anim").read_bytes())
    end = float(before.duration)
    assert float(after.duration) == pytest.approx(end, abs=1e-3)
    for seconds in np.linspace(0.0, end, 13):
        wanted = player.world_pose(before, SKELETON, seconds)
        found = player.world_pose(after, SKELETON, seconds)
        for name, pose in wanted.items():
            assert degrees_between(pose.rotation, found[name].rotation) <= MOST_DEGREES, (name, seconds)
            away = float(np.linalg.norm(pose.position - found[name].position))
            assert away <= MOST_METRES, (name, seconds)
