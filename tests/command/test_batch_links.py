# SPDX-License-Identifier: MIT
"""Links in the output folder that lead out of it: a batch makes, changes and removes nothing there."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from batch_programs import OWN_FOLDER
from material import demos
from test_batch_blender import blends, fake
from test_batch_command import batch

WALK = next(path for path in demos() if path.name == "walk.anim")
TREASURE = b"a line that is not ours\nand one without an end"
__all__ = ["fake"]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """elsewhere/file, elsewhere/work-0/file"""
    folder = tmp_path / "elsewhere"
    (folder / "work-0").mkdir(parents=True)
    for place in (folder, folder / "work-0"):
        (place / "file").write_bytes(TREASURE)
    return folder


def is_untouched(outside: Path) -> bool:
    found = {str(path.relative_to(outside)): path for path in outside.rglob("*") if path.is_file()}
    return set(found) == {"file", "work-0/file"} and all(
        path.read_bytes() == TREASURE for path in found.values()
    )


def converted(tmp_path: Path, *words: object) -> tuple[int, str]:
    """A batch of one file into out/; its exit code, and what it says."""
    folder = tmp_path / "in"
    folder.mkdir(exist_ok=True)
    shutil.copy(WALK, folder)
    done = batch(folder, "--to", "json", "--out", tmp_path / "out", *words)
    return done.returncode, done.stdout + done.stderr


def own_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "out" / OWN_FOLDER
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("plant", [os.symlink, os.link])
@pytest.mark.parametrize("name", ["lock", "ledger.jsonl"])
def test_file_of_the_run(
    plant: Callable[[Path, Path], None], name: str, tmp_path: Path, outside: Path
) -> None:
    planted = own_folder(tmp_path) / name
    plant(outside / "file", planted)
    code, said = converted(tmp_path)
    assert code == 1 and name in said and "link" in said
    assert is_untouched(outside)
    planted.unlink()
    assert converted(tmp_path)[0] == 0


def test_link_to_what_is_not_there(tmp_path: Path, outside: Path) -> None:
    (own_folder(tmp_path) / "lock").symlink_to(outside / "new")
    assert converted(tmp_path)[0] == 1 and is_untouched(outside)


def test_pipe_in_a_file_s_place(tmp_path: Path) -> None:
    """Nobody waits for its other end."""
    os.mkfifo(own_folder(tmp_path) / "ledger.jsonl")
    code, said = converted(tmp_path)
    assert code == 1 and "is not a regular file" in said


def test_folder_of_the_run(fake: list[str], tmp_path: Path, outside: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / OWN_FOLDER).symlink_to(outside)
    blends(tmp_path / "in", "walk")
    code, said = converted(tmp_path, *fake)
    assert code == 1 and OWN_FOLDER in said and "link" in said
    assert is_untouched(outside)


def test_folders_of_unfinished_work(fake: list[str], tmp_path: Path, outside: Path) -> None:
    """What a killed run left is removed, and not what a link in it leads to."""
    own = own_folder(tmp_path)
    (own / "work-0").symlink_to(outside)
    (own / "work-256").mkdir()
    (own / "work-256" / "link").symlink_to(outside)
    (own / "work-256" / "deep").mkdir()
    (own / "work-256" / "deep" / "file").write_bytes(b"ours")
    blends(tmp_path / "in", "a", "b")
    assert converted(tmp_path, *fake)[0] == 0
    assert {path.name for path in own.iterdir()} == {"lock", "ledger.jsonl"}
    assert is_untouched(outside)


def test_file_that_tries_the_case_of_names(tmp_path: Path, outside: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".animbridge.case.tmp").symlink_to(outside / "file")
    (tmp_path / "in").mkdir()
    for name in ("Walk.anim", "walk.anim"):
        shutil.copy(WALK, tmp_path / "in" / name)
    assert batch(tmp_path / "in", "--to", "json", "--out", out).returncode == 0
    assert {path.name for path in out.glob("*.json")} == {"Walk.json", "walk.json"}
    assert is_untouched(outside)


@pytest.mark.parametrize("plant", [os.symlink, os.link])
def test_unfinished_report(plant: Callable[[Path, Path], None], tmp_path: Path, outside: Path) -> None:
    report = tmp_path / "report.json"
    plant(outside / "file", tmp_path / "report.json.partial")
    assert converted(tmp_path, "--report", report)[0] == 0
    assert json.loads(report.read_text())["totals"]["outputs"] == 1 and not report.is_symlink()
    assert is_untouched(outside)


def test_report_that_is_no_file(tmp_path: Path) -> None:
    """It is not replaced, be it a pipe or /dev/null; a link is followed."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    code, said = converted(tmp_path, "--report", pipe)
    assert code == 1 and "the report cannot be written" in said and "is not a regular file" in said
    assert pipe.is_fifo()
    (tmp_path / "report.json").write_bytes(TREASURE)
    link.symlink_to("report.json")
    assert converted(tmp_path, "--report", link)[0] == 0 and link.is_symlink()
    assert json.loads((tmp_path / "report.json").read_text())["totals"]["outputs"] == 1


def test_the_output_folder_may_be_a_link(tmp_path: Path, outside: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "out").symlink_to(real)
    assert converted(tmp_path)[0] == 0
    assert {path.name for path in real.iterdir()} == {"walk.json", OWN_FOLDER}


def test_links_inside_the_output_folder(tmp_path: Path) -> None:
    """They are followed, for what they lead to is inside."""
    real = tmp_path / "out" / "real"
    real.mkdir(parents=True)
    (tmp_path / "out" / "deep").symlink_to(real)
    (tmp_path / "in" / "deep").mkdir(parents=True)
    shutil.copy(WALK, tmp_path / "in" / "deep" / "inner.anim")
    assert converted(tmp_path)[0] == 0
    assert (real / "inner.json").is_file() and (tmp_path / "out" / "deep").is_symlink()


def test_folder_that_becomes_a_link_meanwhile(tmp_path: Path) -> None:
    """For three seconds, somebody puts a link in the place of the folder that files are written into."""
    inputs, out, outside = tmp_path / "in" / "deep", tmp_path / "out", tmp_path / "elsewhere"
    inputs.mkdir(parents=True)
    outside.mkdir()
    for number in range(300):
        os.link(shutil.copy(WALK, tmp_path / "walk.anim"), inputs / f"{number}.anim")
    is_over = threading.Event()

    def swap() -> None:
        while not is_over.is_set():
            try:
                (out / "deep").rename(out / "away")
                (out / "deep").symlink_to(outside)
                (out / "deep").unlink()
                (out / "away").rename(out / "deep")
            except OSError:
                shutil.rmtree(out / "away", ignore_errors=True)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        end = time.monotonic() + 3
        runs = 0
        while time.monotonic() < end or not runs:
            batch(tmp_path / "in", "--to", "json", "--out", out, "--quiet", "--jobs", 2)
            runs += 1
    finally:
        is_over.set()
        swapper.join()
    assert not list(outside.iterdir()), f"{len(list(outside.iterdir()))} files in {runs} runs"
