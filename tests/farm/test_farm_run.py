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
)


def report_of(path: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows in the order of inputs, and the sums; without times."""
    report = json.loads(path.read_text(encoding="utf-8"))
    rows = [{key: value for key, value in row.items() if key != "seconds"} for row in report["rows"]]
    rows.sort(key=lambda row: (str(row["input"]), str(row["output"])))
    return rows, {key: value for key, value in report["totals"].items() if key != "seconds"}


@pytest.mark.parametrize("target", ["bvh", "json"])
def test_farm_is_a_single_run(mixed: Path, tmp_path: Path, target: str) -> None:
    """Bytes, ledger, report and exit code, with an input that is not there, and two with one output."""
    made: list[Any] = []
    for run in (batch, farm):
        out, report = tmp_path / "run" / "out", tmp_path / "run" / "report.json"
        words = [mixed, "nothing.anim", "--to", target, "--out", out, "--report", report, "--level", "strict"]
        done = run(*words)
        assert done.returncode == 1, done.stderr
        assert not out.with_name("report.json.partial").exists()
        made.append((files_below(out), ledger_rows(out), report_of(report)))
        (tmp_path / "run").rename(tmp_path / run.__name__)
    single, shared = made
    assert shared[0] == single[0] and len(shared[0]) > 20
    assert shared[1] == single[1]
    assert shared[2] == single[2]


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


def test_plan_goes_on_after_its_client_was_killed(many: Path, tmp_path: Path) -> None:
    """At several moments; then the same command does what is left, and nothing is in the ledger twice."""
    out, plan = tmp_path / "out", tmp_path / "plan.jsonl"
    assert batch(many, "--to", "bvh", "--out", out, "--plan", plan, "--quiet").returncode == 0
    counts: list[int] = []
    for rows in (1, 900):
        with subprocess.Popen(
            farm_command(plan, "--workers", "2", "--task-seconds", "0.2", "--quiet"),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as client:
            until(lambda rows=rows: len((out / LEDGER).read_bytes().splitlines()) >= rows)
            os.killpg(client.pid, signal.SIGKILL)
        counts.append(len((out / LEDGER).read_bytes().splitlines()))
    assert 0 < counts[0] < counts[1] < 3000
    done = farm(plan, "--workers", "2", "--quiet")
    assert done.returncode == 1, done.stderr
    written = int(done.stdout.splitlines()[-1].split(" written")[0].replace(",", ""))
    assert written < 3000 - counts[1]
    check_whole(many, out, tmp_path)


def check_whole(inputs: Path, out: Path, tmp_path: Path) -> None:
    """Everything is there as after a single run, and each input has one row."""
    batch(inputs, "--to", "bvh", "--out", tmp_path / "single")
    assert ledger_rows(out) == ledger_rows(tmp_path / "single")
    assert files_below(out) == files_below(tmp_path / "single")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_after_the_files_in_hand(many: Path, tmp_path: Path, number: signal.Signals) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    words = [many, "--to", "bvh", "--out", out, "--workers", "2", "--task-seconds", "60"]
    with subprocess.Popen(
        farm_command(*words, "--report", report),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as client:
        until(lambda: (out / LEDGER).exists() and bool((out / LEDGER).read_bytes()))
        asked = time.monotonic()
        client.send_signal(number)
        said, problems = client.communicate(timeout=60)
        assert time.monotonic() - asked < 20
    assert client.returncode == 128 + number, problems
    assert f"Stopped by {number.name}: " in said
    assert "Stopping after the files in hand." in problems
    left = json.loads(report.read_text(encoding="utf-8"))["stopped"]
    rows = ledger_rows(out)
    assert left == {"signal": number.name, "inputs_left": 3000 - len(rows)} and 0 < len(rows) < 3000
    assert len(files_below(out)) == sum(row["status"] == "ok" for row in rows)
    assert farm(*words, "--resume").returncode == 1
    check_whole(many, out, tmp_path)


def test_resume_does_what_changed(tmp_path: Path) -> None:
    shutil.copytree(WALK.parent, tmp_path / "in")
    words = ["in", "--to", "bvh", "--out", "out", "--quiet"]
    farm(*words, cwd=tmp_path)
    assert farm(*words, "--resume", cwd=tmp_path).stdout.startswith("0 written, 0 failed")
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
        until(lambda: (out / LEDGER).exists() and bool((out / LEDGER).read_bytes()))
        for second in (batch(*words), farm(*words)):
            assert second.returncode == 1
            assert "another run writes there: process " in second.stderr
        one.send_signal(signal.SIGINT)
        one.wait(60)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["in", "--to", "bvh"], 2, "--out is required"),
        (["in", "--to", "mp3", "--out", "o"], 2, "--to"),
        (["in", "--to", "bvh", "--out", "o", "--jobs", "2"], 2, "use --workers"),
        (["--to", "bvh", "--out", "o"], 2, "found no inputs"),
        (["no.jsonl"], 1, "the plan cannot be read"),
        (["bad.jsonl"], 1, "bad.jsonl: line 1 is not a line of a plan"),
        (["empty.jsonl"], 1, "it is empty"),
        (["other.jsonl"], 1, "AnimBridge 9.9 made the plan, and this is AnimBridge"),
        (["elsewhere.jsonl"], 1, "there is no folder /nowhere, where the plan was made"),
        (["in", "--to", "bvh", "--out", "o", "--scheduler", "tcp://127.0.0.1:1"], 1, "cannot be reached"),
    ],
)
def test_bad_calls_are_said(tmp_path: Path, words: list[str], code: int, said: str) -> None:
    shutil.copytree(WALK.parent, tmp_path / "in")
    batch("in", "--to", "bvh", "--out", "out", "--plan", "good.jsonl", cwd=tmp_path)
    header, *rows = (tmp_path / "good.jsonl").read_text(encoding="utf-8").splitlines()
    for name, changes in {"other": {"version": "9.9"}, "elsewhere": {"folder": "/nowhere"}}.items():
        lines = [json.dumps(json.loads(header) | changes), *rows]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text("[1]\n", encoding="utf-8")
    (tmp_path / "empty.jsonl").touch()
    done = farm(*words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_two_inputs_with_one_output_are_reported_across_tasks(tmp_path: Path) -> None:
    """A level writes into a folder of its name, where another input's output may lie: in another task."""
    inputs = tmp_path / "in"
    (inputs / "level_pc").mkdir(parents=True)
    shutil.copy(WALK.parents[1] / "oban" / "level_pc.dat", inputs / "level_pc.dat")
    batch(inputs / "level_pc.dat", "--to", "json", "--out", tmp_path / "first")
    first = next(path for path in sorted((tmp_path / "first").rglob("*.json")))
    shutil.copy(first, inputs / "level_pc" / first.name)
    (inputs / "between").mkdir()
    for number in range(40):
        os.link(inputs / "level_pc" / first.name, inputs / "between" / f"{number}.json")
    done = farm(inputs, "--to", "json", "--out", tmp_path / "out", "--workers", "1", "--task-seconds", "0.1")
    assert done.returncode == 1
    assert f"level_pc/{first.name}: level_pc" in done.stdout
