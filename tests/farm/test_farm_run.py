# SPDX-License-Identifier: MIT
"""A batch on the workers of this machine, which must come to what `animbridge batch` comes to."""

from __future__ import annotations

import json
import os
import shutil
import signal
import struct
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from programs import (
    BROKEN,
    LEDGER,
    WALK,
    batch,
    environment,
    farm,
    farm_command,
    files_below,
    ledger_rows,
    slow_command,
    until,
    version,
)

from animbridge.farm.ledger import number_of


@pytest.mark.parametrize("target", ["bvh", "json"])
def test_farm_is_a_single_run(mixed: Path, tmp_path: Path, target: str) -> None:
    """Bytes, ledger, messages and exit code, with an input that is not there, and two with one output."""
    made: list[Any] = []
    for run in (batch, farm):
        out = tmp_path / "run" / "out"
        done = run(mixed, "nothing.anim", "--to", target, "--out", out, "--level", "strict", "--quiet")
        assert done.returncode == 1, done.stderr
        *rows, summary = done.stdout.splitlines()
        failures = sorted(row for row in rows if row.startswith("failed"))
        made.append((files_below(out), ledger_rows(out), failures, summary.split(" skipped")[0]))
        assert {path.name for path in (out / LEDGER.parent).iterdir()} <= {"ledger.jsonl", "lock"}
        (tmp_path / "run").rename(tmp_path / run.__name__)
    assert len(made[0][0]) > 20
    assert made[0] == made[1]


@pytest.mark.parametrize("plant", [os.symlink, os.link])
def test_nothing_is_written_through_a_link(plant: Callable[[Path, Path], None], tmp_path: Path) -> None:
    """As by `animbridge batch` (tests/command/test_batch_links.py)."""
    outside = tmp_path / "file"
    outside.write_bytes(b"a line that is not ours\n")
    own = tmp_path / "out" / LEDGER.parent
    own.mkdir(parents=True)
    plant(outside, own / "lock")
    done = farm(WALK, "--to", "json", "--out", tmp_path / "out")
    assert done.returncode == 1 and "link" in done.stderr
    assert outside.read_bytes() == b"a line that is not ours\n"


def test_the_folder_of_ledgers_is_no_link(tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / LEDGER.parent).symlink_to(outside)
    done = farm(WALK, "--to", "json", "--out", tmp_path / "out")
    assert done.returncode == 1 and "is a link" in done.stderr
    assert not list(outside.iterdir())


@pytest.mark.parametrize(("fail_on", "code"), [("rejected", 1), ("altered", 1), ("never", 0)])
def test_refused_outputs_are_reported_and_fail_the_run(tmp_path: Path, fail_on: str, code: int) -> None:
    """The second file is one that the viewer changes."""
    files = [BROKEN.with_name(name) for name in ("name_m_screen.anim", "base_priority_7.anim")]
    words = [*files[fail_on == "altered" :], "--to", "anim", "--fail-on", fail_on]
    done = farm(*words, "--out", tmp_path)
    assert done.returncode == code == batch(*words, "--out", tmp_path / "single").returncode, done.stderr
    assert ("refused by Second Life" in done.stdout) is (", 1 refused, " in done.stdout)
    assert (", 1 refused, " in done.stdout) is (fail_on != "altered")


