# SPDX-License-Identifier: MIT
"""What the library writes where, in the process of whoever calls it."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from material import READABLE, ROOT

from animbridge.document import Document
from animbridge.errors import AnimBridgeError

COMMAND = ROOT / "build" / "bin" / "animbridge"
CASE = READABLE[0]


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def document() -> Document:
    return Document.read(CASE.data, CASE.path.name)


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o027, 0o002, 0])
def test_a_new_file_follows_the_umask_and_a_replaced_one_keeps_its_mode(tmp_path: Path, mask: int) -> None:
    path = tmp_path / "new.anim"
    os.umask(mask)
    document().write_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o640)
    document().write_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["new.anim"]


@pytest.mark.usefixtures("umask")
def test_threads_that_write_at_once_leave_the_umask_alone(tmp_path: Path) -> None:
    os.umask(0o077)

    def write(number: int) -> None:
        for turn in range(20):
            document().write_file(tmp_path / f"{number}-{turn}.anim")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert (len(list(tmp_path.iterdir())), modes) == (80, {0o600})
    assert os.umask(0o077) == 0o077


def test_links_are_followed_and_devices_written_into(tmp_path: Path) -> None:
    link = tmp_path / "link.anim"
    link.symlink_to("there.anim")
    document().write_file(link)
    assert link.is_symlink()
    assert (tmp_path / "there.anim").read_bytes() == CASE.data
    with pytest.raises(AnimBridgeError, match="No space left on device"):
        document().write_file("/dev/full")
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("ending", ["anim", "bin", "bvh", "dat", "fbx", "oban", "oni"])
def test_a_large_file_is_refused_by_its_beginning(ending: str, tmp_path: Path) -> None:
    """4 GiB of zeros, in a gigabyte of memory."""
    zeros = tmp_path / f"zeros.{ending}"
    zeros.touch()
    os.truncate(zeros, 4 << 30)
    for words in (["info", zeros], ["check", zeros], ["convert", zeros, tmp_path / "made.json"]):
        answer = subprocess.run(
            ["sh", "-c", 'ulimit -v 1000000; exec "$@"', "sh", COMMAND, *words],
            check=False,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        assert answer.returncode == 1
        assert "the content begins with the bytes 0000000000000000; readable are" in answer.stderr
        assert str(zeros) in answer.stderr


def test_a_large_file_of_blanks_at_first_is_read(tmp_path: Path) -> None:
    walk = ROOT / "fixtures" / "walk" / "slides.bvh"
    large = tmp_path / "large.bvh"
    large.write_bytes(b"\n" * (65 << 20) + walk.read_bytes())
    answer = subprocess.run(
        [COMMAND, "info", large], check=False, capture_output=True, encoding="utf-8", timeout=60
    )
    assert answer.returncode == 0, answer.stderr
