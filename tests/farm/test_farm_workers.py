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
    COMMAND,
    LEDGER,
    WALK,
    batch,
    cluster,
    environment,
    farm,
    farm_command,
    files_below,
    ledger_rows,
    running,
    slow_command,
    until,
    worker_processes,
)

COUNT_KILLED = 6


def test_workers_killed_at_random(many: Path, tmp_path: Path) -> None:
    """Nothing is lost, and nothing is in the ledger twice."""
    out = tmp_path / "out"
    moments = random.Random(18)
    killed: list[int] = []
    with cluster(tmp_path, 3, ANIMBRIDGE_COMMAND=slow_command(tmp_path)) as address:
        words = [many, "--to", "bvh", "--out", out, "--scheduler", address, "--task-seconds", "1"]
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
                if workers and (out / LEDGER).exists() and client.poll() is None:
                    killed.append(moments.choice(workers))
                    os.kill(killed[-1], signal.SIGKILL)
            said, _ = client.communicate(timeout=240)
    assert client.returncode == 1, said  # some inputs are broken
    assert len(set(killed)) >= 3
    batch(many, "--to", "bvh", "--out", tmp_path / "single")
    assert ledger_rows(out) == ledger_rows(tmp_path / "single")
    assert files_below(out) == files_below(tmp_path / "single")
    assert "2,970 written, 30 failed" in said


def test_file_that_kills_is_alone_in_the_end(tmp_path: Path) -> None:
    """The others are converted, and its row says what happened."""
    inputs = tmp_path / "in"
    inputs.mkdir()
    for number in range(100):
        os.link(WALK, inputs / f"{'poison' if number == 37 else 'clip'} {number}.anim")
    program = tmp_path / "animbridge"
    program.write_text(
        "#!/bin/sh\n"
        'for word; do case $word in */plan.jsonl) grep -q poison "$word" && kill -KILL $$ ;; esac; done\n'
        f'exec "{COMMAND}" "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    done = farm(
        inputs,
        "--to",
        "bvh",
        "--out",
        tmp_path / "out",
        "--workers",
        "2",
        more={"ANIMBRIDGE_COMMAND": str(program)},
    )
    assert done.returncode == 1
    assert "99 written, 1 failed" in done.stdout
    assert "poison 37.anim: the conversion ended its program, or its machine, each time" in done.stdout
    assert len(ledger_rows(tmp_path / "out")) == 99


def test_input_that_cannot_be_read_is_tried_again(tmp_path: Path) -> None:
    """As on a network folder: at the first attempt it is not there."""
    shutil.copy(WALK, tmp_path / "walk.anim")
    program = tmp_path / "animbridge"
    program.write_text(
        "#!/bin/bash\n"
        f'cd "{tmp_path}"\n'
        f'[[ " $* " == *" --planned "* && ! -e tried ]] || exec "{COMMAND}" "$@"\n'
        "touch tried; mv walk.anim away\n"
        f'"{COMMAND}" "$@"; code=$?\n'
        "mv away walk.anim; exit $code\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    out = tmp_path / "out"
    words = [tmp_path / "walk.anim", "--to", "bvh", "--out", out, "--workers", "1", "--json-lines"]
    done = farm(*words, more={"ANIMBRIDGE_COMMAND": str(program)})
    assert (tmp_path / "tried").exists()
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = map(json.loads, done.stdout.splitlines()[:-1])
    assert row["status"] == "ok" and len(ledger_rows(out)) == 1


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
