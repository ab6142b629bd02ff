# SPDX-License-Identifier: MIT
"""Workers that are killed, that come late, and files that end whoever converts them."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from programs import (
    ROOT,
    WALK,
    batch,
    cluster,
    environment,
    farm,
    farm_command,
    files_below,
    ledger_rows,
    program,
    running,
    slow_command,
    until,
    worker_processes,
)

SLIDES = ROOT / "fixtures" / "walk" / "slides.bvh"
COUNT_KILLED = 6


def test_workers_killed_at_random(many: Path, tmp_path: Path) -> None:
    """Nothing is lost, and nothing is in the ledger twice."""
    out = tmp_path / "out"
    moments = random.Random(18)
    killed: list[int] = []
    with cluster(tmp_path, 3, ANIMBRIDGE_COMMAND=slow_command(tmp_path)) as address:
        words = [many, "--to", "bvh", "--out", out, "--scheduler", address]
        with subprocess.Popen(
            farm_command(*words),
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as client:
            while client.poll() is None and len(killed) < COUNT_KILLED:
                time.sleep(moments.uniform(0.1, 0.6))
                workers = worker_processes(address)
                if workers and any(out.glob(".animbridge/ledger*")) and client.poll() is None:
                    killed.append(moments.choice(workers))
                    os.kill(killed[-1], signal.SIGKILL)
            said, _ = client.communicate(timeout=240)
    assert client.returncode == 1, said  # some inputs are broken
    assert len(set(killed)) >= 3
    batch(many, "--to", "bvh", "--out", tmp_path / "single")
    assert ledger_rows(out) == ledger_rows(tmp_path / "single")
    assert files_below(out) == files_below(tmp_path / "single")
    assert sum(row.startswith("failed") for row in said.splitlines()) == 30


def test_file_that_kills_the_program_costs_its_row(tmp_path: Path) -> None:
    """It needs more seconds of the processor than the program may have, each time; the others do not."""
    inputs = tmp_path / "in"
    inputs.mkdir()
    for number in range(100):
        os.link(WALK, inputs / f"clip {number}.anim")
    head, motion = SLIDES.read_text(encoding="utf-8").split("MOTION")
    frames = motion.strip().splitlines()[2:]
    many = [frames[0]] * 400_000
    text = f"{head}MOTION\nFrames: {len(many)}\nFrame Time: 0.033\n"
    (inputs / "poison.bvh").write_text(text + "\n".join(many) + "\n", encoding="utf-8")
    limited = program(tmp_path, "ulimit -t 1")
    words = [inputs, "--to", "json", "--out", tmp_path / "out", "--workers", "2"]
    done = farm(*words, more={"ANIMBRIDGE_COMMAND": limited})
    assert done.returncode == 1
    assert ", 1 failed" in done.stdout, done.stdout
    assert "poison.bvh: the program was killed each of the 3 times" in done.stdout
    assert len(files_below(tmp_path / "out")) == 100
    assert len(ledger_rows(tmp_path / "out")) == 101


def test_input_that_cannot_be_read_is_tried_again(tmp_path: Path) -> None:
    """As on a network folder: at the first try it is not there."""
    shutil.copy(WALK, tmp_path / "walk.anim")
    (tmp_path / "walk.anim").rename(tmp_path / "away")
    (tmp_path / "walk.anim").symlink_to(tmp_path / "gone")
    slow = program(
        tmp_path, f'cd "{tmp_path}"; [ ! -e tried ] || mv -f away walk.anim 2>/dev/null; touch tried'
    )
    out = tmp_path / "out"
    words = [tmp_path / "walk.anim", "--to", "bvh", "--out", out, "--workers", "1"]
    done = farm(*words, more={"ANIMBRIDGE_COMMAND": slow})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 written, 0 failed" in done.stdout and len(ledger_rows(out)) == 1


def test_lost_scheduler_ends_the_run(many: Path, tmp_path: Path) -> None:
    """The same command with --resume does the rest, as soon as the worker has ended its share."""
    out = tmp_path / "out"
    told = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m"]
    scheduler = [*dask, "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
    with running([*scheduler, "--scheduler-file", told]) as lost:
        until(lambda: told.exists() and "address" in told.read_text(encoding="utf-8"))
        address = json.loads(told.read_text(encoding="utf-8"))["address"]
        words = [many / "take 3", "--to", "bvh", "--out", out]
        worker = [*dask, "distributed.cli.dask_worker", address, "--no-dashboard", "--nthreads", "1"]
        with (
            running(worker, ANIMBRIDGE_COMMAND=slow_command(tmp_path, 1.0)),
            subprocess.Popen(
                farm_command(*words, "--scheduler", address),
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            ) as client,
        ):
            until(lambda: bool(files_below(out)))
            lost.kill()
            _, problems = client.communicate(timeout=60)
    assert client.returncode == 1
    assert problems == "error: Dask's scheduler is lost. Go on with the same command and --resume\n"
    assert farm(*words, "--resume").returncode == 1  # some inputs are broken
    batch(*words[:-1], tmp_path / "single")
    assert ledger_rows(out) == ledger_rows(tmp_path / "single")


def test_run_waits_for_workers(tmp_path: Path) -> None:
    told = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m"]
    with running(
        [*dask, "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", told]
    ):
        until(lambda: told.exists() and "address" in told.read_text(encoding="utf-8"))
        address = json.loads(told.read_text(encoding="utf-8"))["address"]
        with subprocess.Popen(
            farm_command(WALK, "--to", "bvh", "--out", tmp_path / "out", "--scheduler", address),
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as client:
            said: list[str] = []
            assert client.stderr is not None
            reader = threading.Thread(target=lambda: said.extend(client.stderr or ()))
            reader.start()
            until(lambda: any("No worker is connected" in line for line in said), 40)
            with running([*dask, "distributed.cli.dask_worker", address, "--no-dashboard"]):
                assert client.wait(60) == 0
            reader.join()
    assert (tmp_path / "out" / "walk.bvh").exists()