def test_options_reach_the_workers(tmp_path: Path) -> None:
    batch(WALK.parent, "--to", "bvh", "--out", tmp_path / "in")
    words = ["in", "--to", "anim", "--priority", "5", "--ease-in", "0.25"]
    batch(*words, "--out", "single", cwd=tmp_path)
    done = farm(*words, "--out", "shared", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert files_below(tmp_path / "shared") == files_below(tmp_path / "single")
    # A record of the viewer's format: the version, and then the priority.
    assert struct.unpack_from("<HHi", files_below(tmp_path / "shared")["walk.anim"]) == (1, 0, 5)


def rows_so_far(out: Path) -> int:
    """Of a run that goes on: those of its shares."""
    lines = [
        line for path in out.glob(".animbridge/ledger*.jsonl") for line in path.read_bytes().splitlines()
    ]
    return len({json.loads(line)["path"] for line in lines if line.endswith(b"}")})


def test_run_goes_on_after_its_client_was_killed(many: Path, tmp_path: Path) -> None:
    """At several moments; then the same command does what is left, with another number of workers."""
    out = tmp_path / "out"
    words = [many, "--to", "bvh", "--out", out, "--quiet"]
    counts: list[int] = []
    for rows in (1, 900):
        with subprocess.Popen(
            farm_command(*words, "--resume", "--workers", "2"),
            env=environment(ANIMBRIDGE_COMMAND=slow_command(tmp_path)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as client:
            until(lambda rows=rows: rows_so_far(out) >= rows)
            os.killpg(client.pid, signal.SIGKILL)
        counts.append(rows_so_far(out))
    assert 0 < counts[0] < counts[1] < 3000
    done = farm(*words, "--workers", "3", "--resume")
    assert done.returncode == 1, done.stderr
    written = int(done.stdout.splitlines()[-1].split(" written")[0].replace(",", ""))
    assert written <= 3000 - counts[1]
    check_whole(many, out, tmp_path)


def test_command_and_farm_go_on_from_each_other(many: Path, tmp_path: Path) -> None:
    """A share of the command's, then the farm with other shares, then a single run."""
    out = tmp_path / "out"
    words = [many / "take 3", "--to", "bvh", "--out", out, "--quiet"]
    batch(*words, "--shard", "1/3")
    made = len(files_below(out))
    assert 10 < made < 60
    done = farm(*words, "--workers", "2", "--resume")
    assert f" skipped, {made} current, " in done.stdout, done.stdout
    assert batch(*words, "--resume").stdout.splitlines()[-1].startswith("0 written, ")
    batch(*words[:-2], tmp_path / "single")
    assert files_below(out) == files_below(tmp_path / "single")


def check_whole(inputs: Path, out: Path, tmp_path: Path) -> None:
    """Everything is there as after a single run, and each input has one row."""
    batch(inputs, "--to", "bvh", "--out", tmp_path / "single")
    assert ledger_rows(out) == ledger_rows(tmp_path / "single")
    assert files_below(out) == files_below(tmp_path / "single")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_after_the_files_in_hand(many: Path, tmp_path: Path, number: signal.Signals) -> None:
    out = tmp_path / "out"
    words = [many, "--to", "bvh", "--out", out, "--workers", "2"]
    with subprocess.Popen(
        farm_command(*words),
        env=environment(ANIMBRIDGE_COMMAND=slow_command(tmp_path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as client:
        until(lambda: rows_so_far(out) > 0)
        asked = time.monotonic()
        client.send_signal(number)
        said, problems = client.communicate(timeout=60)
        assert time.monotonic() - asked < 20
    assert client.returncode == 128 + number, problems
    assert f"Stopped by {number.name}: " in said and " of 40 shares left" in said
    assert "Stopping after the files in hand." in problems
    rows = ledger_rows(out)
    assert 0 < len(rows) < 3000
    assert len(files_below(out)) == sum(row["status"] == "ok" for row in rows)
    assert farm(*words, "--resume").returncode == 1
    check_whole(many, out, tmp_path)


def test_resume_does_what_changed(tmp_path: Path) -> None:
    shutil.copytree(WALK.parent, tmp_path / "in")
    words = ["in", "--to", "bvh", "--out", "out", "--quiet"]
    farm(*words, cwd=tmp_path)
    done = farm(*words, "--resume", cwd=tmp_path)
    assert done.stdout.startswith("0 written, 0 failed, 0 skipped, 6 current"), done.stdout
    (tmp_path / "out" / "walk.bvh").unlink()
    os.utime(tmp_path / "in" / "wave.anim", ns=(1, 1))
    done = farm(*words, "--resume", cwd=tmp_path)
    assert done.stdout.startswith("2 written, 0 failed"), done.stdout


def test_second_run_into_a_folder_is_refused(many: Path, tmp_path: Path) -> None:
    """Whether the farm or the command has it."""
    out = tmp_path / "out"
    words = [many, "--to", "bvh", "--out", out]
    with subprocess.Popen(
        farm_command(*words, "--quiet"),
        env=environment(ANIMBRIDGE_COMMAND=slow_command(tmp_path)),
        stdout=subprocess.DEVNULL,
    ) as one:
        until(lambda: rows_so_far(out) > 0)
        for second in (batch(*words), farm(*words)):
            assert second.returncode == 1
            assert "another run writes there: process " in second.stderr
        one.send_signal(signal.SIGINT)
        one.wait(60)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["in", "--to", "bvh"], 2, "required: --out"),
        (["in", "--to", "mp3", "--out", "o"], 2, "--to"),
        (["in", "--to", "bvh", "--out", "o", "--jobs", "2"], 2, "whose --workers"),
        (["--to", "bvh", "--out", "o"], 2, "found no inputs"),
        (["in", "--to", "bvh", "--out", "o", "--shard", "1/2"], 2, "leave it out"),
        (["in", "--to", "bvh", "--out", "o", "--report", "r"], 2, "--report does not go with a farm"),
        (["--from", "-", "--to", "bvh", "--out", "o"], 2, "give a file"),
        (["in", "--to", "bvh", "--out", "o", "--workers", "0"], 2, "at least 1"),
        (["s3://b/c", "--from=list", "--to", "bvh", "--out", "o"], 2, "--from does not go with URLs"),
        (["plan.jsonl"], 2, "required: --out"),
        (["in", "--to", "bvh", "--out", "o", "--scheduler", "tcp://127.0.0.1:1"], 1, "cannot be reached"),
    ],
)
def test_bad_calls_are_said(tmp_path: Path, words: list[str], code: int, said: str) -> None:
    shutil.copytree(WALK.parent, tmp_path / "in")
    done = farm(*words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_two_inputs_with_one_output_are_reported_across_shares(tmp_path: Path) -> None:
    """A level writes into a folder of its name, where another input's output may lie: in another share."""
    inputs = tmp_path / "in"
    (inputs / "level_pc").mkdir(parents=True)
    shutil.copy(WALK.parents[1] / "oban" / "level_pc.dat", inputs / "level_pc.dat")
    batch(inputs / "level_pc.dat", "--to", "json", "--out", tmp_path / "first")
    first = next(path for path in sorted((tmp_path / "first").rglob("*.json")))
    shutil.copy(first, inputs / "level_pc" / first.name)
    done = farm(inputs, "--to", "json", "--out", tmp_path / "out", "--workers", "2")
    assert done.returncode == 1
    assert f"level_pc/{first.name}: level_pc" in done.stdout


def test_no_file_says_which_program_is_run(tmp_path: Path) -> None:
    """A plan with `--blender /bin/sh` ran a program on each worker."""
    (tmp_path / "run").write_text(f"#!/bin/sh\ntouch {tmp_path}/was-run\n", encoding="utf-8")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "scene.blend").write_bytes(b"BLENDER")
    header = {
        "animbridge_plan": 1,
        "version": version(),
        "folder": str(tmp_path),
        "out": "out",
        "arguments": ["--to", "bvh", "--out", "out", "--blender", str(tmp_path / "run")],
        "options": "",
        "ledger_bytes": 0,
        "reserved": [],
        "extensions": [],
    }
    row = {"input": "scene.blend", "folder": "", "size": 7}
    plan = tmp_path / "plan.jsonl"
    plan.write_text(f"{json.dumps(header)}\n{json.dumps(row)}\n", encoding="utf-8")
    for words in ([plan], [plan, "--to", "bvh", "--out", "out"]):
        farm(*words, "--workers", "1", cwd=tmp_path)
        assert not (tmp_path / "was-run").exists()
    for option in ("--plan", "--planned", "--ledger"):
        assert batch(option, plan, WALK, "--to", "bvh", "--out", "out", cwd=tmp_path).returncode == 2


def test_nobody_else_can_give_this_machine_work(many: Path, tmp_path: Path) -> None:
    """Whoever reaches a worker of Dask runs programs with it. Linux lists the ports of a process."""
    with subprocess.Popen(
        farm_command(many, "--to", "bvh", "--out", tmp_path / "out", "--workers", "2"),
        env=environment(ANIMBRIDGE_COMMAND=slow_command(tmp_path)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as client:
        until(lambda: rows_so_far(tmp_path / "out") > 0)
        found = subprocess.run(["ps", "-o", "pid=", "-s", str(client.pid)], capture_output=True, check=True)
        listening = [each for pid in found.stdout.split() for each in listening_sockets(int(pid))]
        os.killpg(client.pid, signal.SIGKILL)
    assert listening == []


def listening_sockets(pid: int) -> list[str]:
    """The local addresses on which a process waits for connections."""
    sockets: set[str] = set()
    with suppress(OSError):
        sockets = {str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()}
    lines = [
        line.split() for name in ("tcp", "tcp6") for line in Path("/proc/net", name).read_text().splitlines()
    ]
    return [line[1] for line in lines if line[3] == "0A" and f"socket:[{line[9]}]" in sockets]


@pytest.mark.parametrize("name", ["a.anim", "deep/er/a.b.anim", ".anim", "a", "a.", "x.y/z", "ä/é.x#Run.1"])
def test_shares_are_those_of_the_command(tmp_path: Path, name: str) -> None:
    """The command is asked which of 3 shares reports the missing file."""
    listed = tmp_path / "list"
    listed.write_text(name, encoding="utf-8")
    done = [
        batch("--from", listed, "--to", "bvh", "--out", tmp_path / "o", "--shard", f"{number}/3")
        for number in (1, 2, 3)
    ]
    assert [each.returncode for each in done].index(1) + 1 == number_of(name, 3)
