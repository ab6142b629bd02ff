# SPDX-License-Identifier: MIT
"""Shards of `animbridge batch`, and one ledger of theirs."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from batch_programs import COMMAND, OWN_FOLDER, files_below
from material import UNREADABLE, demos
from test_batch_command import batch

WALK = next(path for path in demos() if path.name == "walk.anim")
BROKEN = next(case.path for case in UNREADABLE if case.path.name == "cut_in_keys.anim")
COUNT = 4


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 files in folders, of which some are broken."""
    folder = tmp_path_factory.mktemp("shards") / "in"
    for number in range(60):
        place = folder / f"take {number % 5}" / "ä"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(BROKEN if number % 13 == 0 else WALK, place / f"clip.{number}.anim")
    return folder


def merged(out: Path, *ledgers: Path) -> subprocess.CompletedProcess[str]:
    """The answer of `animbridge batch-merge`."""
    command = [COMMAND, "batch-merge", *ledgers, "--out", out]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def shard_of(relative: str) -> int:
    """As docs/batch.md says: the first 8 bytes of SHA-256 of the path without its extension."""
    stem = relative.rpartition(".")[0]
    return int.from_bytes(hashlib.sha256(stem.encode()).digest()[:8], "big") % COUNT + 1


def test_shards_are_a_single_run(tree: Path, tmp_path: Path) -> None:
    single = tmp_path / "single"
    batch(tree, "--to", "bvh", "--out", single)
    shared = tmp_path / "shared"
    shards = []
    for number in range(1, COUNT + 1):
        done = batch(tree, "--to", "bvh", "--out", shared, "--shard", f"{number}/{COUNT}")
        ledger = shared / OWN_FOLDER / f"ledger-{number}-of-{COUNT}.jsonl"
        rows = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]
        assert {shard_of(row["path"]) for row in rows} == {number}
        assert f"/{len(rows)}  " in done.stdout and not done.stderr
        shards.append(ledger)
    assert files_below(shared) == files_below(single) and len(files_below(single)) == 55
    for name, ledgers in (
        ("one", [single / OWN_FOLDER / "ledger.jsonl"]),
        ("all", shards),
        ("back", shards[::-1]),
    ):
        done = merged(tmp_path / name, *ledgers)
        assert done.returncode == 0 and done.stdout.startswith("60 rows")
    one = (tmp_path / "one").read_bytes()
    assert one == (tmp_path / "all").read_bytes() == (tmp_path / "back").read_bytes()
    paths = [json.loads(line)["path"].encode() for line in one.splitlines()]
    assert paths == sorted(paths)
    # The merged ledger is one that a run goes on with.
    shutil.copy(tmp_path / "all", shared / OWN_FOLDER / "ledger.jsonl")
    again = batch(tree, "--to", "bvh", "--out", shared, "--resume")
    assert "0 written, 5 failed, 0 skipped, 55 current" in again.stdout


def test_a_shard_without_inputs_is_fine(tmp_path: Path) -> None:
    codes = [
        batch(WALK, "--to", "bvh", "--out", tmp_path, "--shard", f"{i}/{COUNT}").returncode
        for i in (1, 2, 3, 4)
    ]
    assert codes == [0] * COUNT and set(files_below(tmp_path)) == {"walk.bvh"}


def test_inputs_for_one_output_are_in_one_shard(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for suffix in ("anim", "animatn", "json"):
        shutil.copy(WALK, folder / f"walk.{suffix}")
    failed = 0
    for number in range(1, COUNT + 1):
        done = batch(folder, "--to", "bvh", "--out", tmp_path / "out", "--shard", f"{number}/{COUNT}")
        failed += done.stdout.count("already belongs to")
    assert failed == 2


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "1/", "/2", "a/b", "1/0", "-1/2", "1/2/3"])
def test_wrong_shards(text: str, tmp_path: Path) -> None:
    done = batch(WALK, "--to", "bvh", "--out", tmp_path, f"--shard={text}")
    assert done.returncode == 2 and "2/8" in done.stderr


def test_newer_rows_win_and_outputs_of_two_inputs_are_told(tmp_path: Path) -> None:
    batch(WALK, "--to", "bvh", "--out", tmp_path / "o")
    ledger = tmp_path / "o" / OWN_FOLDER / "ledger.jsonl"
    row = json.loads(ledger.read_text())
    old, new = tmp_path / "old", tmp_path / "new"
    failed = json.dumps({**row, "status": "failed", "outputs": []}) + "\n"
    old.write_text(failed + "no row\n")
    new.write_text(failed + ledger.read_text() + '{"path": "cut')
    done = merged(tmp_path / "m", old, new)
    assert done.returncode == 0
    assert done.stdout == "1 row, 2 older rows left out, 1 line that is no row\n"
    assert (tmp_path / "m").read_text() == ledger.read_text()
    other = tmp_path / "other"
    other.write_text(json.dumps({**row, "path": "walk.fbx"}) + "\n")
    done = merged(tmp_path / "m", new, other)
    assert done.returncode == 1 and "walk.bvh: walk.anim and walk.fbx" in done.stderr
    assert len((tmp_path / "m").read_text().splitlines()) == 2
    assert merged(tmp_path / "m", tmp_path / "m").returncode == 1
    assert merged(tmp_path / "m", tmp_path / "none").returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="the limit is for POSIX")
def test_more_ledgers_than_may_be_open(tmp_path: Path) -> None:
    """A farm has 20 for each thread, and systems allow 256 or 1024 open files."""
    assert batch(WALK, "--to", "json", "--out", tmp_path / "out").returncode == 0
    row = json.loads((tmp_path / "out" / OWN_FOLDER / "ledger.jsonl").read_bytes())
    ledgers = []
    for number in range(60):
        row["path"], row["outputs"][0]["path"] = f"{number}.anim", f"{number}.json"
        ledgers.append(tmp_path / f"{number}.jsonl")
        ledgers[-1].write_text(json.dumps(row) + "\n", encoding="utf-8")
    words = [COMMAND, "batch-merge", *ledgers, "--out", tmp_path / "whole.jsonl"]
    done = subprocess.run(
        ["sh", "-c", 'ulimit -n 40; exec "$@"', "sh", *map(str, words)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "whole.jsonl").read_text(encoding="utf-8").splitlines()) == 60
