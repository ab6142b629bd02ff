# SPDX-License-Identifier: MIT
"""Batches with several Blenders like this one at once, and what holds of each of these processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import bpy
import pytest
from batches import batch, files_below, rows_of
from helpers import with_this_library
from tests.python.material import BVH, demos

import animbridge
from animbridge.batch.command import own_words

WALK = next(path for path in demos() if path.name == "walk.anim")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Blend files and others, between each other; two with one Action, so with one output."""
    folder = tmp_path_factory.mktemp("mixed") / "in"
    folder.mkdir()
    for path in demos():
        shutil.copy(path, folder / path.name)
    shutil.copy(BVH / "dialects" / "decimal_comma.bvh", folder / "z.bvh")
    made = batch(folder, "--to", "blend", "--out", folder.parent / "made")
    assert made.returncode == 0, made.stdout + made.stderr
    for path in (folder.parent / "made").glob("*.blend"):
        shutil.move(path, folder / f"take {path.name}")
    shutil.copy(folder / "take walk.blend", folder / "zz.blend")
    (folder / "broken.blend").write_bytes(b"BLENDER and then nothing")
    return folder


@pytest.mark.parametrize("target", ["bvh", "anim"])
def test_any_number_of_processes_makes_what_one_makes(mixed: Path, tmp_path: Path, target: str) -> None:
    """Bytes, rows and their order, and the exit code."""
    made: list[Any] = []
    for jobs in (1, 2, 3):
        out, report = tmp_path / "run" / "out", tmp_path / "run" / "report.json"
        words = [mixed, "--to", target, "--out", out, "--report", report, "--level", "strict"]
        code = batch(*words, "--jobs", jobs).returncode
        made.append((code, files_below(out), rows_of(report)))
        shutil.move(tmp_path / "run", tmp_path / f"run {jobs}")
    assert made[1] == made[0] and made[2] == made[0]
    code, files, _ = made[0]
    assert len(files) > len(demos()) and code == 1


def test_new_blend_files_and_their_ledger(tmp_path: Path) -> None:
    words = [WALK.parent, "--to", "blend", "--out", tmp_path / "out", "--fps", "25", "--frame-start", "11"]
    assert batch(*words, "--jobs", 2).returncode == 0
    found = files_below(tmp_path / "out")
    assert set(found) == {
        path.relative_to(WALK.parent).with_suffix(".blend").as_posix() for path in WALK.parent.rglob("*.anim")
    }
    again = batch(*words, "--resume")
    assert f"0 written, 0 failed, 0 skipped, {len(found)} current" in again.stdout
    assert files_below(tmp_path / "out") == found
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / "walk.blend"), load_ui=False)
    scene = bpy.context.scene
    assert (scene.render.fps, scene.frame_start) == (25, 11)


def test_what_is_for_files_applies_to_what_blender_exports(mixed: Path, tmp_path: Path) -> None:
    """Clip tools, edits, fixes and parts give the bytes that they give with the exported file."""
    plain, tools = (
        tmp_path / "plain",
        ["--mirror", "--trim", "0:2.5", "--edit", '{"base_priority": 4}', "--fix"],
    )
    assert batch(mixed / "take dance.blend", "--to", "anim", "--out", plain).returncode == 0
    (exported,) = plain.glob("*.anim")
    for more in ([], ["--split", "1s"]):
        made, wanted = tmp_path / f"made{len(more)}", tmp_path / f"wanted{len(more)}"
        for source, out in ((mixed / "take dance.blend", made), (exported, wanted)):
            done = batch(source, "--to", "anim", "--out", out, *tools, *more)
            assert done.returncode == 0, done.stdout + done.stderr
        assert files_below(made) == files_below(wanted) != files_below(plain)
    assert len(files_below(made)) >= 3
    refused = batch(exported, "--to", "blend", "--out", tmp_path / "blend", "--mirror")
    assert refused.returncode == 2
    assert "use them on the files first" in refused.stderr


def test_option_that_one_of_both_lacks_is_said(mixed: Path, tmp_path: Path) -> None:
    """The command has options for files that Blender's exports have not; nothing is lost in silence."""
    done = batch(mixed / "zz.blend", WALK, "--to", "bvh", "--out", tmp_path / "out", "--decimals", "4")
    assert done.returncode == 1
    assert "unrecognized arguments: --decimals 4" in done.stdout
    assert set(files_below(tmp_path / "out")) == {"walk.bvh"}


def test_own_words_start_this_copy() -> None:
    assert str(Path(animbridge.__file__).parent / "batch" / "start.py") in own_words()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_process_ends_with_the_command_that_started_it(tmp_path: Path) -> None:
    """It waits for its plan, and nobody reads its standard output any more."""
    plan = tmp_path / "plan.jsonl"
    os.mkfifo(plan)
    words = [*own_words(), "--planned", plan, "--to", "bvh", "--out", tmp_path / "out"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=with_this_library()) as process:
        try:
            while not plan.with_name("plan.jsonl.rows").exists():
                assert process.poll() is None
                time.sleep(0.01)
            assert process.stdout is not None
            process.stdout.close()
            assert process.wait(timeout=20) == 1
        finally:
            process.kill()
