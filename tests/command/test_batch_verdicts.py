# SPDX-License-Identifier: MIT
"""`animbridge batch` about outputs that are written, but not as their target program wants them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from batch_programs import COMMAND
from material import ROOT, demos
from test_batch_command import batch, rows_of
from test_retarget_command import walker, write
from tests.witness import anim_file, bvh_file
from tests.witness.skeleton import load_skeleton

WALK = next(path for path in demos() if path.name == "walk.anim")
SL_ANIM = ROOT / "fixtures" / "sl_anim"
#: By the witness, Second Life accepts it and lowers its priority.
ALTERED = SL_ANIM / "base_priority_7.anim"


@pytest.fixture
def mixamo(tmp_path: Path) -> Path:
    """A walk whose joints the avatar does not have."""
    path = tmp_path / "in" / "mixamo.bvh"
    path.parent.mkdir()
    return write(path, walker("mixamo").bvh)


def line_of(output: str, printed: str) -> str:
    """The table's row, without its number and the repeated blanks."""
    (line,) = [line for line in printed.splitlines() if output in line]
    return " ".join(line.split()[1:])


def totals_of(report: Path) -> dict[str, Any]:
    return json.loads(report.read_text(encoding="utf-8"))["totals"]


def test_row_names_who_refuses_the_output_and_the_cure(mixamo: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = (mixamo.parent, "--to", "anim", "--out", tmp_path / "out", "--report", report)
    shutil.copy(WALK, mixamo.parent)
    done = batch(*words, "--no-retarget")
    avatar = load_skeleton()
    made = anim_file.parse((tmp_path / "out" / "mixamo.anim").read_bytes())
    count = sum(avatar.canonical(joint.name) is None for joint in made.joints)
    said = f"refused by Second Life: {count} unknown joints; leave out --no-retarget"
    line = line_of("mixamo.anim", done.stdout)
    assert line.startswith("refused") and line.endswith(said)
    assert line_of("walk.anim", done.stdout).startswith("ok")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("2 written, 0 failed, 0 skipped, 1 refused, ")
    refused, fine = rows_of(report)
    assert (refused["refused"], refused["fails"], refused["status"]) == (said, True, "ok")
    assert fine["refused"] is None and "fails" not in fine
    assert totals_of(report)["refused"] == 1
    # The cure cures.
    done = batch(*words)
    assert done.returncode == 0 and "refused" not in done.stdout and totals_of(report)["refused"] == 0


def test_retargeting_is_advised_where_it_helps(tmp_path: Path) -> None:
    """Of joints without a body, the advice is the check's."""
    names = ("name_wrong_case.anim", "joints_all_with_hud.anim")
    files = [SL_ANIM / name for name in names]
    done = batch(*files, "--to", "anim", "--out", tmp_path)
    assert done.returncode == 1
    body = line_of(names[1], done.stdout)
    assert body.endswith("refused by Second Life: 8 unknown joints; add --retarget")
    assert line_of(names[0], done.stdout).endswith(
        "refused by Second Life: The viewer refuses to upload animations of unknown joints. HUD points count "
        'as unknown (found: "mpelvis"). Rename the joint to one of the avatar\'s, or remove it.'
    )
    cured = batch(files[1], "--to", "anim", "--out", tmp_path, "--retarget")
    assert "refused" not in cured.stdout and cured.returncode == 0, cured.stdout


def test_a_level_decides_what_is_looked_at(mixamo: Path, tmp_path: Path) -> None:
    done = batch(mixamo, "--to", "anim", "--out", tmp_path, "--no-retarget", "--level", "playback")
    assert done.returncode == 0 and "refused" not in done.stdout


@pytest.mark.parametrize("fail_on", ["rejected", "altered", "risky", "advice", "never"])
def test_fail_on_is_that_of_check(tmp_path: Path, fail_on: str) -> None:
    """For a file that is copied, batch and check agree."""
    for source in (SL_ANIM / "name_m_screen.anim", ALTERED, SL_ANIM / "duration_0_loop.anim", WALK):
        single = subprocess.run(
            [COMMAND, "check", source, "--fail-on", fail_on], check=False, capture_output=True
        )
        done = batch(source, "--to", "anim", "--out", tmp_path / "out", "--fail-on", fail_on)
        assert done.returncode == single.returncode, (source, done.stdout)
        assert "1 written, 0 failed" in done.stdout


def test_findings_that_fail_are_named(tmp_path: Path) -> None:
    files = (SL_ANIM / "name_m_screen.anim", ALTERED, WALK)
    done = batch(*files, "--to", "anim", "--out", tmp_path, "--fail-on", "altered")
    assert line_of("m_screen", done.stdout).startswith("refused")
    assert re.search(r"altered: .* \(found: 7\)\. Set the base priority", line_of(ALTERED.name, done.stdout))
    assert "3 written, 0 failed, 0 skipped, 1 refused, 1 failed by --fail-on, " in done.stdout
    # By default, a finding of a lesser class stays in the report.
    done = batch(*files, "--to", "anim", "--out", tmp_path)
    assert line_of(ALTERED.name, done.stdout).endswith("1 finding")
    # Who asks to hear nothing else still hears of what is refused.
    done = batch(*files, "--to", "anim", "--out", tmp_path, "--quiet", "--fail-on", "never")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["refused", "3"]


def test_opensim_refuses_less_and_is_named(mixamo: Path, tmp_path: Path) -> None:
    """It takes 61 s, but no hand pose that its viewers refuse."""
    motion = bvh_file.parse(mixamo.read_bytes())
    motion.frame_time = 61 / (len(motion.motion) - 1)
    slow = write(mixamo.with_name("slow.bvh"), motion)
    done = batch(slow, "--to", "anim", "--out", tmp_path / "sl", "--for", "opensim")
    assert done.returncode == 0 and "refused" not in done.stdout and "1 written" in done.stdout
    words = (
        slow,
        "--to",
        "anim",
        "--out",
        tmp_path / "os",
        "--for",
        "opensim",
        "--edit",
        '{"hand_pose": 15}',
    )
    done = batch(*words)
    assert done.returncode == 1
    assert "refused by OpenSim: The viewer refuses hand poses above 14 (found: 15). " in done.stdout


def test_no_program_but_this_one_reads_json(tmp_path: Path) -> None:
    done = batch(SL_ANIM / "name_m_screen.anim", "--to", "json", "--out", tmp_path)
    assert done.returncode == 0 and "refused" not in done.stdout
