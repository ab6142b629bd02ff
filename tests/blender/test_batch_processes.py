# SPDX-License-Identifier: MIT
"""`animbridge batch` with Blenders like this one: what it comes to is what one Blender makes by itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.python.material import BVH, demos

import animbridge
from animbridge.batch import command, processes
from animbridge.package import command as native_command

WALK = next(path for path in demos() if path.name == "walk.anim")


def batch(*words: object) -> subprocess.CompletedProcess[str]:
    """With this Blender's own command line."""
    blender = [f"--blender={word}" for word in processes.own_words()]
    return subprocess.run(
        [*native_command.words(), "batch", *map(str, words), *blender],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )


def files_below(folder: Path) -> dict[str, bytes]:
    """{path below the folder: content}, without the ledger's folder."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and ".animbridge" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def rows_of(report: Path) -> list[dict[str, Any]]:
    rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


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
    """Bytes, rows and their order, and the exit code; the add-on's own batch among the runs."""
    made: list[Any] = []
    for jobs in (0, 1, 2, 3):
        out, report = tmp_path / "run" / "out", tmp_path / "run" / "report.json"
        words = [mixed, "--to", target, "--out", out, "--report", report, "--level", "strict"]
        if jobs:
            code = batch(*words, "--jobs", jobs).returncode
        else:
            code = command.run([*map(str, words), "--quiet"])
        made.append((code, files_below(out), rows_of(report)))
        shutil.move(tmp_path / "run", tmp_path / f"run {jobs}")
    assert made[2] == made[1] and made[3] == made[1]
    code, files, rows = made[0]
    assert (code, files) == made[1][:2]
    assert len(files) > len(demos()) and code == 1
    # What each of two programs says of a file that neither needs Blender for is compared in tests/python.
    # Only the command judges outputs.
    assert [{**row, "refused": None} for row in rows if row["input"].endswith(".blend")] == [
        row for row in made[1][2] if row["input"].endswith(".blend")
    ]


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
    import bpy

    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / "walk.blend"), load_ui=False)
    scene = bpy.context.scene
    assert (scene.render.fps, scene.frame_start) == (25, 11)


def test_option_that_one_of_both_lacks_is_said(mixed: Path, tmp_path: Path) -> None:
    """The command has options for files that Blender's exports have not; nothing is lost in silence."""
    done = batch(mixed / "zz.blend", WALK, "--to", "bvh", "--out", tmp_path / "out", "--decimals", "4")
    assert done.returncode == 1
    assert "unrecognized arguments: --decimals 4" in done.stdout
    assert set(files_below(tmp_path / "out")) == {"walk.bvh"}


def test_own_words_start_this_copy(tmp_path: Path) -> None:
    assert str(Path(animbridge.__file__).parent / "batch" / "start.py") in processes.own_words()
